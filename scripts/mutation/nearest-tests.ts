import { basename, relative } from 'node:path/posix'
import { inspect } from 'node:util'
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import { testsOf } from './tests-of.ts'

/**
 * The tests nearest to what is broken. Vitest stays, with the modules that it compiled; each run has a worker of its
 * own, for machines are made while their module loads and what is broken must be so by then: what the environment holds
 * when a run begins.
 */
export class NearestTests {
  readonly #vitest: Vitest
  /** One a file, the tests named as the module first. */
  readonly #specifications: readonly TestSpecification[]

  private constructor(vitest: Vitest, specifications: readonly TestSpecification[]) {
    this.#vitest = vitest
    this.#specifications = specifications
  }

  /** Those of these modules, by their paths from the project's root. */
  static async open(modules: readonly string[]): Promise<NearestTests> {
    const vitest = await createVitest({
      watch: false,
      config: 'scripts/mutation/vitest.config.ts',
      bail: 1,
      pool: 'threads',
      reporters: [{}],
    })
    const files = new Set(modules.flatMap(testsOf))
    const names = modules.map((module) => basename(module, '.ts'))
    const isItsOwn = ({ moduleId }: TestSpecification) => names.some((name) => basename(moduleId).startsWith(name))
    const specifications = (await vitest.globTestSpecifications())
      .filter(({ moduleId }) => files.has(relative(process.cwd(), moduleId)))
      .sort((one, other) => Number(isItsOwn(other)) - Number(isItsOwn(one)))
    return new NearestTests(vitest, specifications)
  }

  /** Runs them until one fails; undefined where none does. */
  async firstFailure(): Promise<string | undefined> {
    // Vitest keeps what earlier runs left unhandled, and gives the outcome of every file that ever ran.
    this.#vitest.state.clearErrors()
    for (const specification of this.#specifications) {
      const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([specification])
      const here = testModules.filter(({ moduleId }) => moduleId === specification.moduleId)
      const [failure] = [...unhandledErrors.map((error) => inspect(error)), ...here.flatMap(failuresOf)]
      if (failure !== undefined) return failure
    }
    return undefined
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
