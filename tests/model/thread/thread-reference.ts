import type { AnyEventObject } from 'xstate'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { failures } from './thread-fixture.ts'

const texts = new Map<unknown, string>([
  [failures.noAnswer, 'Network error. Please check your connection.'],
  [failures.refused, 'Access denied. You do not have permission to perform this action.'],
  [failures.notThere, 'API endpoint not found: GET /facebook/conversations/ana/messages'],
])

const secondOf = (message: Message) => Date.parse(message.created_at)
const inOrder = (a: Message, b: Message) => secondOf(a) - secondOf(b) || (a.message_id < b.message_id ? -1 : 1)
const isOurs = (change: MessageChange) => change.type === 'DELETE' || change.record.primary_user_id === 'ana'
const isTemporary = (message: Message) => message.message_id.startsWith('temp_')
const isUnread = (message: Message) => message.direction === 'incoming' && !message.is_read

/**
 * A reference implementation of the open thread of Ana, derived by hand from the specification. Its input is the
 * events, requests and answers; it never reads the state of the machine.
 */
export function createThreadReference(conversation: Conversation | null, history: readonly Message[]) {
  const held = new Map<string, Message>()
  /** All messages that were written and not deleted. */
  const written = new Map(history.map((message) => [message.message_id, message]))
  const deleted = new Set<string>()
  const toasts: { kind: string; text: string }[] = []
  const session: unknown[] = []
  let since: MessageChange[] = []
  let isLoaded = false
  let isLive = false
  /** The messages held when a gap began; null without a gap. */
  let heldBefore: ReadonlySet<string> | null = null
  let needsResync = false
  let failed = 0
  let wasSought = false
  let unreadInRow = conversation?.unread_messages ?? 0
  let [isVisible, isEndSeen] = [true, true]
  let [wasAsked, wasDenialTold] = [false, false]
  /** A message was read here, and the server has not confirmed it. */
  let needsMarkingAsRead = false

  const shown = () => [...held.values()].toSorted(inOrder)
  const confirmed = () => shown().filter((message) => !isTemporary(message))
  const put = (message: Message) => {
    if (deleted.has(message.message_id)) return
    const before = held.get(message.message_id)
    if (message.idempotency_key) held.delete('temp_1')
    held.set(message.message_id, { ...message, is_read: message.is_read || before?.is_read === true })
  }
  const apply = (change: MessageChange) => {
    if (change.type === 'DELETE') {
      deleted.add(change.messageId)
      held.delete(change.messageId)
    } else if (change.type === 'UPDATE' || !held.has(change.record.message_id)) put(change.record)
  }
  const note = (change: MessageChange) => {
    if (change.type === 'DELETE') written.delete(change.messageId)
    else written.set(change.record.message_id, change.record)
  }
  const toast = (error: unknown) => {
    const text = texts.get(error)
    if (text === undefined) throw new Error('a failure that the reference has no text for')
    toasts.push({ kind: 'error', text })
  }
  const beCaughtUp = () => {
    if (needsResync) session.push({ type: 'resync.done', from: 'thread' })
    needsResync = false
  }
  /** A result page replaces all messages within its time range. */
  const take = ({ messages, hasMore }: FetchedPage, isNewest: boolean) => {
    const [oldest, newest] = [messages[0], messages.at(-1)]
    for (const message of confirmed()) {
      const isAfter = !hasMore || (oldest !== undefined && inOrder(oldest, message) <= 0)
      const isBefore = isNewest || (newest !== undefined && inOrder(message, newest) <= 0)
      if (isAfter && isBefore && !messages.some((other) => other.message_id === message.message_id))
        held.delete(message.message_id)
    }
    for (const message of messages) put(message)
    for (const change of since) apply(change)
  }
  const overlaps = ({ messages }: FetchedPage) => messages.some((message) => held.has(message.message_id))
  /** For the newest messages: a gap is closed if a result page begins with a message that was held before the gap. */
  const takeNewest = (page: FetchedPage, isNewest: boolean) => {
    const [oldest] = page.messages
    const before = heldBefore ?? new Set<string>()
    const isClosed = before.size === 0 || !page.hasMore || (oldest !== undefined && before.has(oldest.message_id))
    for (const message of page.messages) written.set(message.message_id, message)
    take(page, isNewest)
    isLoaded = true
    isLive = true
    failed = 0
    if (!isClosed) return
    wasSought = false
    heldBefore = null
    beCaughtUp()
  }
  const expectGap = () => {
    if (isLoaded) heldBefore ??= new Set(confirmed().map(({ message_id }) => message_id))
  }
  /** No message lies between this result page and the held messages. */
  const joins = ({ messages }: FetchedPage) => {
    const [newest, first] = [messages.at(-1), confirmed()[0]]
    if (newest === undefined || first === undefined) return false
    return ![...written.values()].some((other) => inOrder(newest, other) < 0 && inOrder(other, first) < 0)
  }
  const readAll = () => {
    unreadInRow = 0
    for (const message of held.values()) held.set(message.message_id, { ...message, is_read: true })
  }
  const failRead = (error: unknown, isOfMessages: boolean) => {
    if (isOfMessages && error === failures.notThere && !wasSought) {
      wasSought = true
      isLive = false
      return
    }
    const isTold = error === failures.noAnswer ? failed === 0 : !(needsResync && failed > 0)
    if (isTold) toast(error)
    failed += 1
  }

  const heard: Record<string, (event: AnyEventObject) => void> = {
    'messages.changed': ({ changes }: AnyEventObject) => {
      const ours = (changes as MessageChange[]).filter(isOurs)
      for (const change of ours) note(change)
      since.push(...ours)
      if (isLive) for (const change of ours) apply(change)
    },
    'message.sent': ({ conversationId, message }) => {
      const isKnown = shown().some((other) => other.idempotency_key === message.idempotency_key)
      if (conversationId === 'ana' && !isKnown) held.set(message.message_id, message)
    },
    'conversation.changed': () => {},
    'route.requested': () => {},
    'older.requested': () => {},
    'resync.requested': () => {
      needsResync = true
      expectGap()
    },
    'refetch.requested': () => {
      failed = 0
      expectGap()
    },
    'tab.shown': () => {
      isVisible = true
    },
    'tab.hidden': () => {
      isVisible = false
    },
    'end.seen': () => {
      isEndSeen = true
    },
    'end.left': () => {
      isEndSeen = false
    },
    'read.requested': () => {
      wasAsked = true
      needsMarkingAsRead = true
      readAll()
    },
    'xstate.done.actor.findConversation': ({ output }) => {
      if (output !== null) return
      if (wasSought) session.push({ type: 'conversation.gone', id: 'ana' })
      beCaughtUp()
    },
    'xstate.error.actor.findConversation': ({ error }) => failRead(error, false),
    'xstate.done.actor.loadNewest': ({ output }) => takeNewest(output, true),
    'xstate.error.actor.loadNewest': ({ error }) => failRead(error, true),
    'xstate.error.actor.refetchNewest': ({ error }) => failRead(error, true),
    'xstate.error.actor.loadOlder': ({ error }) => toast(error),
    'xstate.done.actor.markRead': () => {
      wasAsked = false
    },
    'xstate.error.actor.markRead': ({ error }) => {
      const isDenied = error === failures.refused
      if (wasAsked || (isDenied && !wasDenialTold)) toast(error)
      if (isDenied) wasDenialTold = true
      else needsMarkingAsRead = true
      wasAsked = false
    },
  }

  return {
    toasts,
    session,
    shown,
    /** There are older messages than the held ones. */
    hasOlder: () => {
      const [first] = confirmed()
      return first === undefined || [...written.values()].some((message) => inOrder(message, first) < 0)
    },
    /** All messages that were written and not deleted, oldest first. */
    written: () => [...written.values()].toSorted(inOrder),
    failures: () => failed,
    /** An event arrived. `page` is the last requested result page; another request may follow. */
    hear: (event: AnyEventObject, { page, asksOn }: { page: number; asksOn: boolean }) => {
      if (event.type === 'xstate.done.actor.refetchNewest') {
        takeNewest(event['output'], page === 1)
      } else if (event.type === 'xstate.done.actor.loadOlder') {
        for (const message of event['output'].messages) written.set(message.message_id, message)
        // If the result page may not adjoin the held messages, the thread first loads the result page before it.
        if (overlaps(event['output']) || (!asksOn && joins(event['output']))) take(event['output'], page === 1)
      } else if (!event.type.startsWith('xstate.after')) {
        const react = heard[event.type]
        if (!react) throw new Error(`the reference does not know "${event.type}"`)
        react(event)
      }
    },
    /** Messages were requested: the answer contains every message of earlier events. */
    ask: () => {
      since = []
    },
    /**
     * A visible message is read at once. Returns how many calls that mark messages as read may follow the last step:
     * none without a reason, and none for messages that were never visible.
     */
    look: () => {
      const isUnreadHere = unreadInRow > 0 || shown().some(isUnread)
      if (isLoaded && isVisible && isEndSeen && isUnreadHere) {
        readAll()
        needsMarkingAsRead = true
      }
      const isUnseen = unreadInRow > 0 || shown().some(isUnread)
      return needsMarkingAsRead && !isUnseen ? 1 : 0
    },
    /** The thread tells the server. */
    tell: () => {
      needsMarkingAsRead = false
    },
  }
}
