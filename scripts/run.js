// Every npm script starts here: `node scripts/run.js <script> <arguments>`. Installs the dependencies if they do not match
// package-lock.json, then runs the script with a Node that is new enough. Plain JavaScript, because old Nodes must parse it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
/** npm writes what it installed into this file, as the last step of an installation. */
const installedFile = join(modules, '.package-lock.json')
/** The optional dependencies node-linux-* put a current Node here. npm puts this folder on the PATH of its scripts. */
const bundledNode = join(modules, '.bin', process.platform === 'win32' ? 'node.exe' : 'node')
const installLock = join(root, '.npm-install.lock')
/** Milliseconds. An older lock is stale. */
const maxInstallTime = 15 * 60_000
/** `.ci/run` knows by this exit code that the script itself did not run (EX_UNAVAILABLE of sysexits.h). */
const exitUnavailable = 69

const hasInstalled = await installIfNeeded()
const needed = Number(/\d+/.exec(readJson(join(root, 'package.json')).engines.node)[0])
const isTooOld = Number(process.versions.node.split('.')[0]) < needed
const hasBundled = existsSync(bundledNode)

// The installation may have replaced the Node that runs this script.
if (hasBundled && (hasInstalled || (isTooOld && realpathSync(bundledNode) !== process.execPath))) {
  restartWith(bundledNode)
} else if (isTooOld) {
  fail(
    `Staff Inbox needs Node ${needed} or later, but this is Node ${process.versions.node}. Install a newer Node, or on Linux run \`npm ci --include=optional\`, which brings one along.`,
  )
} else {
  const script = resolve(process.argv[2])
  process.argv.splice(1, 2, script)
  await import(pathToFileURL(script).href)
}

/** Returns whether this process installed the dependencies. Concurrent commands wait for each other. */
async function installIfNeeded() {
  if (isInstalled()) return false
  for (let isFirst = true; !acquireInstallLock(); isFirst = false) {
    if (isFirst) console.error('Another command is installing the dependencies. Waiting for it…')
    await new Promise((done) => setTimeout(done, 300))
  }
  try {
    if (!isInstalled()) install()
  } finally {
    rmSync(installLock, { force: true })
  }
  return true
}

/** Whether every package of the lock file is installed in that version. Optional ones may be missing. */
function isInstalled() {
  if (!existsSync(installedFile)) return false
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const installed = readJson(installedFile).packages
  return Object.keys(wanted).every((path) => {
    if (path === '') return true
    const [want, have] = [wanted[path], installed[path]]
    if (have === undefined) return want.optional === true
    return have.version === want.version && have.integrity === want.integrity
  })
}

function install() {
  const reason = existsSync(modules) ? 'node_modules does not match package-lock.json' : 'node_modules is missing'
  console.error(`Installing the dependencies, because ${reason}…`)
  // The tests and the build need the development dependencies, also where NODE_ENV is "production".
  const { status, error } = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  })
  if (status === 0 && isInstalled()) return
  rmSync(installLock, { force: true })
  fail(
    `The dependencies could not be installed${error ? `: ${error.message}` : ''}. Check the messages above and the network, then run the command again. If you changed package.json, run \`npm install\` first.`,
  )
}

function acquireInstallLock() {
  try {
    writeFileSync(installLock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isStale(installLock)) rmSync(installLock, { force: true })
    return false
  }
}

function isStale(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > maxInstallTime) return true
    const owner = Number(readFileSync(lock, 'utf8'))
    if (owner > 0) process.kill(owner, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function restartWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  })
  // Ctrl+C reaches the child from the terminal; a second one would make the server stop at once.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('error', ({ message }) => fail(`Node ${needed} could not be started: ${message}.`))
  child.once('exit', (code) => process.exit(code === null ? 1 : code))
}

function fail(message) {
  console.error(message)
  process.exit(exitUnavailable)
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
