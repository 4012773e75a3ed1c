import { CheckCheck } from 'lucide-react'
import { useCallback } from 'react'
import { shortMoment } from '../../domain/list/decision-texts.ts'
import { lastMessageSeenAt } from '../../domain/list/last-message-seen.ts'
import { offers } from '../../domain/session/features.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/list-on-demand.ts'
import { useTimedText } from '../components/clock.ts'
import { useUser } from '../use-inbox.ts'

/** That the person has seen our last message, and when. */
export default function RowSeen({ conversation }: { conversation: Conversation }) {
  const offered = offers(useUser(), 'receipts')
  const at = offered ? lastMessageSeenAt(conversation) : null
  const words = useTimedText(
    useCallback((now) => (at === null ? '' : t('list.seenAt', { time: shortMoment(at, now) })), [at]),
  )
  if (at === null) return null
  return (
    <span data-not-saved className="inline-flex shrink-0 items-center gap-1 text-2xs text-ink-3">
      <CheckCheck size={12} aria-hidden="true" />
      {words}
    </span>
  )
}
