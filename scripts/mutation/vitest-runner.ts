import { relative } from 'node:path/posix'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import { NearestTests } from './nearest-tests.ts'
import { isInSample, notInSample } from './sample.ts'

const nearest = { id: 'nearest', name: 'the tests nearest to the mutant' }

/** A Stryker test runner for the tests nearest to the mutated module. */
class VitestRunner implements TestRunner {
  #tests: NearestTests | undefined
  /** Why the tests of a module fail without a mutant; undefined if they pass. */
  readonly #failures = new Map<string, string | undefined>()

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    this.#tests = await NearestTests.open()
  }

  /** The tests of each module run without a mutant before its first mutant. */
  async dryRun(): Promise<DryRunResult> {
    return {
      status: DryRunStatus.Complete,
      tests: [{ ...nearest, status: TestStatus.Success, timeSpentMs: 0 }],
    }
  }

  async mutantRun({ activeMutant, sandboxFileName }: MutantRunOptions): Promise<MutantRunResult> {
    if (!isInSample(activeMutant.id)) {
      return { status: MutantRunStatus.Error, errorMessage: notInSample }
    }
    const module = relative(process.cwd(), sandboxFileName)
    if (!this.#failures.has(module)) this.#failures.set(module, await this.#run(module, ''))
    const unmutated = this.#failures.get(module)
    if (unmutated !== undefined) {
      return { status: MutantRunStatus.Error, errorMessage: `The tests fail without a mutant: ${unmutated}` }
    }
    const failureMessage = await this.#run(module, activeMutant.id)
    return failureMessage === undefined
      ? { status: MutantRunStatus.Survived, nrOfTests: 1 }
      : { status: MutantRunStatus.Killed, killedBy: [nearest.id], nrOfTests: 1, failureMessage }
  }

  async dispose() {
    await this.#tests?.close()
  }

  async #run(module: string, mutant: string): Promise<string | undefined> {
    if (this.#tests === undefined) throw new Error('The runner was not started.')
    process.env[INSTRUMENTER_CONSTANTS.ACTIVE_MUTANT_ENV_VARIABLE] = mutant
    return this.#tests.firstFailure(module)
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'vitest', VitestRunner)]
