import { expect, it } from 'vitest'
import { createHttp } from '../../../src/services/http.ts'
import { createServerDrafts } from '../../../src/services/send/server-drafts.ts'

const version = '11111111-1111-4111-8111-111111111111'
const draft = { conversation_id: 'c1', text: 'Opo', version, updated_at: '2026-03-01T09:00:00Z' }

const serverWith = (data: unknown, heard: unknown[] = []) =>
  createServerDrafts(
    createHttp({
      baseUrl: '/api',
      log: { warn: () => undefined },
      fetch: async (input, init) => {
        heard.push([`${init?.method} ${input}`, init?.body])
        return Response.json({ success: true, data })
      },
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

it.each([
  [
    { is_saved: true, draft },
    { isSaved: true, draft: { conversationId: 'c1', text: 'Opo', extras: null, version } },
  ],
  [
    { is_saved: true, draft: null },
    { isSaved: true, draft: null },
  ],
  [
    { is_saved: false, draft: { ...draft, text: 'Hindi', extras } },
    { isSaved: false, draft: { conversationId: 'c1', text: 'Hindi', extras, version } },
  ],
])('tells what the server has after a draft was sent: %j', async (data, result) => {
  const heard: unknown[] = []
  const body = { text: 'Opo', extras: null, version, replaces: null }
  expect(await serverWith(data, heard).saveDraft({ conversationId: 'c/1', ...body })).toEqual(result)
  expect(heard).toEqual([['PUT /api/facebook/drafts/c%2F1', JSON.stringify(body)]])
})
