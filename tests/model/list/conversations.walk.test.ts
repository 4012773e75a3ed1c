import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import { conversationsMachine, selectQuery, selectSettledQuery } from '../../../src/machines/list/conversations.ts'
import type { ConversationsEvent } from '../../../src/machines/list/conversations-setup.ts'
import { createCoverage, follow } from '../harness.ts'
import { startConversations } from './conversations-fixture.ts'
import {
  listModel,
  notChanging,
  notInViews,
  notPatching,
  notSearching,
  stateTold,
} from './conversations-walk-fixture.ts'

const coverage = createCoverage(conversationsMachine)

const searching = listModel(notSearching).everyTransition()
const changing = listModel(notChanging).everyTransition()
const inViews = listModel(notInViews).everyTransition()
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
    'view.chosen': send,
    'filter.chosen': send,
    'labels.loaded': send,
    'query.opened': send,
    'more.requested': send,
    'refetch.requested': send,
    'list.invalidated': send,
    'messages.changed': send,
    'users.changed': send,
    'clientData.changed': send,
    'conversation.read': send,
    'states.moved': (event: AnyEventObject) => {
      sut.tellRecords({ type: 'states.changed', changes: [stateTold] })
      send(event)
    },
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

const narrowed = (
  query: ListQuery,
  { type, text, pageId, unreadOnly, view, filter, query: opened }: AnyEventObject,
): ListQuery => {
  if (type === 'search.typed') return { ...query, search: text }
  if (type === 'page.chosen') return { ...query, pageId }
  if (type === 'unreadOnly.chosen') return { ...query, unreadOnly }
  if (type === 'view.chosen') return { ...query, view }
  if (type === 'filter.chosen') return { ...query, ...filter }
  if (type === 'labels.loaded') return { ...query, labelId: undefined }
  return type === 'query.opened' ? opened : query
}
const isOfTop = ({ type }: AnyEventObject) => /^xstate\.(done|error)\.actor\.(loadTop|refreshTop)$/.test(type)

describe.each([
  ['searching and filtering', searching],
  ['refreshing and paging', changing],
  ['receiving changes', patching],
  ['showing another view and receiving states', inViews],
])('the conversation list keeps its promises while %s', (_, paths) => {
  it(`on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = startConversations(coverage.inspect)
      let query: ListQuery = { search: '', pageId: null, unreadOnly: false }
      /** Of the requests for the first rows, and how many of them were answered. */
      let answered = 0
      let calls = 1
      /** A request that was pending when the resync was required does not count for it. */
      let resyncIsDue: 'no' | 'with the next answer' | 'with the next request' = 'no'
      let resyncs = 0
      await follow(path, driveConversations(sut), ({ event }) => {
        query = narrowed(query, event)
        if (isOfTop(event)) answered += 1
        const isAnswer = isOfTop(event) && event.type.startsWith('xstate.done')
        if (isAnswer && resyncIsDue === 'with the next answer') {
          resyncIsDue = 'no'
          resyncs += 1
        }
        if (event.type === 'resync.requested') resyncIsDue = 'with the next request'
        if (sut.top.calls.length > calls && resyncIsDue !== 'no') resyncIsDue = 'with the next answer'
        calls = sut.top.calls.length
        const ids = sut.shown()
        const times = ids.map((id) => Date.parse(sut.row(id)?.last_message_at ?? ''))
        const snapshot = sut.actor.getSnapshot()
        const open = sut.top.calls.filter(({ signal }) => !signal.aborted).length - answered
        expect(
          {
            query: selectQuery(snapshot),
            // Only the last request for the first rows counts, and each asks for what is wanted now.
            open: open <= 1,
            asked: sut.top.calls.at(-1)?.input.query ?? query,
            ids: new Set(ids).size,
            order: times,
            resyncs: sut.reports.length,
          },
          path.title,
        ).toEqual({
          query,
          open: true,
          asked: selectSettledQuery(snapshot) === null ? sut.top.calls.at(-1)?.input.query : query,
          ids: ids.length,
          order: times.toSorted((a, b) => b - a),
          resyncs,
        })
      })
      sut.actor.stop()
    }
  })
})

describe('the walk through the conversation list', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
