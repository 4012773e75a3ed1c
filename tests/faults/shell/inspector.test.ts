import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { expect, it, vi } from 'vitest'
import { createActor, fromPromise, toPromise, waitFor } from 'xstate'
import { createMask } from '../../../src/dev/inspector.ts'
import type { TokenOwner } from '../../../src/domain/pages/page-token.ts'
import { pageFormMachine, selectVerification } from '../../../src/machines/pages/page-form.ts'

const base = { sessionId: 'x:1', rootId: 'x:0', createdAt: '0', id: '1', _version: '1' }
const secrets = {
  password: 'hunter2-hunter2',
  page_access_token: 'EAAB-page-token',
  message_text: 'Magkano po?',
  draft: 'a draft',
  unified_name: 'Maria',
}
const url = '/socket?access_token=eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl'

it('the inspector gets events, states and counts, and no password, token, text or name', () => {
  const mask = createMask()
  const event = { type: 'signIn.requested', ...secrets, url }
  const snapshot = {
    status: 'done' as const,
    error: undefined,
    value: { list: 'showing' },
    context: { rows: [secrets], unread: 3, url },
    output: { error: new Error(url) },
  }
  const seen: StatelyInspectionEvent[] = [
    { ...base, type: '@xstate.event', event, sourceId: undefined },
    { ...base, type: '@xstate.snapshot', event, snapshot },
    { ...base, type: '@xstate.actor', name: 'auth', definition: '{}', parentId: undefined, snapshot },
  ]
  const told = JSON.stringify(seen.map(mask))
  expect(told).toContain('"signIn.requested"')
  expect(told).toContain('"value":{"list":"showing"}')
  expect(told).toContain('"unread":3')
  const words = [...Object.values(secrets), 'eyJ']
  expect(words.filter((word) => told.includes(word))).toEqual([])
})

it('no page access token that is verified and saved reaches the inspector', async () => {
  const token = 'EAAB-canary'
  const seen: unknown[] = []
  const asked: string[] = []
  const mask = createMask()
  const { inspect } = createInspector({ send: (event) => seen.push(mask(event)) })
  const machine = pageFormMachine.provide({
    actors: {
      verifyToken: fromPromise<TokenOwner, { token: string }>(async ({ input }) => {
        asked.push(input.token)
        return { id: 'p1', name: 'Shop' }
      }),
      savePage: fromPromise<void, { pageId: string | null; name: string; token: string; isActive: boolean }>(
        async ({ input }) => {
          asked.push(input.token)
        },
      ),
    },
    actions: { notify: () => {}, tellSession: () => {} },
  })
  const form = createActor(machine, { input: { page: null }, inspect }).start()
  form.send({ type: 'token.edited', token })
  form.send({ type: 'verification.requested' })
  await waitFor(form, (snapshot) => selectVerification(snapshot) === 'valid')
  form.send({ type: 'form.submitted' })
  await toPromise(form)

  // The inspector reports in idle time. Its last report of this machine is the final state.
  const told = () => JSON.stringify(seen)
  await vi.waitFor(() => expect(told()).toMatch(/form\.submitted.*"value":"saved"/))
  expect([asked, told().includes(token)]).toEqual([[token, token], false])
})
