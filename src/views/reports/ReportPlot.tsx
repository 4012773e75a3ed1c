import { t } from '../../texts/reports-on-demand.ts'
import { classNames } from '../components/class-names.ts'

/** A bar of a plot: a value, and the part of it that is drawn darker. */
export type Bar = { key: string; label: string; value: number; part: number }

const largestOf = (bars: readonly Bar[]): number => Math.max(1, ...bars.map(({ value }) => value))

/** The bar of one row, beside its numbers. The numbers of the table are the accessible form. */
export function RowBar({ bar, bars }: { bar: Bar; bars: readonly Bar[] }) {
  const largest = largestOf(bars)
  return (
    <svg aria-hidden="true" className="block h-3 w-full" viewBox="0 0 100 12" preserveAspectRatio="none">
      <rect width={(bar.value / largest) * 100} height="12" className="fill-accent/30" />
      <rect width={(Math.min(bar.part, bar.value) / largest) * 100} height="12" className="fill-accent" />
    </svg>
  )
}

const height = 100
/** Bars with more than this many neighbours have a label for every nth only. */
const maxLabels = 8

/** Upright bars over time. The table below is the accessible form. */
export function TimePlot({
  bars,
  meaning,
  valueText,
}: {
  bars: readonly Bar[]
  /** What the two tones mean. */
  meaning: string
  valueText: (value: number) => string
}) {
  const largest = largestOf(bars)
  const every = Math.ceil(bars.length / maxLabels)
  const heightOf = (value: number) => (value / largest) * height
  return (
    <div aria-hidden="true" className="border-line border-b px-4 pt-3 pb-2">
      <p className="text-2xs text-ink-2">{t('reports.largest', { value: valueText(largest), meaning })}</p>
      <svg
        className="mt-1 block h-28 w-full"
        viewBox={`0 0 ${bars.length * 10} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map(({ key, value, part }, index) => (
          <g key={key}>
            <rect
              x={index * 10 + 1}
              width="8"
              y={height - heightOf(value)}
              height={heightOf(value)}
              className="fill-accent/30"
            />
            <rect
              x={index * 10 + 1}
              width="8"
              y={height - heightOf(Math.min(part, value))}
              height={heightOf(Math.min(part, value))}
              className="fill-accent"
            />
          </g>
        ))}
        <rect y={height - 1} width={bars.length * 10} height="1" className="fill-line" />
      </svg>
      <p className="mt-1 flex text-2xs text-ink-2">
        {bars.map(({ key, label }, index) => (
          <span
            key={key}
            className={classNames('min-w-0 overflow-visible whitespace-nowrap', index % every !== 0 && 'invisible')}
            style={{ width: `${100 / bars.length}%` }}
          >
            {index % every === 0 ? label : ''}
          </span>
        ))}
      </p>
    </div>
  )
}
