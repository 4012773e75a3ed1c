import { Bot } from 'lucide-react'
import { memo } from 'react'
import type { DecidedReply } from '../../machines/thread/reply-decision.ts'
import type { Message, UnconfirmedReply as Reply, ReplyDecision } from '../../schemas/message.ts'
import { classNames } from '../components/class-names.ts'
import { MessageText } from './MessageText.tsx'

const busyTexts: Record<ReplyDecision, string> = {
  look: 'Checking with the page…',
  retry: 'Sending…',
  discard: 'Discarding…',
}

const choices: readonly { decision: ReplyDecision; name: string; isMain: boolean }[] = [
  { decision: 'look', name: 'Look again', isMain: false },
  { decision: 'retry', name: 'Retry', isMain: true },
  { decision: 'discard', name: 'Discard', isMain: false },
]

type UnconfirmedReplyProps = {
  question: Message
  reply: Reply
  /** The decision that is being carried out, on this answer or on another. */
  decided: DecidedReply | null
  onDecide: (decided: DecidedReply) => void
}

/** The automatic answer to a message, of which nobody knows whether it arrived, and what can be done about it. */
export const UnconfirmedReply = memo(function UnconfirmedReply({
  question,
  reply,
  decided,
  onDecide,
}: UnconfirmedReplyProps) {
  const isOwn = decided?.questionId === question.message_id
  const text = isOwn ? busyTexts[decided.decision] : 'Unconfirmed — it may have arrived. A retry may send it twice.'
  return (
    <article aria-label={`Automatic answer, ${text}`} aria-busy={isOwn} className="flex flex-col items-end gap-1 pb-2">
      <div className="max-w-[min(62%,40rem)] rounded-ui border border-warn border-dashed px-3 py-2 max-md:max-w-[82%]">
        <MessageText text={reply.text} />
      </div>
      <p className="flex flex-wrap items-center justify-end gap-x-2 px-1.5 text-2xs text-warn">
        <span>
          <Bot size={12} aria-hidden="true" className="mr-0.5 inline align-[-0.125em]" />
          Automatic · {text}
        </span>
        {choices.map(({ decision, name, isMain }) => (
          <button
            key={decision}
            type="button"
            disabled={decided !== null}
            className={classNames('underline disabled:opacity-50', isMain && 'font-semibold')}
            onClick={() => onDecide({ questionId: question.message_id, decision, tries: reply.tries })}
          >
            {name}
          </button>
        ))}
      </p>
    </article>
  )
})
