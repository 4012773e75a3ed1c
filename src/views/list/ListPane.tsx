import { Inbox } from 'lucide-react'
import { memo, type RefObject, useEffect } from 'react'
import { listToasts } from '../../domain/list/toasts.ts'
import { safeName } from '../../domain/shown-text.ts'
import { t } from '../../texts/list.ts'
import { useNotifier } from '../actors.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { Select } from '../components/Field.tsx'
import { SavedNotice } from '../components/SavedNotice.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useList, usePages } from '../use-inbox.ts'
import { ConversationList, type ListHandle } from './ConversationList.tsx'
import { ConversationRowSkeleton } from './ConversationRow.tsx'
import { SearchField } from './SearchField.tsx'

const skeletons = Array.from({ length: 10 }, (_, index) => index)

type ListPaneProps = {
  searchRef: RefObject<HTMLInputElement | null>
  listRef: RefObject<ListHandle | null>
  selectedId: string | null
  onOpen: (id: string) => void
  onLeave: () => void
}

/** The conversation list with its search and filters (spec section 2, pane 1). */
export const ListPane = memo(function ListPane({ searchRef, listRef, selectedId, onOpen, onLeave }: ListPaneProps) {
  const list = useList()
  const { pages, choosePage } = usePages()
  const notifier = useNotifier()
  useEffect(() => {
    if (!list.loading) notifier.send({ type: 'toasts.awaited' })
  }, [list.loading, notifier])
  return (
    <>
      <div className="grid shrink-0 gap-2 border-line border-b p-3">
        <SearchField
          ref={searchRef}
          text={list.query.search}
          onChange={list.search}
          onLeave={() => listRef.current?.focus()}
        />
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
      </div>
      <ListBody list={list} listRef={listRef} selectedId={selectedId} onOpen={onOpen} onLeave={onLeave} />
    </>
  )
})

type ListBodyProps = Omit<ListPaneProps, 'searchRef'> & { list: ReturnType<typeof useList> }

function ListBody({ list, listRef, selectedId, onOpen, onLeave }: ListBodyProps) {
  if (list.ids.length === 0) {
    if (list.loading) return <LoadingList />
    if (list.failed) {
      return (
        <EmptyState title={listToasts.failed.text}>
          <TryAgain onRetry={list.refresh} />
        </EmptyState>
      )
    }
    return <EmptyState icon={<Inbox size={28} strokeWidth={1.5} />} title={t('list.noneFound')} />
  }
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
        ids={list.ids}
        total={list.total}
        selectedId={selectedId}
        hasMore={list.hasMore}
        loadingMore={list.loadingMore}
        outdated={list.loading || list.failed}
        saved={list.saved}
        onOpen={onOpen}
        onMore={list.more}
        onLeave={onLeave}
      />
    </>
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
