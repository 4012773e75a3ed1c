import { memo, type RefObject, useEffect } from 'react'
import { firstView } from '../../domain/list/list-query.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { offers } from '../../domain/session/features.ts'
import { safeName } from '../../domain/shown-text.ts'
import { t } from '../../texts/list.ts'
import { useNotifier } from '../actors.tsx'
import { classNames } from '../components/class-names.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { SavedNotice } from '../components/SavedNotice.tsx'
import { Select } from '../components/Select.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useUser } from '../use-inbox.ts'
import { useDisplayedList, useHasFirstAnswer, useList, useStatesOffer } from '../use-list.ts'
import { usePages } from '../use-pages.ts'
import { ConversationList, type ListHandle } from './ConversationList.tsx'
import { ConversationRowSkeleton } from './ConversationRow.tsx'
import { SearchField } from './SearchField.tsx'
import { useListUse } from './use-list-use.ts'
import { viewNames } from './view-names.ts'

const EmptyList = onDemand(() => import('./EmptyList.tsx'))
const ListFilters = onDemand(() => import('./ListFilters.tsx'))
const ListHeadTools = onDemand(() => import('./ListHeadTools.tsx'))
const MarkedActions = onDemand(() => import('./MarkedActions.tsx'))

const skeletons = Array.from({ length: 10 }, (_, index) => index)

type ListPaneProps = {
  searchRef: RefObject<HTMLInputElement | null>
  listRef: RefObject<ListHandle | null>
  selectedId: string | null
  onOpen: (id: string) => void
  onLeave: () => void
}

/** The filters once they are needed. Where there always is one, its place is kept, so that the rows below do not move. */
function Filters({ isNeeded }: { isNeeded: boolean }) {
  const isOneOffered = offers(useUser(), 'assignee-filter')
  const filters = isNeeded && <ListFilters />
  return isOneOffered ? <div className="min-h-8 touch:min-h-11">{filters}</div> : filters
}

/** The conversation list with its search and filters (spec section 2, pane 1). */
export const ListPane = memo(function ListPane({ searchRef, listRef, selectedId, onOpen, onLeave }: ListPaneProps) {
  const list = useList()
  const { offered } = useStatesOffer()
  const { marked } = useDisplayedList()
  const { ref: pane, ...uses } = useListUse(offered)
  const { pages, choosePage } = usePages()
  const isNeeded = useHasFirstAnswer()
  const isChoosing = marked.length > 0
  const notifier = useNotifier()
  useEffect(() => {
    if (!list.loading) notifier.send({ type: 'toasts.awaited' })
  }, [list.loading, notifier])
  return (
    <div ref={pane} className="flex min-h-0 flex-1 flex-col" {...uses}>
      <div className="list-head shrink-0 border-line border-b">
        {offered && <ViewHead list={list} listRef={listRef} isNeeded={isNeeded} />}
        <SearchField
          ref={searchRef}
          text={list.query.search}
          onChange={list.search}
          onLeave={() => listRef.current?.focus()}
        />
        <div className="relative">
          <div className={classNames('grid grid-cols-1 gap-2', isChoosing && 'invisible')}>
            <div className="flex min-w-0 items-center gap-3 text-xs">
              <Select
                aria-label={t('shared.page')}
                className="w-44"
                value={list.query.pageId ?? ''}
                onChange={(event) => choosePage(event.target.value || null)}
              >
                <option value="">{t('list.allPages')}</option>
                {pages.map((page) => (
                  <option key={page.page_id} value={page.page_id}>
                    {safeName(page.page_name)}
                  </option>
                ))}
              </Select>
              <label className="flex cursor-pointer items-center gap-1.5 whitespace-nowrap touch:min-h-11">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={list.query.unreadOnly}
                  onChange={(event) => list.chooseUnreadOnly(event.target.checked)}
                />
                {t('list.unreadOnly')}
              </label>
            </div>
            {offered && <Filters isNeeded={isNeeded} />}
          </div>
          {isChoosing && <MarkedActions ids={marked} next={listRef} />}
        </div>
      </div>
      <ListBody
        list={list}
        listRef={listRef}
        searchRef={searchRef}
        selectedId={selectedId}
        onOpen={onOpen}
        onLeave={onLeave}
      />
    </div>
  )
})

type ListBodyProps = ListPaneProps & { list: ReturnType<typeof useList> }

function ListBody({ list, listRef, searchRef, selectedId, onOpen, onLeave }: ListBodyProps) {
  const { offered, mayChange } = useStatesOffer()
  const displayed = useDisplayedList()
  const { shown, isFoldOpen, actor } = displayed
  const all = offered ? shown.ids : list.ids
  if (all.length === 0) {
    if (list.loading) return <LoadingList />
    if (list.failed) {
      return (
        <EmptyState title={listToasts.failed.text}>
          <TryAgain onRetry={list.refresh} />
        </EmptyState>
      )
    }
    return <EmptyList searchRef={searchRef} />
  }
  const fold =
    shown.late > 0 && offered
      ? { count: shown.late, isOpen: isFoldOpen, hasButton: !(list.saved && list.loading) }
      : null
  return (
    <>
      {list.failed && (
        <p className="flex shrink-0 items-center justify-between gap-2 border-line border-b bg-bad-soft px-3 py-1.5 text-bad text-xs">
          {listToasts.failed.text}
          <TryAgain className="h-7" onRetry={list.refresh} />
        </p>
      )}
      {list.saved && !list.failed && <SavedNotice>{t('list.saved')}</SavedNotice>}
      <ConversationList
        ref={listRef}
        ids={fold?.isOpen === false ? all.slice(0, all.length - fold.count) : all}
        total={list.total}
        selectedId={selectedId}
        hasMore={list.hasMore}
        loadingMore={list.loadingMore}
        outdated={list.loading || list.failed}
        query={list.query}
        saved={list.saved}
        onPress={list.press}
        onOpen={onOpen}
        onMore={list.more}
        onLeave={onLeave}
        {...(offered && {
          leaving: displayed.leaving,
          marked: displayed.marked,
          fold: fold === null ? undefined : { ...fold, toggle: () => actor.send({ type: 'fold.toggled' }) },
          onMark: mayChange ? actor.send : undefined,
        })}
      />
    </>
  )
}

type ViewHeadProps = Pick<ListBodyProps, 'list' | 'listRef'> & { isNeeded: boolean }

/** The name of the view, the number of its conversations, and what can be done with the rows. */
function ViewHead({ list: { query, loading, total }, listRef, isNeeded }: ViewHeadProps) {
  return (
    <div className="flex h-7 items-center gap-2">
      <h2 className="shrink-0 font-semibold text-lg">
        {query.search.trim() !== '' ? t('list.searchResults') : t(viewNames[query.view ?? firstView])}
      </h2>
      <span className="flex-1 text-ink-2 text-xs tabular-nums">{loading ? '' : total}</span>
      {isNeeded && <ListHeadTools listRef={listRef} />}
    </div>
  )
}

function LoadingList() {
  return (
    <div className="relative min-h-0 flex-1 overflow-hidden">
      {skeletons.map((index) => (
        <ConversationRowSkeleton key={index} />
      ))}
      <p
        role="status"
        className="absolute inset-x-0 bottom-6 mx-auto w-fit rounded-full bg-panel px-3 py-1 text-ink-2 text-xs"
      >
        {t('list.loadingList')}
      </p>
    </div>
  )
}
