import { FileUp } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { importStateTexts, kindTexts } from '../../domain/client/transfer-texts.ts'
import { dateAndTime } from '../../domain/moments.ts'
import { newKey } from '../../domain/new-key.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  selectExported,
  selectImports,
  selectIsDownloading,
  selectTransferKind,
  selectTransferStep,
} from '../../machines/client/data-transfer.ts'
import { csvKinds } from '../../schemas/csv-import.ts'
import { exportFormats, exportKinds } from '../../schemas/data-export.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Choice } from '../components/Choice.tsx'
import { classNames } from '../components/class-names.ts'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import type { TransferProps } from './transfer-props.ts'

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

/** Where an import begins: a file, or an import that was begun before. */
export function ImportChoice({ actor }: TransferProps) {
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
          options={csvKinds}
          textOf={(each) => t(kindTexts[each])}
          onChoose={(each) => actor.send({ type: 'kind.chosen', kind: each })}
          disabled={step !== 'choosing'}
        />
        <FileChoice actor={actor} isDisabled={step !== 'choosing'} />
      </Section>
      {step === 'failed' && (
        <NotLoaded text={t('client.importsFailed')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
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

function FileChoice({ actor, isDisabled }: TransferProps & { isDisabled: boolean }) {
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

function Imports({ actor }: TransferProps) {
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

/** The download of all rows of a kind. */
export function ExportChoice({ actor }: TransferProps) {
  const { kind, format } = useSelector(actor, selectExported)
  const busy = useSelector(actor, selectIsDownloading)
  return (
    <Section title={t('client.exportTitle')}>
      <p className="text-ink-2 text-xs">{t('client.exportAbout')}</p>
      <div className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
        <Choice
          label={t('client.exportKind')}
          value={kind}
          options={exportKinds}
          textOf={(each) => t(kindTexts[each])}
          onChoose={(each) => actor.send({ type: 'export.chosen', change: { kind: each } })}
          disabled={busy}
        />
        <Choice
          label={t('client.exportFormat')}
          value={format}
          options={exportFormats}
          textOf={(each) => each.toUpperCase()}
          onChoose={(each) => actor.send({ type: 'export.chosen', change: { format: each } })}
          disabled={busy}
        />
        <Button disabled={busy} onClick={() => actor.send({ type: 'export.requested' })}>
          {busy ? t('client.exportStarting') : t('client.exportStart')}
        </Button>
      </div>
    </Section>
  )
}
