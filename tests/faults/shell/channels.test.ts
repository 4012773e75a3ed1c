import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, it } from 'vitest'
import type { ChannelInput, ChannelReport } from '../../../src/domain/shell/changes.ts'
import type { Http } from '../../../src/services/http.ts'
import { createChannels } from '../../../src/services/shell/realtime.ts'
import { createColleagues } from '../../../src/services/thread/colleagues.ts'
import { settled } from '../../model/harness.ts'
import { messageIn } from '../../model/inbox-fixture.ts'

const atOnce = { now: () => 0, nextFrame: () => () => {}, after: () => () => {} }
const messages: ChannelInput = { channel: 'messages', needsFreshToken: false }

/** A fake client that records its calls and reports nothing on its own. */
async function open(input: ChannelInput, { hasSession = true } = {}) {
  const steps: string[] = []
  const reports: ChannelReport[] = []
  const heard: Record<string, (payload: unknown) => void> = {}
  let hearStatus = (_status: string, _error?: Error) => {}
  /** Completes a step later. Earlier steps take longer, so a step that is not awaited completes too late. */
  const step =
    (name: string, ticks: number, result: unknown = {}) =>
    async () => {
      for (let tick = 0; tick < ticks; tick += 1) await null
      steps.push(name)
      return result
    }
  const channel = {
    on: (kind: string, _: unknown, hear: (payload: unknown) => void) => {
      heard[kind] = hear
      return channel
    },
    subscribe: (hear: typeof hearStatus) => {
      steps.push('joined')
      hearStatus = hear
    },
  }
  const client = {
    auth: {
      refreshSession: step('fresh token had', 30),
      getSession: step('session read', 20, { data: { session: hasSession ? {} : null } }),
    },
    realtime: { setAuth: step('token set', 10) },
    channel: () => channel,
    removeChannel: () => steps.push('left'),
  } as unknown as SupabaseClient
  const openChannel = createChannels({ client: async () => client, timing: atOnce })
  const close = openChannel(input, (event) => reports.push(event))
  await settled()
  return {
    steps,
    reports,
    close,
    change: (payload: unknown) => heard['postgres_changes']?.(payload),
    system: (payload: unknown) => heard['system']?.(payload),
    status: (status: string, error?: Error) => hearStatus(status, error),
  }
}

const change = (eventType: string, record: unknown, old: unknown = {}) => ({
  eventType,
  commit_timestamp: '2026-03-01T08:00:00.000Z',
  new: record,
  old,
})

describe('Joining a channel', () => {
  it('sets the token of the session first', async () => {
    expect((await open(messages)).steps).toEqual(['session read', 'token set', 'joined'])
  })

  it('waits for a fresh token if the server would refuse the old one', async () => {
    const { steps } = await open({ ...messages, needsFreshToken: true })
    expect(steps).toEqual(['fresh token had', 'session read', 'token set', 'joined'])
  })

  it('fails without a session and does not use the public key', async () => {
    const { steps, reports } = await open(messages, { hasSession: false })
    expect([steps, reports]).toEqual([['session read'], [{ type: 'channel.failed', channel: 'messages' }]])
  })
})

describe('An open channel', () => {
  it.each<[string, unknown, ChannelReport[]]>([
    [
      'that changes arrive',
      { extension: 'postgres_changes', status: 'ok' },
      [{ type: 'channel.ready', channel: 'messages' }],
    ],
    [
      'that changes do not arrive',
      { extension: 'postgres_changes', status: 'error' },
      [{ type: 'channel.failed', channel: 'messages' }],
    ],
    ['a status of another extension', { extension: 'presence', status: 'ok' }, []],
    ['an unreadable status', 'ok', []],
  ])('reports if the server sends %s', async (_, payload, reports) => {
    const sut = await open(messages)
    sut.system(payload)
    expect(sut.reports).toEqual(reports)
  })

  it.each<[string, Error | undefined, ChannelReport]>([
    ['SUBSCRIBED', undefined, { type: 'channel.subscribed', channel: 'messages' }],
    ['TIMED_OUT', undefined, { type: 'channel.timedOut', channel: 'messages' }],
    ['CLOSED', undefined, { type: 'channel.closed', channel: 'messages' }],
    ['CHANNEL_ERROR', undefined, { type: 'channel.failed', channel: 'messages', isTokenRefused: false }],
    [
      'CHANNEL_ERROR',
      new Error('"InvalidJWTToken: Token has expired 3 seconds ago"'),
      { type: 'channel.failed', channel: 'messages', isTokenRefused: true },
    ],
  ])('reports %s (%s)', async (status, error, report) => {
    const sut = await open(messages)
    sut.status(status, error)
    expect(sut.reports).toEqual([report])
  })

  it('reports a refused access before the failure', async () => {
    const sut = await open(messages)
    sut.status('CHANNEL_ERROR', new Error('"Unauthorized: Not a staff member"'))
    expect(sut.reports).toEqual([
      { type: 'access.refused' },
      { type: 'channel.failed', channel: 'messages', isTokenRefused: false },
    ])
  })

  it('reports an unreadable change and continues with the next one', async () => {
    const sut = await open(messages)
    const { direction: _, ...cut } = messageIn('c1', 1)
    sut.change(change('INSERT', cut))
    sut.change(change('INSERT', messageIn('c1', 2)))
    expect(sut.reports).toEqual([
      { type: 'row.refused' },
      {
        type: 'messages.received',
        changes: [{ type: 'INSERT', record: messageIn('c1', 2), committedAt: '2026-03-01T08:00:00.000Z' }],
      },
    ])
  })

  it('of people reports an unreadable person', async () => {
    const sut = await open({ channel: 'users', needsFreshToken: false })
    sut.change(change('UPDATE', { name: 'Maria' }))
    sut.change(change('UPDATE', { id: 'u1', name: 'Maria' }))
    expect(sut.reports).toEqual([
      { type: 'row.refused' },
      {
        type: 'users.received',
        changes: [{ type: 'UPDATE', row: { id: 'u1', name: 'Maria' }, committedAt: '2026-03-01T08:00:00.000Z' }],
      },
    ])
  })

  it('reports nothing once it is closed, and leaves the server channel', async () => {
    const sut = await open(messages)
    sut.close()
    sut.status('CLOSED')
    sut.change(change('INSERT', messageIn('c1', 1)))
    sut.system({ extension: 'postgres_changes', status: 'ok' })
    expect([sut.reports, sut.steps.at(-1)]).toEqual([[], 'left'])
  })
})

describe('A channel that is left before it has joined', () => {
  /** A client that answers only when the test says so. */
  function openSlowly() {
    const steps: string[] = []
    const waiting: (() => void)[] = []
    const later =
      <Result>(result: Result) =>
      () =>
        new Promise<Result>((resolve) => {
          waiting.push(() => resolve(result))
        })
    const channel = { on: () => channel, subscribe: () => void steps.push('joined') }
    const client = {
      auth: { refreshSession: later({}), getSession: later({ data: { session: {} } }) },
      realtime: { setAuth: later(undefined) },
      channel: () => channel,
      removeChannel: () => steps.push('left'),
    } as unknown as SupabaseClient
    const answer = async () => {
      waiting.shift()?.()
      await settled()
    }
    return { client, steps, answer }
  }

  const ways = {
    messages: (client: SupabaseClient) =>
      createChannels({ client: async () => client, timing: atOnce })(messages, () => {}),
    colleagues: (client: SupabaseClient) =>
      createColleagues({} as Http, { warn: () => {} }, async () => client).watch(['notes'], () => {}),
  }

  it.each(Object.entries(ways))('does not join later: %s', async (_, open) => {
    for (const answers of [0, 1, 2]) {
      const slow = openSlowly()
      const close = open(slow.client)
      await settled()
      for (let answered = 0; answered < answers; answered++) await slow.answer()
      close()
      for (let answered = answers; answered < 3; answered++) await slow.answer()
      expect([answers, slow.steps]).toEqual([answers, answers === 2 ? ['joined', 'left'] : []])
    }
  })
})

describe('A change of a thread of comments', () => {
  const thread = {
    id: 't1',
    post_id: 'post-1',
    author_name: 'Ana Reyes',
    waiting_since: '2026-11-20T08:00:00Z',
    waiting_text: 'Magkano po?',
    version: 3,
    news_version: 3,
  }
  const waiting = { id: 't1', postId: 'post-1', isWaiting: true }
  const settledThread = { id: 't1', postId: 'post-1', isWaiting: false }

  it.each<[string, object, object | null]>([
    [
      'a new comment',
      { eventType: 'UPDATE', new: thread, old: { id: 't1' } },
      { ...waiting, news: { threadId: 't1', name: 'Ana Reyes', line: 'Magkano po?' } },
    ],
    [
      'a new comment without a name and a text',
      { eventType: 'INSERT', new: { ...thread, author_name: null, waiting_text: null }, old: {} },
      { ...waiting, news: { threadId: 't1', name: null, line: null } },
    ],
    ['another change', { eventType: 'UPDATE', new: { ...thread, version: 4 }, old: { id: 't1' } }, waiting],
    [
      'no comment that needs an answer',
      { eventType: 'UPDATE', new: { ...thread, waiting_since: null }, old: { id: 't1' } },
      settledThread,
    ],
    ['the end of the thread', { eventType: 'DELETE', new: {}, old: { id: 't1' } }, { ...settledThread, postId: null }],
    [
      'a row of a server without news',
      { eventType: 'UPDATE', new: { id: 't1', post_id: 'post-1' }, old: { id: 't1' } },
      settledThread,
    ],
    ['nothing for an unknown row', { eventType: 'UPDATE', new: {}, old: {} }, null],
  ])('tells %s', async (_, payload, told) => {
    const reports: unknown[] = []
    let tell = (_: object) => {}
    const channel = {
      on: (_: string, __: object, hear: typeof tell) => {
        tell = hear
        return channel
      },
      subscribe: () => {},
    }
    const client = {
      auth: { getSession: async () => ({ data: { session: {} } }) },
      realtime: { setAuth: async () => {} },
      channel: () => channel,
      removeChannel: () => {},
    } as unknown as SupabaseClient
    const report = (event: unknown) => void reports.push(event)
    createColleagues({} as Http, { warn: () => {} }, async () => client).watch(['comment_threads'], report)
    await settled()
    tell(payload)
    expect(reports).toEqual(told === null ? [] : [{ type: 'comments.changed', thread: told }])
  })
})
