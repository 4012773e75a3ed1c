import { labelNameOf, labelsOf } from '../../domain/list/label-use.ts'
import type { Label, LabelColour } from '../../schemas/label.ts'
import { t } from '../../texts/list-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { useLabels } from '../use-labels.ts'
import { chipStyle, dotStyle } from './label-colours.ts'

/** A label with its colour. A long name is cut. */
export function LabelChip({ label, className }: { label: Label; className?: string }) {
  const name = labelNameOf(label)
  return (
    <bdi
      title={name}
      className={classNames(
        'inline-block h-4.75 truncate rounded-tag px-1.5 font-medium text-2xs leading-4.75',
        className,
      )}
      style={chipStyle(label.colour)}
    >
      {name}
    </bdi>
  )
}

/** The colour alone, beside the name. */
export function LabelDot({ colour }: { colour: LabelColour }) {
  return <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full" style={dotStyle(colour)} />
}

type LabelChipsProps = {
  ids: readonly string[]
  /** The maximum number of chips. The others are counted, and named for screen readers. */
  most?: number
  className?: string
  chipClassName?: string
}

/** The labels of a conversation or a client. A label that was deleted is not shown. */
export function LabelChips({ ids, most = ids.length, className, chipClassName }: LabelChipsProps) {
  const labels = labelsOf(useLabels(), ids)
  if (labels.length === 0) return null
  const hidden = labels.slice(most)
  const names = hidden.map(labelNameOf).join(', ')
  return (
    <span className={classNames('inline-flex min-w-0 items-center gap-1', className)}>
      <span className="sr-only">{t('list.labels')}: </span>
      {labels.slice(0, most).map((label) => (
        <LabelChip
          key={label.id}
          label={label}
          {...(chipClassName === undefined ? {} : { className: chipClassName })}
        />
      ))}
      {hidden.length > 0 && (
        <span title={names} className="shrink-0 text-2xs text-ink-2">
          <span aria-hidden="true">+{hidden.length}</span>
          <span className="sr-only">{names}</span>
        </span>
      )}
    </span>
  )
}
