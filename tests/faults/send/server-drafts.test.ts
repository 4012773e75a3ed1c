import { expect, it } from 'vitest'
import { createHttp } from '../../../src/services/http.ts'
import { createServerDrafts } from '../../../src/services/send/server-drafts.ts'

const version = '11111111-1111-4111-8111-111111111111'
const draft = { conversation_id: 'c1', text: 'Opo', version, updated_at: '2026-03-01T09:00:00Z' }

const serverWith = (data: unknown) =>
  createServerDrafts(
    createHttp({
      baseUrl: '/api',
      log: { warn: () => undefined },
      fetch: async () => Response.json({ success: true, data }),
    }),
  )

const extras = { structure: { kind: 'quickReplies', titles: ['Yes'] } }

it.each([
  ['an API that keeps none', {}, null],
  ['what goes with the text', { extras }, extras],
  ['one that a later version wrote', { extras: { structure: { kind: 'carousel' } } }, null],
])('gives the drafts with their versions and their extras: %s', async (_, stored, shown) => {
  expect(await serverWith([{ ...draft, ...stored }]).loadDrafts(new AbortController().signal)).toEqual([
    { conversationId: 'c1', text: 'Opo', extras: shown, version },
  ])
})

it('takes no answer with a draft that cannot be read, because a missing draft counts as removed', async () => {
  const answer = serverWith([draft, { ...draft, conversation_id: 'c2', version: 'none' }])
  await expect(answer.loadDrafts(new AbortController().signal)).rejects.toMatchObject({ name: 'Failure' })
})
