import { expect, it } from 'vitest'
import { assign, createActor, setup } from 'xstate'
import { maskedCopy } from '../../src/dev/masked.ts'

const secrets = [
  'hunter2-hunter2',
  'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
  'EAAB-page-token',
  'Magkano po?',
  'a draft',
]

it('no password, token or text of a message reaches the inspector', () => {
  const [password, jwt, pageToken, text, draft] = secrets
  const machine = setup({
    types: { context: {} as Record<string, unknown>, events: {} as { type: 'signIn.requested'; password: unknown } },
  }).createMachine({
    context: { rows: new Map([['m1', { message_text: text, last_message_text: text, is_read: true }]]), draft },
    on: { 'signIn.requested': { actions: assign({ last: ({ event }) => event }) } },
  })
  const seen: unknown[] = []
  const actor = createActor(machine, { inspect: (event) => seen.push(maskedCopy(event)) }).start()
  actor.send({ type: 'signIn.requested', password })
  actor.stop()
  seen.push(
    maskedCopy({
      url: `/socket?access_token=${jwt}`,
      page_access_token: pageToken,
      error: new Error(`refused ${jwt}`),
    }),
  )

  const told = JSON.stringify(seen)
  expect(told).toContain('signIn.requested')
  expect(secrets.filter((secret) => secret !== undefined && told.includes(secret))).toEqual([])
})

it('what is no secret is shown as it is, once around a circle', () => {
  const state: Record<string, unknown> = {
    value: { list: 'showing' },
    ids: new Set(['c1', 'c2']),
    unread: 3,
    isRead: false,
  }
  state['self'] = state
  expect(maskedCopy(state)).toEqual({
    value: { list: 'showing' },
    ids: ['c1', 'c2'],
    unread: 3,
    isRead: false,
    self: '…',
  })
})
