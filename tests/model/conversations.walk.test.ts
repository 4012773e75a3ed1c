import { describe, expect, it } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { type ConversationsEvent, conversationsMachine, type ListAnswer } from '../../src/machines/conversations.ts'
import { beginning, startConversations, whole } from './conversations-fixture.ts'
import { createCoverage, follow, modelOf } from './harness.ts'
import { faults, inserted, renamed, row } from './inbox-fixture.ts'

const coverage = createCoverage(conversationsMachine)

const first = beginning(3, row('c3', 30), row('c2', 20))

/** Everything that can happen; a walk leaves out what another one takes, or the ways would be endless. */
const cases = {
  'search.typed': [{ text: 'ma' }],
  'page.chosen': [{ pageId: 'p1' }],
  'unreadOnly.chosen': [{ unreadOnly: true }],
  'query.opened': [{ query: { search: 'jo', pageId: 'p2', unreadOnly: true } }],
  'more.requested': [{}],
  'refresh.requested': [{}],
  'list.outdated': [{}],
  'messages.changed': [{ changes: [inserted('c2', 40)] }],
  'users.changed': [{ changes: [renamed('u2', 'Maria')] }],
  'conversation.read': [{ id: 'c2' }],
  'resync.requested': [{}],
  'xstate.done.actor.loadTop': [{ output: first }],
  'xstate.error.actor.loadTop': [{ error: faults.unavailable }, { error: faults.refused }],
  'xstate.done.actor.refreshTop': [{ output: first }],
  'xstate.error.actor.refreshTop': [{ error: faults.unavailable }, { error: faults.refused }],
  'xstate.done.actor.loadPage': [{ output: whole(row('c1', 10)) }],
  'xstate.error.actor.loadPage': [{ error: faults.unavailable }],
}

/** What a failure is told with and how long it is waited after it decides no way; the journeys hold them. */
const seen = ({ list, isAsked, retryDelay, ...context }: SnapshotFrom<typeof conversationsMachine>['context']) => ({
  ...context,
  rows: list.order.map((id) => list.byId.get(id)),
})

const walkWithout = (...left: (keyof typeof cases)[]) =>
  modelOf(conversationsMachine, {
    input: undefined,
    vertex: ({ context }) => seen(context),
    stopWhen: ({ context }) => context.failures > 1,
    limit: 20_000,
    cases: { ...cases, ...Object.fromEntries(left.map((type) => [type, []])) },
  }).everyTransition()

const searching = walkWithout(
  'more.requested',
  'refresh.requested',
  'list.outdated',
  'messages.changed',
  'users.changed',
  'conversation.read',
  'xstate.done.actor.refreshTop',
  'xstate.error.actor.refreshTop',
)
const changing = walkWithout(
  'query.opened',
  'search.typed',
  'page.chosen',
  'unreadOnly.chosen',
  'messages.changed',
  'users.changed',
  'conversation.read',
)
const patching = walkWithout(
  'query.opened',
  'search.typed',
  'page.chosen',
  'unreadOnly.chosen',
  'more.requested',
  'resync.requested',
)

const driveConversations = (sut: ReturnType<typeof startConversations>) => {
  const send = (event: AnyEventObject) => sut.send(event as ConversationsEvent)
  const top = {
    done: (event: AnyEventObject) => sut.top.resolve(event['output'] as ListAnswer),
    failed: (event: AnyEventObject) => sut.top.reject(event['error']),
  }
  return {
    'search.typed': send,
    'page.chosen': send,
    'unreadOnly.chosen': send,
    'query.opened': send,
    'more.requested': send,
    'refresh.requested': send,
    'list.outdated': send,
    'messages.changed': send,
    'users.changed': send,
    'conversation.read': send,
    'resync.requested': send,
    'xstate.done.actor.loadTop': top.done,
    'xstate.error.actor.loadTop': top.failed,
    'xstate.done.actor.refreshTop': top.done,
    'xstate.error.actor.refreshTop': top.failed,
    'xstate.done.actor.loadPage': (event: AnyEventObject) => sut.page.resolve(event['output'] as ListAnswer),
    'xstate.error.actor.loadPage': (event: AnyEventObject) => sut.page.reject(event['error']),
    'xstate.after.searchSettles.conversations.settling': () => sut.clock.increment(500),
    'xstate.after.retryDelay.conversations.failed.waiting': () => sut.clock.increment(2_000),
    'xstate.after.retryDelay.conversations.failed.refused': () => sut.clock.increment(2_000),
    'xstate.after.retryDelay.conversations.loaded.freshness.backingOff': () => sut.clock.increment(2_000),
    'xstate.after.refreshInterval.conversations.loaded.freshness.cooling': () => sut.clock.increment(1_000),
  }
}

describe.each([
  ['searching and filtering', searching],
  ['refreshing and paging', changing],
  ['hearing of changes', patching],
])('the conversation list does what its model says while %s', (_, paths) => {
  it(`over ${paths.length} paths, one to each transition`, async () => {
    for (const path of paths) {
      const sut = startConversations(coverage.inspect)
      await follow(path, driveConversations(sut), ({ expected }) => {
        const { value, context } = sut.actor.getSnapshot()
        expect([value, seen(context)], path.title).toEqual([expected.value, seen(expected.context)])

        // Whatever happened before:
        expect([...context.list.byId.keys()].toSorted(), path.title).toEqual(context.list.order.toSorted())
      })
      sut.actor.stop()
    }
  }, 60_000)
})

describe('the walk through the conversation list is complete', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
