import { useEffect, useRef } from 'react'
import { kindTexts } from '../../domain/client/transfer-texts.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  selectCurrentImport,
  selectIsUnreachable,
  selectTransferIsBusy,
  selectTransferStep,
  selectUploadedFile,
  selectUploadedPercent,
} from '../../machines/client/data-transfer.ts'
import { type CsvImport, isEndedImport, isWorkingImport } from '../../schemas/csv-import.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { useSelector } from '../use-selector.ts'
import { CheckButton, Mapping } from './TransferMapping.tsx'
import { Outcome } from './TransferRows.tsx'
import type { TransferProps } from './transfer-props.ts'

const number = new Intl.NumberFormat()

/** The import that is open. The heading gets the focus in each step, so that a screen reader announces the step. */
export function CurrentImport({ actor }: TransferProps) {
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

function RunButtons({ actor, item }: TransferProps & { item: CsvImport }) {
  const busy = useSelector(actor, selectTransferIsBusy)
  const rows = item.created + item.changed
  const nothing = item.unchanged > 0 ? t('client.importStored') : t('client.importNothing')
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
        {rows + item.waiting === 0 ? nothing : t('client.importRun', { rows: rows + item.waiting })}
      </Button>
    </>
  )
}

function Progress({ actor }: TransferProps) {
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
