import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import { type EndedPicture, pictureRenewalMachine, selectRenewed } from '../../../src/machines/list/picture-renewal.ts'
import { createControl, createCoverage, follow } from '../harness.ts'
import { pictureRenewalModel, renewalsIn } from './picture-renewal-fixture.ts'

const coverage = createCoverage(pictureRenewalMachine)

function start() {
  const renew = createControl<string | null, { id: string }>()
  const machine = pictureRenewalMachine.provide({ actors: { renewPicture: renew.logic } })
  const actor = createActor(machine, { inspect: coverage.inspect }).start()
  const tell = (picture: EndedPicture) => actor.send({ type: 'picture.ended', picture })
  return {
    renew,
    actor,
    tell,
    ended: (id: string, address: string) => tell({ id, address }),
    renewed: (address: string | null) => selectRenewed(actor.getSnapshot(), address),
    state: () => actor.getSnapshot().value,
  }
}

it('pictures are renewed one after the other, each address once', async () => {
  const sut = start()
  sut.ended('ana', '/a?old')
  sut.ended('ana', '/a?old')
  sut.ended('ben', '/b?old')
  expect([sut.state(), sut.renew.inputs()]).toEqual(['renewing', [{ id: 'ana' }]])
  await sut.renew.resolve('/a?new')
  expect([sut.renewed('/a?old'), sut.renewed('/b?old')]).toEqual(['/a?new', null])
  expect(sut.renew.inputs()).toEqual([{ id: 'ana' }, { id: 'ben' }])
  await sut.renew.resolve('/b?new')
  sut.ended('ben', '/b?old')
  expect([sut.state(), sut.renewed('/b?old'), sut.renew.inputs().length]).toEqual(['resting', '/b?new', 2])
})

it('one that the network does not give, or that could not be asked for, holds up no other', async () => {
  const sut = start()
  sut.ended('ana', '/a?old')
  sut.ended('ben', '/b?old')
  sut.ended('cai', '/c?old')
  await sut.renew.resolve(null)
  await sut.renew.reject(new Error('refused'))
  await sut.renew.resolve('/c?new')
  expect([sut.state(), sut.renewed('/a?old'), sut.renewed('/b?old'), sut.renewed('/c?old')]).toEqual([
    'resting',
    null,
    null,
    '/c?new',
  ])
  expect(sut.renewed(null)).toBe(null)
})

it('pictures are renewed as the model says over every transition', async () => {
  for (const path of pictureRenewalModel().everyTransition()) {
    const sut = start()
    await follow(
      path,
      {
        'picture.ended': ({ picture }) => sut.tell(picture),
        'xstate.done.actor.renewPicture': ({ output }) => sut.renew.resolve(output),
        'xstate.error.actor.renewPicture': ({ error }) => sut.renew.reject(error),
      },
      ({ expected }) =>
        expect([sut.state(), renewalsIn(sut.actor.getSnapshot())], path.title).toEqual([
          expected.value,
          renewalsIn(expected),
        ]),
    )
    sut.actor.stop()
  }
})

it('these journeys take every state and every transition', () => {
  expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []])
})
