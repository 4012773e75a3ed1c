import { expect, it } from 'vitest'
import { noSale, saleBlockedReason } from '../../../src/domain/comments/live-sale.ts'
import { liveSale, liveSaleMachine } from '../../../src/machines/comments/live-sale.ts'
import { createCoverage } from '../harness.ts'
import { followBeside } from '../reference.ts'
import { driveSettings, settingsReference, shownSettings, startSettingsForm } from '../settings-form-fixture.ts'
import { on, saleModel } from './live-sale-fixture.ts'

const coverage = createCoverage(liveSaleMachine)

it('saves the sale over the version that was seen', async () => {
  const sut = startSettingsForm(liveSale, coverage.inspect)
  await sut.load.resolve({ saved: { settings: noSale, version: 4 }, facts: { posts: [] } })
  sut.actor.send({ type: 'settings.edited', settings: on })
  sut.actor.send({ type: 'settings.submitted' })
  expect(sut.save.inputs()).toEqual([{ settings: on, replaces: 4 }])
  await sut.save.resolve({ settings: on, version: 5, isSaved: true })
  expect(sut.toasts).toEqual([{ kind: 'success', text: 'Live sale saved' }])
})

const paths = saleModel().everyTransition()
it(`shows what the reference shows on ${paths.length} paths`, async () => {
  const reference = settingsReference('liveSale', noSale, (settings) => saleBlockedReason(settings) === null)
  for (const path of paths) {
    const sut = startSettingsForm(liveSale, coverage.inspect)
    await followBeside(path, driveSettings(sut), reference, () => shownSettings(liveSale, sut))
    sut.actor.stop()
  }
})

it('enters every state and takes every transition', () =>
  expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
