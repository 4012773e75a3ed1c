import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { limits } from '../../domain/limits.ts'
import type { ListQuery } from '../../domain/list/list-query.ts'
import type { MarkEvent } from '../../machines/list/displayed-list.ts'
import { t } from '../../texts/list.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { onDemand } from '../components/on-demand.tsx'
import { rootFontSize } from '../components/root-font-size.ts'
import { ConversationRow } from './ConversationRow.tsx'
import type { Fold } from './FoldButton.tsx'
import { useRowWindow } from './use-row-window.ts'

const FoldButton = onDemand(() => import('./FoldButton.tsx'))
const RowActions = onDemand(() => import('./RowActions.tsx'))
// Without this code rows move at once.
const RowMoves = onDemand(() => import('./RowMoves.tsx').catch(() => ({ default: () => null })))

/** The height of a row in pixels; 3.625rem. */
const rowHeight = () => 3.625 * rootFontSize()

const rowsPerPage = 10

export type ListHandle = {
  focus: () => void
  /** Moves the active row down by this many rows; negative moves up. */
  move: (rows: number) => void
  /** Opens a row and makes it the active row. */
  open: (id: string) => void
  /** The active row while the list has the focus; null otherwise. */
  focusedId: () => string | null
  /** Scrolls to the row at this index. */
  show: (index: number) => void
}

const none: readonly string[] = []

type ConversationListProps = {
  ref: Ref<ListHandle>
  ids: readonly string[]
  total: number | null
  selectedId: string | null
  hasMore: boolean
  loadingMore: boolean
  /** The rows are the result of an earlier query. */
  outdated: boolean
  query: ListQuery
  /** The rows were saved by an earlier page load. They are not dimmed, because the response may take long. */
  saved: boolean
  /** The mouse is pressed on a row, which a click may open. */
  onPress: (id: string) => void
  onOpen: (id: string) => void
  onMore: () => void
  onLeave: () => void
  /** Rows that still stand in the list although they left the view. */
  leaving?: readonly string[]
  marked?: readonly string[]
  fold?: Fold | undefined
  /** Marks rows. Absent if rows cannot be changed: then no row offers actions. */
  onMark?: ((event: MarkEvent) => void) | undefined
}

/**
 * The virtualized rows of the list. The focus stays on the list, and `aria-activedescendant` names the active row, so
 * that scrolling a row out of view does not lose the focus.
 */
export function ConversationList({
  ref,
  ids,
  total,
  selectedId,
  hasMore,
  loadingMore,
  outdated,
  query,
  saved,
  onPress,
  onOpen,
  onMore,
  onLeave,
  leaving = none,
  marked = none,
  fold,
  onMark,
}: ConversationListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const listbox = useRef<HTMLDivElement>(null)
  const [movedToId, setMovedToId] = useState(selectedId)
  const [hoveredId, setHoveredId] = useState<string | null>(null)
  /** The row in which the last press began. */
  const pressedId = useRef<string | null>(null)

  const idAt = useCallback((index: number) => ids[index] ?? '', [ids])
  const indexOf = (id: string | null) => (id === null ? -1 : ids.indexOf(id))
  const movedTo = indexOf(movedToId)
  /** The last place of the active row among the rows of a query. */
  const place = useRef({ at: 0, query })
  useLayoutEffect(() => {
    if (movedTo >= 0 && !outdated) place.current = { at: movedTo, query }
  }, [movedTo, outdated, query])
  /** If the active row left the list, the row that took its place is the next one. */
  const leftAt = place.current.query === query ? place.current.at : 0
  const inPlace = Math.max(0, Math.min(leftAt, ids.length - 1))
  /** -1 while the open conversation is not in the list. */
  const activeIndex = movedTo >= 0 ? movedTo : selectedId === null ? inPlace : indexOf(selectedId)
  // A conversation that was opened elsewhere, such as by Back or the palette, is the one that the keys act on.
  useLayoutEffect(() => {
    if (selectedId !== null) setMovedToId(selectedId)
  }, [selectedId])

  const foldedFrom = ids.length - (fold?.count ?? 0)
  const hasFolded = fold?.isOpen === true && fold.count > 0
  const rows = useRowWindow({
    scroller,
    count: ids.length,
    rowHeight: rowHeight(),
    // The first folded row stands below the button of the fold.
    gap: hasFolded ? { above: foldedFrom, height: foldHeight() } : null,
  })

  const open = (id: string) => {
    setMovedToId(id)
    onOpen(id)
  }
  const moveTo = (index: number) => {
    const target = Math.min(Math.max(index, 0), ids.length - 1)
    setMovedToId(idAt(target))
    rows.scrollTo(target)
    if (hasMore && target === ids.length - 1) onMore()
    return idAt(target)
  }
  const markTo = (id: string) => onMark?.({ type: 'range.marked', from: idAt(Math.max(0, activeIndex)), id })
  /** By the mouse. The keys then act in the list. */
  const mark = (id: string, isRange: boolean) => {
    if (isRange) markTo(id)
    else onMark?.({ type: 'row.marked', id })
    setMovedToId(id)
    listbox.current?.focus({ preventScroll: true })
  }

  useImperativeHandle(ref, () => ({
    focus: () => listbox.current?.focus(),
    move: (rows) => {
      // If no row is active, the first key press activates the first row, or a neighbour of the row that left.
      const isAway = activeIndex < 0 || document.activeElement !== listbox.current
      const isNew = movedTo < 0 && indexOf(selectedId) < 0 && isAway
      listbox.current?.focus()
      if (isNew) moveTo(rows > 0 ? leftAt : Math.min(leftAt, ids.length) - 1)
      else moveTo(activeIndex + rows)
    },
    open: (id) => {
      listbox.current?.focus()
      rows.scrollTo(indexOf(id))
      open(id)
    },
    focusedId: () => (document.activeElement === listbox.current ? (ids[activeIndex] ?? selectedId) : null),
    show: (index) => rows.scrollTo(index),
  }))

  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    const target = targetOf(event.key, activeIndex, ids.length - 1)
    const id = ids[activeIndex]
    if (event.altKey || (isCommand && (event.key !== 'a' || !onMark))) return
    if (isCommand) onMark?.({ type: 'all.marked' })
    else if (target !== null) {
      const to = moveTo(target)
      if (event.shiftKey) markTo(to)
    } else if (event.key === 'Escape') onLeave()
    else if ((event.key === 'Enter' || event.key === ' ') && id !== undefined) open(id)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const topOfOpenFold = hasFolded && rows.indexes.includes(foldedFrom) ? rows.topOf(foldedFrom) - foldHeight() : null
  const hovered = rows.indexes.find((index) => ids[index] === hoveredId)
  return (
    <div
      ref={scroller}
      className="scroller relative min-h-0 flex-1 contain-strict"
      onPointerLeave={() => setHoveredId(null)}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (
          hasMore &&
          !loadingMore &&
          (!fold || fold.isOpen) &&
          scrollHeight - scrollTop - clientHeight <= limits.scrollTrigger
        )
          onMore()
      }}
    >
      <div
        ref={listbox}
        role="listbox"
        aria-label={t('shared.conversations')}
        tabIndex={0}
        aria-activedescendant={rows.indexes.includes(activeIndex) ? domIdOf(idAt(activeIndex)) : undefined}
        aria-busy={outdated}
        className={classNames(
          'group/list relative w-full focus-visible:outline-none',
          outdated && !saved && 'opacity-60',
        )}
        style={{ height: rows.totalHeight }}
        onKeyDown={onKeyDown}
      >
        {rows.indexes.map((index) => {
          const id = idAt(index)
          const selected = id === selectedId
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the surrounding listbox handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the listbox holds the focus and names its active option
            <div
              key={id}
              id={domIdOf(id)}
              role="option"
              aria-selected={selected}
              // The open row is selected. Without a choice nothing is said of it.
              aria-checked={marked.length > 0 ? marked.includes(id) : undefined}
              aria-posinset={index + 1}
              aria-setsize={total ?? -1}
              data-active={index === activeIndex || undefined}
              className={classNames(
                'absolute inset-x-0 top-0 flex h-14.5 items-center gap-2.5 border-line border-b pr-3 pl-3.75 contain-strict',
                'group-focus-visible/list:data-active:outline-2 group-focus-visible/list:data-active:outline-accent group-focus-visible/list:data-active:-outline-offset-2',
                selected
                  ? 'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-0.75 before:bg-accent'
                  : id === hoveredId
                    ? 'bg-sunken'
                    : 'hover:bg-sunken',
                // Its box for choosing stands in the place of the picture.
                id === hoveredId && '*:first:invisible',
                onMark && 'group/row',
                leaving.includes(id) && 'opacity-70',
              )}
              style={{ transform: `translateY(${rows.topOf(index)}px)` }}
              onPointerDown={({ pointerType, button, shiftKey }) => {
                pressedId.current = id
                // A touch may begin a scroll.
                if (pointerType === 'mouse' && button === 0 && !shiftKey) onPress(id)
              }}
              onPointerMove={onMark && (({ pointerType }) => setHoveredId(pointerType === 'mouse' ? id : null))}
              // A range of rows and not of text.
              onMouseDown={(event) => onMark && event.shiftKey && event.preventDefault()}
              onClick={({ detail, shiftKey }) => {
                // Browsers look for what a tap hits when it ends. The row may have moved since, or left. The click of a
                // program has no detail and begins with no press.
                const hit = (detail > 0 && pressedId.current) || id
                if (!ids.includes(hit)) return
                if (onMark && shiftKey) mark(hit, true)
                else open(hit)
              }}
            >
              <ConversationRow
                id={id}
                selected={selected}
                leaving={leaving.includes(id)}
                marked={marked.includes(id)}
                saved={saved}
              />
            </div>
          )
        })}
      </div>
      <RowMoves list={listbox} ids={ids} rows={rows} />
      {onMark && hovered !== undefined && hoveredId !== null && (
        <RowActions
          id={hoveredId}
          isMarked={marked.includes(hoveredId)}
          onMark={(isRange) => mark(hoveredId, isRange)}
          top={rows.topOf(hovered)}
          height={rowHeight()}
        />
      )}
      {fold?.hasButton && (
        <FoldButton fold={fold} top={fold.isOpen ? topOfOpenFold : rows.totalHeight} hasMore={hasMore} />
      )}
      {hasMore && (!fold || fold.isOpen) && <LoadMore loading={loadingMore} onMore={onMore} next={listbox} />}
    </div>
  )
}

/** The height of the fold's button in pixels; 2.25rem. */
const foldHeight = () => 2.25 * rootFontSize()

type LoadMoreProps = {
  loading: boolean
  onMore: () => void
  /** Receives the focus of the button when the button disappears with the last result page. */
  next: RefObject<HTMLElement | null>
}

/** Not disabled while loading, because a disabled button loses the focus. */
function LoadMore({ loading, onMore, next }: LoadMoreProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (element?.contains(document.activeElement)) next.current?.focus({ preventScroll: true })
    }
  }, [next])
  return (
    <div ref={place} className="flex justify-center p-3">
      <Button aria-disabled={loading} onClick={() => !loading && onMore()}>
        {loading ? t('shared.loading') : t('list.loadMore')}
      </Button>
    </div>
  )
}

/** The row that a key moves to; null for a key that does not move. */
const targetOf = (key: string, at: number, last: number): number | null => {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'PageDown':
      return at + rowsPerPage
    case 'PageUp':
      return at - rowsPerPage
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

const domIdOf = (id: string): string => `conversation-${id}`
