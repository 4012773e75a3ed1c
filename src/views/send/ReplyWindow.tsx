import { useCallback } from 'react'
import { replyWindow, replyWindowText } from '../../domain/send/reply-window.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { useTimedText } from '../components/clock.ts'

const explanations = {
  standard: 'send.windowStandard',
  human: 'send.windowHuman',
  closed: 'send.windowClosed',
} as const

type State = keyof typeof explanations

const isState = (text: string): text is State => text in explanations

/** The state of the reply window and the time left, kept current. The state is null if not known. */
export function useReplyWindow({ last_incoming_at }: Conversation): { state: State | null; text: string } {
  const timedText = useTimedText(
    useCallback(
      (now) => {
        const window = replyWindow(last_incoming_at, now)
        return window === null ? '' : `${window.state}:${replyWindowText(window)}`
      },
      [last_incoming_at],
    ),
  )
  const [state = '', text = ''] = timedText.split(':')
  return { state: isState(state) ? state : null, text }
}

/** The time left to reply. Highlighted while the person waits for an answer. */
export function ReplyWindow({ conversation, className }: { conversation: Conversation; className?: string }) {
  const { state, text } = useReplyWindow(conversation)
  if (state === null) return null
  const isWaiting = conversation.last_message_direction === 'incoming'
  return (
    <span
      title={t(explanations[state])}
      className={classNames(
        'inline-flex h-6.5 shrink-0 items-center whitespace-nowrap rounded-full px-2.5 font-medium text-xs',
        !isWaiting && 'bg-sunken text-ink-2',
        isWaiting && (state === 'closed' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn'),
        className,
      )}
    >
      {text}
    </span>
  )
}

/** The same as plain text. */
export function ReplyWindowWords({ conversation, className }: { conversation: Conversation; className?: string }) {
  const { state, text } = useReplyWindow(conversation)
  if (state === null) return null
  const isWaiting = conversation.last_message_direction === 'incoming'
  return (
    <p className={className}>
      <span className={isWaiting ? 'font-medium text-warn' : undefined}>{text}</span>
    </p>
  )
}
