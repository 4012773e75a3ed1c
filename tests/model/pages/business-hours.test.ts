import { describe, expect, it } from 'vitest'
import { newHours } from '../../../src/domain/pages/hours-form.ts'
import { businessHours, businessHoursMachine } from '../../../src/machines/pages/business-hours.ts'
import { createCoverage } from '../harness.ts'
import { followBeside } from '../reference.ts'
import { driveSettings, settingsReference, shownSettings, startSettingsForm } from '../settings-form-fixture.ts'
import { away, hoursModel, hoursWith, noHours } from './business-hours-fixture.ts'

const coverage = createCoverage(businessHoursMachine)
const start = async () => {
  const sut = startSettingsForm(businessHours, coverage.inspect)
  await sut.load.resolve({ saved: { settings: null, version: 0 }, facts: { timeZone: 'Asia/Manila' } })
  return sut
}

describe('The dialog of the business hours', () => {
  it('saves what was changed over the version that was seen', async () => {
    const sut = await start()
    sut.actor.send({ type: 'settings.edited', settings: away })
    sut.actor.send({ type: 'settings.submitted' })
    expect(sut.save.inputs()).toEqual([{ settings: away, replaces: 0 }])
    await sut.save.resolve({ settings: away, version: 1, isSaved: true })
    expect([sut.toasts, businessHours.selectFacts(sut.snapshot())]).toEqual([
      [{ kind: 'success', text: 'Business hours saved' }],
      { timeZone: 'Asia/Manila' },
    ])
  })

  it.each([
    ['nothing that was not changed', noHours, 'You have not changed anything'],
    ['no hours without an away answer', hoursWith({ is_on: true, text: ' ' }), 'Write the away answer.'],
    [
      'no text that is too long',
      hoursWith({ text: 'é'.repeat(451) }),
      'The away answer is too long. Use about 900 characters.',
    ],
    ['no week without hours', hoursWith({ is_on: true, spans: [] }), 'Add hours for at least one day.'],
    [
      'no span without its end',
      hoursWith({ spans: [{ day: 1, from: '09:00', to: '' }] }),
      'Type both times of each line.',
    ],
    [
      'no holiday without its date',
      hoursWith({ holidays: [{ date: '', is_yearly: true, name: 'Rizal Day' }] }),
      'Choose the date of each holiday.',
    ],
    ['an empty week that is off', hoursWith({ spans: [], text: '' }), null],
    ['the hours of a new page', { pages: { p1: newHours() } }, null],
  ])('saves %s', async (_, settings, reason) => {
    const sut = await start()
    sut.actor.send({ type: 'settings.edited', settings })
    sut.actor.send({ type: 'settings.submitted' })
    expect([businessHours.selectBlockedReason(sut.snapshot()), sut.save.calls.length]).toEqual([
      reason,
      reason === null ? 1 : 0,
    ])
  })

  const paths = hoursModel().everyTransition()
  const reference = settingsReference('businessHours', noHours, ({ pages }) =>
    Object.values(pages).every(({ text }) => text.trim() !== ''),
  )
  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startSettingsForm(businessHours, coverage.inspect)
      await followBeside(path, driveSettings(sut), reference, () => shownSettings(businessHours, sut))
      sut.actor.stop()
    }
  })

  it('enters every state and takes every transition', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
