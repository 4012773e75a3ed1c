import { Radio, Search, X } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { limits } from '../../domain/limits.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import { selectHasTyped } from '../../machines/comments/answers.ts'
import {
  type CommentsActor,
  selectFilter,
  selectHasMore,
  selectIsLoadingMore,
  selectIsOfPerson,
  selectListHasFailed,
  selectThreadId,
  selectThreads,
  selectView,
} from '../../machines/comments/comments.ts'
import { commentViews, type ThreadRow } from '../../schemas/comment.ts'
import { searchLimit } from '../../schemas/conversation.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { TextInput } from '../components/Field.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Select } from '../components/Select.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useVirtualizer } from '../components/use-virtualizer.ts'
import { usePageName, usePages } from '../use-pages.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

const viewTexts = { waiting: 'comments.waiting', all: 'comments.all' } as const

const emptyTexts = { waiting: 'comments.noneWaiting', all: 'comments.none' } as const

/** The threads of comments with what they can be found by. */
export function CommentList({ actor }: { actor: CommentsActor }) {
  const view = useSelector(actor, selectView)
  const threads = useSelector(actor, selectThreads)
  const filter = useSelector(actor, selectFilter)
  const hasFailed = useSelector(actor, selectListHasFailed)
  const hasMore = useSelector(actor, selectHasMore)
  const isFiltered = filter.search !== '' || filter.pageId !== null || filter.postId !== null
  return (
    <>
      <div className="grid shrink-0 gap-2 border-line border-b px-3 py-2">
        <Filters actor={actor} />
        <fieldset className="flex gap-2">
          <legend className="sr-only">{t('comments.view')}</legend>
          {commentViews.map((one) => (
            <Button
              key={one}
              variant={one === view ? 'on' : 'outline'}
              aria-pressed={one === view}
              onClick={() => actor.send({ type: 'view.chosen', view: one })}
            >
              {t(viewTexts[one])}
            </Button>
          ))}
        </fieldset>
      </div>
      {hasFailed && (
        <NotLoaded text={t('comments.notLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
      )}
      {!hasFailed && threads === null && (
        <p role="status" className="px-4 py-8 text-center text-ink-2">
          {t('comments.loading')}
        </p>
      )}
      {threads?.length === 0 && (
        <p role="status" className="px-4 py-8 text-center text-ink-2">
          {t(hasMore ? 'comments.noneAmongNewest' : isFiltered ? 'comments.noneFound' : emptyTexts[view])}
        </p>
      )}
      {threads !== null && (threads.length > 0 || hasMore) && <Threads actor={actor} threads={threads} />}
    </>
  )
}

/** Where the comments are looked for. The comments of one person are few, so they have no search. */
function Filters({ actor }: { actor: CommentsActor }) {
  const isOfPerson = useSelector(actor, selectIsOfPerson)
  const { pageId, postId } = useSelector(actor, selectFilter)
  const { pages } = usePages()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  if (isOfPerson) return null
  const search = (value: string) => {
    setText(value)
    actor.send({ type: 'search.typed', search: value })
  }
  return (
    <>
      <div className="relative">
        <Search
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto text-ink-3"
        />
        <TextInput
          ref={field}
          type="search"
          aria-label={t('comments.search')}
          placeholder={t('comments.search')}
          autoComplete="off"
          spellCheck={false}
          maxLength={searchLimit}
          className="pr-9 pl-9 [&::-webkit-search-cancel-button]:appearance-none"
          value={text}
          onChange={({ target }) => search(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return
            // The first Escape clears the search, the next one closes the dialog.
            event.preventDefault()
            event.stopPropagation()
            search('')
          }}
        />
        {text !== '' && (
          <IconButton
            label={t('comments.clearSearch')}
            className="absolute inset-y-0 right-0.5 my-auto"
            onClick={() => {
              search('')
              field.current?.focus()
            }}
          >
            <X size={15} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {pages.length > 1 && (
        <Select
          aria-label={t('comments.pageFilter')}
          value={pageId ?? ''}
          onChange={({ target }) => actor.send({ type: 'page.chosen', pageId: target.value || null })}
        >
          <option value="">{t('comments.allPages')}</option>
          {pages.map(({ page_id, page_name }) => (
            <option key={page_id} value={page_id}>
              {safeName(page_name)}
            </option>
          ))}
        </Select>
      )}
      {postId !== null && (
        <p className="flex items-center gap-2 text-xs">
          <span className="min-w-0 flex-1 truncate">{t('comments.ofOnePost')}</span>
          <Button onClick={() => actor.send({ type: 'post.chosen', postId: null })}>{t('comments.allPosts')}</Button>
        </p>
      )}
    </>
  )
}

/** Pixels, before a row is measured. */
const estimatedHeight = 76

/** The rows in view. A live sale has hundreds of threads. */
function Threads({ actor, threads }: { actor: CommentsActor; threads: readonly ThreadRow[] }) {
  const hasMore = useSelector(actor, selectHasMore)
  const isLoadingMore = useSelector(actor, selectIsLoadingMore)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: threads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => threads[index]?.id ?? index,
    overscan: 6,
  })
  return (
    <div
      ref={scroller}
      className="scroller relative min-h-0 flex-1"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (hasMore && !isLoadingMore && scrollHeight - scrollTop - clientHeight <= limits.scrollTrigger)
          actor.send({ type: 'more.requested' })
      }}
    >
      <ul aria-label={t('comments.list')} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const thread = threads[index]
          return (
            thread !== undefined && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={hasMore ? -1 : threads.length}
                className="absolute inset-x-0 top-0 border-line border-b"
                style={{ translate: `0 ${start}px` }}
              >
                <Thread actor={actor} thread={thread} />
              </li>
            )
          )
        })}
      </ul>
      {hasMore && (
        <div className="grid px-3 py-3">
          <Button aria-disabled={isLoadingMore} onClick={() => actor.send({ type: 'more.requested' })}>
            {t(isLoadingMore ? 'comments.moreLoading' : 'comments.more')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Thread({ actor, thread }: { actor: CommentsActor; thread: ThreadRow }) {
  const isChosen = useSelector(actor, selectThreadId) === thread.id
  const view = useSelector(actor, selectView)
  const hasTyped = useSelector(
    usePart('answers'),
    useMemo(() => selectHasTyped(thread.id), [thread.id]),
  )
  const pageName = usePageName(thread.post.page_id, null)
  const { post } = thread
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      className={classNames(
        'grid w-full gap-0.5 px-3 py-2.5 text-left transition-colors',
        isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
      onClick={() => actor.send({ type: 'thread.chosen', id: thread.id })}
    >
      <span className="flex min-w-0 items-baseline gap-2">
        <bdi className="min-w-0 flex-1 truncate font-semibold">
          {safeName(thread.author_name ?? '') || t('comments.somebody')}
        </bdi>
        <RelativeTime moment={thread.last_at} className="shrink-0 text-2xs text-ink-2" />
      </span>
      <span dir="auto" className="truncate">
        {thread.last_text === null ? t('comments.withoutText') : safeText(thread.last_text)}
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-2xs text-ink-2">
        {post.is_live && <Radio size={12} aria-hidden="true" className="shrink-0 text-bad" />}
        <span className="truncate">
          {[
            pageName,
            post.message === null
              ? t(post.kind === 'live' ? 'comments.onLive' : 'comments.onPost')
              : safeName(post.message),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className="ml-auto flex shrink-0 gap-1">
          {hasTyped && <Badge tone="accent">{t('comments.draft')}</Badge>}
          {view === 'all' && thread.waiting_since !== null && <Badge tone="warn">{t('comments.waits')}</Badge>}
        </span>
      </span>
    </button>
  )
}
