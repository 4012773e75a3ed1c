import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { projectRoot } from './project.ts'

const caches = 'node_modules/.cache/tsc'

/**
 * Checks the types and returns the exit code. Compares with the last check, so that it takes seconds. The compiler
 * (TypeScript 7.0) does not notice edits to imported JSON files there, so a cache serves one state of the texts.
 */
export function checkTypes(): Promise<number> {
  const hash = createHash('sha256')
  for (const file of globSync('src/**/*.json', { cwd: projectRoot }).toSorted())
    hash.update(`${file}\n`).update(readFileSync(join(projectRoot, file)))
  const cache = join(caches, `${hash.digest('hex').slice(0, 16)}.tsbuildinfo`)
  for (const other of globSync(`${caches}/*`, { cwd: projectRoot })) {
    if (other !== cache) rmSync(join(projectRoot, other), { force: true })
  }
  return runCommand('tsc', ['--incremental', '--tsBuildInfoFile', cache])
}
