import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { listDrafts, saveDraft } from '../../../server/database/drafts.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { exportPerson } from '../../../server/people/export.ts'
import { removeOld } from '../../../server/people/retention.ts'
import { type DraftExtras, maxDraftLength, maxDrafts } from '../../../src/schemas/draft.ts'
import { callAs, wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addIdentity, addPage, at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const [v1, v2, v3, v4] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string]
const noon = at(60)

const choices = (title: string): DraftExtras => ({ structure: { kind: 'quickReplies', titles: [title] } })
const order = { id: 'o1', name: '#101', status: 'pending', total: 100, paid: 0, created_at: at(0).toISOString() }
const summary: DraftExtras['summary'] = {
  kind: 'orders',
  user_id: 'u1',
  client_id: 'k1',
  text: 'Kumusta po',
  orders: [order],
}

describeOnDatabase('The drafts on the server', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['pages', 'staff'] as const) await db.deleteFrom(table).execute()
    await addPage(db, 'p1')
    for (const id of ['ana', 'ben'])
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, name: id, role: 'agent' })
        .execute()
    for (const id of ['u1', 'u2']) await addIdentity(db, id, { page: 'p1' })
  })

  const save = async (
    text: string,
    version: string,
    replaces: string | null,
    {
      staffId = 'ana',
      conversationId = 'u1',
      now = noon,
      ...rest
    }: { staffId?: string; conversationId?: string; now?: Date; extras?: DraftExtras | null } = {},
  ) => {
    const result = await saveDraft(db, { text, version, replaces, staffId, conversationId, now, ...rest })
    if (typeof result === 'string') return result
    return [result.isSaved, result.draft && { text: result.draft.text, version: result.draft.version }]
  }
  const stored = async (staffId = 'ana') =>
    (await listDrafts(db, staffId)).map(({ primary_user_id, text }) => [primary_user_id, text])
  const storedExtras = async () => (await listDrafts(db, 'ana')).map(({ extras }) => extras)

  it('replace the version that the client saw, and no other', async () => {
    expect(await save('a', v1, null)).toEqual([true, { text: 'a', version: v1 }])
    expect(await save('b', v2, v1)).toEqual([true, { text: 'b', version: v2 }])
    expect(await save('of another device', v3, v1)).toEqual([false, { text: 'b', version: v2 }])
    expect(await save('of a new device', v3, null)).toEqual([false, { text: 'b', version: v2 }])
    expect(await stored()).toEqual([['u1', 'b']])
  })

  it('are saved once if a write whose answer was lost is repeated', async () => {
    await save('a', v1, null)
    expect(await save('a', v1, null)).toEqual([true, { text: 'a', version: v1 }])
    await save('b', v2, v1)
    expect(await save('b', v2, v1)).toEqual([true, { text: 'b', version: v2 }])
    expect(await save('', v3, v2)).toEqual([true, null])
    expect(await save('', v3, v2)).toEqual([true, null])
    expect(await stored()).toEqual([])
  })

  it('are removed by an empty text only if no other device changed them', async () => {
    await save('a', v1, null)
    await save('b', v2, v1)
    expect(await save('', v3, v1)).toEqual([false, { text: 'b', version: v2 }])
    expect(await save('c', v4, v3)).toEqual([false, { text: 'b', version: v2 }])
    await save('', v3, v2)
    expect(await save('c', v4, v2)).toEqual([false, null])
  })

  it('of two devices that write at the same time are written once', async () => {
    const results = await Promise.all([save('a', v1, null), save('b', v2, null)])
    expect(results.map((result) => result[0]).sort()).toEqual([false, true])
    expect(await stored()).toHaveLength(1)
  })

  it('belong to one person', async () => {
    await save('of Ana', v1, null)
    await save('of Ben', v2, null, { staffId: 'ben' })
    expect(await save('taken over', v3, v1, { staffId: 'ben' })).toEqual([false, { text: 'of Ben', version: v2 }])
    expect([await stored('ana'), await stored('ben')]).toEqual([[['u1', 'of Ana']], [['u1', 'of Ben']]])
  })

  it('are refused for an unknown conversation, and beyond the maximum number of a person', async () => {
    expect(await save('a', v1, null, { conversationId: 'nobody' })).toBe('unknown')
    const people = Array.from({ length: maxDrafts - 1 }, (_, index) => `m${index}`)
    for (const id of people) {
      await addIdentity(db, id, { page: 'p1' })
      await save('a', randomUUID(), null, { conversationId: id })
    }
    await save('the last', v1, null)
    expect(await save('one too many', v2, null, { conversationId: 'u2' })).toBe('too many')
    expect(await save('of another person', v3, null, { conversationId: 'u2', staffId: 'ben' })).toEqual([
      true,
      { text: 'of another person', version: v3 },
    ])
    expect(await save('longer', v4, v1)).toEqual([true, { text: 'longer', version: v4 }])
  })

  it('of merged conversations are joined, for each person', async () => {
    await save('kept', v1, null)
    await save('other', v2, null, { conversationId: 'u2' })
    await save('moved', v3, null, { conversationId: 'u2', staffId: 'ben' })
    await mergeConversations(db, 'u1', 'u2')
    expect([await stored('ana'), await stored('ben')]).toEqual([[['u1', 'kept\n\nother']], [['u1', 'moved']]])
    expect(await save('late', v4, v1)).toEqual([false, { text: 'kept\n\nother', version: expect.any(String) }])
    expect(await save('typed under the old id', v4, v3, { conversationId: 'u2', staffId: 'ben' })).toEqual([
      true,
      { text: 'typed under the old id', version: v4 },
    ])
  })

  it('keep their extras through a write of an earlier version of the page, and lose them with the next write', async () => {
    await save('a', v1, null, { extras: choices('Yes') })
    await save('ab', v2, v1)
    expect(await storedExtras()).toEqual([choices('Yes')])
    await save('ab', v3, v2, { extras: { ...choices('No'), summary } })
    expect(await storedExtras()).toEqual([{ ...choices('No'), summary }])
    await save('ab', v4, v3, { extras: null })
    expect(await storedExtras()).toEqual([null])
  })

  it('of merged conversations are joined with their extras, those of the kept one first', async () => {
    await save('the same', v1, null, { extras: choices('kept') })
    await save('the same', v2, null, { conversationId: 'u2', extras: { ...choices('other'), summary } })
    await mergeConversations(db, 'u1', 'u2')
    expect([await stored(), await storedExtras()]).toEqual([[['u1', 'the same']], [{ ...choices('kept'), summary }]])
  })

  it('disappear with the person, the conversation and the staff member, and after the time for messages', async () => {
    await save('a', v1, null)
    await save('b', v2, null, { staffId: 'ben' })
    await save('old', v3, null, { conversationId: 'u2', now: at(-40 * 24 * 60) })
    const document: string[] = []
    for await (const part of exportPerson(db, 'u1', noon)) document.push(part)
    expect(JSON.parse(document.join('')).drafts).toEqual([
      { staff_id: 'ana', primary_user_id: 'u1', text: 'a', extras: null, version: v1, updated_at: noon.toISOString() },
      { staff_id: 'ben', primary_user_id: 'u1', text: 'b', extras: null, version: v2, updated_at: noon.toISOString() },
    ])
    await removeOld({ db, clock: manualClock(noon.getTime()) }, { messages: 30, events: null })
    expect(await stored()).toEqual([['u1', 'a']])
    await db.deleteFrom('staff').where('id', '=', 'ben').execute()
    expect(await stored('ben')).toEqual([])
    await db.deleteFrom('fb_users').where('id', '=', 'u1').execute()
    expect(await stored()).toEqual([])
  })

  describe('by the API', () => {
    let staff: Record<'agent' | 'other' | 'viewer', SignedIn>
    beforeEach(async () => {
      staff = {
        agent: await signIn(db, 'agent'),
        other: await signIn(db, 'agent'),
        viewer: await signIn(db, 'viewer'),
      }
    })
    const call = async (who: keyof typeof staff, method: 'GET' | 'PUT', path: string, body?: object) => {
      const api = wholeApi(db, { clock: manualClock(noon.getTime()) })
      const answer = await callAs(staff[who], api, method, path, body)
      return { status: answer.status, ...answer.body }
    }

    it('are given to their author only', async () => {
      const put = (who: keyof typeof staff, body: object) => call(who, 'PUT', '/facebook/drafts/u1', body)
      const draft = {
        conversation_id: 'u1',
        text: 'Opo',
        extras: { summary },
        version: v1,
        updated_at: noon.toISOString(),
      }
      const extras = { summary: { ...summary, text: 'Kumusta\u0000 po' } }
      expect(await put('agent', { text: 'O\u0000po', extras, version: v1, replaces: null })).toEqual({
        status: 200,
        success: true,
        data: { is_saved: true, draft },
      })
      expect(await call('agent', 'GET', '/facebook/drafts')).toEqual({ status: 200, success: true, data: [draft] })
      expect(await call('other', 'GET', '/facebook/drafts')).toEqual({ status: 200, success: true, data: [] })
      expect(await put('other', { text: 'mine', version: v2, replaces: v1 })).toEqual({
        status: 200,
        success: true,
        data: { is_saved: false, draft: null },
      })
      expect((await put('viewer', { text: 'a', version: v2, replaces: null })).status).toBe(403)
    })

    it.each([
      ['a text that is too long', 400, 'u1', { text: 'a'.repeat(maxDraftLength + 1), version: v1, replaces: null }],
      [
        'quick replies without a title',
        400,
        'u1',
        { text: 'a', extras: { structure: { kind: 'quickReplies', titles: [] } }, version: v1, replaces: null },
      ],
      [
        'a summary of too many orders',
        400,
        'u1',
        {
          text: 'a',
          extras: { summary: { ...summary, orders: Array.from({ length: 1_001 }, () => order) } },
          version: v1,
          replaces: null,
        },
      ],
      ['a version that is no UUID', 400, 'u1', { text: 'a', version: '1', replaces: null }],
      ['an unknown conversation', 404, 'nobody', { text: 'a', version: v1, replaces: null }],
    ])('are refused with %s', async (_, status, id, body) => {
      expect((await call('agent', 'PUT', `/facebook/drafts/${id}`, body)).status).toBe(status)
      expect(await stored(staff.agent.staffId)).toEqual([])
    })
  })
})
