import { ArrowLeft, ExternalLink, MessageSquare } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { safeName, safeText, safeUrl } from '../../domain/shown-text.ts'
import {
  type CommentThreadActor,
  selectComments,
  selectIsFinishing,
  selectThread,
  selectThreadHasFailed,
} from '../../machines/comments/comment-thread.ts'
import type { Post } from '../../schemas/comment.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { focusAround } from '../components/focus-around.ts'
import { NotLoaded } from '../components/TryAgain.tsx'
import { PageDot } from '../list/PageDot.tsx'
import { useOpenConversation } from '../open-conversation.tsx'
import { useMay } from '../use-inbox.ts'
import { usePageName } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'
import { CommentCard } from './CommentCard.tsx'

type ThreadProps = {
  actor: CommentThreadActor
  /** Shows only the comments under this post in the list. */
  onPost: (postId: string) => void
  onBack: () => void
  onDismiss: () => void
}

/** What one person wrote under one post, with the post above it. */
export function CommentThread({ actor, onPost, onBack, onDismiss }: ThreadProps) {
  const thread = useSelector(actor, selectThread)
  const hasFailed = useSelector(actor, selectThreadHasFailed)
  const comments = useSelector(actor, selectComments)
  const isFinishing = useSelector(actor, selectIsFinishing)
  const mayManage = useMay('conversations.manage')
  const openChat = useOpenChat(onDismiss)
  const heading = useRef<HTMLHeadingElement>(null)
  const isLoaded = thread !== null
  useEffect(() => {
    if (isLoaded) heading.current?.focus()
  }, [isLoaded])

  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-line border-b px-3 py-2 md:hidden">
        <IconButton label={t('comments.back')} onClick={onBack}>
          <ArrowLeft size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {thread === null ? (
        hasFailed ? (
          <NotLoaded text={t('comments.threadNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
        ) : (
          <p role="status" className="px-4 py-8 text-center text-ink-2">
            {t('comments.threadLoading')}
          </p>
        )
      ) : (
        // The scrolled part takes the focus, so that the keyboard can scroll it.
        <section
          aria-label={t('comments.commentOf', { name: safeName(thread.author_name ?? '') || t('comments.somebody') })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3"
        >
          {/* On narrow screens the name has a line of its own, because the buttons would leave no place for it. */}
          <div className="flex flex-wrap items-center gap-2">
            <div className="min-w-0 grow basis-full lg:basis-0">
              <h3 ref={heading} tabIndex={-1} dir="auto" className="truncate font-semibold text-lg outline-none">
                {safeName(thread.author_name ?? '') || t('comments.somebody')}
              </h3>
              <AnsweringPage pageId={thread.post.page_id} />
            </div>
            {thread.conversation_id !== null && (
              <Button onClick={() => openChat(thread.conversation_id ?? '')}>
                <MessageSquare size={14} aria-hidden="true" />
                {t('comments.openChat')}
              </Button>
            )}
            {mayManage && thread.waiting_since !== null && (
              <Button
                aria-disabled={isFinishing}
                onClick={(event) => {
                  focusAround(event)
                  actor.send({ type: 'done.requested' })
                }}
              >
                {t(isFinishing ? 'comments.finishing' : 'comments.done')}
              </Button>
            )}
          </div>
          <PostCard
            post={thread.post}
            onList={() => {
              onPost(thread.post.id)
              onBack()
            }}
          />
          <ol className="grid gap-3">
            {comments.map((comment) => (
              <CommentCard key={comment.sessionId} actor={comment} onChat={openChat} />
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

/** Closes the dialog and opens a chat. */
function useOpenChat(onDismiss: () => void) {
  const open = useOpenConversation()
  return (conversationId: string) => {
    onDismiss()
    open(conversationId)
  }
}

/** The page that answers go out by. */
function AnsweringPage({ pageId }: { pageId: string }) {
  const name = usePageName(pageId, null)
  if (name === null) return null
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-ink-2 text-xs">
      <PageDot pageId={pageId} />
      <span className="min-w-0 truncate">{t('comments.answersBy', { name })}</span>
    </p>
  )
}

function PostCard({ post, onList }: { post: Post; onList: () => void }) {
  const link = safeUrl(post.permalink ?? '')
  const picture = safeUrl(post.picture_url ?? '')
  return (
    <figure aria-label={t('comments.post')} className="flex gap-3 rounded-ui border border-line bg-sunken p-3">
      {picture !== null && (
        <img
          src={picture}
          alt={t('comments.postPicture')}
          className="size-16 shrink-0 rounded-ui bg-line object-cover"
          loading="lazy"
        />
      )}
      <figcaption className="grid min-w-0 flex-1 content-start gap-1">
        {post.kind === 'live' && (
          <span>
            <Badge tone={post.is_live ? 'bad' : 'neutral'}>
              {t(post.is_live ? 'comments.live' : 'comments.liveEnded')}
            </Badge>
          </span>
        )}
        <span dir="auto" className="line-clamp-4 whitespace-pre-line [overflow-wrap:anywhere]">
          {post.message === null ? t('comments.noPostText') : safeText(post.message)}
        </span>
        {link !== null && (
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex items-center gap-1 justify-self-start text-accent text-xs underline touch:min-h-11"
          >
            {t('comments.postOpen')}
            <ExternalLink size={12} aria-hidden="true" />
          </a>
        )}
        <Button className="justify-self-start" onClick={onList}>
          {t('comments.onlyPost')}
        </Button>
      </figcaption>
    </figure>
  )
}
