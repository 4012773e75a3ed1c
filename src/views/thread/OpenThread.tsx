import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import type { Outgoing } from '../../domain/send/outgoing.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import { selectOutgoingIn } from '../../machines/send/outbox-selectors.ts'
import {
  selectHasFailed,
  selectHasOlder,
  selectIsEndSeen,
  selectIsInvalidated,
  selectIsLoading,
  selectIsLoadingOlder,
  selectIsNotFound,
  selectIsSaved,
  selectMessages,
  selectUnread,
  selectUnreadFrom,
  type threadMachine,
} from '../../machines/thread/thread.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { dropMark } from '../components/drop-mark.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { isComposing } from '../components/is-composing.ts'
import { onDemand } from '../components/on-demand.tsx'
import { SavedNotice } from '../components/SavedNotice.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { WritingArea } from '../send/WritingArea.tsx'
import { useNotes } from '../use-colleagues.ts'
import { useDialog, useOutbox } from '../use-inbox.ts'
import { useThreadConversation } from '../use-list.ts'
import { useConversationPages } from '../use-pages.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { MessageList } from './MessageList.tsx'
import { NewMessageAnnouncer } from './NewMessageAnnouncer.tsx'
import { usePageNames } from './page-names.ts'
import { ShowImageProvider } from './show-image.ts'
import { type DetailsToggle, ThreadHeader } from './ThreadHeader.tsx'
import { ThreadSkeleton } from './ThreadSkeleton.tsx'
import { ThreadStart } from './ThreadStart.tsx'
import { useReplyDecision } from './use-reply-decision.ts'
import { useShowImage } from './use-show-image.ts'

const DoneLine = onDemand(() => import('./DoneLine.tsx'))
const MessagesAround = onDemand(() => import('./MessagesAround.tsx'))

type ThreadActor = ActorRefFrom<typeof threadMachine>

export type PaneProps = {
  details: DetailsToggle
  onBack: () => void
  /** Called when Escape moves the focus out of the thread. */
  onEscape: () => void
}

/** A conversation: its header, its messages and the composer. */
export default function OpenThread({ thread, ...pane }: PaneProps & { thread: ThreadActor }) {
  const conversation = useThreadConversation(thread)
  const notFound = useSelector(thread, selectIsNotFound)
  const failed = useSelector(thread, selectHasFailed)
  if (notFound) {
    return (
      <EmptyState title={t('thread.notFound')}>
        <Button onClick={pane.onBack}>{t('thread.backToConversations')}</Button>
      </EmptyState>
    )
  }
  if (conversation !== null) return <Thread thread={thread} conversation={conversation} {...pane} />
  return failed ? <FailedThread thread={thread} /> : <ThreadSkeleton />
}

function FailedThread({ thread }: { thread: ThreadActor }) {
  return (
    <EmptyState title={threadToasts.failed.text}>
      <TryAgain onRetry={() => thread.send({ type: 'refetch.requested' })} />
    </EmptyState>
  )
}

function OutdatedNotice({ thread }: { thread: ThreadActor }) {
  return (
    <div className="flex items-center gap-3 border-line border-b bg-sunken px-4 py-2 text-ink-2 text-xs">
      <p role="status" className="min-w-0 flex-1">
        {t('thread.outdated')}
      </p>
      <TryAgain onRetry={() => thread.send({ type: 'refetch.requested' })} />
    </div>
  )
}

type ThreadProps = PaneProps & { thread: ThreadActor; conversation: Conversation }

function Thread({ thread, conversation, details, onBack, onEscape }: ThreadProps) {
  const pages = useConversationPages(conversation)
  const id = rowIdOf(conversation)
  const unread = useSelector(thread, selectUnread) > 0 || conversation.unread_messages > 0
  const read = useCallback(() => thread.send({ type: 'read.requested' }), [thread])
  const Messages = useSelector(usePart('around'), (around) =>
    around?.context.conversationId === id ? MessagesAround : ThreadMessages,
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    // The browser handles Escape first if a menu is open.
    if (event.currentTarget.querySelector(':popover-open')) return
    event.preventDefault()
    onEscape()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape must work from every focused element in the pane
    <div className="relative flex min-h-0 flex-1 flex-col" {...dropMark} onKeyDown={onKeyDown}>
      <ThreadHeader
        conversation={conversation}
        pages={pages}
        unread={unread}
        onRead={read}
        onBack={onBack}
        details={details}
      />
      <Messages key={thread.sessionId} thread={thread} conversation={conversation} id={id} />
      {conversation.state?.done_at != null && <DoneLine state={conversation.state} />}
      <WritingArea key={id} thread={thread} conversation={conversation} id={id} />
    </div>
  )
}

type PartProps = { thread: ThreadActor; conversation: Conversation; id: string }

function ThreadMessages({ thread, conversation, id }: PartProps) {
  const outbox = useOutbox()
  const dialog = useDialog()
  const messages = useSelector(thread, selectMessages)
  const notes = useNotes()
  const loading = useSelector(thread, selectIsLoading)
  const newFrom = useSelector(thread, selectUnreadFrom)
  // The end was left before this list exists: the person comes from messages around a found one, and wants the newest.
  const [opensAtEnd] = useState(() => !selectIsEndSeen(thread.getSnapshot()))
  const failed = useSelector(thread, selectHasFailed)
  const hasOlder = useSelector(thread, selectHasOlder)
  const loadingOlder = useSelector(thread, selectIsLoadingOlder)
  const sends = useSelector(
    outbox,
    useMemo(() => selectOutgoingIn(id), [id]),
  )
  const pageNames = usePageNames(conversation)
  const older = useCallback(() => thread.send({ type: 'older.requested' }), [thread])
  const reportEndSeen = useCallback(
    (isSeen: boolean) => {
      // An event that changes nothing would render the thread again.
      if (selectIsEndSeen(thread.getSnapshot()) !== isSeen) thread.send({ type: isSeen ? 'end.seen' : 'end.left' })
    },
    [thread],
  )
  const look = useCallback((key: string) => outbox.send({ type: 'check.requested', key }), [outbox])
  const retry = useCallback((key: string) => outbox.send({ type: 'send.retried', key }), [outbox])
  const discard = useCallback(
    (asksAbout: Outgoing) => {
      const input = { asksAbout, conversationId: asksAbout.recipient.conversationId }
      dialog.send({ type: 'dialog.requested', dialog: { name: 'unsent', input } })
    },
    [dialog],
  )
  const { decided, decide } = useReplyDecision(thread)
  const readMessages = useCallback(() => selectMessages(thread.getSnapshot()), [thread])
  const showImage = useShowImage(id, readMessages)
  const outdated = useSelector(thread, selectIsInvalidated)
  const saved = useSelector(thread, selectIsSaved)
  const author = nameOf(conversation)

  if (messages.length === 0 && loading) return <ThreadSkeleton />
  if (messages.length === 0 && failed) return <FailedThread thread={thread} />
  if (messages.length === 0 && sends.length === 0 && notes.length === 0) {
    return <EmptyState title={t('thread.empty')} />
  }
  return (
    <>
      {saved && !outdated && <SavedNotice>{t('thread.saved')}</SavedNotice>}
      {outdated && <OutdatedNotice thread={thread} />}
      <ShowImageProvider value={showImage}>
        <MessageList
          messages={messages}
          sends={sends}
          notes={notes}
          newFrom={newFrom}
          opensAtEnd={opensAtEnd}
          author={author}
          pageNames={pageNames}
          receipts={conversation.receipts}
          hasOlder={hasOlder}
          start={<ThreadStart thread={thread} />}
          loadingOlder={loadingOlder}
          onOlder={older}
          onEnd={reportEndSeen}
          onLook={look}
          onRetry={retry}
          onDiscard={discard}
          decided={decided}
          onDecide={decide}
        />
      </ShowImageProvider>
      <NewMessageAnnouncer messages={messages} author={author} />
    </>
  )
}
