import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { compressFiles } from './compress.ts'
import { writePreloads } from './preload.ts'
import { projectRoot } from './project.ts'

const stampFile = join(projectRoot, 'dist/.built-from')
const sources = [
  'index.html',
  'package-lock.json',
  'vite.config.ts',
  'scripts/{compile-texts,compress,preload,screens,service-worker}.ts',
  'src/**/*.*',
  'public/**/*.*',
]

/** Builds the SPA into dist/. Returns whether it succeeded; vite prints the errors. */
export async function build(): Promise<boolean> {
  const stamp = await sourcesStamp()
  const commit = process.env['VITE_COMMIT'] ?? currentCommit()
  const code = await runCommand('vite', ['build', '--logLevel', 'warn'], {
    NODE_ENV: 'production',
    ...(commit !== null && { VITE_COMMIT: commit }),
  })
  if (code !== 0) return false
  await writePreloads(join(projectRoot, 'dist'))
  await compressFiles(join(projectRoot, 'dist'))
  await writeFile(stampFile, stamp)
  return true
}

/** Builds only if sources, settings or dependencies have changed since the last build. */
export async function buildIfStale(): Promise<boolean> {
  if (existsSync(stampFile)) {
    if ((await readFile(stampFile, 'utf8')) === (await sourcesStamp())) return true
  }
  process.stdout.write('Building the application…\n')
  return build()
}

/** The commit for problem reports; null without a repository. */
function currentCommit(): string | null {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : null
}

async function sourcesStamp(): Promise<string> {
  const files = globSync(sources, { cwd: projectRoot })
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    hash.update(`${file}\n`).update(await readFile(join(projectRoot, file)))
  }
  for (const [name, value] of Object.entries(process.env).toSorted()) {
    if (name.startsWith('VITE_')) hash.update(`${name}=${value}\n`)
  }
  return hash.digest('hex')
}
