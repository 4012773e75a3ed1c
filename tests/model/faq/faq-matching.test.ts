import { describe, expect, it } from 'vitest'
import { faqMatching, faqMatchingMachine } from '../../../src/machines/faq/faq-matching.ts'
import { usualFaqMatching } from '../../../src/schemas/faq.ts'
import { createCoverage } from '../harness.ts'
import { followBeside } from '../reference.ts'
import { driveSettings, settingsReference, shownSettings, startSettingsForm } from '../settings-form-fixture.ts'
import { matchingModel, never } from './faq-matching-fixture.ts'

const coverage = createCoverage(faqMatchingMachine)

describe('The dialog of FAQ matching', () => {
  it('begins with the careful score, and saves another one over the version that was seen', async () => {
    const sut = startSettingsForm(faqMatching, coverage.inspect)
    await sut.load.resolve({ saved: { settings: null, version: 0 }, facts: null })
    expect(faqMatching.selectSettings(sut.snapshot())).toEqual({ least_score: 0.9 })
    sut.actor.send({ type: 'settings.submitted' })
    sut.actor.send({ type: 'settings.edited', settings: never })
    sut.actor.send({ type: 'settings.submitted' })
    expect(sut.save.inputs()).toEqual([{ settings: never, replaces: 0 }])
    await sut.save.resolve({ settings: never, version: 1, isSaved: true })
    expect(sut.toasts).toEqual([{ kind: 'success', text: 'FAQ matching saved' }])
  })

  const paths = matchingModel().everyTransition()
  const reference = settingsReference('faqMatching', usualFaqMatching, () => true)
  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startSettingsForm(faqMatching, coverage.inspect)
      await followBeside(path, driveSettings(sut), reference, () => shownSettings(faqMatching, sut))
      sut.actor.stop()
    }
  })

  it('enters every state and takes every transition', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
