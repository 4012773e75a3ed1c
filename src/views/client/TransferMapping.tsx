import { useId } from 'react'
import { amountTexts, dateTexts, fieldTexts } from '../../domain/client/transfer-texts.ts'
import { safeText } from '../../domain/shown-text.ts'
import { selectMapping, selectMappingProblem, selectTransferIsBusy } from '../../machines/client/data-transfer.ts'
import { amountFormats, type CsvField, type CsvImport, csvFields, dateFormats } from '../../schemas/csv-import.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Choice } from '../components/Choice.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { useSelector } from '../use-selector.ts'
import type { TransferProps } from './transfer-props.ts'

function separatorText(separator: string | null): string {
  switch (separator) {
    case ';':
      return t('client.separator.semicolon')
    case '\t':
      return t('client.separator.tab')
    case '|':
      return t('client.separator.bar')
    default:
      return t('client.separator.comma')
  }
}

const formId = 'csv-columns'

/** Which column is which field, and the formats of amounts and dates. */
export function Mapping({ actor, item }: TransferProps & { item: CsvImport }) {
  const mapping = useSelector(actor, selectMapping)
  const busy = useSelector(actor, selectTransferIsBusy)
  const id = useId()
  if (mapping === null) return null
  const columns = ['', ...item.columns.map((_, index) => String(index))]
  const columnText = (index: string): string =>
    index === '' ? t('client.importNoColumn') : safeText(item.columns[Number(index)] ?? '')
  const choose = (field: CsvField, value: string) => {
    const { [field]: _, ...others } = mapping.fields
    actor.send({
      type: 'mapping.changed',
      change: { fields: value === '' ? others : { ...others, [field]: Number(value) } },
    })
  }
  const examplesOf = (field: CsvField): string => {
    const index = mapping.fields[field]
    return index === undefined ? '' : (item.examples[index] ?? []).map(safeText).join(', ')
  }
  const hasAmounts = item.kind !== 'clients'
  const hasDates = item.kind === 'orders' || item.kind === 'payments'
  return (
    <form
      id={formId}
      aria-label={t('client.importColumns')}
      className="scroller grid min-h-0 flex-1 content-start gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'check.requested' })
      }}
    >
      <div className="grid gap-1">
        <h4 className="font-semibold">{t('client.importColumns')}</h4>
        <p className="text-ink-2 text-xs">
          {t('client.importRead', {
            rows: item.rows,
            encoding: item.encoding ?? '',
            separator: separatorText(item.separator),
          })}
        </p>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {csvFields[item.kind].map((field: CsvField) => {
          const examples = examplesOf(field)
          return (
            <div key={field} className="grid content-start gap-1">
              <Choice
                label={t(fieldTexts[field])}
                value={String(mapping.fields[field] ?? '')}
                options={columns}
                textOf={columnText}
                onChoose={(value) => choose(field, value)}
                disabled={busy}
                aria-describedby={examples === '' ? undefined : `${id}-${field}`}
              />
              {examples !== '' && (
                <p id={`${id}-${field}`} dir="auto" className="truncate text-ink-2 text-xs">
                  {t('client.importExample', { examples })}
                </p>
              )}
            </div>
          )
        })}
        {hasAmounts && (
          <Choice
            label={t('client.importAmounts')}
            value={mapping.amounts}
            options={amountFormats}
            textOf={(each) => t(amountTexts[each])}
            onChoose={(amounts) => actor.send({ type: 'mapping.changed', change: { amounts } })}
            disabled={busy}
          />
        )}
        {hasDates && (
          <Choice
            label={t('client.importDates')}
            value={mapping.dates}
            options={dateFormats}
            textOf={(each) => t(dateTexts[each])}
            onChoose={(dates) => actor.send({ type: 'mapping.changed', change: { dates } })}
            disabled={busy}
          />
        )}
      </div>
      <p className="text-ink-2 text-xs">{t('client.importIdAdvice')}</p>
    </form>
  )
}

export function CheckButton({ actor }: TransferProps) {
  const problem = useSelector(actor, selectMappingProblem)
  const busy = useSelector(actor, selectTransferIsBusy)
  return (
    <>
      {problem !== null && (
        <p aria-hidden="true" className="basis-full text-right text-warn text-xs sm:basis-auto">
          {problem}
        </p>
      )}
      <SubmitButton form={formId} busy={busy} blockedReason={problem}>
        {busy ? t('client.importCheckStarting') : t('client.importCheck')}
      </SubmitButton>
    </>
  )
}
