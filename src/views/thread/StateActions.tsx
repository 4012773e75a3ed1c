import { Check, Moon, RotateCcw, Tag, UserRoundPlus } from 'lucide-react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { snoozeWords } from '../../domain/list/decision-texts.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Avatar } from '../components/Avatar.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { useMemberName, useUserId } from '../use-inbox.ts'
import { useLabelsDialog, useLabelsOffer } from '../use-labels.ts'
import { useStateChange, useStateDialog } from '../use-list.ts'

/** Assign, Labels, Snooze and Done for the open conversation. In a narrow header only Done: the menu has the others. */
export default function StateActions({ conversation }: { conversation: Conversation }) {
  const { state } = conversation
  const change = useStateChange()
  const choose = useStateDialog()
  const labels = useLabelsOffer()
  const openLabels = useLabelsDialog()
  const userId = useUserId()
  const assignee = useMemberName(state?.assigned_to ?? null)
  if (state === undefined) return null
  const ids = [rowIdOf(conversation)]
  const isDone = state.done_at !== null
  const isAssigned = state.assigned_to !== null
  const name = state.assigned_to === userId ? t('list.me') : safeName(assignee ?? t('list.somebody'))
  const assignLabel = isAssigned ? t('list.assignedTo', { name }) : t('list.assignedToNobody')
  const isSnoozed = state.snoozed_at !== null
  const snoozeLabel = isSnoozed ? snoozeWords(conversation) : t('list.snooze')
  return (
    <>
      <Button
        title={assignLabel}
        className="max-w-32 max-sm:hidden @max-sm:hidden"
        onClick={() => choose('assign', ids)}
      >
        {isAssigned ? <Avatar name={assignee ?? '?'} size="xs" /> : <UserRoundPlus size={15} aria-hidden="true" />}
        <span className="sr-only">{assignLabel}</span>
        <bdi aria-hidden="true" className="truncate @max-2xl:hidden">
          {isAssigned ? name : t('list.assign')}
        </bdi>
      </Button>
      {labels.mayChange && (
        <IconButton
          variant="outline"
          label={t('list.labels')}
          className="@max-2xl:hidden"
          onClick={() => openLabels({ ids })}
        >
          <Tag size={15} aria-hidden="true" />
        </IconButton>
      )}
      <IconButton
        variant={isSnoozed ? 'on' : 'outline'}
        label={snoozeLabel}
        className="max-sm:hidden @max-sm:hidden"
        onClick={() => choose('snooze', ids)}
      >
        <Moon size={15} aria-hidden="true" />
      </IconButton>
      <Button aria-label={isDone ? t('list.reopen') : t('list.done')} onClick={() => change(ids, { done: !isDone })}>
        {isDone ? <RotateCcw size={15} aria-hidden="true" /> : <Check size={15} aria-hidden="true" />}
        <span className="@max-2xl:hidden">{isDone ? t('list.reopen') : t('list.done')}</span>
      </Button>
    </>
  )
}
