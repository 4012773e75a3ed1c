import { memo, useId } from 'react'
import { isOnItsWay, mayHaveArrived, type Outgoing } from '../../domain/send/outgoing.ts'
import { t } from '../../texts/thread.ts'
import { classNames } from '../components/class-names.ts'
import { focusAround } from '../components/focus-around.ts'
import { MessageText } from './MessageText.tsx'

const looks = {
  queued: { frame: 'border-line text-ink-2', tone: 'text-ink-3', text: 'thread.queued' },
  pending: { frame: 'border-line text-ink-2', tone: 'text-ink-3', text: 'shared.sending' },
  offline: { frame: 'border-warn', tone: 'text-warn', text: 'thread.offline' },
  waiting: { frame: 'border-warn', tone: 'text-warn', text: 'thread.notSentYet' },
  unconfirmed: { frame: 'border-warn', tone: 'text-warn', text: 'thread.checkingSend' },
  notFound: { frame: 'border-warn', tone: 'text-warn', text: 'thread.unconfirmed' },
  failed: { frame: 'border-bad', tone: 'text-bad', text: 'thread.notSent' },
} as const satisfies Record<Outgoing['status'], unknown>

type PendingBubbleProps = {
  send: Outgoing
  /** Checks again whether the network has the message. */
  onLook: (key: string) => void
  onRetry: (key: string) => void
  onDiscard: (key: string) => void
}

/** An outgoing message that is not confirmed yet, with the actions for its status (spec section 4, "Sending"). */
export const PendingBubble = memo(function PendingBubble({ send, onLook, onRetry, onDiscard }: PendingBubbleProps) {
  const { frame, tone, text: id } = looks[send.status]
  const text = t(id)
  const state = useId()
  const choice = (name: 'thread.lookAgain' | 'thread.retry' | 'shared.discard', choose: (key: string) => void) => (
    <button
      type="button"
      className={classNames('underline', name === 'thread.retry' && 'font-semibold')}
      aria-describedby={name === 'thread.retry' ? state : undefined}
      onClick={(event) => {
        focusAround(event)
        choose(send.key)
      }}
    >
      {t(name)}
    </button>
  )
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
        <span id={state}>
          {text}
          {send.failure !== null && !mayHaveArrived(send) && `: ${send.failure}`}
        </span>
        {send.status === 'notFound' && choice('thread.lookAgain', onLook)}
        {!isOnItsWay(send) && (
          <>
            {choice('thread.retry', onRetry)}
            {choice('shared.discard', onDiscard)}
          </>
        )}
      </p>
    </article>
  )
})
