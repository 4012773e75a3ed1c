import { Download } from 'lucide-react'
import { useRef } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { auditActionText, auditDetailsText, auditRowText } from '../../domain/session/audit-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type AuditLogActor,
  selectAuditEntries,
  selectAuditFilters,
  selectAuditHasFailed,
  selectAuditHasMore,
  selectAuditIsExporting,
  selectAuditIsLoading,
  selectAuditIsLoadingMore,
  selectAuditPeople,
} from '../../machines/session/audit-log.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { type AuditEntryRow, auditActions, auditLimits } from '../../schemas/audit.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Choice } from '../components/Choice.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field } from '../components/Field.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

/** The audit log with its filters and the export. */
export default function AuditLogDialog({ actor, title, onDismiss }: DialogProps<'auditLog'>) {
  const exporting = useSelector(actor, selectAuditIsExporting)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={first}
      className="h-180 w-280 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="flex shrink-0 flex-wrap items-end gap-3 border-line border-b px-4 py-3">
        <Filters actor={actor} />
        <Button
          ref={first}
          className="ml-auto"
          aria-disabled={exporting}
          onClick={() => actor.send({ type: 'export.requested' })}
        >
          <Download size={15} aria-hidden="true" />
          {exporting ? t('session.auditExporting') : t('session.auditExport')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section aria-label={title} tabIndex={0} className="scroller min-h-0 flex-1">
        <Entries actor={actor} />
      </section>
    </DialogFrame>
  )
}

const place = 'grid gap-1 max-sm:basis-[calc(50%-0.375rem)]'

function Filters({ actor }: { actor: AuditLogActor }) {
  const filters = useSelector(actor, selectAuditFilters)
  const people = useSelector(actor, selectAuditPeople)
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? ''
  const change = (changed: Partial<typeof filters>) => actor.send({ type: 'filter.changed', change: changed })
  return (
    <>
      <Choice
        place={place}
        label={t('session.auditPerson')}
        className="sm:w-40"
        options={['', ...people.map((person) => person.id)]}
        textOf={(person) => (person === '' ? t('session.auditEverybody') : safeName(nameOf(person)))}
        value={filters.person}
        onChoose={(person) => change({ person })}
      />
      <Choice
        place={place}
        label={t('session.auditAction')}
        className="sm:w-44"
        options={['', ...auditActions]}
        textOf={(action) => (action === '' ? t('session.auditEveryAction') : auditActionText(action))}
        value={filters.action}
        onChoose={(action) => change({ action })}
      />
      <div className="max-sm:basis-[calc(50%-0.375rem)] sm:w-36">
        <Field
          label={t('session.auditFrom')}
          type="date"
          value={filters.from}
          onChange={({ target }) => change({ from: target.value })}
        />
      </div>
      <div className="max-sm:basis-[calc(50%-0.375rem)] sm:w-36">
        <Field
          label={t('session.auditTo')}
          type="date"
          value={filters.to}
          onChange={({ target }) => change({ to: target.value })}
        />
      </div>
      <div className="max-sm:basis-[calc(50%-0.375rem)] sm:w-44">
        <Field
          label={t('session.auditRow')}
          autoComplete="off"
          maxLength={auditLimits.id}
          value={filters.row}
          onChange={({ target }) => change({ row: target.value })}
        />
      </div>
    </>
  )
}

function Entries({ actor }: { actor: AuditLogActor }) {
  const entries = useSelector(actor, selectAuditEntries)
  const loading = useSelector(actor, selectAuditIsLoading)
  const failed = useSelector(actor, selectAuditHasFailed)
  const hasMore = useSelector(actor, selectAuditHasMore)
  const loadingMore = useSelector(actor, selectAuditIsLoadingMore)
  if (failed) {
    return <NotLoaded text={t('session.auditNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
  }
  if (loading || entries === null) {
    return (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t('session.auditLoading')}
      </p>
    )
  }
  if (entries.length === 0) return <p className="px-4 py-8 text-center text-ink-2">{t('session.auditNone')}</p>
  return (
    <>
      <table className="w-full text-left text-xs max-sm:block">
        <thead className="sticky top-0 bg-panel max-sm:sr-only">
          <tr className="border-line border-b">
            {[
              t('session.auditTime'),
              t('session.auditPerson'),
              t('session.auditAction'),
              t('session.auditDetails'),
              t('session.auditSource'),
            ].map((heading) => (
              <th key={heading} scope="col" className="px-4 py-2 font-medium">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
      {hasMore && (
        <div className="grid justify-items-center px-4 py-3">
          <Button aria-disabled={loadingMore} onClick={() => actor.send({ type: 'more.requested' })}>
            {loadingMore ? t('shared.loading') : t('session.auditMore')}
          </Button>
        </div>
      )}
    </>
  )
}

/** A row of the table; on narrow screens its cells stand below each other. */
function Entry({ entry }: { entry: AuditEntryRow }) {
  const cell = 'px-4 py-2 align-top [overflow-wrap:anywhere] max-sm:block max-sm:px-0 max-sm:py-0'
  const row = auditRowText(entry)
  const details = auditDetailsText(entry)
  return (
    <tr className="border-line border-b last:border-b-0 max-sm:grid max-sm:gap-0.5 max-sm:px-4 max-sm:py-3">
      <td className={`${cell} whitespace-nowrap text-ink-2`}>
        <time dateTime={entry.created_at}>{dateAndTime(entry.created_at)}</time>
      </td>
      <td className={`${cell} font-medium`}>
        <bdi>{safeName(entry.staff_name ?? '') || t('session.auditUnknownPerson')}</bdi>
      </td>
      <td className={cell}>{auditActionText(entry.action)}</td>
      <td className={`${cell} text-ink-2`}>
        {details !== '' && <bdi className="block">{safeName(details)}</bdi>}
        {row !== '' && <bdi className="block">{safeName(row)}</bdi>}
      </td>
      <td className={`${cell} whitespace-nowrap text-ink-2`} title={entry.user_agent ?? undefined}>
        {entry.address}
      </td>
    </tr>
  )
}
