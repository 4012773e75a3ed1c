import { Bot } from 'lucide-react'
import { useId } from 'react'
import type { DecidedReply } from '../../domain/thread/thread-calls.ts'
import type { Message, UnconfirmedReply as Reply, ReplyDecision } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { focusAround } from '../components/focus-around.ts'
import { MessageText } from './MessageText.tsx'

const busyTexts = {
  look: 'thread.checking',
  retry: 'shared.sending',
  discard: 'thread.discarding',
} as const satisfies Record<ReplyDecision, string>

const choices = [
  { decision: 'look', name: 'shared.lookAgain', isMain: false },
  { decision: 'retry', name: 'shared.retry', isMain: true },
  { decision: 'discard', name: 'shared.discard', isMain: false },
] as const satisfies readonly { decision: ReplyDecision; name: string; isMain: boolean }[]

type UnconfirmedReplyProps = {
  question: Message
  reply: Reply
  /** The decision that is in progress, for this automatic reply or another one. */
  decided: DecidedReply | null
  onDecide: (decided: DecidedReply) => void
}

/** An unconfirmed automatic reply, with the three decisions that staff can make. */
export default function UnconfirmedReply({ question, reply, decided, onDecide }: UnconfirmedReplyProps) {
  const warning = useId()
  const isOwn = decided?.questionId === question.message_id
  const text = isOwn ? t(busyTexts[decided.decision]) : t('shared.unconfirmed')
  return (
    <article
      aria-label={t('thread.automaticAnswerState', { state: text })}
      aria-busy={isOwn}
      className="flex flex-col items-end gap-1 pb-2"
    >
      <div className="max-w-[min(62%,40rem)] rounded-ui border border-warn border-dashed px-3 py-2 max-md:max-w-[82%]">
        <MessageText text={reply.text} />
      </div>
      <p className="flex flex-wrap items-center justify-end gap-x-2 px-1.5 text-2xs text-warn">
        <span id={warning}>
          <Bot size={12} aria-hidden="true" className="mr-0.5 inline align-[-0.125em]" />
          {t('thread.automatic')} · {text}
        </span>
        {choices.map(({ decision, name, isMain }) => (
          <button
            key={decision}
            type="button"
            disabled={decided !== null}
            aria-describedby={decision === 'retry' ? warning : undefined}
            className={classNames('underline disabled:opacity-50', isMain && 'font-semibold')}
            onClick={(event) => {
              focusAround(event)
              onDecide({ questionId: question.message_id, decision, tries: reply.tries })
            }}
          >
            {t(name)}
          </button>
        ))}
      </p>
    </article>
  )
}
