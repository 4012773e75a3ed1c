import { outcomeTexts } from '../../domain/client/transfer-texts.ts'
import { safeText } from '../../domain/shown-text.ts'
import {
  selectHasEarlierRows,
  selectIsDownloading,
  selectRows,
  selectRowsHaveFailed,
  selectRowsOutcome,
} from '../../machines/client/data-transfer.ts'
import { type CsvImport, type CsvOutcome, type CsvRow, csvOutcomes } from '../../schemas/csv-import.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Choice } from '../components/Choice.tsx'
import { classNames } from '../components/class-names.ts'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import type { TransferProps } from './transfer-props.ts'

const number = new Intl.NumberFormat()

/** The counts and the rows. Before the run they are a preview; after the run the rows are those that were not stored. */
export function Outcome({ actor, item }: TransferProps & { item: CsvImport }) {
  const { state, created, changed, unchanged, refused, waiting } = item
  const isDownloading = useSelector(actor, selectIsDownloading)
  const counts = { created, changed, unchanged, refused, waiting }
  const notStored = refused + waiting
  return (
    <div className="grid gap-3">
      <div role="status" className="grid gap-1">
        {state === 'failed' && <p className="rounded-ui bg-bad-soft px-3 py-2 text-bad">{item.error}</p>}
        {state === 'cancelled' && <p>{t('client.importCancelled')}</p>}
        {(state === 'checked' || state === 'completed') && (
          <>
            <h4 className="font-semibold">{t(state === 'checked' ? 'client.importPreview' : 'client.importResult')}</h4>
            <p>
              {t(
                'client.importCounts',
                Object.fromEntries(
                  Object.entries(counts).map(([name, count]) => [name, number.format(count)]),
                ) as Record<CsvOutcome, string>,
              )}
            </p>
          </>
        )}
      </div>
      {waiting > 0 && <p className="text-ink-2 text-xs">{t('client.importWaitingAdvice')}</p>}
      {notStored > 0 && (state === 'checked' || state === 'completed') && (
        <Button
          className="justify-self-start"
          disabled={isDownloading}
          onClick={() => actor.send({ type: 'refused.requested' })}
        >
          {t('client.importSaveRefused')}
        </Button>
      )}
      {(state === 'checked' || (state === 'completed' && notStored > 0)) && <Rows actor={actor} item={item} />}
    </div>
  )
}

function Rows({ actor, item }: TransferProps & { item: CsvImport }) {
  const page = useSelector(actor, selectRows)
  const failed = useSelector(actor, selectRowsHaveFailed)
  const outcome = useSelector(actor, selectRowsOutcome)
  const hasEarlier = useSelector(actor, selectHasEarlierRows)
  const allText = item.state === 'checked' ? 'client.outcome.all' : 'client.outcome.notStored'
  const offered = csvOutcomes.filter((each) => item.state === 'checked' || each === 'refused' || each === 'waiting')
  return (
    <section aria-label={t('client.importRows')} className="grid gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Choice
          place="grid min-w-40 gap-1"
          label={t('client.importShow')}
          value={outcome ?? ''}
          options={['', ...offered]}
          textOf={(each) => t(each === '' ? allText : outcomeTexts[each])}
          onChoose={(each) => actor.send({ type: 'outcome.chosen', outcome: each === '' ? null : each })}
        />
        <div className="ml-auto flex gap-2">
          <Button disabled={!hasEarlier} onClick={() => actor.send({ type: 'rows.previous' })}>
            {t('client.importPrevious')}
          </Button>
          <Button disabled={page?.next == null} onClick={() => actor.send({ type: 'rows.next' })}>
            {t('client.importNext')}
          </Button>
        </div>
      </div>
      {failed && <NotLoaded onRetry={() => actor.send({ type: 'refetch.requested' })} />}
      {page === null && !failed && <p role="status">{t('client.importRowsLoading')}</p>}
      {page?.rows.length === 0 && <p className="text-ink-2">{t('client.importNoRows')}</p>}
      {page !== null && page.rows.length > 0 && <RowTable item={item} rows={page.rows} />}
    </section>
  )
}

function RowTable({ item, rows }: { item: CsvImport; rows: readonly CsvRow[] }) {
  // Two columns may have the same name.
  const columns = item.columns.map((name, index) => ({ key: `${index}`, name, index }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must scroll by keyboard
    <section tabIndex={0} aria-label={t('client.importTable')} className="scroller overflow-x-auto">
      <table className="w-full text-xs">
        <thead>
          <tr className="text-left text-ink-2">
            <ColumnName>{t('client.importLine')}</ColumnName>
            <ColumnName>{t('client.importOutcome')}</ColumnName>
            <ColumnName>{t('client.importReason')}</ColumnName>
            {columns.map(({ key, name }) => (
              <ColumnName key={key}>{safeText(name)}</ColumnName>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, outcome, cells, reason }) => (
            <tr key={line} className="align-top">
              <td className="border-line border-b py-1.5 pr-3 tabular-nums">{line}</td>
              <td
                className={classNames(
                  'whitespace-nowrap border-line border-b py-1.5 pr-3 font-medium',
                  outcome === 'refused' && 'text-bad',
                  outcome === 'waiting' && 'text-warn',
                )}
              >
                {outcome !== null && t(outcomeTexts[outcome])}
              </td>
              <td className={classNames('border-line border-b py-1.5 pr-3', reason !== null && 'min-w-40 sm:min-w-72')}>
                {reason}
              </td>
              {columns.map(({ key, index }) => (
                <td key={key} dir="auto" className="max-w-50 truncate border-line border-b py-1.5 pr-3">
                  {safeText(cells[index] ?? '')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ColumnName({ children }: { children: string }) {
  return (
    <th scope="col" className="whitespace-nowrap border-line border-b py-1.5 pr-3 font-medium">
      {children}
    </th>
  )
}
