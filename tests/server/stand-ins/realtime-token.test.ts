import { createClient } from '@supabase/supabase-js'
import { afterEach, expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock, type SnapshotFrom, waitFor } from 'xstate'
import type { ChannelReport } from '../../../src/domain/shell/changes.ts'
import { realtimeMachine, selectConnection } from '../../../src/machines/shell/realtime.ts'
import { createChannels } from '../../../src/services/shell/realtime.ts'
import { openEmbedded } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addStaffAccount, password, serveSupabase } from '../supabase-server.ts'

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

const timing = {
  now: () => performance.now(),
  nextFrame: (callback: () => void) => {
    const soon = setImmediate(callback)
    return () => clearImmediate(soon)
  },
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

async function serve() {
  const database = await openEmbedded()
  closings.push(() => database.close())
  const clock = manualClock(Date.now())
  const server = await serveSupabase(database, clock)
  closings.push(() => server.close())
  return { server, clock, db: database.db }
}

const providerTokenLifetime = 60 * 60 * 1_000
const ready = { open: { subscribed: 'ready' } } as const

it('the realtime machine rebuilds both channels with a new token when the token expires, and receives changes again', async () => {
  const { server, clock, db } = await serve()
  await db.insertInto('pages').values({ page_id: 'p1', page_name: 'Page', page_access_token_encrypted: '' }).execute()
  await db.insertInto('fb_users').values({ id: 'u1', page_id: 'p1', psid: '1', name: 'Maria' }).execute()

  const client = server.client()
  const tokens: string[] = []
  client.auth.onAuthStateChange((_, session) => void (session && tokens.push(session.access_token)))
  const { email } = await addStaffAccount(db)
  await client.auth.signInWithPassword({ email, password })

  const names: string[] = []
  const open = createChannels({ client: async () => client, timing })
  const machineClock = new SimulatedClock()
  const actor = createActor(
    realtimeMachine.provide({
      actors: {
        channel: fromCallback(({ input, sendBack }) =>
          open(input, (report) => {
            if (report.type === 'users.received') {
              names.push(...report.changes.flatMap((change) => change.row.name ?? []))
            }
            sendBack(report)
          }),
        ),
      },
    }),
    { clock: machineClock, input: { isConfirmed: true } },
  )
  closings.push(() => actor.stop())
  const until = (holds: (snapshot: SnapshotFrom<typeof realtimeMachine>) => boolean) =>
    waitFor(actor, holds, { timeout: 10_000 })
  const bothReady = () => until((snapshot) => snapshot.matches({ messages: ready, users: ready }))
  const rename = (name: string) => db.updateTable('fb_users').set({ name }).where('id', '=', 'u1').execute()

  // Open the sockets shortly before the token expires, or the server would close them as silent.
  clock.advance(providerTokenLifetime - 5_000)
  actor.start()
  await bothReady()
  actor.send({ type: 'resync.done' })
  expect(selectConnection(actor.getSnapshot())).toBe('live')

  clock.advance(10_000)
  await until((snapshot) => snapshot.matches({ messages: 'disconnected', users: 'disconnected' }))
  expect(selectConnection(actor.getSnapshot())).toBe('offline')

  machineClock.increment(1_000)
  await bothReady()
  actor.send({ type: 'resync.done' })
  const nameReceived = Promise.withResolvers<void>()
  actor.subscribe(() => {
    if (names.length > 0) nameReceived.resolve()
  })
  await rename('Maria Clara')
  await nameReceived.promise
  expect([selectConnection(actor.getSnapshot()), names, new Set(tokens).size > 1]).toEqual([
    'live',
    ['Maria Clara'],
    true,
  ])
})

it('createChannels joins with the token of a stored session after the client has read it', async () => {
  const { server, db } = await serve()
  const { email } = await addStaffAccount(db)
  const signedIn = await server.client().auth.signInWithPassword({ email, password })
  const stored = new Map([['session', JSON.stringify(signedIn.data.session)]])
  const client = createClient(server.url, 'embedded', {
    auth: {
      storageKey: 'session',
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, text) => void stored.set(key, text),
        removeItem: (key) => void stored.delete(key),
      },
      autoRefreshToken: false,
      detectSessionInUrl: false,
    },
  })
  closings.push(() => client.removeAllChannels())
  const reports: ChannelReport['type'][] = []
  const isSettled = Promise.withResolvers<void>()
  const open = createChannels({ client: async () => client, timing })
  closings.push(
    open({ channel: 'messages', needsFreshToken: false }, ({ type }) => {
      reports.push(type)
      if (type === 'channel.ready' || type === 'channel.failed') isSettled.resolve()
    }),
  )
  await isSettled.promise
  expect(reports).toEqual(['channel.subscribed', 'channel.ready'])
})
