import type { Hono } from 'hono'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createConversationRoutes } from '../../../server/api/conversations.ts'
import type { Db } from '../../../server/database/database.ts'
import { messagesAroundAnswer } from '../../../src/schemas/message.ts'
import { noSenderActions } from '../absent-parts.ts'
import { apiBehindSignIn } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

describeOnDatabase('Messages around a message', (open) => {
  let db: Db
  let api: Hono
  let viewer: SignedIn

  beforeAll(async () => {
    db = (await open()).db
    viewer = await signIn(db, 'viewer')
    api = apiBehindSignIn(db)
    api.route(
      '/',
      createConversationRoutes({
        db,
        senderActions: noSenderActions,
        clock: { now: () => at(60).getTime(), after: () => () => {} },
        country: 'PH',
      }),
    )
  })
  beforeEach(async () => {
    await db.deleteFrom('pages').execute()
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u1b', { page: 'p2', in: 'u1' })
    await addIdentity(db, 'u2', { page: 'p1' })
    // Three messages of each minute have the same time. Every fourth message is on the second page.
    for (let n = 10; n < 40; n++) await addMessage(db, `m${n}`, n % 4 === 0 ? 'u1b' : 'u1', Math.floor(n / 3))
    await addMessage(db, 'other', 'u2', 5)
  })

  const ask = async (query: Record<string, string>, id = 'u1') => {
    const response = await api.request(`/conversations/${id}/messages-around?${new URLSearchParams(query)}`, {
      headers: viewer.headers,
    })
    if (response.status !== 200) return response.status
    const { messages, has_older, has_newer } = messagesAroundAnswer.parse(await response.json()).data
    const ids = messages.map(({ message_id }) => Number(message_id.slice(1)))
    return [ids, has_older, has_newer]
  }
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

  it.each<[string, Record<string, string>, unknown]>([
    ['around a message', { messageId: 'm20', limit: '6' }, [range(18, 23), true, true]],
    ['around the first message', { messageId: 'm10', limit: '6' }, [range(10, 13), false, true]],
    ['around the last message', { messageId: 'm39', limit: '6' }, [range(37, 39), true, false]],
    ['all', { messageId: 'm20', limit: '100' }, [range(10, 39), false, false]],
    ['older ones', { messageId: 'm20', side: 'older', limit: '6' }, [range(14, 19), true, false]],
    ['the oldest ones', { messageId: 'm13', side: 'older', limit: '6' }, [range(10, 12), false, false]],
    ['newer ones', { messageId: 'm20', side: 'newer', limit: '6' }, [range(21, 26), false, true]],
    ['exactly the newest ones', { messageId: 'm33', side: 'newer', limit: '6' }, [range(34, 39), false, false]],
    ['the message and newer ones', { messageId: 'm20', side: 'from', limit: '3' }, [range(20, 22), false, true]],
    ['those of one page', { messageId: 'm20', pageId: 'p2', limit: '4' }, [[16, 20, 24, 28], true, true]],
  ])('returns %s', async (_, query, expected) => {
    expect(await ask(query)).toEqual(expected)
  })

  it('continues at a deleted message by its time', async () => {
    await db.deleteFrom('messages').where('message_id', '=', 'm20').execute()
    const deleted = { messageId: 'm20', at: at(Math.floor(20 / 3)).toISOString(), limit: '3' }
    expect([
      await ask({ ...deleted, side: 'older' }),
      await ask({ ...deleted, side: 'newer' }),
      await ask({ ...deleted, side: 'from' }),
      await ask({ messageId: 'm20' }),
    ]).toEqual([[range(17, 19), true, false], [range(21, 23), false, true], [range(21, 23), false, true], 404])
  })

  it.each<[string, Record<string, string>, string, number]>([
    ['an unknown conversation', { messageId: 'm20' }, 'u9', 404],
    ['a message of another conversation', { messageId: 'other', at: at(5).toISOString() }, 'u1', 404],
    ['an unknown side', { messageId: 'm20', side: 'left' }, 'u1', 400],
    ['a time that is none', { messageId: 'm20', at: 'soon' }, 'u1', 400],
    ['no message', {}, 'u1', 400],
  ])('refuses %s', async (_, query, id, status) => {
    expect(await ask(query, id)).toBe(status)
  })
})
