import { BellOff, Check, Mail, Moon, Tag, UserRoundPlus, X } from 'lucide-react'
import type { StateDecision } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { useLabelsDialog, useLabelsOffer, useStateChange, useStateDialog } from '../use-inbox.ts'

type MarkedActionsProps = { ids: readonly string[]; onClear: () => void }

/** The bar over the list with the actions for all chosen rows. */
export default function MarkedActions({ ids, onClear }: MarkedActionsProps) {
  const change = useStateChange()
  const choose = useStateDialog()
  const labels = useLabelsOffer()
  const openLabels = useLabelsDialog()
  const decide = (decision: StateDecision) => {
    change(ids, decision)
    onClear()
  }
  return (
    <div
      role="toolbar"
      aria-label={t('list.actions')}
      className="flex shrink-0 items-center gap-0.5 border-line border-b bg-accent-soft px-3 py-1"
    >
      <p role="status" className="min-w-0 flex-1 truncate font-medium text-xs">
        {t('list.marked', { count: ids.length })}
      </p>
      <IconButton label={t('list.done')} onClick={() => decide({ done: true })}>
        <Check size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={t('list.snooze')} onClick={() => choose('snooze', ids)}>
        <Moon size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={t('list.assign')} onClick={() => choose('assign', ids)}>
        <UserRoundPlus size={16} aria-hidden="true" />
      </IconButton>
      {labels.mayChange && (
        <IconButton label={t('list.labels')} onClick={() => openLabels({ ids })}>
          <Tag size={16} aria-hidden="true" />
        </IconButton>
      )}
      <IconButton label={t('list.markUnread')} onClick={() => decide({ unread: true })}>
        <Mail size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={t('list.mute')} onClick={() => decide({ muted: true })}>
        <BellOff size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={t('list.clearMarks')} onClick={onClear}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
