import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { momentOf } from '../../domain/message-order.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import { selectOutgoingIn } from '../../machines/send/outbox-selectors.ts'
import {
  type messagesAroundMachine,
  selectFoundMessage,
  selectHasFailed,
  selectHasNewer,
  selectHasOlder,
  selectIsLoading,
  selectIsLoadingNewer,
  selectIsLoadingOlder,
  selectIsMissing,
  selectIsOutdated,
  selectMessages,
} from '../../machines/thread/messages-around.ts'
import { selectIsEndSeen, selectMessages as selectNewest, type threadMachine } from '../../machines/thread/thread.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { rootFontSize } from '../components/root-font-size.ts'
import { TryAgain } from '../components/TryAgain.tsx'
import { useVirtualizer } from '../components/use-virtualizer.ts'
import { useAuthorName } from '../use-author-name.ts'
import { useNotes } from '../use-colleagues.ts'
import { useOutbox } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { Bubble } from './Bubble.tsx'
import { Edge } from './Edge.tsx'
import { Day } from './MessageList.tsx'
import { estimate, headingHeight, measureWhenObserved } from './message-heights.ts'
import { NoteBubble } from './NoteBubble.tsx'
import { usePageNames, viaOf } from './page-names.ts'
import { ShowImageProvider } from './show-image.ts'
import { ThreadSkeleton } from './ThreadSkeleton.tsx'
import { ThreadStart } from './ThreadStart.tsx'
import { countNewAfter, createThreadItems, withNotes } from './thread-items.ts'
import { useResize } from './use-resize.ts'
import { useShowImage } from './use-show-image.ts'
import { useShownReceipts } from './use-shown-receipts.ts'

/** The distance from an edge, in pixels, within which the next messages are loaded. */
const loadWithin = 300
/** The distance from the bottom, in pixels, within which the last message counts as in view. */
const atEndWithin = 80

type Thread = ActorRefFrom<typeof threadMachine>
type Around = ActorRefFrom<typeof messagesAroundMachine>

type Props = { thread: Thread; conversation: Conversation /** The row id. */; id: string }
type Shown = Props & { around: Around }

/** The conversation around a message that was searched, in place of the thread's newest messages. */
export default function MessagesAround(props: Props) {
  const around = usePart('around')
  return around && <Around {...props} around={around} />
}

function Around(props: Shown) {
  const { around, thread, id: conversationId } = props
  const sends = useSelector(
    useOutbox(),
    useMemo(() => selectOutgoingIn(conversationId), [conversationId]),
  )
  const isLoading = useSelector(around, selectIsLoading)
  const hasFailed = useSelector(around, selectHasFailed)
  const isMissing = useSelector(around, selectIsMissing)
  const isOutdated = useSelector(around, selectIsOutdated)
  const found = useSelector(around, selectFoundMessage)
  const showNewest = useCallback(() => around.send({ type: 'newest.requested' }), [around])
  const refetch = () => around.send({ type: 'refetch.requested' })

  useEffect(() => {
    around.send({ type: 'thread.shown', conversationId, threadId: thread.sessionId })
  }, [around, thread, conversationId])
  // What this person sends appears below the newest message.
  const [sentBefore] = useState(sends.at(-1)?.key)
  const sent = sends.at(-1)?.key
  useEffect(() => {
    if (sent !== undefined && sent !== sentBefore) showNewest()
  }, [sent, sentBefore, showNewest])

  if (isLoading) return <ThreadSkeleton />
  if (hasFailed || isMissing)
    return (
      <EmptyState title={isMissing ? t('thread.foundMissing') : threadToasts.failed.text}>
        {hasFailed && <TryAgain onRetry={refetch} />}
        <Button onClick={showNewest}>{t('thread.toNewest')}</Button>
      </EmptyState>
    )
  return (
    <>
      {isOutdated && (
        <div className="flex items-center gap-3 border-line border-b bg-sunken px-4 py-2 text-ink-2 text-xs">
          <p role="status" className="min-w-0 flex-1">
            {t('thread.aroundOutdated')}
          </p>
          <TryAgain onRetry={refetch} />
        </div>
      )}
      <List key={found} {...props} onNewest={showNewest} />
    </>
  )
}

function List({ around, thread, conversation, id: conversationId, onNewest }: Shown & { onNewest: () => void }) {
  const notes = useNotes()
  const pageNames = usePageNames(conversation)
  const author = nameOf(conversation)
  const messages = useSelector(around, selectMessages)
  const found = useSelector(around, selectFoundMessage)
  const hasOlder = useSelector(around, selectHasOlder)
  const hasNewer = useSelector(around, selectHasNewer)
  const isLoadingOlder = useSelector(around, selectIsLoadingOlder)
  const isLoadingNewer = useSelector(around, selectIsLoadingNewer)
  const [itemsOf] = useState(createThreadItems)
  const own = useMemo(() => itemsOf(messages, [], null), [itemsOf, messages])
  const items = useMemo(() => {
    const last = messages.at(-1)
    const until = hasNewer && last ? Date.parse(momentOf(last)) : Number.POSITIVE_INFINITY
    return withNotes(
      own,
      notes.filter(({ created_at }) => Date.parse(created_at) <= until),
      hasOlder,
    )
  }, [own, notes, messages, hasOlder, hasNewer])

  const scroller = useRef<HTMLElement>(null)
  const [openedAt] = useState(() =>
    items.findIndex((item) => item.kind === 'message' && item.message.message_id === found),
  )
  const paddingStart = 2 * headingHeight * rootFontSize()
  const paddingEnd = 2 * headingHeight * rootFontSize()
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    measureElement: measureWhenObserved,
    estimateSize: useCallback((index: number) => estimate(items[index]), [items]),
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    paddingStart,
    paddingEnd,
    overscan: 6,
    anchorTo: 'end',
  })

  const [atEnd, setAtEnd] = useState(false)
  const reportVisible = useCallback(
    ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => {
      if (clientHeight === 0) return
      const below = scrollHeight - scrollTop - clientHeight
      setAtEnd(below <= atEndWithin)
      const snapshot = around.getSnapshot()
      if (selectHasOlder(snapshot) && scrollTop < loadWithin) around.send({ type: 'older.requested' })
      else if (selectHasNewer(snapshot) && below < loadWithin) around.send({ type: 'newer.requested' })
    },
    [around],
  )
  // Messages that all fit into the pane are never scrolled.
  useResize(scroller, reportVisible)
  useLayoutEffect(() => {
    if (openedAt >= 0) virtualizer.scrollToIndex(openedAt, { align: 'center' })
    scroller.current?.focus({ preventScroll: true })
  }, [virtualizer, openedAt])

  // Messages count as seen only if the newest one is here and in view.
  const isEndSeen = atEnd && !hasNewer
  useEffect(() => {
    if (selectIsEndSeen(thread.getSnapshot()) !== isEndSeen) thread.send({ type: isEndSeen ? 'end.seen' : 'end.left' })
  }, [thread, isEndSeen])

  const authorName = useAuthorName()
  const receiptOf = useShownReceipts(messages, hasNewer ? null : conversation.receipts)
  const newest = useSelector(thread, selectNewest)
  const last = newest.at(-1) ?? null
  const [lastAtOpening, setLastAtOpening] = useState(last)
  if (lastAtOpening === null && last !== null) setLastAtOpening(last)
  const news = hasNewer ? countNewAfter(newest, lastAtOpening) : 0
  const readMessages = useCallback(() => selectMessages(around.getSnapshot()), [around])
  const showImage = useShowImage(conversationId, readMessages)

  const [first] = messages
  return (
    <ShowImageProvider value={showImage}>
      <div className="relative min-h-0 flex-1">
        <section
          ref={scroller}
          aria-label={t('thread.aroundMessages')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches a scroll container only with a tabindex
          tabIndex={0}
          className="scroller flex h-full contain-strict flex-col px-5 focus-visible:-outline-offset-2 max-md:px-3"
          onScroll={({ currentTarget }) => reportVisible(currentTarget)}
        >
          <div className="relative mt-auto w-full shrink-0" style={{ height: virtualizer.getTotalSize() }}>
            <Edge
              isLoading={isLoadingOlder}
              onLoad={hasOlder ? () => around.send({ type: 'older.requested' }) : null}
              texts={[t('thread.loadOlder'), t('thread.loadingOlder')]}
            >
              <ThreadStart thread={thread} />
            </Edge>
            {first !== undefined && <Day moment={momentOf(first)} />}
            {virtualizer.getVirtualItems().map(({ key, index, start }) => {
              const item = items[index]
              if (!item || item.kind === 'send') return null
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="absolute inset-x-0 top-0 contain-layout"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {item.kind === 'note' ? (
                    <NoteBubble note={item.note} />
                  ) : (
                    <>
                      <div
                        data-found={item.message.message_id === found || undefined}
                        className={classNames(
                          item.message.message_id === found && '-mx-2 rounded-ui bg-note px-2 outline-2 outline-warn',
                        )}
                      >
                        <Bubble
                          message={item.message}
                          author={author}
                          by={authorName(item.message.author)}
                          via={viaOf(pageNames, item.message)}
                          endsGroup={item.endsGroup}
                          receipt={receiptOf(item.message)}
                        />
                      </div>
                      {item.nextDay !== null && <Day moment={item.nextDay} />}
                    </>
                  )}
                </div>
              )
            })}
            <div className="absolute inset-x-0 bottom-0">
              {hasNewer && (
                <Edge
                  isLoading={isLoadingNewer}
                  onLoad={() => around.send({ type: 'newer.requested' })}
                  texts={[t('thread.aroundLoadNewer'), t('thread.aroundLoadingNewer')]}
                />
              )}
            </div>
          </div>
        </section>
        {!isEndSeen && (
          <Button className="absolute inset-x-0 bottom-3 mx-auto w-fit rounded-full shadow-float" onClick={onNewest}>
            <ArrowDown size={15} aria-hidden="true" />
            {news > 0 ? t('thread.toNewestCount', { count: news }) : t('thread.toNewest')}
          </Button>
        )}
      </div>
    </ShowImageProvider>
  )
}
