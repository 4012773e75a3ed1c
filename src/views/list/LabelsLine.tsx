import { Tag } from 'lucide-react'
import type { LabelTarget } from '../../machines/list/label-picker.ts'
import { t } from '../../texts/list-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { useLabelsDialog } from '../use-labels.ts'
import { LabelChips } from './LabelChip.tsx'

/** All labels of a conversation or a client, with the button that changes them. */
export default function LabelsLine({ ids, target, of }: LabelsLineProps) {
  const open = useLabelsDialog()
  return (
    <div className="flex min-h-8 items-center gap-2">
      {ids.length === 0 ? (
        <p className="flex-1 text-ink-2">{t('list.labelsNone')}</p>
      ) : (
        <LabelChips ids={ids} className="flex-1 flex-wrap" chipClassName="max-w-full" />
      )}
      {target !== null && (
        <IconButton
          label={of === 'client' ? t('list.changeClientLabels') : t('list.changeLabels')}
          className="shrink-0"
          onClick={() => open(target)}
        >
          <Tag size={15} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

type LabelsLineProps = {
  ids: readonly string[]
  /** What the button changes; null if this person may not change labels. */
  target: LabelTarget | null
  of: 'conversation' | 'client'
}
