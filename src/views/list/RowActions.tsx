import { Check, Moon, RotateCcw, Tag, UserRoundPlus } from 'lucide-react'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { t } from '../../texts/list-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { useLabelsDialog, useLabelsOffer } from '../use-labels.ts'
import { useRow, useStateChange, useStateDialog } from '../use-list.ts'

type RowActionsProps = {
  id: string
  isMarked: boolean
  /** `isRange`: with all rows from the last chosen one. */
  onMark: (isRange: boolean) => void
  /** The position and the height of the row in pixels. */
  top: number
  height: number
}

/**
 * The actions for the row under the pointer. They lie over the row and are no part of it, because an option of a listbox
 * may hold no buttons. By keyboard the same actions have keys.
 */
export default function RowActions({ id, isMarked, onMark, top, height }: RowActionsProps) {
  const row = useRow(id)
  const change = useStateChange()
  const choose = useStateDialog()
  const labels = useLabelsOffer()
  const openLabels = useLabelsDialog()
  if (row?.state === undefined) return null
  const name = nameOf(row)
  const isDone = row.state.done_at !== null
  return (
    <>
      <label
        className="absolute top-0 left-3.75 grid size-9 cursor-pointer place-items-center"
        style={{ transform: `translateY(${top + (height - 36) / 2}px)` }}
      >
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t('list.choose', { name })}
          className="size-4.5 accent-accent"
          checked={isMarked}
          onChange={({ nativeEvent }) => onMark(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
      </label>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div
        data-not-saved
        role="group"
        aria-label={t('list.rowActions', { name })}
        // Only a mouse sees them, so they stay within the row on a narrow window too.
        className="absolute top-0 right-2.5 flex rounded-ui bg-sunken pl-1 *:h-6.5! *:min-h-0!"
        // The chip above stays visible.
        style={{ transform: `translateY(${top + height - 29}px)` }}
      >
        <IconButton tabIndex={-1} label={t('list.assign')} onClick={() => choose('assign', [id])}>
          <UserRoundPlus size={15} aria-hidden="true" />
        </IconButton>
        {labels.mayChange && (
          <IconButton tabIndex={-1} label={t('list.labels')} onClick={() => openLabels({ ids: [id] })}>
            <Tag size={15} aria-hidden="true" />
          </IconButton>
        )}
        <IconButton tabIndex={-1} label={t('list.snooze')} onClick={() => choose('snooze', [id])}>
          <Moon size={15} aria-hidden="true" />
        </IconButton>
        <IconButton
          tabIndex={-1}
          label={isDone ? t('list.reopen') : t('list.done')}
          onClick={() => change([id], { done: !isDone })}
        >
          {isDone ? <RotateCcw size={15} aria-hidden="true" /> : <Check size={15} aria-hidden="true" />}
        </IconButton>
      </div>
    </>
  )
}
