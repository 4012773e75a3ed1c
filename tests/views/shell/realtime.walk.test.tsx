import { act, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import type { ChannelName, ChannelReport } from '../../../src/domain/shell/changes.ts'
import type { SessionEvent } from '../../../src/machines/session-events.ts'
import { realtimeMachine } from '../../../src/machines/shell/realtime.ts'
import { createCoverage, createToastLog, follow } from '../../model/harness.ts'
import { realtimeModel } from '../../model/shell/realtime-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const coverage = createCoverage(realtimeMachine)
type Snapshot = SnapshotFrom<typeof realtimeMachine>
const channels: readonly ChannelName[] = ['messages', 'users']

function seen() {
  const pill = within(screen.getByRole('banner')).getByRole('status')
  return { says: pill.textContent, dot: pill.querySelector('[aria-hidden]')?.className.match(/bg-\w+/)?.[0] }
}

const words = {
  live: { says: 'Connection: Live. Changes appear as they happen.', dot: 'bg-ok' },
  connecting: {
    says: 'Connection: Connecting. ' + 'Connecting to live updates. Until then, we check for changes every 30 seconds.',
    dot: 'bg-warn',
  },
  offline: {
    says: 'Connection: Offline. No live connection. We check for changes every 30 seconds.',
    dot: 'bg-bad',
  },
}

/**
 * Live needs both channels and a completed catch-up. After a channel fails, the state is Offline until the channel is
 * subscribed again.
 */
function expected(snapshot: Snapshot) {
  const isReady = (channel: ChannelName) => snapshot.matches({ [channel]: { open: { subscribed: 'ready' } } })
  const isSubscribed = (channel: ChannelName) => snapshot.matches({ [channel]: { open: 'subscribed' } })
  if (channels.every(isReady) && snapshot.matches({ status: 'live' })) return words.live
  const isBroken = (channel: ChannelName) => snapshot.context.failures[channel] > 0 && !isSubscribed(channel)
  return channels.some(isBroken) ? words.offline : words.connecting
}

/**
 * Whether changes really arrive, derived only from the actions of the test. The header may show green only in this
 * state.
 */
function createEar() {
  const hears = new Set<ChannelName>()
  let hasCaughtUp = false
  const loses = (...lost: readonly ChannelName[]) => {
    for (const channel of lost) hears.delete(channel)
    hasCaughtUp = false
  }
  return {
    note: ({ type, channel }: AnyEventObject) => {
      if (type === 'channel.subscribed') hears.add(channel)
      if (/^channel\.(failed|timedOut|closed)$/.test(type)) loses(channel)
      if (type === 'browser.offline') loses(...channels)
      if (type === 'clock.jumped') loses()
      if (type === 'resync.done') hasCaughtUp = true
    },
    isBlind: () => hears.size < 2 || !hasCaughtUp,
  }
}

/** The channel that an event breaks, and the toast for its first failure in a row. */
function breaking({ type, channel }: AnyEventObject): { channel: ChannelName; text: string } | null {
  const patience = /^xstate\.after\.connectTimeout\.realtime\.(\w+)/.exec(type)?.[1]
  if (type === 'channel.failed') return { channel, text: 'Real-time messaging connection error' }
  const late = type === 'channel.timedOut' ? channel : channels.find((name) => name === patience)
  return late ? { channel: late, text: 'Real-time messaging connection timed out' } : null
}

describe('The header shows the state of realtime, and is green only while changes arrive', () => {
  type Channels = readonly { channel: ChannelName }[]
  const messages: Channels = [{ channel: 'messages' }]
  const users: Channels = [{ channel: 'users' }]
  const isConnecting = (snapshot: Snapshot, channel: ChannelName) =>
    snapshot.matches({ [channel]: { open: 'connecting' } })
  const isSettling = (snapshot: Snapshot, channel: ChannelName) =>
    snapshot.matches({ [channel]: { open: { subscribed: 'confirming' } } })
  const isFresh = ({ context: { failures } }: Snapshot) => failures.messages + failures.users === 0
  const isStarting = (snapshot: Snapshot) =>
    isFresh(snapshot) && isConnecting(snapshot, 'messages') && isConnecting(snapshot, 'users')
  const isLive = (snapshot: Snapshot) => isFresh(snapshot) && snapshot.matches({ status: { live: 'valid' } })
  const isCatchingUp = (snapshot: Snapshot) => isFresh(snapshot) && snapshot.matches({ status: 'resyncing' })
  const hasLostUsers = (snapshot: Snapshot) =>
    snapshot.matches({ users: 'channelError' }) && isConnecting(snapshot, 'messages')
  const where = (may: (snapshot: Snapshot) => boolean) => (snapshot: Snapshot) => (may(snapshot) ? [{}] : [])
  // The two channels are alike: one fails at the start, the other while Live. The model covers each in every state.
  const breaks = (early: Channels, late: Channels) => (snapshot: Snapshot) =>
    isStarting(snapshot) ? early : isLive(snapshot) ? late : []
  const paths = realtimeModel({
    'channel.subscribed': (snapshot) => (isConnecting(snapshot, 'messages') ? messages : users),
    'channel.ready': (snapshot) =>
      isSettling(snapshot, 'users') && !isSettling(snapshot, 'messages') ? users : messages,
    // The failure of the second channel also produces a toast.
    'channel.failed': (snapshot) =>
      hasLostUsers(snapshot) ? messages : isCatchingUp(snapshot) ? users : breaks(users, messages)(snapshot),
    'channel.timedOut': breaks(messages, users),
    'channel.closed': breaks(users, messages),
    'xstate.after.connectTimeout.realtime.messages.open.connecting': where(isStarting),
    'xstate.after.connectTimeout.realtime.users.open.connecting': where(isStarting),
    'xstate.after.pollInterval.realtime.status.invalidated': where(isStarting),
    'xstate.after.resyncTimeout.realtime.status.resyncing': where(isFresh),
    'browser.offline': where((snapshot) => isStarting(snapshot) || isLive(snapshot)),
    'browser.online': where((snapshot) => !snapshot.matches({ status: 'resyncing' })),
    'clock.jumped': where((snapshot) => isFresh(snapshot) && !snapshot.matches({ status: 'invalidated' })),
    'row.refused': where(isFresh),
    'tab.hidden': where(isLive),
    'tab.shown': where(isLive),
    'access.refused': where(isStarting),
    'messages.received': where(isLive),
    'users.received': where(isLive),
    'states.received': where(isLive),
  }).everyTransitionInFewPaths()
  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const log = createToastLog()
      const inbox = await showInbox({
        inspect: (event) => {
          coverage.inspect(event)
          log.inspect(event)
        },
      })
      await inbox.answer('loadTop', listOf([]))
      const ear = createEar()
      const told: unknown[] = []
      let before: Snapshot | null = null
      const hear = (event: AnyEventObject) => inbox.hear(event as ChannelReport)
      const tell = (event: AnyEventObject) => inbox.tell(event as SessionEvent)
      // Elapses delays one by one: two delays of different regions would otherwise elapse together.
      const elapse = (event: AnyEventObject) => act(async () => inbox.app.system.get('realtime').send(event))
      const catchUp = async () => {
        while (inbox.waiting('loadTop').length > 0) await inbox.answer('loadTop', listOf([]))
      }
      const drive: Record<string, (event: AnyEventObject) => unknown> = {
        'resync.done': catchUp,
        'messages.received': () => inbox.change([]),
        'users.received': () => inbox.changeUsers([]),
        'states.received': () => inbox.changeStates([]),
      }
      for (const { event } of path.steps) {
        if (/^(channel\.|row\.|access\.)/.test(event.type)) drive[event.type] = hear
        if (/^(tab|browser|clock)\./.test(event.type)) drive[event.type] = tell
        if (/^xstate\.after\./.test(event.type)) drive[event.type] = elapse
      }
      await follow(path, drive, ({ event, expected: snapshot }) => {
        ear.note(event)
        const broken = breaking(event)
        if (broken && (before === null || before.context.failures[broken.channel] === 0))
          told.push({ kind: 'error', text: broken.text })
        before = snapshot
        const shown = seen()
        expect(shown).toEqual(expected(snapshot))
        if (shown.dot === 'bg-ok') expect(ear.isBlind()).toBe(false)
        expect(log.toasts).toEqual(told)
      })
      inbox.unmount()
    }
  }, 300_000)

  it('shows Connecting and opens no channel while a saved inbox waits for the confirmed sign-in', async () => {
    const thread = { conversationId: 'c1', messages: [], hasOlder: false }
    const saved = { user, conversations: [], list: { ids: [], total: 0, hasNext: false }, thread }
    const inbox = await showInbox({ person: user, saved, inspect: coverage.inspect })
    await inbox.pass(30_000)
    expect([seen(), inbox.openChannels()]).toEqual([words.connecting, 0])
    await inbox.answer('confirmUser', { user, session: 1 })
    expect([seen(), inbox.openChannels()]).toEqual([words.connecting, 2])
    inbox.unmount()
  })

  it('shows Live after a refused access was granted again', async () => {
    const inbox = await showInbox({ inspect: coverage.inspect })
    await inbox.hear({ type: 'access.refused' })
    for (const channel of channels)
      await inbox.hear({ type: 'channel.subscribed', channel }, { type: 'channel.ready', channel })
    while (inbox.waiting('loadTop').length > 0) await inbox.answer('loadTop', listOf([]))
    expect(seen()).toEqual(words.live)
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
