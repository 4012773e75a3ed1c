import { EyeOff, MessageSquare, Reply, ThumbsUp } from 'lucide-react'
import { useMemo } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import { hidingOf, likingOf } from '../../domain/comments/comment-calls.ts'
import { offersLikes, type PrivateReply, privateReplyEnd } from '../../domain/comments/comment-rules.ts'
import { dateAndTime } from '../../domain/moments.ts'
import { safeName, safeText, safeUrl } from '../../domain/shown-text.ts'
import { selectAnswersTo } from '../../machines/comments/answers.ts'
import {
  type CommentActor,
  selectComment,
  selectIsAskedToDelete,
  selectIsBusy,
  selectPost,
  selectPrivately,
  selectPublicly,
  selectReplyKind,
  selectVisibility,
} from '../../machines/comments/comment.ts'
import type { PostComment, SendDecision } from '../../schemas/comment.ts'
import type { SaleClaim } from '../../schemas/live-sale.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { useBusiness } from '../client/use-business.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { classNames } from '../components/class-names.ts'
import { focusAround } from '../components/focus-around.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useMay } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { OwnAnswers } from './OwnAnswers.tsx'
import { ReplyForm } from './ReplyForm.tsx'

type CardProps = { actor: CommentActor; onChat: (conversationId: string) => void }

/** A comment with what the network allows now. */
export function CommentCard({ actor, onChat }: CardProps) {
  const comment = useSelector(actor, selectComment)
  const replyKind = useSelector(actor, selectReplyKind)
  return (
    <li
      className={classNames(
        'grid gap-2 rounded-ui border border-line p-3',
        comment.by_page && 'ml-6 border-transparent bg-accent-soft',
      )}
    >
      <Head comment={comment} />
      <Body actor={actor} comment={comment} />
      {comment.claim && <Claim claim={comment.claim} />}
      <Rules actor={actor} comment={comment} onChat={onChat} />
      {comment.sends.length > 0 && <OpenSends actor={actor} comment={comment} />}
      <OwnAnswers commentId={comment.id} />
      {replyKind === null ? <Actions actor={actor} comment={comment} /> : <ReplyForm actor={actor} kind={replyKind} />}
      <Question actor={actor} />
    </li>
  )
}

function Head({ comment }: { comment: PostComment }) {
  const name = safeName(comment.author_name ?? '')
  const writer = safeName(comment.staff_name ?? '')
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-2xs text-ink-2">
      <bdi className="font-semibold text-ink">
        {name === '' ? t(comment.by_page ? 'comments.page' : 'comments.somebody') : name}
      </bdi>
      {writer !== '' && <span>{t('comments.by', { name: writer })}</span>}
      <RelativeTime moment={comment.created_at} />
      {comment.edited_at !== null && <span title={dateAndTime(comment.edited_at)}>{t('comments.edited')}</span>}
    </p>
  )
}

const claimTexts = {
  open: 'comments.claimOpen',
  ordered: 'comments.claimOrdered',
  soldOut: 'comments.claimSoldOut',
} as const

/** What the comment claimed in a live sale. */
function Claim({ claim: { name, quantity, price, state, order_number } }: { claim: SaleClaim }) {
  const business = useBusiness()
  return (
    <p className="flex flex-wrap items-center gap-1.5 text-xs">
      {order_number !== null && <Badge tone="ok">{t('comments.claimOrder', { order: order_number })}</Badge>}
      {t(claimTexts[state], { quantity, name: safeName(name), price: formatMoney(price, business) })}
    </p>
  )
}

const visibilityTexts = {
  hidden: 'comments.hidden',
  removedByPerson: 'comments.removedByPerson',
  removedByStaff: 'comments.removedByStaff',
} as const

function Body({ actor, comment }: { actor: CommentActor; comment: PostComment }) {
  const visibility = useSelector(actor, selectVisibility)
  const isRemoved = comment.removed_by !== null
  const picture = safeUrl(comment.picture_url ?? '')
  return (
    <>
      {!isRemoved && (
        <p
          dir="auto"
          className={classNames('whitespace-pre-line [overflow-wrap:anywhere]', comment.is_hidden && 'text-ink-2')}
        >
          {comment.message === null ? t('comments.withoutText') : safeText(comment.message)}
        </p>
      )}
      {picture !== null && (
        <img
          src={picture}
          alt={t('comments.picture')}
          className="max-h-40 max-w-full justify-self-start rounded-ui"
          loading="lazy"
        />
      )}
      {(visibility !== 'shown' || comment.is_liked) && (
        <p className="flex flex-wrap gap-1.5">
          {visibility !== 'shown' && (
            <Badge tone={visibility === 'hidden' ? 'warn' : 'bad'}>
              {visibility === 'hidden' && <EyeOff size={12} aria-hidden="true" />}
              {t(visibilityTexts[visibility])}
            </Badge>
          )}
          {comment.is_liked && !isRemoved && <Badge tone="accent">{t('comments.liked')}</Badge>}
        </p>
      )}
    </>
  )
}

const closedTexts: Partial<Record<PrivateReply, Parameters<typeof t>[0]>> = {
  expired: 'comments.privateExpired',
  liveEnded: 'comments.privateLiveEnded',
  unconfirmed: 'comments.privateUnconfirmed',
}

/** What the network allows, in words. */
function Rules({ actor, comment, onChat }: CardProps & { comment: PostComment }) {
  const privately = useSelector(actor, selectPrivately)
  const publicly = useSelector(actor, selectPublicly)
  const closed = closedTexts[privately]
  const reply = comment.private_reply
  return (
    <div className="grid gap-1 text-ink-2 text-xs empty:hidden">
      {privately === 'possible' && (
        <p>{t('comments.privateUntil', { time: dateAndTime(new Date(privateReplyEnd(comment)).toISOString()) })}</p>
      )}
      {closed !== undefined && <p>{t(closed)}</p>}
      {publicly === 'liveVideo' && <p>{t('comments.publicLiveVideo')}</p>}
      {publicly === 'hidden' && <p>{t('comments.publicHidden')}</p>}
      {reply !== null && (
        <div className="grid gap-1 rounded-ui border border-line bg-panel p-2">
          <p>
            {t(reply.message === null ? 'comments.privateElsewhere' : 'comments.privateUsed', {
              time: dateAndTime(reply.at),
            })}
          </p>
          {reply.message !== null && (
            <p dir="auto" className="whitespace-pre-line text-ink [overflow-wrap:anywhere]">
              {safeText(reply.message)}
            </p>
          )}
          {reply.conversation_id !== null && (
            <Button className="justify-self-start" onClick={() => onChat(reply.conversation_id ?? '')}>
              <MessageSquare size={14} aria-hidden="true" />
              {t('comments.toChat')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const decisions = { look: 'comments.look', retry: 'comments.retry', discard: 'comments.discard' } as const

/** Answers that the network has not confirmed, with the decisions of staff. */
function OpenSends({ actor, comment }: { actor: CommentActor; comment: PostComment }) {
  const mayReply = useMay('messages.send')
  const isBusy = useSelector(actor, selectIsBusy)
  return comment.sends.map(({ key, message, state, tries }) => (
    <div key={key} className="grid gap-1.5 rounded-ui border border-warn bg-warn-soft p-2">
      <p className="text-xs">{t(state === 'sending' ? 'comments.stillSending' : 'comments.unconfirmed')}</p>
      <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
        {safeText(message)}
      </p>
      {mayReply && (
        <div className="flex flex-wrap gap-2">
          {(Object.keys(decisions) as SendDecision[]).map((decision) => (
            <Button
              key={decision}
              aria-disabled={isBusy}
              onClick={(event) => {
                focusAround(event)
                actor.send({ type: 'send.decided', decided: { key, decision, tries } })
              }}
            >
              {t(decisions[decision])}
            </Button>
          ))}
        </div>
      )}
    </div>
  ))
}

function Actions({ actor, comment }: { actor: CommentActor; comment: PostComment }) {
  const mayReply = useMay('messages.send')
  const mayManage = useMay('conversations.manage')
  const privately = useSelector(actor, selectPrivately)
  const publicly = useSelector(actor, selectPublicly)
  const isBusy = useSelector(actor, selectIsBusy)
  const { platform } = useSelector(actor, selectPost)
  const selectOwn = useMemo(() => selectAnswersTo(comment.id), [comment.id])
  const hasOwn = useSelector(usePart('answers'), selectOwn).length > 0
  if (comment.removed_by !== null) return null
  const named = (action: string) => t('comments.actionNamed', { action, text: safeName(comment.message ?? '') })
  const like = t(comment.is_liked ? 'comments.unlike' : 'comments.like')
  const hide = t(comment.is_hidden ? 'comments.show' : 'comments.hide')
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {mayReply && !hasOwn && publicly === 'possible' && (
        <Button
          aria-label={named(t('comments.answer'))}
          disabled={isBusy}
          onClick={() => actor.send({ type: 'reply.begun', kind: 'public' })}
        >
          <Reply size={14} aria-hidden="true" />
          {t('comments.answer')}
        </Button>
      )}
      {mayReply && !hasOwn && privately === 'possible' && (
        <Button
          aria-label={named(t('comments.answerPrivately'))}
          disabled={isBusy}
          onClick={() => actor.send({ type: 'reply.begun', kind: 'private' })}
        >
          <MessageSquare size={14} aria-hidden="true" />
          {t('comments.answerPrivately')}
        </Button>
      )}
      {mayManage && offersLikes(platform) && (
        <Button
          aria-label={named(like)}
          aria-disabled={isBusy}
          variant={comment.is_liked ? 'on' : 'outline'}
          onClick={() => actor.send({ type: 'change.requested', change: likingOf(comment) })}
        >
          <ThumbsUp size={14} aria-hidden="true" />
          {like}
        </Button>
      )}
      {mayManage && (
        <>
          <Button
            aria-label={named(hide)}
            aria-disabled={isBusy}
            onClick={() => actor.send({ type: 'change.requested', change: hidingOf(comment) })}
          >
            {hide}
          </Button>
          <Button
            aria-label={named(t('comments.delete'))}
            variant="danger"
            disabled={isBusy}
            onClick={() => actor.send({ type: 'deletion.requested' })}
          >
            {t('comments.delete')}
          </Button>
        </>
      )}
    </div>
  )
}

function Question({ actor }: { actor: CommentActor }) {
  const isAsked = useSelector(actor, selectIsAskedToDelete)
  if (!isAsked) return null
  return (
    <ConfirmDialog
      title={t('comments.deleteTitle')}
      question={t('comments.deleteQuestion')}
      confirm={t('comments.delete')}
      onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
      onCancel={() => actor.send({ type: 'deletion.cancelled' })}
    />
  )
}
