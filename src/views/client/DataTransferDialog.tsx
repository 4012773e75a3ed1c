import { FileUp } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import {
  amountTexts,
  dateTexts,
  fieldTexts,
  importStateTexts,
  kindTexts,
  outcomeTexts,
} from '../../domain/client/transfer-texts.ts'
import { dateAndTime } from '../../domain/moments.ts'
import { newKey } from '../../domain/new-key.ts'
import { can } from '../../domain/session/permissions.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type DataTransferActor,
  selectCurrentImport,
  selectExported,
  selectHasEarlierRows,
  selectImports,
  selectIsDownloading,
  selectIsUnreachable,
  selectMapping,
  selectMappingProblem,
  selectRows,
  selectRowsHaveFailed,
  selectRowsOutcome,
  selectTransferIsBusy,
  selectTransferKind,
  selectTransferStep,
  selectUploadedFile,
  selectUploadedPercent,
} from '../../machines/client/data-transfer.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import {
  amountFormats,
  type CsvField,
  type CsvImport,
  type CsvOutcome,
  type CsvRow,
  csvFields,
  csvKinds,
  csvOutcomes,
  dateFormats,
  isEndedImport,
  isWorkingImport,
} from '../../schemas/csv-import.ts'
import { exportFormats, exportKinds } from '../../schemas/data-export.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { FieldLabel, Select } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useUser } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

type WithActor = { actor: DataTransferActor }

const number = new Intl.NumberFormat()

/** Imports of CSV files with their preview and progress, and exports. */
export default function DataTransferDialog({ actor, title, onDismiss }: DialogProps<'dataTransfer'>) {
  const user = useUser()
  const step = useSelector(actor, selectTransferStep)
  const isChoosing = step === 'notOffered' || step === 'choosing' || step === 'loading' || step === 'failed'
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={!isChoosing}
      className="h-170 w-200 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {isChoosing ? (
        <div className="scroller min-h-0 flex-1">
          {step !== 'notOffered' && <Choosing actor={actor} />}
          {can(user, 'data.export') && <Export actor={actor} />}
        </div>
      ) : (
        <CurrentImport actor={actor} />
      )}
    </DialogFrame>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-3 border-line border-b px-4 py-4 last:border-b-0">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChoose: (value: string) => void
  disabled?: boolean
  describedBy?: string
  ref?: RefObject<HTMLSelectElement | null>
}

function Choice({ label, value, options, onChoose, disabled = false, describedBy, ref }: ChoiceProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <Select
        ref={ref}
        id={id}
        className="h-9 w-full"
        value={value}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={({ target }) => onChoose(target.value)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** The one of `all` that was chosen. */
const chosen = <Item extends string>(all: readonly Item[], value: string): Item | undefined =>
  all.find((item) => item === value)

function Choosing({ actor }: WithActor) {
  const step = useSelector(actor, selectTransferStep)
  const kind = useSelector(actor, selectTransferKind)
  const first = useRef<HTMLSelectElement>(null)
  // The fields are disabled until the imports are loaded. Leaving an import removes the element with the focus.
  useEffect(() => {
    if (step === 'choosing') first.current?.focus()
  }, [step])
  return (
    <>
      <Section title={t('client.importTitle')}>
        <p className="text-ink-2 text-xs">{t('client.importAbout')}</p>
        <Choice
          ref={first}
          label={t('client.importKind')}
          value={kind}
          options={csvKinds.map((each) => [each, t(kindTexts[each])])}
          onChoose={(value) => actor.send({ type: 'kind.chosen', kind: chosen(csvKinds, value) ?? kind })}
          disabled={step !== 'choosing'}
        />
        <FileChoice actor={actor} isDisabled={step !== 'choosing'} />
      </Section>
      {step === 'failed' && (
        <div className="grid justify-items-center gap-3 px-4 py-6 text-center text-ink-2">
          <p>{t('client.importsFailed')}</p>
          <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />
        </div>
      )}
      {step === 'loading' && (
        <p role="status" className="px-4 py-6 text-center text-ink-2">
          {t('client.importsLoading')}
        </p>
      )}
      {step === 'choosing' && <Imports actor={actor} />}
    </>
  )
}

function FileChoice({ actor, isDisabled }: WithActor & { isDisabled: boolean }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const choose = (file: File | undefined) => {
    if (file !== undefined) actor.send({ type: 'file.chosen', file, id: newKey() })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a second way; the button is for the keyboard
    <div
      className={classNames(
        'grid justify-items-center gap-2 rounded-ui border border-edge border-dashed px-4 py-5 text-center',
        isOver && 'bg-accent-soft',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(!isDisabled)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        if (!isDisabled) choose(event.dataTransfer.files[0])
      }}
    >
      <input
        ref={input}
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,text/csv"
        tabIndex={-1}
        aria-label={t('client.importFile')}
        className="sr-only"
        disabled={isDisabled}
        onChange={({ target }) => {
          choose(target.files?.[0])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <Button variant="primary" disabled={isDisabled} onClick={() => input.current?.click()}>
        <FileUp size={15} aria-hidden="true" />
        {t('client.importChoose')}
      </Button>
      <p className="text-ink-2 text-xs">{t('client.importDrop')}</p>
    </div>
  )
}

function Imports({ actor }: WithActor) {
  const imports = useSelector(actor, selectImports)
  if (imports.length === 0) return null
  return (
    <Section title={t('client.importsList')}>
      <ul className="-mx-2">
        {imports.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              className="grid w-full gap-0.5 rounded-ui px-2 py-1.5 text-left hover:bg-sunken touch:min-h-11"
              onClick={() => actor.send({ type: 'import.opened', item })}
            >
              <span className="sr-only">{t('client.importOpen', { name: safeName(item.file_name) })}</span>
              <span aria-hidden="true" dir="auto" className="truncate font-medium">
                {safeName(item.file_name)}
              </span>
              <span className="text-ink-2 text-xs">
                {t('client.importBy', {
                  kind: t(kindTexts[item.kind]),
                  state: t(importStateTexts[item.state]),
                  name: item.started_by_name === null ? t('client.importSomebody') : safeName(item.started_by_name),
                  time: dateAndTime(item.created_at),
                })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Export({ actor }: WithActor) {
  const { kind, format } = useSelector(actor, selectExported)
  const busy = useSelector(actor, selectIsDownloading)
  return (
    <Section title={t('client.exportTitle')}>
      <p className="text-ink-2 text-xs">{t('client.exportAbout')}</p>
      <div className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
        <Choice
          label={t('client.exportKind')}
          value={kind}
          options={exportKinds.map((each) => [each, t(kindTexts[each])])}
          onChoose={(value) =>
            actor.send({ type: 'export.chosen', change: { kind: chosen(exportKinds, value) ?? kind } })
          }
          disabled={busy}
        />
        <Choice
          label={t('client.exportFormat')}
          value={format}
          options={exportFormats.map((each) => [each, each.toUpperCase()])}
          onChoose={(value) =>
            actor.send({ type: 'export.chosen', change: { format: chosen(exportFormats, value) ?? format } })
          }
          disabled={busy}
        />
        <Button disabled={busy} onClick={() => actor.send({ type: 'export.requested' })}>
          {busy ? t('client.exportStarting') : t('client.exportStart')}
        </Button>
      </div>
    </Section>
  )
}

/** The import that is open. The heading gets the focus in each step, so that a screen reader announces the step. */
function CurrentImport({ actor }: WithActor) {
  const step = useSelector(actor, selectTransferStep)
  const current = useSelector(actor, selectCurrentImport)
  const busy = useSelector(actor, selectTransferIsBusy)
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves with the step
  useEffect(() => heading.current?.focus(), [step])
  const mayCancel = current === null || !isEndedImport(current)
  return (
    <>
      <h3
        ref={heading}
        tabIndex={-1}
        dir="auto"
        className="shrink-0 truncate border-line border-b px-4 py-3 font-semibold outline-none"
      >
        {current === null ? t('client.importTitle') : `${t(kindTexts[current.kind])}: ${safeName(current.file_name)}`}
      </h3>
      {step === 'mapping' && current !== null ? (
        <Mapping actor={actor} item={current} />
      ) : (
        <div className="scroller min-h-0 flex-1 px-4 py-3">
          {(step === 'uploading' || step === 'working' || step === 'interrupted') && <Progress actor={actor} />}
          {(step === 'checked' || step === 'ended') && current !== null && <Outcome actor={actor} item={current} />}
        </div>
      )}
      <footer className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-3">
        {step !== 'uploading' && (
          <Button className="mr-auto" disabled={busy} onClick={() => actor.send({ type: 'import.left' })}>
            {t('client.importBack')}
          </Button>
        )}
        {mayCancel && (
          <Button disabled={busy} onClick={() => actor.send({ type: 'cancel.requested' })}>
            {t('client.importCancel')}
          </Button>
        )}
        {step === 'mapping' && <CheckButton actor={actor} />}
        {step === 'checked' && current !== null && <RunButtons actor={actor} item={current} />}
      </footer>
    </>
  )
}

function Progress({ actor }: WithActor) {
  const current = useSelector(actor, selectCurrentImport)
  const name = useSelector(actor, selectUploadedFile)
  const percent = useSelector(actor, selectUploadedPercent)
  const step = useSelector(actor, selectTransferStep)
  const isUnreachable = useSelector(actor, selectIsUnreachable)
  const text =
    step === 'interrupted'
      ? t('client.importInterrupted')
      : current === null
        ? t('client.importUploading', { name: safeName(name), percent })
        : progressText(current)
  return (
    <div className="grid gap-3 py-4">
      <p role="status" className="font-medium">
        {text}
      </p>
      {step !== 'interrupted' && (
        <progress
          className="h-2 w-full accent-accent"
          aria-label={text}
          max={100}
          value={current === null ? percent : percentOf(current)}
        />
      )}
      {isUnreachable && <p className="text-warn text-xs">{t('client.importUnreachable')}</p>}
      {step !== 'interrupted' && (
        <p className="text-ink-2 text-xs">
          {current === null ? t('client.importUploadAdvice') : t('client.importGoesOn')}
        </p>
      )}
    </div>
  )
}

/** Undefined while the number of rows is not known. */
const percentOf = ({ state, rows, done }: CsvImport): number | undefined =>
  state === 'reading' || rows === 0 ? undefined : Math.floor((done / rows) * 100)

function progressText(item: CsvImport): string {
  const { done, rows } = item
  if (!isWorkingImport(item)) return t('client.importCancelling')
  if (item.state === 'reading') return t('client.importReading', { done })
  return t(item.state === 'checking' ? 'client.importChecking' : 'client.importRunning', {
    done: number.format(done),
    rows,
  })
}

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

function Mapping({ actor, item }: WithActor & { item: CsvImport }) {
  const mapping = useSelector(actor, selectMapping)
  const busy = useSelector(actor, selectTransferIsBusy)
  const id = useId()
  if (mapping === null) return null
  const columns = [
    ['', t('client.importNoColumn')] as const,
    ...item.columns.map((name, index) => [String(index), safeText(name)] as const),
  ]
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
                onChoose={(value) => choose(field, value)}
                disabled={busy}
                {...(examples === '' ? {} : { describedBy: `${id}-${field}` })}
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
            options={amountFormats.map((each) => [each, t(amountTexts[each])])}
            onChoose={(value) =>
              actor.send({
                type: 'mapping.changed',
                change: { amounts: chosen(amountFormats, value) ?? mapping.amounts },
              })
            }
            disabled={busy}
          />
        )}
        {hasDates && (
          <Choice
            label={t('client.importDates')}
            value={mapping.dates}
            options={dateFormats.map((each) => [each, t(dateTexts[each])])}
            onChoose={(value) =>
              actor.send({ type: 'mapping.changed', change: { dates: chosen(dateFormats, value) ?? mapping.dates } })
            }
            disabled={busy}
          />
        )}
      </div>
      <p className="text-ink-2 text-xs">{t('client.importIdAdvice')}</p>
    </form>
  )
}

function CheckButton({ actor }: WithActor) {
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

function RunButtons({ actor, item }: WithActor & { item: CsvImport }) {
  const busy = useSelector(actor, selectTransferIsBusy)
  const rows = item.created + item.changed
  return (
    <>
      <Button disabled={busy} onClick={() => actor.send({ type: 'mapping.reopened' })}>
        {t('client.importChange')}
      </Button>
      <Button
        variant="primary"
        disabled={busy || rows + item.waiting === 0}
        onClick={() => actor.send({ type: 'run.requested' })}
      >
        {rows + item.waiting === 0 ? t('client.importNothing') : t('client.importRun', { rows: rows + item.waiting })}
      </Button>
    </>
  )
}

/** The counts and the rows. Before the run they are a preview; after the run the rows are those that were not stored. */
function Outcome({ actor, item }: WithActor & { item: CsvImport }) {
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

function Rows({ actor, item }: WithActor & { item: CsvImport }) {
  const page = useSelector(actor, selectRows)
  const failed = useSelector(actor, selectRowsHaveFailed)
  const outcome = useSelector(actor, selectRowsOutcome)
  const hasEarlier = useSelector(actor, selectHasEarlierRows)
  const offered = csvOutcomes.filter((each) => item.state === 'checked' || each === 'refused' || each === 'waiting')
  return (
    <section aria-label={t('client.importRows')} className="grid gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-40">
          <Choice
            label={t('client.importShow')}
            value={outcome ?? ''}
            options={[['', t('client.outcome.all')], ...offered.map((each) => [each, t(outcomeTexts[each])] as const)]}
            onChoose={(value) => actor.send({ type: 'outcome.chosen', outcome: chosen(csvOutcomes, value) ?? null })}
          />
        </div>
        <div className="ml-auto flex gap-2">
          <Button disabled={!hasEarlier} onClick={() => actor.send({ type: 'rows.previous' })}>
            {t('client.importPrevious')}
          </Button>
          <Button disabled={page?.next == null} onClick={() => actor.send({ type: 'rows.next' })}>
            {t('client.importNext')}
          </Button>
        </div>
      </div>
      {failed && (
        <div className="grid justify-items-center gap-3 py-6 text-center text-ink-2">
          <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />
        </div>
      )}
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
              <td className={classNames('border-line border-b py-1.5 pr-3', reason !== null && 'min-w-40')}>
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
