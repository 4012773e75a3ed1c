import { memo, useId } from 'react'
import { isOnItsWay, type Outgoing } from '../../domain/send/outgoing.ts'
import { choicesOf, hasChoices } from '../../domain/send/reply-structure.ts'
import { sendStateText, sendStateWithReason } from '../../domain/send/send-state-text.ts'
import { attachmentOf } from '../../domain/send/sent-file.ts'
import { safeName } from '../../domain/shown-text.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { focusAround } from '../components/focus-around.ts'
import { Attachments } from './Attachments.tsx'
import { MessageText } from './MessageText.tsx'
import { QuotedMessage } from './QuotedMessage.tsx'

const looks = {
  queued: { frame: 'border-line text-ink-2', tone: 'text-ink-3' },
  pending: { frame: 'border-line text-ink-2', tone: 'text-ink-3' },
  offline: { frame: 'border-warn', tone: 'text-warn' },
  waiting: { frame: 'border-warn', tone: 'text-warn' },
  unconfirmed: { frame: 'border-warn', tone: 'text-warn' },
  notFound: { frame: 'border-warn', tone: 'text-warn' },
  failed: { frame: 'border-bad', tone: 'text-bad' },
} as const satisfies Record<Outgoing['status'], unknown>

type PendingBubbleProps = {
  send: Outgoing
  /** Checks again whether the network has the message. */
  onLook: (key: string) => void
  onRetry: (key: string) => void
  /** Asks before the message is discarded. */
  onDiscard: (send: Outgoing) => void
}

/** An outgoing message that is not confirmed yet, with the actions for its status (spec section 4, "Sending"). */
export const PendingBubble = memo(function PendingBubble({ send, onLook, onRetry, onDiscard }: PendingBubbleProps) {
  const { frame, tone } = looks[send.status]
  const state = useId()
  const choice = (name: 'shared.lookAgain' | 'shared.retry' | 'shared.discard', choose: (key: string) => void) => (
    <button
      type="button"
      className={classNames('underline touch:min-h-11 touch:px-2', name === 'shared.retry' && 'font-semibold')}
      aria-describedby={name === 'shared.retry' ? state : undefined}
      onClick={(event) => {
        // The question before a discard gives the focus back by itself.
        if (name !== 'shared.discard') focusAround(event)
        choose(send.key)
      }}
    >
      {t(name)}
    </button>
  )
  return (
    <article
      data-not-saved
      aria-label={t('thread.ownMessage', { state: sendStateText(send) })}
      className={classNames(
        'flex flex-col items-end gap-1 pb-2',
        // The same room as around the bubble of the sent message.
        (send.replyTo !== undefined || hasChoices(send.structured)) && 'pt-1.5',
      )}
    >
      {send.replyTo !== undefined && (
        <QuotedMessage quoted={send.replyTo} name={send.recipient.name ?? t('thread.you')} />
      )}
      <div
        className={classNames(
          'max-w-[min(62%,40rem)] rounded-ui border border-dashed px-3 py-2 max-md:max-w-[82%]',
          frame,
        )}
      >
        {send.file === null ? (
          <>
            <MessageText text={send.text} />
            {hasChoices(send.structured) && (
              <ul className="mt-1.5 flex flex-wrap gap-1.5">
                {choicesOf(send.structured).map(({ title }) => (
                  <li key={title} className="rounded-full border border-edge px-2.5 py-1 text-accent text-xs">
                    <bdi>{safeName(title)}</bdi>
                  </li>
                ))}
              </ul>
            )}
          </>
        ) : (
          <Attachments attachments={[attachmentOf(send.file)]} />
        )}
      </div>
      <p className={classNames('flex flex-wrap items-center justify-end gap-x-2 px-1.5 text-2xs', tone)}>
        <span id={state}>{sendStateWithReason(send)}</span>
        {send.status === 'notFound' && choice('shared.lookAgain', onLook)}
        {!isOnItsWay(send) && (
          <>
            {choice('shared.retry', onRetry)}
            {choice('shared.discard', () => onDiscard(send))}
          </>
        )}
      </p>
    </article>
  )
})
