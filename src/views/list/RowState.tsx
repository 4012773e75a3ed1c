import { BellOff, Lock, Undo2 } from 'lucide-react'
import { useCallback } from 'react'
import { type WaitTone, waitOf } from '../../domain/list/wait.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/list.ts'
import { Avatar } from '../components/Avatar.tsx'
import { classNames } from '../components/class-names.ts'
import { useTimedText } from '../components/clock.ts'
import { onDemand } from '../components/on-demand.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useMemberName, useUserId } from '../use-inbox.ts'

const RowDecision = onDemand(() => import('./RowDecision.tsx'))

const tones = {
  calm: 'bg-sunken text-ink-2 group-aria-selected/row:bg-panel',
  warn: 'bg-warn-soft text-warn',
  urgent: 'bg-bad-soft text-bad',
  late: 'border border-edge text-ink-2',
  closed: 'border border-edge text-ink-2',
} as const satisfies Record<WaitTone, string>

const isTone = (text: string): text is WaitTone => text in tones

/** The age of the person's wait; what staff decided; or the time of the last message. `leaving`: the row left the view. */
export function RowTime({ conversation, leaving }: { conversation: Conversation; leaving: boolean }) {
  const wait = useTimedText(
    useCallback(
      (now) => {
        const found = waitOf(conversation, now)
        return found === null ? '' : `${found.tone}:${found.twelfths}:${found.age}`
      },
      [conversation],
    ),
  )
  const [tone = '', twelfths = '', age = ''] = wait.split(':')
  const { state, last_message_at: moment } = conversation
  if (state?.done_at != null || state?.snoozed_at != null) return <RowDecision conversation={conversation} />
  if (!isTone(tone)) {
    if (leaving) return <RowDecision conversation={conversation} />
    return moment == null ? null : (
      <RelativeTime moment={moment} className="ml-auto shrink-0 pl-1.5 text-2xs text-ink-3" />
    )
  }
  return (
    <span
      data-not-saved
      className={classNames(
        'ml-auto inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-1.5 font-semibold text-2xs',
        tones[tone],
      )}
    >
      {tone === 'closed' ? (
        <Lock size={11} aria-hidden="true" />
      ) : (
        <span
          aria-hidden="true"
          className="size-2.75 rounded-full border border-current"
          style={{ background: `conic-gradient(currentColor ${Number(twelfths) * 30}deg, transparent 0)` }}
        />
      )}
      <span className="sr-only">{t('list.waitsFor')} </span>
      {age}
      {tone === 'closed' && <span className="sr-only">, {t('list.windowIsClosed')}</span>}
      {moment != null && <RelativeTime moment={moment} className="sr-only" />}
    </span>
  )
}

/** Marks of the state: muted, back from a snooze, and who takes care of the conversation. */
export function RowMarks({ conversation: { state } }: { conversation: Conversation }) {
  if (state === undefined) return null
  return (
    <>
      {state.muted_at !== null && <Mark label={t('list.muted')} icon={<BellOff size={13} aria-hidden="true" />} />}
      {state.returned_at !== null && (
        <Mark label={t('list.returned')} icon={<Undo2 size={13} aria-hidden="true" />} className="text-warn" />
      )}
      {state.assigned_to !== null && <Assignee id={state.assigned_to} />}
    </>
  )
}

/** An icon with its meaning. */
export function Mark({ label, icon, className }: { label: string; icon: React.ReactNode; className?: string }) {
  return (
    <span title={label} className={classNames('shrink-0', className ?? 'text-ink-2')}>
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  )
}

function Assignee({ id }: { id: string }) {
  const isMe = useUserId() === id
  const name = useMemberName(id)
  const label = t('list.assignee', { name: isMe ? t('list.you') : (name ?? t('list.somebody')) })
  return (
    <span title={label} className="inline-flex shrink-0">
      <Avatar name={name ?? '?'} size="xs" />
      <span className="sr-only">{label}</span>
    </span>
  )
}
