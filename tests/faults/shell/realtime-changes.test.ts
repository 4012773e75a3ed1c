import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, it } from 'vitest'
import type { ChannelInput, ChannelReport } from '../../../src/domain/shell/changes.ts'
import {
  createChannels,
  readMessageChange,
  readStateReport,
  readUserChange,
} from '../../../src/services/shell/realtime.ts'
import { settled } from '../../model/harness.ts'
import { messageIn } from '../../model/inbox-fixture.ts'

const committedAt = '2026-03-01T08:00:00.000Z'
const changeOf = (eventType: string, record: unknown, over: object = {}) => ({
  eventType,
  commit_timestamp: committedAt,
  new: record,
  old: {},
  ...over,
})

const message = messageIn('c1', 1)
const person = { id: 'u1', name: 'Maria' }
const state = {
  waiting_since: '2026-03-01T08:00:00Z',
  done_at: null,
  done_by: null,
  snoozed_at: null,
  snoozed_until: null,
  returned_at: null,
  assigned_to: 's1',
  muted_at: null,
  label_ids: ['l1'],
}
const event = { ...state, id: 7, primary_user_id: 'c1', at: '2026-03-01T08:00:01Z', changed_by: 's2' }
const report = { id: 'c1', state: { version: 7, ...state }, changedBy: 's2' }
const tooLarge = { errors: ['Error 413: Payload Too Large'] }

describe('A change of a row', () => {
  it.each<[string, unknown, unknown]>([
    ['a new message', changeOf('INSERT', message), { type: 'INSERT', record: message, committedAt }],
    ['a changed message', changeOf('UPDATE', message), { type: 'UPDATE', record: message, committedAt }],
    [
      'no time of the commit',
      changeOf('INSERT', message, { commit_timestamp: null, errors: null }),
      { type: 'INSERT', record: message, committedAt: undefined },
    ],
    ['no errors', changeOf('INSERT', message, { errors: [] }), { type: 'INSERT', record: message, committedAt }],
    ['a deletion', changeOf('DELETE', {}, { old: { message_id: 'm1' } }), { type: 'DELETE', messageId: 'm1' }],
    ['a deletion without its key', changeOf('DELETE', message, { old: {} }), null],
    ['a truncated row', changeOf('INSERT', message, tooLarge), null],
    ['a truncated row that was deleted', changeOf('DELETE', {}, { old: { message_id: 'm1' }, ...tooLarge }), null],
    ['a row of another table', changeOf('INSERT', person), null],
    ['an unknown event', changeOf('TRUNCATE', message), null],
    ['no change', 'INSERT', null],
  ])('of messages is read: %s', (_, payload, expected) => {
    expect(readMessageChange(payload)).toEqual(expected)
  })

  it.each<[string, unknown, unknown]>([
    ['a new person', changeOf('INSERT', person), { type: 'INSERT', row: person, committedAt }],
    ['a changed person', changeOf('UPDATE', person), { type: 'UPDATE', row: person, committedAt }],
    [
      'no time of the commit',
      changeOf('UPDATE', person, { commit_timestamp: undefined }),
      { type: 'UPDATE', row: person, committedAt: undefined },
    ],
    ['a deletion', changeOf('DELETE', person, { old: person }), null],
    ['a truncated row', changeOf('UPDATE', person, tooLarge), null],
    ['a row without a key', changeOf('UPDATE', { name: 'Maria' }), null],
    ['no change', null, null],
  ])('of people is read: %s', (_, payload, expected) => {
    expect(readUserChange(payload)).toEqual(expected)
  })

  it.each<[string, unknown, unknown]>([
    ['a new state', changeOf('INSERT', event), report],
    ['a change by nobody', changeOf('INSERT', { ...event, changed_by: null }), { ...report, changedBy: null }],
    ['a truncated row', changeOf('INSERT', event, tooLarge), null],
    ['a row without a conversation', changeOf('INSERT', { ...event, primary_user_id: undefined }), null],
    ['no change', undefined, null],
  ])('of states is read: %s', (_, payload, expected) => {
    expect(readStateReport(payload)).toEqual(expected)
  })
})

/** A channel on a client that answers at once. `tell` gives it a change of a table. */
function open(input: ChannelInput, mayLoad?: Promise<void>) {
  const steps: string[] = []
  const reports: ChannelReport[] = []
  const heard = new Map<string, (payload: unknown) => void>()
  const channel = {
    on: (_: string, { event = '', table = 'system' }: { event?: string; table?: string }, hear: () => void) => {
      heard.set(`${event} ${table}`.trim(), hear)
      return channel
    },
    subscribe: () => void steps.push('joined'),
  }
  const client = {
    auth: { getSession: async () => ({ data: { session: {} } }) },
    realtime: { setAuth: async () => {} },
    channel: (name: string) => {
      steps.push(name)
      return channel
    },
    removeChannel: () => void steps.push('left'),
  } as unknown as SupabaseClient
  const frames: (() => void)[] = []
  const openChannel = createChannels({
    client: async () => {
      steps.push('loaded')
      return client
    },
    // A change that follows another one waits for a frame.
    timing: {
      now: () => 0,
      nextFrame: (frame) => {
        frames.push(frame)
        return () => void frames.splice(frames.indexOf(frame), 1)
      },
      after: () => () => {},
    },
    ...(mayLoad && { mayLoad }),
  })
  const close = openChannel(input, (told) => reports.push(told))
  return {
    close,
    steps,
    reports,
    heard,
    openAnother: () => openChannel(input, () => {}),
    tell: (table: string, ...changes: unknown[]) => {
      for (const change of changes) heard.get(table)?.(change)
    },
    frames,
    paint: () => {
      for (const frame of frames.splice(0)) frame()
    },
  }
}

describe('The channel of people', () => {
  const people: ChannelInput = { channel: 'users', needsFreshToken: false }

  it('delivers the states of conversations too, in batches of their own', async () => {
    const sut = open({ ...people, withStates: true })
    await settled()
    expect([...sut.heard.keys()]).toEqual(['* fb_users', 'system', 'INSERT conversation_events'])
    const second = { ...event, id: 8 }
    sut.tell(
      'INSERT conversation_events',
      changeOf('INSERT', event),
      changeOf('INSERT', {}),
      changeOf('INSERT', second),
    )
    sut.tell('* fb_users', changeOf('UPDATE', person))
    sut.paint()
    expect(sut.reports).toEqual([
      { type: 'states.received', changes: [report] },
      { type: 'row.refused' },
      { type: 'users.received', changes: [{ type: 'UPDATE', row: person, committedAt }] },
      { type: 'states.received', changes: [{ ...report, state: { ...report.state, version: 8 } }] },
    ])
  })

  it.each([false, undefined])('does not ask for states that the API does not offer (%s)', async (withStates) => {
    const sut = open({ ...people, withStates })
    await settled()
    expect([...sut.heard.keys()]).toEqual(['* fb_users', 'system'])
  })

  it('delivers nothing that waits when it is closed', async () => {
    const sut = open({ ...people, withStates: true })
    await settled()
    sut.tell('INSERT conversation_events', changeOf('INSERT', event), changeOf('INSERT', event))
    sut.tell('* fb_users', changeOf('UPDATE', person), changeOf('UPDATE', person))
    expect([sut.reports.length, sut.frames.length]).toEqual([2, 2])
    sut.close()
    expect([sut.reports.length, sut.frames.length, sut.steps.at(-1)]).toEqual([2, 0, 'left'])
  })
})

describe('A channel', () => {
  const messages: ChannelInput = { channel: 'messages', needsFreshToken: false }

  it('loads the client when that is allowed, and has a name of its own', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const sut = open(messages, promise)
    await settled()
    expect(sut.steps).toEqual([])
    resolve()
    await settled()
    sut.openAnother()
    await settled()
    expect(sut.steps).toEqual(['loaded', 'inbox-messages-1', 'joined', 'loaded', 'inbox-messages-2', 'joined'])
    expect([...sut.heard.keys()]).toEqual(['* messages', 'system'])
  })

  it('that is closed before then loads nothing, because a client loaded after a sign-out has no user', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const sut = open(messages, promise)
    sut.close()
    resolve()
    await settled()
    expect([sut.steps, sut.reports]).toEqual([[], []])
  })
})
