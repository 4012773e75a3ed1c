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
import { NearestTests } from './nearest-tests.ts'

/** A Stryker test runner for the tests nearest to the mutated module. */
class VitestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options)
  readonly #modules: readonly string[]
  #tests: NearestTests | undefined

  constructor({ mutate }: StrykerOptions) {
    this.#modules = mutate
  }

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    this.#tests = await NearestTests.open(this.#modules)
  }

  dryRun() {
    return this.#run('')
  }

  async mutantRun({ activeMutant }: MutantRunOptions) {
    return toMutantRunResult(await this.#run(activeMutant.id))
  }

  async dispose() {
    await this.#tests?.close()
  }

  async #run(mutant: string): Promise<CompleteDryRunResult> {
    if (this.#tests === undefined) throw new Error('The runner was not started.')
    process.env[INSTRUMENTER_CONSTANTS.ACTIVE_MUTANT_ENV_VARIABLE] = mutant
    const started = performance.now()
    const failure = await this.#tests.firstFailure()
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
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'vitest', VitestRunner)]
