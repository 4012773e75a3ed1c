import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import type { ChannelInput, ChannelReport } from '../../../src/domain/shell/changes.ts'
import { createChannels } from '../../../src/services/shell/realtime.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addStaffAccount, password, type SupabaseServer, serveSupabase } from '../supabase-server.ts'

const timing = {
  now: () => performance.now(),
  nextFrame: (callback: () => void) => {
    const timer = setTimeout(callback, 16)
    return () => clearTimeout(timer)
  },
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

describeOnEachDatabase('createChannels with the Supabase client', (openOnce) => {
  let database: OpenDatabase
  let server: SupabaseServer
  let client: SupabaseClient
  const clock = manualClock(Date.now())

  beforeAll(async () => {
    database = await openOnce()
    server = await serveSupabase(database, clock)
    client = server.client()
    const { db } = database
    await db.insertInto('pages').values({ page_id: 'p1', page_name: 'Page', page_access_token_encrypted: '' }).execute()
    await db.insertInto('fb_users').values({ id: 'u1', page_id: 'p1', psid: '1', name: 'Maria' }).execute()
    const { email } = await addStaffAccount(db)
    const { error } = await client.auth.signInWithPassword({ email, password })
    expect(error).toBe(null)
  })
  afterAll(() => server.close())

  /** Opens a channel and collects its reports. */
  function open(input: ChannelInput) {
    const reports: ChannelReport[] = []
    let wake = () => {}
    const close = createChannels({ client: async () => client, timing })(input, (report) => {
      reports.push(report)
      wake()
    })
    const until = async (type: ChannelReport['type'], times = 1) => {
      while (reports.filter((report) => report.type === type).length < times)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return reports
    }
    return { reports, close, until }
  }

  const write = (messageId: string) =>
    database.db
      .insertInto('messages')
      .values({
        message_id: messageId,
        fb_user_id: 'u1',
        page_id: 'p1',
        message_text: 'Magkano po?',
        direction: 'incoming',
        created_at: '2026-03-01T08:00:00Z',
        timestamp_fb: '2026-03-01T08:00:00Z',
        attachments: null,
      })
      .execute()

  it('reports subscribed, then ready, then every change as the schemas describe it', async () => {
    const channel = open({ channel: 'messages', needsFreshToken: false })
    await channel.until('channel.ready')
    await write('m1')
    await channel.until('messages.received')
    await database.db.deleteFrom('messages').where('message_id', '=', 'm1').execute()
    await channel.until('messages.received', 2)
    channel.close()
    expect(channel.reports).toEqual([
      { type: 'channel.subscribed', channel: 'messages' },
      { type: 'channel.ready', channel: 'messages' },
      {
        type: 'messages.received',
        changes: [
          {
            type: 'INSERT',
            committedAt: expect.stringMatching(/Z$/),
            record: {
              message_id: 'm1',
              id: expect.any(String),
              fb_user_id: 'u1',
              primary_user_id: 'u1',
              page_id: 'p1',
              message_text: 'Magkano po?',
              direction: 'incoming',
              is_read: false,
              created_at: '2026-03-01T08:00:00+00:00',
              timestamp_fb: '2026-03-01T08:00:00+00:00',
              attachments: null,
              author: null,
              idempotency_key: null,
              is_historical: false,
              unconfirmed_reply: null,
              wrong_answer: null,
              reactions: null,
              reply_to: null,
              content: null,
            },
          },
        ],
      },
      { type: 'messages.received', changes: [{ type: 'DELETE', messageId: 'm1' }] },
    ])
  })

  it('reports changes of identities on the users channel', async () => {
    const people = open({ channel: 'users', needsFreshToken: false })
    await people.until('channel.ready')
    await database.db.updateTable('fb_users').set({ name: 'Maria Clara' }).where('id', '=', 'u1').execute()
    await people.until('users.received')
    people.close()
    expect(people.reports.slice(2)).toEqual([
      {
        type: 'users.received',
        changes: [
          {
            type: 'UPDATE',
            committedAt: expect.stringMatching(/Z$/),
            row: expect.objectContaining({ id: 'u1', name: 'Maria Clara', client_id: null }),
          },
        ],
      },
    ])
  })

  it('reports nothing after closing, and can be reopened at once', async () => {
    const first = open({ channel: 'messages', needsFreshToken: false })
    await first.until('channel.ready')
    first.close()
    const second = open({ channel: 'messages', needsFreshToken: false })
    await second.until('channel.ready')
    await write('m2')
    await second.until('messages.received')
    second.close()
    expect(first.reports.map(({ type }) => type)).toEqual(['channel.subscribed', 'channel.ready'])
  })

  it('reports a rejected token, and joins with a fresh one', async () => {
    clock.advance(2 * 60 * 60 * 1000)
    // The server closes the silent socket within these two hours.
    await client.realtime.disconnect()
    const stale = open({ channel: 'messages', needsFreshToken: false })
    await stale.until('channel.failed')
    stale.close()
    expect(stale.reports[0]).toEqual({ type: 'channel.failed', channel: 'messages', isTokenRefused: true })
    const renewed = open({ channel: 'messages', needsFreshToken: true })
    await renewed.until('channel.ready')
    renewed.close()
    expect(renewed.reports.map(({ type }) => type)).toEqual(['channel.subscribed', 'channel.ready'])
  })

  it('reports a failure when the client cannot be loaded', async () => {
    const reports: ChannelReport[] = []
    await new Promise<void>((resolve) => {
      createChannels({ client: () => Promise.reject(new Error('offline')), timing })(
        { channel: 'users', needsFreshToken: false },
        (report) => {
          reports.push(report)
          resolve()
        },
      )
    })
    expect(reports).toEqual([{ type: 'channel.failed', channel: 'users' }])
  })
})
