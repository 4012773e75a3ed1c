import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs simulations in a process of their own, for they replace the globals. Returns the output and whether all passed. */
export async function run(...options: string[]): Promise<{ passed: boolean; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--shrink=0', ...options], {
      maxBuffer: 100 * 1024 * 1024,
    })
    return { passed: true, output: stdout }
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'stdout' in error && 'stderr' in error) {
      return { passed: false, output: `${error.stdout}${error.stderr}` }
    }
    throw error
  }
}

const main = 'tests/simulation/main.ts'
