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
import { isInPass, isSecondPass, notInPass } from './pass.ts'

const allTests = { id: 'all', name: 'the tests of the mutant' }

/** A Stryker test runner for the tests nearest to the mutated module; in a second pass, for the other tests. */
class VitestRunner implements TestRunner {
  #tests: NearestTests | undefined
  /** Why a test file fails without a mutant; undefined if it passes. */
  readonly #failures = new Map<string, string | undefined>()

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    this.#tests = await NearestTests.open()
  }

  /** A test file that fails runs without a mutant afterwards. */
  async dryRun(): Promise<DryRunResult> {
    return {
      status: DryRunStatus.Complete,
      // Without a time, Stryker reports no percentage.
      tests: [{ ...allTests, status: TestStatus.Success, timeSpentMs: 1 }],
    }
  }

  async mutantRun({ activeMutant, sandboxFileName }: MutantRunOptions): Promise<MutantRunResult> {
    if (!isInPass(activeMutant.id)) {
      return { status: MutantRunStatus.Error, errorMessage: notInPass }
    }
    const tests = this.#tests
    if (tests === undefined) throw new Error('The runner was not started.')
    const failure = await withMutant(activeMutant.id, () =>
      tests.firstFailure(relative(process.cwd(), sandboxFileName), isSecondPass() ? 'others' : 'nearest'),
    )
    if (failure === undefined) return { status: MutantRunStatus.Survived, nrOfTests: 1 }
    const { file, message } = failure
    if (!this.#failures.has(file.moduleId)) {
      this.#failures.set(file.moduleId, await withMutant('', () => tests.failureOf(file)))
    }
    const unmutated = this.#failures.get(file.moduleId)
    return unmutated === undefined
      ? { status: MutantRunStatus.Killed, killedBy: [allTests.id], nrOfTests: 1, failureMessage: message }
      : { status: MutantRunStatus.Error, errorMessage: `${file.moduleId} fails without a mutant: ${unmutated}` }
  }

  async dispose() {
    await this.#tests?.close()
  }
}

/** `mutant`: its number; empty for none. */
function withMutant<Result>(mutant: string, run: () => Promise<Result>): Promise<Result> {
  process.env[INSTRUMENTER_CONSTANTS.ACTIVE_MUTANT_ENV_VARIABLE] = mutant
  return run()
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'vitest', VitestRunner)]
