import { relative } from 'node:path/posix'
import { inspect } from 'node:util'
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import { type TestsOfModule, testsOf } from './tests-of.ts'

/**
 * Runs the tests of mutated modules. Vitest keeps its compiled modules, but each run has its own worker: machines
 * are created when their module loads, so the mutant must be set in the environment before.
 */
export class NearestTests {
  readonly #vitest: Vitest
  readonly #specifications: readonly TestSpecification[]

  private constructor(vitest: Vitest, specifications: readonly TestSpecification[]) {
    this.#vitest = vitest
    this.#specifications = specifications
  }

  static async open(): Promise<NearestTests> {
    const vitest = await createVitest({
      watch: false,
      config: 'scripts/mutation/vitest.config.ts',
      bail: 1,
      pool: 'threads',
      reporters: [{}],
    })
    return new NearestTests(vitest, await vitest.globTestSpecifications())
  }

  #specificationsFor(module: string, which: keyof TestsOfModule): readonly TestSpecification[] {
    const byFile = new Map(this.#specifications.map((one) => [relative(process.cwd(), one.moduleId), one]))
    return testsOf(module)[which].map((file) => {
      const found = byFile.get(file)
      if (found === undefined) throw new Error(`Vitest does not know ${file}.`)
      return found
    })
  }

  /** Runs the tests of a module until one fails. Undefined if all pass. `module`: a path relative to the root. */
  async firstFailure(
    module: string,
    which: keyof TestsOfModule = 'nearest',
  ): Promise<{ file: TestSpecification; message: string } | undefined> {
    for (const file of this.#specificationsFor(module, which)) {
      const message = await this.failureOf(file)
      if (message !== undefined) return { file, message }
    }
    return undefined
  }

  /** Runs a test file. Undefined if all its tests pass. */
  async failureOf(file: TestSpecification): Promise<string | undefined> {
    // Vitest keeps the unhandled errors of earlier runs, and reports the results of all files that ever ran.
    this.#vitest.state.clearErrors()
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([file])
    const here = testModules.filter(({ moduleId }) => moduleId === file.moduleId)
    return [...unhandledErrors.map((error) => inspect(error)), ...here.flatMap(failuresOf)].at(0)
  }

  close(): Promise<void> {
    return this.#vitest.close()
  }
}

const failuresOf = (module: TestModule): string[] => [
  ...module.errors().map(({ message }) => message),
  ...Array.from(
    module.children.allTests('failed'),
    (test) => `${test.fullName}: ${test.result().errors?.[0]?.message}`,
  ),
]
