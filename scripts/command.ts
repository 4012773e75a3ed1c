import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from './project.ts'

/** The files behind the commands that the project's scripts call. */
const commands = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  playwright: '@playwright/test/cli.js',
}

/**
 * Runs an installed command in this very Node, its output going to this terminal.
 * Answers its exit code; a command that a signal ended counts as 1.
 */
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
