import { describe, expect, it } from 'vitest'
import { clientLanguageMachine, selectIsSaving, selectLanguage } from '../../../src/machines/client/client-language.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { faults } from './clients-fixture.ts'
import { clientLanguageModel, inFilipino, startClientLanguage } from './summary-check-fixture.ts'

const coverage = createCoverage(clientLanguageMachine)
const start = () => startClientLanguage(coverage.inspect)

describe('The language of the summaries for a client', () => {
  it('is saved, and the client has it at once', async () => {
    const sut = start()
    sut.actor.send({ type: 'language.chosen', language: 'fil' })
    expect([sut.state(), sut.save.inputs()]).toEqual(['saving', [{ clientId: 'k1', language: 'fil' }]])
    await sut.save.resolve(inFilipino)
    expect([sut.actor.getSnapshot().status, sut.client('k1'), sut.toasts]).toEqual([
      'done',
      inFilipino,
      [{ kind: 'success', text: 'Language of summaries saved' }],
    ])
  })

  it('stays as it was after a failure, and can be chosen again', async () => {
    const sut = start()
    sut.actor.send({ type: 'language.chosen', language: 'fil' })
    await sut.save.reject(faults.unreadable)
    expect([sut.state(), selectLanguage(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      'choosing',
      'en',
      [{ kind: 'error', text: 'Failed to save the language' }],
    ])
    sut.actor.send({ type: 'language.chosen', language: 'fil' })
    expect(sut.save.calls).toHaveLength(2)
  })

  it('needs no call if it is the present one', () => {
    const sut = start()
    sut.actor.send({ type: 'language.chosen', language: 'en' })
    expect([sut.actor.getSnapshot().status, sut.save.calls.length]).toEqual(['done', 0])
  })
})

describe('the walk through the dialog of the language', () => {
  type State = { at: 'choosing' | 'saving' | 'closed'; language: string }
  const reference: Reference<State> = {
    start: { at: 'choosing', language: 'en' },
    accepts: ({ at }) => [
      ...when(at === 'choosing', 'language.chosen', 'dialog.dismissed'),
      ...when(at === 'saving', ...ends('saveLanguage')),
    ],
    rules: {
      'language.chosen': (_, { language }) => (language === 'en' ? { at: 'closed' } : { at: 'saving', language }),
      'dialog.dismissed': () => ({ at: 'closed' }),
      'xstate.done.actor.saveLanguage': () => ({ at: 'closed' }),
      'xstate.error.actor.saveLanguage': () => ({ at: 'choosing', language: 'en' }),
    },
    shown: ({ at, language }) => ({ isClosed: at === 'closed', isSaving: at === 'saving', language }),
  }

  it.each(
    clientLanguageModel()
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_, path) => {
    const sut = start()
    await followBeside(path, driverOf(sut.actor.send, { calls: { saveLanguage: sut.save } }), reference, () => {
      const snapshot = sut.actor.getSnapshot()
      return {
        isClosed: snapshot.status === 'done',
        isSaving: selectIsSaving(snapshot),
        language: selectLanguage(snapshot),
      }
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
