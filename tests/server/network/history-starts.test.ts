import { beforeEach, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { findStart } from '../../../server/database/thread.ts'
import { createLogger } from '../../../server/logger.ts'
import { readableMessages } from '../../../server/network/graph/graph.ts'
import { createSync } from '../../../server/network/sync/sync.ts'
import { removeOld } from '../../../server/people/retention.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'

describeOnDatabase('The start of a conversation', (open) => {
  let db: Db
  beforeEach(async () => {
    db = (await open()).db
    await db.deleteFrom('pages').execute()
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'by-webhook', 'u1', 5)
  })

  /** A sync that reads this many messages, the last of them at minute 0. */
  const sync = (
    count: number,
    { psid = 'psid-u1', page = 'p1', next = null as string | null, unreadable = 0 } = {},
  ) => {
    const messages = Array.from({ length: count }, (_, index) => ({
      id: `${psid}-${index}`,
      created_time: at(-index).toISOString(),
      from: { id: psid },
      message: `text ${index}`,
    }))
    const conversation = {
      id: 't',
      updated_time: null,
      participants: { data: [{ id: page }, { id: psid }] },
      messages: { data: [...messages, ...Array(unreadable).fill('unreadable')], paging: { next } },
    }
    return createSync({
      db,
      graph: { conversations: async () => ({ conversations: [conversation], unreadable: 0, next: null }) } as never,
      lookups: { enqueue: async () => undefined, wake: () => undefined } as never,
      files: { prepare: (found: unknown) => found, enqueue: async () => undefined, wake: () => undefined } as never,
      erasedPeople: { hashOf: () => 'none' } as never,
      calls: {
        call: (_: string, __: object, work: (token: string, page: object) => unknown) => work('t', {}),
      } as never,
      normalizeUrl: { picture: () => null, file: () => null } as never,
      clock: manualClock(at(60).getTime()),
      logger: createLogger('silent'),
    }).conversation(page, 'messenger', psid)
  }
  const start = (pageId?: string) => findStart(db, 'u1', pageId)
  const unsynced = { page_id: 'p1', psid: 'psid-u1', platform: 'messenger' }

  it('is not known before a sync, whatever webhooks have brought', async () => {
    expect(await start()).toEqual({ is_reached: false, unsynced })
  })

  it.each([
    ['all messages', readableMessages - 1, {}, true],
    ['no messages', 0, {}, true],
    ['as many messages as the network returns', readableMessages, {}, false],
    ['fewer messages, and more can be read', 3, { next: 'https://network/next' }, false],
    ['as many with unreadable ones', readableMessages - 1, { unreadable: 1 }, false],
  ])('after a sync of %s', async (_, count, more, isReached) => {
    await sync(count, more)
    expect(await start()).toEqual({ is_reached: isReached, unsynced: null })
  })

  it('stays as the first sync found it', async () => {
    await sync(3)
    await sync(readableMessages)
    expect(await start()).toEqual({ is_reached: true, unsynced: null })
  })

  it('is announced with the identity after the first sync alone', async () => {
    const synced = () =>
      db.selectFrom('fb_users').select(['history_synced']).where('id', '=', 'u1').executeTakeFirstOrThrow()
    expect(await synced()).toEqual({ history_synced: false })
    await sync(3)
    expect(await synced()).toEqual({ history_synced: true })
    await db.updateTable('fb_users').set({ history_synced: false }).where('id', '=', 'u1').execute()
    await sync(4)
    expect(await synced()).toEqual({ history_synced: false })
  })

  it('is known of a conversation on two pages when it is known on both', async () => {
    await addIdentity(db, 'u2', { page: 'p2', in: 'u1' })
    await sync(3)
    expect([await start(), await start('p1'), await start('p2')]).toEqual([
      { is_reached: false, unsynced: { page_id: 'p2', psid: 'psid-u2', platform: 'messenger' } },
      { is_reached: true, unsynced: null },
      { is_reached: false, unsynced: { page_id: 'p2', psid: 'psid-u2', platform: 'messenger' } },
    ])
    await sync(2, { psid: 'psid-u2', page: 'p2' })
    expect(await start()).toEqual({ is_reached: true, unsynced: null })
  })

  it('is gone with the messages that retention removes, also after another sync', async () => {
    await sync(3)
    await addMessage(db, 'old', 'u1', -40 * 24 * 60)
    await removeOld({ db, clock: manualClock(at(60).getTime()) }, { messages: 30, events: null })
    await sync(3)
    expect(await start()).toEqual({ is_reached: false, unsynced: null })
  })
})
