import { ArrowDown } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { comparePlaces, momentOf, placeOf } from '../../domain/message-order.ts'
import { dayLabel } from '../../domain/moments.ts'
import type { Outgoing } from '../../domain/send/outgoing.ts'
import type { DecidedReply } from '../../domain/thread/thread-calls.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import type { Note } from '../../schemas/note.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { useTimedText } from '../components/clock.ts'
import { onDemand } from '../components/on-demand.tsx'
import { rootFontSize } from '../components/root-font-size.ts'
import { useVirtualizer } from '../components/use-virtualizer.ts'
import { useAuthorName } from '../use-author-name.ts'
import { Bubble } from './Bubble.tsx'
import { Edge } from './Edge.tsx'
import { estimate, headingHeight, measureWhenObserved } from './message-heights.ts'
import { NoteBubble } from './NoteBubble.tsx'
import { PendingBubble } from './PendingBubble.tsx'
import { type PageNames, viaOf } from './page-names.ts'
import { countNewAfter, createThreadItems, type ThreadItem, withNotes } from './thread-items.ts'
import { useResize } from './use-resize.ts'
import { useShownReceipts } from './use-shown-receipts.ts'

const UnconfirmedReply = onDemand(() => import('./UnconfirmedReply.tsx'))

const noNotes: readonly Note[] = []

/** The distance from the top, in pixels, within which older messages are loaded. */
const olderWithin = 300
/** The distance from the bottom, in pixels, within which the list counts as scrolled to the newest message. */
const atEndWithin = 80
/** A message with at most this many pixels in view at the bottom edge does not count as seen. */
const sliver = 24

/** The last height of the pane, so that the next thread renders correctly without measuring first. */
let paneHeight: number | null = null

type MessageListProps = {
  messages: readonly Message[]
  sends: readonly Outgoing[]
  /** Internal notes, oldest first. */
  notes?: readonly Note[]
  /** The first unread message. The thread opens at this message. */
  newFrom: string | null
  /** The thread opens at the newest message, also if there are unread ones. */
  opensAtEnd: boolean
  author: string
  pageNames: PageNames
  /** What the person received and read. */
  receipts: Conversation['receipts']
  hasOlder: boolean
  /** What stands above the first message of the server. One line. */
  start: ReactNode
  loadingOlder: boolean
  onOlder: () => void
  /** Called at the start and on every change with whether the newest message is in view. */
  onEnd: (isSeen: boolean) => void
  onLook: (key: string) => void
  onRetry: (key: string) => void
  onDiscard: (send: Outgoing) => void
  /** The decision on an unconfirmed automatic reply that is in progress. */
  decided: DecidedReply | null
  onDecide: (decided: DecidedReply) => void
}

/**
 * The virtualized messages of a thread. Scrolls along with new messages at the bottom; elsewhere keeps the position.
 */
export function MessageList({
  messages,
  sends,
  notes = noNotes,
  newFrom,
  opensAtEnd,
  author,
  pageNames,
  receipts,
  hasOlder,
  start,
  loadingOlder,
  onOlder,
  onEnd,
  onLook,
  onRetry,
  onDiscard,
  decided,
  onDecide,
}: MessageListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [itemsOf] = useState(createThreadItems)
  const own = useMemo(() => itemsOf(messages, sends, newFrom), [itemsOf, messages, sends, newFrom])
  const items = useMemo(() => withNotes(own, notes, hasOlder), [own, notes, hasOlder])
  const [openedAt] = useState(() =>
    opensAtEnd ? -1 : items.findIndex((item) => item.kind === 'message' && item.startsUnread),
  )
  const [atEnd, setAtEnd] = useState(openedAt < 0)
  const last = messages.at(-1) ?? null
  const [seenTo, setSeenTo] = useState(() => (openedAt < 0 ? last : (messages[openedAt - 1] ?? null)))
  if (atEnd && isLater(last, seenTo)) setSeenTo(last)

  const paddingStart = 2 * headingHeight * rootFontSize()
  const [initial] = useState(() => {
    const height = paneHeight ?? window.innerHeight
    const above = items.slice(0, openedAt < 0 ? items.length : openedAt)
    const top = above.reduce((sum, item) => sum + estimate(item), paddingStart)
    return { rect: { width: 0, height }, offset: openedAt < 0 ? Math.max(0, top - height) : top }
  })
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    initialRect: initial.rect,
    initialOffset: initial.offset,
    measureElement: measureWhenObserved,
    estimateSize: useCallback((index: number) => estimate(items[index]), [items]),
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    paddingStart,
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: atEndWithin,
  })

  const shown = useRef({ items, atEnd, seenTo })
  useLayoutEffect(() => {
    shown.current = { items, atEnd, seenTo }
  })
  const wasAtEnd = useRef(openedAt < 0)
  const reportVisible = useCallback(
    ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => {
      wasAtEnd.current = scrollHeight - scrollTop - clientHeight <= atEndWithin
      // A state that is set to its own value may still cost a render.
      if (wasAtEnd.current !== shown.current.atEnd) setAtEnd(wasAtEnd.current)
      const lowest = virtualizer.getVirtualItemForOffset(scrollTop + clientHeight - sliver)
      const item = lowest && shown.current.items[lowest.index]
      if (item?.kind === 'message' && isLater(item.message, shown.current.seenTo)) setSeenTo(item.message)
    },
    [virtualizer],
  )
  useEffect(() => onEnd(atEnd), [atEnd, onEnd])
  useLayoutEffect(() => {
    if (openedAt < 0) return virtualizer.scrollToEnd()
    virtualizer.scrollToIndex(openedAt, { align: 'start' })
    if (scroller.current !== null) reportVisible(scroller.current)
  }, [virtualizer, openedAt, reportVisible])

  // When the pane shrinks or its content grows, the newest message stays in view.
  const lastTop = useRef(0)
  useResize(
    scroller,
    useCallback(
      (element) => {
        paneHeight = element.clientHeight
        const isOff = element.scrollHeight - element.scrollTop - element.clientHeight > 1
        if (wasAtEnd.current && isOff) virtualizer.scrollToEnd()
        else reportVisible(element)
      },
      [virtualizer, reportVisible],
    ),
  )

  const ownLast = sends.at(-1)?.key
  useLayoutEffect(() => {
    if (ownLast !== undefined) virtualizer.scrollToEnd()
  }, [ownLast, virtualizer])

  const height = virtualizer.getTotalSize()
  useEffect(() => {
    const element = scroller.current
    if (element !== null && element.clientHeight > 0 && height < element.clientHeight && hasOlder && !loadingOlder) {
      onOlder()
    }
  }, [height, hasOlder, loadingOlder, onOlder])

  const authorName = useAuthorName()
  const receiptOf = useShownReceipts(messages, receipts)

  const draw = (item: ThreadItem): ReactNode => {
    if (item.kind === 'note') return <NoteBubble note={item.note} />
    if (item.kind === 'send')
      return <PendingBubble send={item.send} onLook={onLook} onRetry={onRetry} onDiscard={onDiscard} />
    return (
      <>
        {item.startsUnread && <News />}
        <Bubble
          message={item.message}
          author={author}
          by={authorName(item.message.author)}
          via={viaOf(pageNames, item.message)}
          endsGroup={item.endsGroup}
          receipt={receiptOf(item.message)}
        />
        {item.message.unconfirmed_reply && (
          <UnconfirmedReply
            question={item.message}
            reply={item.message.unconfirmed_reply}
            decided={decided}
            onDecide={onDecide}
          />
        )}
        {item.nextDay !== null && <Day moment={item.nextDay} />}
      </>
    )
  }

  const [first] = messages
  const news = atEnd ? 0 : countNewAfter(messages, seenTo)
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        aria-label={t('thread.messages')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches a scroll container only with a tabindex
        tabIndex={0}
        className="scroller flex h-full contain-strict flex-col px-5 focus-visible:-outline-offset-2 max-md:px-3"
        onScroll={({ currentTarget }) => {
          reportVisible(currentTarget)
          const { scrollTop } = currentTarget
          const isGoingUp = scrollTop < lastTop.current
          lastTop.current = scrollTop
          if (isGoingUp && scrollTop < olderWithin && hasOlder && !loadingOlder) onOlder()
        }}
      >
        <div className="relative mt-auto w-full shrink-0" style={{ height }}>
          <Edge
            isLoading={loadingOlder}
            onLoad={hasOlder ? onOlder : null}
            texts={[t('thread.loadOlder'), t('thread.loadingOlder')]}
          >
            {start}
          </Edge>
          {first !== undefined && <Day moment={momentOf(first)} />}
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const item = items[index]
            return (
              item && (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="absolute inset-x-0 top-0 contain-layout"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {draw(item)}
                </div>
              )
            )
          })}
        </div>
      </section>
      {!atEnd && (
        <Button
          className="absolute inset-x-0 bottom-3 mx-auto w-fit rounded-full shadow-float"
          onClick={() => virtualizer.scrollToEnd()}
        >
          <ArrowDown size={15} aria-hidden="true" />
          {news > 0 ? t('thread.newCount', { count: news }) : t('thread.newest')}
        </Button>
      )}
    </div>
  )
}

const isLater = (message: Message | null, than: Message | null): boolean =>
  message !== null && (than === null || comparePlaces(placeOf(message), placeOf(than)) > 0)

/** The line above the first unread message. */
function News() {
  return (
    <h3 className="flex h-10 items-center gap-3 font-semibold text-2xs text-accent before:h-px before:flex-1 before:bg-accent after:h-px after:flex-1 after:bg-accent">
      {t('thread.new')}
    </h3>
  )
}

export function Day({ moment }: { moment: string }) {
  const label = useTimedText(useCallback((now) => dayLabel(moment, now), [moment]))
  return <h3 className="grid h-10 place-items-center text-2xs text-ink-3">{label}</h3>
}
