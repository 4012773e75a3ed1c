import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'

type Package = { version: string; integrity: string; optional?: boolean }
type Packages = Record<string, Package>

const runner = fileURLToPath(new URL('../../scripts/run.js', import.meta.url))
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const one = { version: '1.0.0', integrity: 'sha512-one' }
const lock: Packages = {
  'node_modules/a': one,
  'node_modules/b/node_modules/a': { version: '2.0.0', integrity: 'sha512-two' },
  'node_modules/for-another-system': { version: '1.0.0', integrity: 'sha512-three', optional: true },
}
const { 'node_modules/for-another-system': _, ...allButOptional } = lock

describe('scripts/run.js', () => {
  test.each<[string, Packages | null, boolean]>([
    ['node_modules is missing', null, true],
    ['an installation was interrupted', {}, true],
    ['a package is missing', { 'node_modules/a': one }, true],
    ['a package has another version', { ...allButOptional, 'node_modules/a': { ...one, version: '0.9.0' } }, true],
    [
      'a package has another integrity',
      { ...allButOptional, 'node_modules/a': { ...one, integrity: 'sha512-0' } },
      true,
    ],
    ['everything is installed', lock, false],
    ['an optional package is missing', allButOptional, false],
    ['a package is installed that the lock file does not list', { ...lock, 'node_modules/mine': one }, false],
  ])('decides whether to install when %s', async (_case, installed, installs) => {
    const project = newProject({ installed })
    const result = await project.run('hello')
    expect({ ...result, npm: project.npmCalls() }).toEqual({
      code: 0,
      output: 'script got hello\n',
      errors: installs
        ? `Installing the dependencies, because ${installed === null ? 'node_modules is missing' : 'node_modules does not match package-lock.json'}…\n`
        : '',
      npm: installs ? ['ci --include=dev --no-audit --no-fund --loglevel=error'] : [],
    })
  })

  test('runs the script with the installed Node, which is first on the PATH', async () => {
    const project = newProject({
      installed: null,
      installedNode: `echo "new node, $(command -v node)"\nexec "$REAL" "$@"`,
    })
    expect(await project.run('hello')).toEqual({
      code: 0,
      output: `new node, ${join(project.root, 'node_modules/.bin/node')}\nscript got hello\n`,
      errors: 'Installing the dependencies, because node_modules is missing…\n',
    })
  })

  test('runs the script with the installed Node when the current one is too old', async () => {
    const project = newProject({ installed: lock, needs: '>=999.0.0' })
    project.installNode('echo "new node got $3"; exit 7')
    expect(await project.run('hello')).toEqual({ code: 7, output: 'new node got hello\n', errors: '' })
  })

  test('names the required Node version when no installed Node is new enough', async () => {
    const result = await newProject({ installed: lock, needs: '>=999.0.0' }).run('hello')
    expect({ ...result, errors: result.errors.split(',')[0] }).toEqual({
      code: 69,
      output: '',
      errors: 'Staff Inbox needs Node 999 or later',
    })
  })

  test.each([
    ['npm fails', 'exit 1'],
    ['npm succeeds without installing everything', 'exit 0'],
  ])('explains the failure and runs nothing when %s', async (_case, npm) => {
    const project = newProject({ installed: null, npm })
    const result = await project.run('hello')
    expect({ ...result, errors: result.errors.split('\n')[1] }).toEqual({
      code: 69,
      output: '',
      errors:
        'The dependencies could not be installed. Check the messages above and the network, then run the command again. If you changed package.json, run `npm install` first.',
    })
    expect(project.isLocked()).toBe(false)
  })

  test('installs once for two concurrent commands', async () => {
    const project = newProject({ installed: null, npmTakes: 1 })
    const result = await Promise.all([project.run('first'), project.run('second')])
    expect(result.map(({ code, output }) => ({ code, output }))).toEqual([
      { code: 0, output: 'script got first\n' },
      { code: 0, output: 'script got second\n' },
    ])
    expect(result.map(({ errors }) => errors).toSorted()).toEqual([
      'Another command is installing the dependencies. Waiting for it…\n',
      'Installing the dependencies, because node_modules is missing…\n',
    ])
    expect(project.npmCalls()).toHaveLength(1)
    expect(project.isLocked()).toBe(false)
  })

  test.each([
    ['of a dead process', '999999999', 0],
    ['older than 15 minutes', String(process.pid), 16],
  ])('does not wait for a lock %s', async (_case, owner, minutesOld) => {
    const project = newProject({ installed: null })
    project.lockBy(owner, minutesOld)
    expect(await project.run('hello')).toMatchObject({ code: 0, output: 'script got hello\n' })
  })
})

type Project = {
  /** The content of npm's list of installed packages. */
  installed: Packages | null
  needs?: string
  /** The shell script that replaces `npm ci`. */
  npm?: string
  /** Seconds. */
  npmTakes?: number
  /** The shell script that `npm ci` installs as `node`. */
  installedNode?: string
}

/** A project with the real runner, a script that prints its argument, and a fake npm that records its calls. */
function newProject({ installed, needs = '>=24.0.0', npm, npmTakes = 0, installedNode }: Project) {
  const root = mkdtempSync(join(tmpdir(), 'staff-inbox-run-'))
  folders.push(root)
  const path = (name: string) => join(root, name)
  const write = (name: string, text: string) => writeFileSync(path(name), text)
  const writeProgram = (name: string, shell: string) => {
    write(name, `#!/bin/sh\n${shell}\n`)
    chmodSync(path(name), 0o755)
  }
  const installNode = (shell: string) => {
    mkdirSync(path('node_modules/.bin'), { recursive: true })
    writeProgram('node_modules/.bin/node', shell)
  }

  for (const folder of ['scripts', 'bin']) mkdirSync(path(folder))
  copyFileSync(runner, path('scripts/run.js'))
  write('script.js', "console.log('script got ' + process.argv[2])")
  write('package.json', JSON.stringify({ type: 'module', engines: { node: needs } }))
  write('package-lock.json', JSON.stringify({ packages: { '': { name: 'project' }, ...lock } }))
  write('installed.json', JSON.stringify({ packages: allButOptional }))
  if (installed !== null) {
    mkdirSync(path('node_modules'))
    write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }))
  }
  if (installedNode !== undefined) writeProgram('bin/installed-node', installedNode)
  const succeed = [
    'mkdir -p node_modules/.bin',
    installedNode === undefined ? '' : 'cp bin/installed-node node_modules/.bin/node',
    `sleep ${npmTakes}`,
    'cp installed.json node_modules/.package-lock.json',
  ]
  writeProgram('bin/npm', `echo "$*" >> npm-calls\n${npm ?? succeed.join('\n')}`)

  return {
    root,
    installNode,
    npmCalls: () => (existsSync(path('npm-calls')) ? readFileSync(path('npm-calls'), 'utf8').trim().split('\n') : []),
    isLocked: () => existsSync(path('.npm-install.lock')),
    lockBy: (owner: string, minutesOld: number) => {
      write('.npm-install.lock', owner)
      const when = Date.now() / 1000 - minutesOld * 60
      utimesSync(path('.npm-install.lock'), when, when)
    },
    run: (argument: string): Promise<{ code: unknown; output: string; errors: string }> => {
      const PATH = `${path('bin')}${delimiter}${process.env['PATH']}`
      const options = { cwd: root, env: { PATH, REAL: process.execPath } }
      return new Promise((done) => {
        execFile(process.execPath, ['scripts/run.js', 'script.js', argument], options, (error, output, errors) =>
          done({ code: error?.code ?? 0, output, errors }),
        )
      })
    },
  }
}
