import { basename, relative } from 'node:path/posix'
import { inspect } from 'node:util'
import { INSTRUMENTER_CONSTANTS, type StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  type CompleteDryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import { testsOf } from './tests-of.ts'

/**
 * Runs the tests nearest to the module that is broken. Vitest stays, with the modules that it compiled; each run has a
 * worker of its own, for machines are made while their module loads and a mutant must be there by then.
 */
class VitestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options)
  readonly #modules: readonly string[]
  #vitest: Vitest | undefined
  /** One a file, the tests named as the module first. */
  #nearest: readonly TestSpecification[] = []

  constructor({ mutate }: StrykerOptions) {
    this.#modules = mutate
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    this.#vitest = await createVitest({
      watch: false,
      config: 'scripts/mutation/vitest.config.ts',
      bail: 1,
      pool: 'threads',
      reporters: [{}],
    })
    const files = new Set(this.#modules.flatMap(testsOf))
    const names = this.#modules.map((module) => basename(module, '.ts'))
    const isItsOwn = ({ moduleId }: TestSpecification) => names.some((name) => basename(moduleId).startsWith(name))
    this.#nearest = (await this.#vitest.globTestSpecifications())
      .filter(({ moduleId }) => files.has(relative(process.cwd(), moduleId)))
      .sort((one, other) => Number(isItsOwn(other)) - Number(isItsOwn(one)))
  }

  dryRun() {
    return this.#run('')
  }

  async mutantRun({ activeMutant }: MutantRunOptions) {
    return toMutantRunResult(await this.#run(activeMutant.id))
  }

  async dispose() {
    await this.#vitest?.close()
  }

  async #run(mutant: string): Promise<CompleteDryRunResult> {
    process.env[INSTRUMENTER_CONSTANTS.ACTIVE_MUTANT_ENV_VARIABLE] = mutant
    const started = performance.now()
    const failure = await this.#firstFailure()
    const nearest = { id: 'nearest', name: 'the tests nearest to it', timeSpentMs: performance.now() - started }
    return {
      status: DryRunStatus.Complete,
      tests: [
        failure === undefined
          ? { ...nearest, status: TestStatus.Success }
          : { ...nearest, status: TestStatus.Failed, failureMessage: failure },
      ],
    }
  }

  async #firstFailure(): Promise<string | undefined> {
    if (this.#vitest === undefined) throw new Error('The runner was not started.')
    // Vitest keeps what earlier runs left unhandled, and gives the outcome of every file that ever ran.
    this.#vitest.state.clearErrors()
    for (const specification of this.#nearest) {
      const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([specification])
      const here = testModules.filter(({ moduleId }) => moduleId === specification.moduleId)
      const [failure] = [...unhandledErrors.map((error) => inspect(error)), ...here.flatMap(failuresOf)]
      if (failure !== undefined) return failure
    }
    return undefined
  }
}

const failuresOf = (module: TestModule): string[] => [
  ...module.errors().map(({ message }) => message),
  ...Array.from(
    module.children.allTests('failed'),
    (test) => `${test.fullName}: ${test.result().errors?.[0]?.message}`,
  ),
]

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'vitest', VitestRunner)]
