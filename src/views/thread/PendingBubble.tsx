import { memo } from 'react'
import { isOnItsWay, mayHaveArrived, type Outgoing } from '../../domain/send/outgoing.ts'
import { t } from '../../texts/thread.ts'
import { classNames } from '../components/class-names.ts'
import { MessageText } from './MessageText.tsx'

const looks = {
  queued: { frame: 'border-line text-ink-2', tone: 'text-ink-3', text: 'thread.queued' },
  pending: { frame: 'border-line text-ink-2', tone: 'text-ink-3', text: 'shared.sending' },
  offline: { frame: 'border-warn', tone: 'text-warn', text: 'thread.offline' },
  waiting: { frame: 'border-warn', tone: 'text-warn', text: 'thread.notSentYet' },
  unconfirmed: { frame: 'border-warn', tone: 'text-warn', text: 'thread.checkingSend' },
  notFound: { frame: 'border-warn', tone: 'text-warn', text: 'thread.unconfirmedSend' },
  failed: { frame: 'border-bad', tone: 'text-bad', text: 'thread.notSent' },
} as const satisfies Record<Outgoing['status'], unknown>

type PendingBubbleProps = {
  send: Outgoing
  /** The page is asked once more whether it has the message. */
  onLook: (key: string) => void
  onRetry: (key: string) => void
  onDiscard: (key: string) => void
}

/** Stands apart from what is confirmed, with what can be done about it (spec section 4, sending). */
export const PendingBubble = memo(function PendingBubble({ send, onLook, onRetry, onDiscard }: PendingBubbleProps) {
  const { frame, tone, text: id } = looks[send.status]
  const text = t(id)
  return (
    <article aria-label={t('thread.ownMessage', { state: text })} className="flex flex-col items-end gap-1 pb-2">
      <div
        className={classNames(
          'max-w-[min(62%,40rem)] rounded-ui border border-dashed px-3 py-2 max-md:max-w-[82%]',
          frame,
        )}
      >
        <MessageText text={send.text} />
      </div>
      <p className={classNames('flex flex-wrap items-center justify-end gap-x-2 px-1.5 text-2xs', tone)}>
        <span>
          {text}
          {send.failure !== null && !mayHaveArrived(send) && `: ${send.failure}`}
        </span>
        {send.status === 'notFound' && (
          <button type="button" className="underline" onClick={() => onLook(send.key)}>
            {t('thread.lookAgain')}
          </button>
        )}
        {!isOnItsWay(send) && (
          <>
            <button type="button" className="font-semibold underline" onClick={() => onRetry(send.key)}>
              {t('thread.retry')}
            </button>
            <button type="button" className="underline" onClick={() => onDiscard(send.key)}>
              {t('shared.discard')}
            </button>
          </>
        )}
      </p>
    </article>
  )
})
