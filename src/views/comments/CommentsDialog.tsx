import { Radio } from 'lucide-react'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type CommentsActor,
  selectHasMore,
  selectIsLoadingMore,
  selectIsOfPerson,
  selectListHasFailed,
  selectOpenThread,
  selectThreadId,
  selectThreads,
  selectView,
} from '../../machines/comments/comments.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { commentViews, type ThreadRow } from '../../schemas/comment.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { usePageName } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'
import { CommentThread } from './CommentThread.tsx'

/** The comments under posts and live videos: the threads, and the open one. On narrow screens one of both is shown. */
export default function CommentsDialog({ actor, title, onDismiss }: DialogProps<'comments'>) {
  const isOfPerson = useSelector(actor, selectIsOfPerson)
  const thread = useSelector(actor, selectOpenThread)
  return (
    <DialogFrame
      title={isOfPerson ? t('comments.ofPerson') : title}
      onDismiss={onDismiss}
      staysOnPressOutside
      className="h-190 w-260 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] md:grid-cols-[20rem_minmax(0,1fr)]">
        <div
          className={classNames(
            'flex min-h-0 flex-col border-line md:border-r',
            thread !== undefined && 'max-md:hidden',
          )}
        >
          <Threads actor={actor} />
        </div>
        <div className={classNames('flex min-h-0 flex-col', thread === undefined && 'max-md:hidden')}>
          {thread === undefined ? (
            <p className="m-auto px-4 py-8 text-center text-ink-2">{t('comments.choose')}</p>
          ) : (
            <CommentThread
              key={thread.sessionId}
              actor={thread}
              onBack={() => actor.send({ type: 'thread.left' })}
              onDismiss={onDismiss}
            />
          )}
        </div>
      </div>
    </DialogFrame>
  )
}

const viewTexts = { waiting: 'comments.waiting', all: 'comments.all' } as const

function Threads({ actor }: { actor: CommentsActor }) {
  const view = useSelector(actor, selectView)
  const threads = useSelector(actor, selectThreads)
  const hasFailed = useSelector(actor, selectListHasFailed)
  const hasMore = useSelector(actor, selectHasMore)
  const isLoadingMore = useSelector(actor, selectIsLoadingMore)
  return (
    <>
      <fieldset className="flex shrink-0 gap-2 border-line border-b px-3 py-2">
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
      <div className="scroller min-h-0 flex-1">
        {hasFailed && (
          <NotLoaded text={t('comments.notLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
        )}
        {!hasFailed && threads === null && (
          <p role="status" className="px-4 py-8 text-center text-ink-2">
            {t('comments.loading')}
          </p>
        )}
        {threads?.length === 0 && (
          <p className="px-4 py-8 text-center text-ink-2">
            {t(view === 'waiting' ? 'comments.noneWaiting' : 'comments.none')}
          </p>
        )}
        {threads !== null && threads.length > 0 && (
          <ul aria-label={t('comments.list')}>
            {threads.map((thread) => (
              <Thread key={thread.id} actor={actor} thread={thread} />
            ))}
          </ul>
        )}
        {hasMore && (
          <div className="grid px-3 py-3">
            <Button aria-disabled={isLoadingMore} onClick={() => actor.send({ type: 'more.requested' })}>
              {t(isLoadingMore ? 'comments.moreLoading' : 'comments.more')}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function Thread({ actor, thread }: { actor: CommentsActor; thread: ThreadRow }) {
  const isChosen = useSelector(actor, selectThreadId) === thread.id
  const pageName = usePageName(thread.post.page_id, null)
  const { post } = thread
  return (
    <li className="border-line border-b last:border-b-0">
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
          {thread.waiting_since !== null && (
            <span className="ml-auto shrink-0">
              <Badge tone="warn">{t('comments.waits')}</Badge>
            </span>
          )}
        </span>
      </button>
    </li>
  )
}
