import type { Message } from '../../schemas/message.ts'
import { comparePlaces, placeOf } from '../message-order.ts'
import type { MessageChange } from '../shell/changes.ts'
import type { AroundAnswer } from './thread-calls.ts'
import { applyChanges, emptyThread, hasOlder, isKnown, mergePage, type ThreadMessages } from './thread-messages.ts'

/**
 * Messages around one that was searched: a gapless range of the server's messages of a conversation, from the first to the
 * last one held. What is newer than the last one is left out until a result page reaches it.
 */
export type MessagesAround = {
  readonly thread: ThreadMessages
  /** The server may have messages after the last one held. */
  readonly hasNewer: boolean
}

/** Pages that are fetched again after a gap. Of a longer range, the rest is dropped. */
const refetchedPages = 10

const lastOf = ({ thread }: MessagesAround): Message | undefined => thread.messages.at(-1)

/** The range of one result page, with the changes since it was asked for. */
export const aroundOf = (answer: AroundAnswer, changes: readonly MessageChange[]): MessagesAround =>
  withChanges(
    {
      thread: mergePage(
        emptyThread,
        { messages: answer.messages, hasMore: answer.hasOlder },
        { isNewest: false, adjoins: true },
      ),
      hasNewer: answer.hasNewer,
    },
    changes,
  )

/** Applies realtime changes of the conversation. Idempotent and independent of the order, as those of a thread. */
export function withChanges(around: MessagesAround, changes: readonly MessageChange[]): MessagesAround {
  const last = lastOf(around)
  const within = changes.filter(
    (change) =>
      change.type === 'DELETE' ||
      !around.hasNewer ||
      isKnown(around.thread, change.record.message_id) ||
      (last !== undefined && comparePlaces(placeOf(change.record), placeOf(last)) < 0),
  )
  const thread = applyChanges(around.thread, within)
  return thread === around.thread ? around : { ...around, thread }
}

/** Adds the messages directly before the first one. `changes`: since the page was asked for. */
export function withOlderPage(
  { thread, hasNewer }: MessagesAround,
  { messages, hasOlder }: AroundAnswer,
  changes: readonly MessageChange[],
): MessagesAround {
  const hasMore = hasOlder && messages.length > 0
  return withChanges(
    { thread: mergePage(thread, { messages, hasMore }, { isNewest: false, adjoins: true }), hasNewer },
    changes,
  )
}

/** Adds the messages directly after the last one. `changes`: since the page was asked for. */
export function withNewerPage(
  { thread }: MessagesAround,
  { messages, hasNewer }: AroundAnswer,
  changes: readonly MessageChange[],
): MessagesAround {
  return withChanges(
    {
      thread: mergePage(thread, { messages, hasMore: true }, { isNewest: false, adjoins: false }),
      hasNewer: hasNewer && messages.length > 0,
    },
    changes,
  )
}

/**
 * One more page of a range that is fetched again from its first message on, because changes may have been missed. `isDone`:
 * the pages reach the former end. Older messages may have been added before the first one, so the range then says that
 * there may be older ones.
 */
export function refetched(
  around: MessagesAround,
  pages: readonly (readonly Message[])[],
  answer: AroundAnswer,
): { pages: readonly (readonly Message[])[]; isDone: boolean } {
  const all = [...pages, answer.messages]
  const [end, last] = [lastOf(around), answer.messages.at(-1)]
  const isReached =
    !answer.hasNewer || last === undefined || end === undefined || comparePlaces(placeOf(last), placeOf(end)) >= 0
  return { pages: all, isDone: isReached || all.length >= refetchedPages }
}

export const hasOlderMessages = ({ thread }: MessagesAround): boolean => hasOlder(thread)
