import { durationText, groupTitle, rowLabel } from '../../domain/reports/report-text.ts'
import type { Report, ReportGroup, TimesRow } from '../../schemas/report.ts'
import { t } from '../../texts/reports-on-demand.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { type Bar, RowBar, TimePlot } from './ReportPlot.tsx'

type Cell = { key: string; shown: React.ReactNode }
type Row = { key: string; label: string; cells: Cell[]; bar: Bar }
type Shown = { columns: string[]; rows: Row[]; meaning: string; valueText: (value: number) => string }

/** A report as a table, with a plot of the same numbers. */
export function ReportTable({
  report,
  by,
  caption,
}: {
  report: Exclude<Report, { report: 'questions' }>
  by: ReportGroup
  caption: string
}) {
  return <Table by={by} caption={caption} {...shownOf(report, by)} />
}

/** The first automatic replies, by FAQ entry. */
export function AutomaticTable({ rows, caption }: { rows: readonly TimesRow[]; caption: string }) {
  return <Table by="person" caption={caption} {...timesOf(rows, 'person', t('reports.columnAnswered'))} />
}

function Table({ by, caption, columns, rows, meaning, valueText }: Shown & { by: ReportGroup; caption: string }) {
  const bars = rows.map(({ bar }) => bar)
  const isTimeline = by === 'hour' || by === 'date'
  return (
    <>
      {isTimeline && <TimePlot bars={bars} meaning={meaning} valueText={valueText} />}
      <table className="w-full text-left text-xs">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-panel">
          <tr className="border-line border-b">
            <th scope="col" className="px-4 py-2 font-medium">
              {groupTitle(by)}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-2 text-right font-medium last:pr-4">
                {column}
              </th>
            ))}
            {!isTimeline && <td className="w-2/5 max-sm:hidden" />}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, cells, bar }) => (
            <tr key={key} className="border-line border-b last:border-b-0">
              <th scope="row" className="px-4 py-2 font-medium [overflow-wrap:anywhere]">
                <bdi>{label}</bdi>
                {!isTimeline && (
                  <span className="mt-1.5 block sm:hidden">
                    <RowBar bar={bar} bars={bars} />
                  </span>
                )}
              </th>
              {cells.map(({ key: column, shown }) => (
                <td key={column} className="px-2 py-2 text-right whitespace-nowrap tabular-nums last:pr-4">
                  {shown}
                </td>
              ))}
              {!isTimeline && (
                <td className="py-2 pr-4 pl-2 max-sm:hidden">
                  <RowBar bar={bar} bars={bars} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const count = (value: number): string => value.toLocaleString()

function timesOf(found: readonly TimesRow[], by: ReportGroup, counted: string): Shown {
  return {
    columns: [counted, t('reports.columnMedian'), t('reports.columnP90')],
    meaning: t('reports.barTimes'),
    valueText: durationText,
    rows: found.map((row) => ({
      key: row.key,
      label: rowLabel(by, row),
      cells: [
        { key: 'count', shown: count(row.count) },
        { key: 'median', shown: durationText(row.median) },
        { key: 'p90', shown: durationText(row.p90) },
      ],
      bar: { key: row.key, label: rowLabel(by, row), value: row.p90 ?? 0, part: row.median ?? 0 },
    })),
  }
}

function shownOf(report: Exclude<Report, { report: 'questions' }>, by: ReportGroup): Shown {
  switch (report.report) {
    case 'waiting':
      return {
        columns: [t('reports.columnWaiting'), t('reports.columnLongest')],
        meaning: '',
        valueText: count,
        rows: report.rows.map((row) => ({
          key: row.key,
          label: rowLabel(by, row),
          cells: [
            { key: 'count', shown: count(row.count) },
            {
              key: 'longest',
              shown: row.longest_since === null ? t('reports.none') : <RelativeTime moment={row.longest_since} />,
            },
          ],
          bar: { key: row.key, label: rowLabel(by, row), value: row.count, part: row.count },
        })),
      }
    case 'responses':
      return timesOf(report.rows, by, t('reports.columnAnswered'))
    case 'resolutions':
      return timesOf(report.rows, by, t('reports.columnClosed'))
    case 'messages': {
      const columns = by === 'person' ? [] : [t('reports.columnReceived')]
      return {
        columns: [...columns, t('reports.columnStaff'), t('reports.columnAutomatic'), t('reports.columnOutside')],
        meaning: t('reports.barMessages'),
        valueText: count,
        rows: report.rows.map((row) => {
          const sent = row.staff + row.automatic + row.outside
          return {
            key: row.key,
            label: rowLabel(by, row),
            cells: [
              ...(by === 'person' ? [] : [{ key: 'incoming', shown: count(row.incoming) }]),
              { key: 'staff', shown: count(row.staff) },
              { key: 'automatic', shown: count(row.automatic) },
              { key: 'outside', shown: count(row.outside) },
            ],
            bar: { key: row.key, label: rowLabel(by, row), value: row.incoming + sent, part: sent },
          }
        }),
      }
    }
  }
}
