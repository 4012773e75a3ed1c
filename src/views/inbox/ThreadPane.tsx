import { useSelector } from '@xstate/react'
import { MessagesSquare } from 'lucide-react'
import { type KeyboardEvent, useCallback, useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { rowIdOf } from '../../domain/conversation-list.ts'
import { nameOf } from '../../domain/conversation-text.ts'
import { isAccepted, selectIsSending, selectOutgoingIn } from '../../machines/outbox.ts'
import {
  selectConversation,
  selectHasFailed,
  selectHasOlder,
  selectIsLoading,
  selectIsLoadingOlder,
  selectIsNotFound,
  selectMessages,
  selectUnread,
  selectUnreadFrom,
  type threadMachine,
} from '../../machines/thread.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { Button } from '../components/Button.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { Composer, type Draft } from './Composer.tsx'
import { MessageList } from './MessageList.tsx'
import { NewMessageAnnouncer } from './NewMessageAnnouncer.tsx'
import { type DetailsToggle, ThreadHeader } from './ThreadHeader.tsx'
import { ThreadSkeleton } from './ThreadSkeleton.tsx'
import type { Drafts } from './use-drafts.ts'
import { useConversationPages, useOutbox } from './use-inbox.ts'
import { useSummaries } from './use-summaries.ts'

type ThreadActor = ActorRefFrom<typeof threadMachine>

type PaneProps = {
  drafts: Drafts
  details: DetailsToggle
  onBack: () => void
  /** The keyboard leaves the thread. */
  onEscape: () => void
}

/** The open conversation (spec section 2, pane 2). */
export function ThreadPane({ thread, ...pane }: PaneProps & { thread: ThreadActor | null }) {
  if (thread === null) return <NothingSelected />
  return <OpenThread key={thread.sessionId} thread={thread} {...pane} />
}

function NothingSelected() {
  return <EmptyState icon={<MessagesSquare size={30} strokeWidth={1.5} />} title="Select a conversation" />
}

function OpenThread({ thread, ...pane }: PaneProps & { thread: ThreadActor }) {
  const conversation = useSelector(thread, selectConversation)
  const notFound = useSelector(thread, selectIsNotFound)
  const failed = useSelector(thread, selectHasFailed)
  if (conversation !== null) return <Thread thread={thread} conversation={conversation} {...pane} />
  if (notFound) {
    return (
      <EmptyState title="This conversation was not found">
        <Button onClick={pane.onBack}>Back to conversations</Button>
      </EmptyState>
    )
  }
  return failed ? <FailedThread thread={thread} /> : <ThreadSkeleton />
}

function FailedThread({ thread }: { thread: ThreadActor }) {
  return (
    <EmptyState title="Failed to load messages">
      <Button onClick={() => thread.send({ type: 'thread.reloaded' })}>Try again</Button>
    </EmptyState>
  )
}

type ThreadProps = PaneProps & { thread: ThreadActor; conversation: Conversation }

function Thread({ thread, conversation, drafts, details, onBack, onEscape }: ThreadProps) {
  const outbox = useOutbox()
  const pages = useConversationPages(conversation)
  const summaries = useSummaries(thread)
  const id = rowIdOf(conversation)
  const unread = useSelector(thread, selectUnread) > 0
  const sending = useSelector(
    outbox,
    useMemo(() => selectIsSending(id), [id]),
  )
  const send = (draft: Draft): boolean => {
    outbox.send({ type: 'send.requested', draftId: draft.id, conversation, pageId: draft.pageId, text: draft.text })
    return isAccepted(outbox.getSnapshot(), draft.id)
  }
  const read = useCallback(() => thread.send({ type: 'read.requested' }), [thread])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onEscape()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the pane from wherever the focus is in it
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <ThreadHeader
        conversation={conversation}
        pages={pages}
        unread={unread}
        onRead={read}
        onBack={onBack}
        details={details}
      />
      <ThreadMessages thread={thread} conversation={conversation} id={id} />
      <Composer
        key={id}
        initialDraft={drafts.of(id)}
        onDraftChange={(draft) => drafts.keep(id, draft)}
        pages={pages}
        sending={sending}
        summaries={summaries}
        onSend={send}
      />
    </div>
  )
}

function ThreadMessages({ thread, conversation, id }: { thread: ThreadActor; conversation: Conversation; id: string }) {
  const outbox = useOutbox()
  const messages = useSelector(thread, selectMessages)
  const loading = useSelector(thread, selectIsLoading)
  const newFrom = useSelector(thread, selectUnreadFrom)
  const failed = useSelector(thread, selectHasFailed)
  const hasOlder = useSelector(thread, selectHasOlder)
  const loadingOlder = useSelector(thread, selectIsLoadingOlder)
  const sends = useSelector(
    outbox,
    useMemo(() => selectOutgoingIn(id), [id]),
  )
  const pages = useConversationPages(conversation)
  const pageNames = useMemo(
    () => (pages.length > 1 ? new Map(pages.map((page) => [page.id, page.name])) : null),
    [pages],
  )
  const older = useCallback(() => thread.send({ type: 'older.requested' }), [thread])
  const retry = useCallback((key: string) => outbox.send({ type: 'send.retried', key }), [outbox])
  const discard = useCallback((key: string) => outbox.send({ type: 'send.discarded', key }), [outbox])
  const author = nameOf(conversation)

  if (messages.length === 0 && loading) return <ThreadSkeleton />
  if (messages.length === 0 && failed) return <FailedThread thread={thread} />
  if (messages.length === 0 && sends.length === 0) {
    return <EmptyState title="No messages yet. Start the conversation!" />
  }
  return (
    <>
      <MessageList
        messages={messages}
        sends={sends}
        newFrom={newFrom}
        author={author}
        pageNames={pageNames}
        hasOlder={hasOlder}
        loadingOlder={loadingOlder}
        onOlder={older}
        onRetry={retry}
        onDiscard={discard}
      />
      <NewMessageAnnouncer messages={messages} author={author} />
    </>
  )
}
