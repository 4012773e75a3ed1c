import { type ReactNode, useCallback } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import type { AutoSyncState } from '../../machines/sync/auto-sync.ts'
import type { AutoSyncRun, AutoSyncStatus } from '../../schemas/auto-sync.ts'
import { t } from '../../texts/sync-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { useTimedText } from '../components/clock.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { autoSyncTones, useAutoSyncWord, useKnownAt } from './use-auto-sync.ts'

const badgeTones = { ok: 'ok', warn: 'warn', bad: 'bad', idle: 'neutral' } as const

/** The last run of the automatic sync, its result, and the next run (spec section 2, Auto-Sync Status panel). */
export function AutoSyncStatusPanel({ state, status }: { state: AutoSyncState; status: AutoSyncStatus | null }) {
  const word = useAutoSyncWord()
  return (
    <section aria-label={t('sync.autoSyncStatus')} className="grid gap-2 px-4 py-3">
      <h3 className="flex items-center justify-between gap-3 font-semibold">
        {t('sync.autoSyncStatus')}
        <Badge tone={badgeTones[autoSyncTones[state]]}>{word}</Badge>
      </h3>
      {status === null ? (
        <p role="status" className="min-h-24 text-ink-2">
          {t('sync.statusUnknown')}
        </p>
      ) : (
        <>
          <dl className="grid grid-cols-3 gap-3">
            <Fact label={t('sync.lastSync')}>
              {status.lastSyncTime == null ? t('sync.never') : <RelativeTime moment={status.lastSyncTime} />}
            </Fact>
            <Fact label={t('sync.nextSync')}>
              <NextSync status={status} />
            </Fact>
            <Fact label={t('sync.runningNow')}>{state === 'syncing' ? t('sync.yes') : t('sync.no')}</Fact>
          </dl>
          {status.lastRun != null && <Run run={status.lastRun} />}
        </>
      )}
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-2 text-xs">{label}</dt>
      <dd className="truncate font-medium">{children}</dd>
    </div>
  )
}

/** Counts down from the time when the status arrived. */
function NextSync({ status: { nextSyncIn } }: { status: AutoSyncStatus }) {
  const knownAt = useKnownAt()
  return useTimedText(
    useCallback(
      (now) => {
        if (nextSyncIn == null || knownAt === null) return t('sync.noneDue')
        const minutes = Math.ceil((nextSyncIn * 1_000 - (now - knownAt)) / 60_000)
        return minutes <= 0 ? t('sync.dueNow') : t('sync.inMinutes', { minutes })
      },
      [nextSyncIn, knownAt],
    ),
  )
}

const outcomes = {
  running: 'sync.underWay',
  completed: 'sync.runCompleted',
  stopped: 'sync.runStopped',
  failed: 'sync.runFailed',
} as const satisfies Record<AutoSyncRun['state'], string>

/** The result of a run for each social page. */
function Run({ run }: { run: AutoSyncRun }) {
  const by = safeName(run.started_by_name ?? '')
  return (
    <div className="grid gap-1 rounded-ui bg-sunken px-3 py-2 text-xs">
      <p>
        {t('sync.runOutcome', {
          run: run.trigger === 'forced' ? t('sync.forcedRun', { name: by || t('sync.staff') }) : t('sync.scheduledRun'),
          date: dateAndTime(run.started_at),
          outcome: t(outcomes[run.state]),
          count: run.messages,
        })}
      </p>
      {run.pages.length > 0 && (
        <ul className="grid gap-0.5">
          {run.pages.map((page) => (
            <li key={page.page_id} className="flex justify-between gap-3">
              <bdi className="shrink-0 font-medium">{safeName(page.page_name)}</bdi>
              {page.error ? (
                <span className="text-right text-bad">
                  {safeText(page.error)}
                  {page.retry_at != null && ` ${t('sync.triedAgain', { date: dateAndTime(page.retry_at) })}`}
                </span>
              ) : (
                <span className="text-ink-2">{t('sync.newCount', { count: page.messages })}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
