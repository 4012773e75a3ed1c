import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import { conversationsMachine } from '../../../src/machines/list/conversations.ts'
import type { ConversationsEvent } from '../../../src/machines/list/conversations-setup.ts'
import { createCoverage, follow } from '../harness.ts'
import { startConversations } from './conversations-fixture.ts'
import { listModel, notChanging, notPatching, notSearching, rowsBeside, seen } from './conversations-walk-fixture.ts'

const coverage = createCoverage(conversationsMachine)

const searching = listModel(notSearching).everyTransition()
const changing = listModel(notChanging).everyTransition()
const patching = listModel(notPatching).everyTransition()

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
    'refetch.requested': send,
    'list.invalidated': send,
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
    'xstate.after.searchDebounce.conversations.debouncing': () => sut.clock.increment(500),
    'xstate.after.retryDelay.conversations.failed.waiting': () => sut.clock.increment(2_000),
    'xstate.after.retryDelay.conversations.failed.refused': () => sut.clock.increment(2_000),
    'xstate.after.retryDelay.conversations.loaded.freshness.backingOff': () => sut.clock.increment(2_000),
    'xstate.after.refreshInterval.conversations.loaded.freshness.throttled': () => sut.clock.increment(1_000),
  }
}

describe.each([
  ['searching and filtering', searching],
  ['refreshing and paging', changing],
  ['receiving changes', patching],
])('the conversation list matches its model while %s', (_, paths) => {
  it(`on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = startConversations(coverage.inspect)
      await follow(path, driveConversations(sut), ({ expected }) => {
        const { value, context } = sut.actor.getSnapshot()
        const seenBefore = seen(expected.context, rowsBeside(expected))
        expect([value, seen(context, sut.row)], path.title).toEqual([expected.value, seenBefore])
      })
      sut.actor.stop()
    }
  })
})

describe('the walk through the conversation list', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
