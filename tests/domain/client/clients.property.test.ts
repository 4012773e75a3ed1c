import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Clients,
  clientById,
  noClients,
  unheldLimit,
  withAnswer,
  withHeld,
  withLink,
} from '../../../src/domain/client/clients.ts'
import type { Client } from '../../../src/schemas/client.ts'
import { clientOf } from '../../model/client/clients-fixture.ts'

const ids = ['k1', 'k2', 'k3'] as const
type Id = (typeof ids)[number]

const step = fc.record({
  do: fc.constantFrom('rename', 'link', 'hearLink', 'load', 'search', 'answer'),
  which: fc.nat(20),
})

type Request = { answer: readonly Client[]; asOf: number }
type Link = { clientId: Id; userId: string }

/** Applies the steps. A server answers with its state at the time of the request; answers arrive late, in any order. */
function run(steps: readonly { do: string; which: number }[]) {
  const server = new Map<Id, Client>(ids.map((id) => [id, clientOf(id, { phone: '0', fb_user_id: null })]))
  const truth = (id: Id) => server.get(id) ?? clientOf(id)
  let clients: Clients = withAnswer(noClients, [...server.values()], 0)
  const requests: Request[] = []
  const links: Link[] = []
  const linked = new Map<Id, string>()
  for (const [number, { do: deed, which }] of steps.entries()) {
    const id = ids[which % ids.length] ?? 'k1'
    if (deed === 'rename') server.set(id, { ...truth(id), first_name: `name ${number}`, phone: `${number}` })
    // The server links a client once.
    if (deed === 'link' && truth(id).fb_user_id === null) {
      server.set(id, { ...truth(id), fb_user_id: `u${number}` })
      links.push({ clientId: id, userId: `u${number}` })
    }
    if (deed === 'hearLink') {
      const [link] = links.splice(which % Math.max(1, links.length), 1)
      if (link !== undefined) {
        clients = withLink(clients, link)
        linked.set(link.clientId, link.userId)
      }
    }
    if (deed === 'load') requests.push({ answer: [truth(id)], asOf: clients.sequence })
    if (deed === 'search')
      requests.push({ answer: [...server.values()].map(({ phone: _, ...found }) => found), asOf: clients.sequence })
    if (deed === 'answer') {
      const [request] = requests.splice(which % Math.max(1, requests.length), 1)
      if (request !== undefined) clients = withAnswer(clients, request.answer, request.asOf)
    }
    for (const [known, userId] of linked) expect(clientById(clients, known)?.fb_user_id).toBe(userId)
    for (const known of ids) expect(clientById(clients, known)?.phone).toBeDefined()
  }
  return { clients, server }
}

describe('The clients', () => {
  it('keep every link and every field while answers arrive in any order, and end as the server has them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clients, server } = run(steps)
        const answer = [...server.values()]
        const current = withAnswer(clients, answer, clients.sequence)
        expect(ids.map((id) => clientById(current, id))).toEqual(answer)
        // A repeated answer keeps every object.
        const repeated = withAnswer(current, structuredClone(answer), current.sequence)
        for (const id of ids) expect(clientById(repeated, id)).toBe(clientById(current, id))
      }),
      { seed: 13, numRuns: 500 },
    )
  })

  it(`keep every held client, and of the others the ${unheldLimit} that were written last`, () => {
    const seen = Array.from({ length: unheldLimit + 20 }, (_, index) => clientOf(`k${index}`))
    const idsIn = ({ byId }: Clients) => [...byId.keys()]
    const held = withHeld(withHeld(noClients, 'thread', ['k0']), 'dialog', ['k1', 'k2'])
    const read = seen.reduce((clients, client) => withAnswer(clients, [client], 0), held)
    const last = seen.slice(-unheldLimit).map(({ id }) => id)
    expect(idsIn(read)).toEqual(['k0', 'k1', 'k2', ...last])
    // A client that is no longer held counts by when it was written.
    const released = withHeld(read, 'dialog', [])
    expect([idsIn(released), [...released.held.keys()]]).toEqual([['k0', ...last], ['thread']])
  })

  it('ignore a link of an unknown client', () => {
    expect(withLink(noClients, { clientId: 'k1', userId: 'u1' })).toBe(noClients)
  })
})
