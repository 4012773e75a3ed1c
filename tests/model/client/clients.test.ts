import { describe, expect, it } from 'vitest'
import { createActor, setup } from 'xstate'
import {
  clientsIn,
  clientsMachine,
  holdClients,
  selectClient,
  watchClient,
} from '../../../src/machines/client/clients.ts'
import { createCoverage, followByHand } from '../harness.ts'
import { clientOf } from './clients-fixture.ts'

const coverage = createCoverage(clientsMachine)

const [maria, jun] = [clientOf('k1'), clientOf('k2')]

/** The clients, and a machine that shows and watches some of them. */
function start() {
  const heard: unknown[] = []
  const owner = createActor(
    setup({ actors: { clients: clientsMachine, holdClients, watchClient } }).createMachine({
      invoke: { src: 'clients', id: 'clients', systemId: 'clients' },
      initial: 'away',
      on: { 'client.changed': { actions: ({ event }) => void heard.push(event['fbUserId']) } },
      states: {
        away: { on: { opened: 'shown' } },
        shown: {
          invoke: [
            { src: 'holdClients', id: 'holdClients', input: { ids: ['k1'] } },
            { src: 'watchClient', input: { id: 'k1' } },
          ],
          on: { closed: 'away' },
        },
      },
    }),
    { inspect: coverage.inspect },
  ).start()
  const clients = owner.getSnapshot().children['clients']
  if (clients === undefined) throw new Error('the clients do not run')
  return {
    owner,
    heard,
    send: (event: Parameters<(typeof clients)['send']>[0]) => clients.send(event),
    shown: (id: string | null) => selectClient(id)(clients.getSnapshot()),
    held: () => [...clientsIn(owner.system).held.values()],
  }
}

describe('the clients', () => {
  it('hold each client once, with the newest data of answers and links', async () => {
    const sut = start()
    await followByHand(clientsMachine, [
      {
        name: 'two clients are found',
        run: () => sut.send({ type: 'clients.fetched', clients: [maria, jun], asOf: 0 }),
        check: () =>
          expect([sut.shown('k1'), sut.shown('k2'), sut.shown('k3'), sut.shown(null)]).toEqual([
            maria,
            jun,
            null,
            null,
          ]),
      },
      {
        name: 'one of them is linked',
        run: () => sut.send({ type: 'client.linked', userId: 'c1', clientId: 'k1' }),
        check: () => expect([sut.shown('k1'), sut.shown('k2')]).toEqual([{ ...maria, fb_user_id: 'c1' }, jun]),
      },
      {
        name: 'an answer arrives that was requested before the link',
        run: () =>
          sut.send({ type: 'clients.fetched', clients: [{ ...maria, phone: '0917', fb_user_id: null }], asOf: 0 }),
        check: () => expect(sut.shown('k1')).toEqual({ ...maria, phone: '0917', fb_user_id: 'c1' }),
      },
      {
        name: 'an answer arrives that was requested after the link',
        run: () => sut.send({ type: 'clients.fetched', clients: [{ ...maria, fb_user_id: 'c9' }], asOf: 1 }),
        check: () => expect(sut.shown('k1')).toEqual({ ...maria, phone: '0917', fb_user_id: 'c9' }),
      },
    ])
  })

  it('keep the newest labels of a client that they know', () => {
    const sut = start()
    sut.send({ type: 'clients.fetched', clients: [maria], asOf: 0 })
    const newest = { version: 2, label_ids: ['l2'] }
    for (const labels of [{ version: 1, label_ids: ['l1'] }, newest, { version: 1, label_ids: [] }])
      for (const clientId of ['k1', 'k9']) sut.send({ type: 'clientLabels.told', clientId, labels })
    expect([sut.shown('k1'), sut.shown('k9')]).toEqual([{ ...maria, labels: newest }, null])
  })

  it('are held as long as a machine shows them, also when it shows others', () => {
    const sut = start()
    sut.owner.send({ type: 'opened' })
    expect(sut.held()).toEqual([['k1']])
    sut.owner.getSnapshot().children['holdClients']?.send({ type: 'clients.shown', ids: ['k2', 'k3'] })
    expect(sut.held()).toEqual([['k2', 'k3']])
    sut.owner.send({ type: 'closed' })
    expect(sut.held()).toEqual([])
    sut.owner.send({ type: 'opened' })
    sut.owner.stop()
  })

  it('report the chat user of a watched client when the client appears and when the chat user changes', () => {
    const sut = start()
    sut.owner.send({ type: 'opened' })
    expect(sut.heard).toEqual([])
    sut.send({ type: 'clients.fetched', clients: [maria, jun], asOf: 0 })
    sut.send({ type: 'clients.fetched', clients: [{ ...maria, phone: '0917' }], asOf: 0 })
    sut.send({ type: 'client.linked', userId: 'c1', clientId: 'k1' })
    expect(sut.heard).toEqual([null, 'c1'])
    sut.send({ type: 'client.unlinked', clientId: 'k1' })
    sut.send({ type: 'client.linked', userId: 'c1', clientId: 'k1' })
    expect(sut.heard).toEqual([null, 'c1', null, 'c1'])
    sut.owner.send({ type: 'closed' })
    sut.owner.send({ type: 'opened' })
    expect(sut.heard).toEqual([null, 'c1', null, 'c1', 'c1'])
  })

  it('are empty if no clients actor is running', () => {
    expect(clientsIn(createActor(clientsMachine).system).byId.size).toBe(0)
  })

  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
