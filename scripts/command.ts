import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from './project.ts'

/** The entry files of the commands. */
const commands = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  playwright: '@playwright/test/cli.js',
}

/** Runs an installed command with this Node and returns its exit code, 1 if a signal ended it. */
export async function runCommand(
  name: keyof typeof commands,
  args: string[],
  env: Record<string, string> = {},
): Promise<number> {
  const child = spawn(process.execPath, [join(projectRoot, 'node_modules', commands[name]), ...args], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
