import type { StatelyInspectionEvent } from '@statelyai/inspect'
import { expect, it } from 'vitest'
import { createMask } from '../../src/dev/inspector.ts'

const base = { sessionId: 'x:1', rootId: 'x:0', createdAt: '0', id: '1', _version: '1' }
const secrets = {
  password: 'hunter2-hunter2',
  page_access_token: 'EAAB-page-token',
  message_text: 'Magkano po?',
  draft: 'a draft',
  unified_name: 'Maria',
}
const url = '/socket?access_token=eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl'

it('the inspector is shown events, states and counts, and no password, token, text or name', () => {
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
