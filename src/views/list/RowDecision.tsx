import { Check, Moon } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { shortMoment, snoozeEnd, snoozeWords } from '../../domain/list/decision-texts.ts'
import { dateAndTime } from '../../domain/moments.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { ConversationState } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { useTimedText } from '../components/clock.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useDoneWords } from './use-done-words.ts'

/** What was decided about a conversation, in the place of the time of its last message. */
export default function RowDecision({ conversation }: { conversation: Conversation }) {
  const { state, last_message_at: moment } = conversation
  return (
    <span data-not-saved className="ml-auto inline-flex shrink-0 items-center pl-1.5 font-medium text-2xs">
      {state?.done_at != null ? (
        <Done state={state} doneAt={state.done_at} />
      ) : state?.snoozed_at != null ? (
        <Snoozed conversation={conversation} />
      ) : (
        <Words icon={<Check size={12} aria-hidden="true" />} className="text-ok">
          {state?.muted_at != null ? t('list.muted') : t('list.answered')}
        </Words>
      )}
      {moment != null && <RelativeTime moment={moment} className="sr-only" />}
    </span>
  )
}

type WordsProps = { icon: ReactNode; title?: string; className: string; children: string }

/** The title is the full text, for screen readers too. */
function Words({ icon, title, className, children }: WordsProps) {
  return (
    <span title={title} className={classNames('inline-flex items-center gap-1', className)}>
      {icon}
      <span aria-hidden={title !== undefined}>{children}</span>
      {title !== undefined && <span className="sr-only">{title} </span>}
    </span>
  )
}

function Done({ state, doneAt }: { state: ConversationState; doneAt: string }) {
  const time = useTimedText(useCallback((now) => t('list.rowDone', { time: shortMoment(doneAt, now) }), [doneAt]))
  const title = useDoneWords(
    state,
    useCallback(() => dateAndTime(doneAt), [doneAt]),
  )
  return (
    <Words icon={<Check size={12} aria-hidden="true" />} title={title} className="text-ok">
      {time}
    </Words>
  )
}

function Snoozed({ conversation }: { conversation: Conversation }) {
  const end = useTimedText(useCallback((now) => snoozeEnd(conversation, now), [conversation]))
  return (
    <Words icon={<Moon size={12} aria-hidden="true" />} title={snoozeWords(conversation)} className="text-accent">
      {end}
    </Words>
  )
}
