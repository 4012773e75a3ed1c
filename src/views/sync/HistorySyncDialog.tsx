import { useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import { historySyncToasts } from '../../domain/sync/dialog-toasts.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import {
  type historySyncMachine,
  selectBlockedReason,
  selectForm,
  selectHasStatusFailed,
  selectIsStatusLoading,
  selectIsSynced,
  selectIsUnreachable,
  selectLimitProblem,
  selectStep,
} from '../../machines/sync/history-sync.ts'
import type { HistorySync } from '../../schemas/sync.ts'
import { t } from '../../texts/sync-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field, FieldLabel } from '../components/Field.tsx'
import { Select } from '../components/Select.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { usePages } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'

export type HistorySyncActor = ActorRefFrom<typeof historySyncMachine>

const [least, most] = limits.historySync.range
const count = new Intl.NumberFormat()

/** Fetches old conversations of a social page (spec section 2, Sync Historical Messages modal). */
export default function HistorySyncDialog({ actor, title, onDismiss }: DialogProps<'historySync'>) {
  const id = useId()
  const { pages } = usePages()
  const { pageId, platform, limit, job } = useSelector(actor, selectForm)
  const step = useSelector(actor, selectStep)
  const synced = useSelector(actor, selectIsSynced)
  const first = useRef<HTMLSelectElement>(null)
  const busy = step !== 'choosing'
  const limitProblem = useSelector(actor, selectLimitProblem)
  const blockedReason = useSelector(actor, selectBlockedReason)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={first}
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <form
        noValidate
        aria-label={t('sync.historyForm')}
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          actor.send({ type: 'sync.requested' })
        }}
      >
        <div className="scroller grid min-h-0 flex-1 content-start gap-3 px-4 py-3">
          <div className="grid gap-1">
            <FieldLabel htmlFor={`${id}-page`} required>
              {t('shared.page')}
            </FieldLabel>
            <Select
              id={`${id}-page`}
              ref={first}
              required
              className="h-9 w-full"
              value={pageId ?? ''}
              disabled={busy}
              onChange={(event) => actor.send({ type: 'page.chosen', pageId: event.target.value || null })}
            >
              <option value="">{t('sync.selectPage')}</option>
              {pages.map((page) => (
                <option key={page.page_id} value={page.page_id}>
                  {safeName(page.page_name)}
                </option>
              ))}
            </Select>
          </div>
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <div className="grid gap-1">
              <FieldLabel htmlFor={`${id}-platform`}>{t('sync.platform')}</FieldLabel>
              <Select
                id={`${id}-platform`}
                className="h-9 w-full"
                value={platform}
                disabled={busy}
                onChange={(event) =>
                  actor.send({
                    type: 'platform.chosen',
                    platform: event.target.value === 'instagram' ? 'instagram' : 'messenger',
                  })
                }
              >
                <option value="messenger">{t('shared.messenger')}</option>
                <option value="instagram">{t('shared.instagram')}</option>
              </Select>
            </div>
            <Field
              label={t('sync.limit', { most })}
              type="number"
              inputMode="numeric"
              required
              min={least}
              max={most}
              step={1}
              value={limit}
              disabled={busy}
              error={limitProblem}
              onChange={(event) => actor.send({ type: 'limit.typed', limit: event.target.value })}
            />
          </div>
          {pageId !== null && <PageStatus actor={actor} />}
          <p className="rounded-ui bg-warn-soft px-3 py-2 text-warn text-xs">
            {t('sync.historyWarning', { count: limits.historySync.perConversation })}
          </p>
          <div role="status">
            {synced && <p className="rounded-ui border border-line px-3 py-2 font-semibold">{t(titles.completed)}</p>}
            {job !== null && <Progress actor={actor} job={job} />}
          </div>
        </div>
        <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
          {step === 'running' || step === 'cancelling' ? (
            <Button disabled={step === 'cancelling'} onClick={() => actor.send({ type: 'cancel.requested' })}>
              {step === 'cancelling' ? t('sync.cancelling') : t('sync.cancelSync')}
            </Button>
          ) : (
            <Button disabled={busy} onClick={onDismiss}>
              {t('shared.close')}
            </Button>
          )}
          <SubmitButton busy={busy} blockedReason={blockedReason}>
            {busy ? t('shared.syncing') : t('sync.startSync')}
          </SubmitButton>
        </footer>
      </form>
    </DialogFrame>
  )
}

/** The stored messages of the chosen social page. */
function PageStatus({ actor }: { actor: HistorySyncActor }) {
  const { status } = useSelector(actor, selectForm)
  const loading = useSelector(actor, selectIsStatusLoading)
  const failed = useSelector(actor, selectHasStatusFailed)
  if (failed) {
    return (
      <p className="flex min-h-21 items-center justify-between gap-2 rounded-ui border border-line px-3 py-2 text-ink-2">
        {historySyncToasts.statusFailed.text}
        <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />
      </p>
    )
  }
  return (
    <div aria-busy={loading} className="grid min-h-21 content-center gap-1 rounded-ui border border-line px-3 py-2">
      {status === null ? (
        <p className="text-ink-2">{t('sync.loadingStatus')}</p>
      ) : (
        <>
          <dl className="grid grid-cols-2 gap-x-3">
            <Figure label={t('sync.totalMessages')} value={status.totalMessages} />
            <Figure label={t('sync.historicalMessages')} value={status.historicalMessages} />
          </dl>
          <p className={status.hasHistoricalSync ? 'text-ok text-xs' : 'text-warn text-xs'}>
            {t(status.hasHistoricalSync ? 'sync.hasHistory' : 'sync.hasNoHistory')}
          </p>
        </>
      )}
    </div>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-ink-2 text-xs">{label}</dt>
      <dd className="font-semibold">{count.format(value)}</dd>
    </div>
  )
}

const titles = {
  queued: 'sync.jobQueued',
  running: 'sync.jobRunning',
  completed: 'sync.jobCompleted',
  failed: 'sync.jobFailed',
  cancelled: 'sync.jobCancelled',
} as const satisfies Record<HistorySync['state'], string>

/** The progress of a sync, or its result. */
function Progress({ actor, job }: { actor: HistorySyncActor; job: HistorySync }) {
  const step = useSelector(actor, selectStep)
  const isUnreachable = useSelector(actor, selectIsUnreachable)
  const done = Math.min(job.conversations_done, job.limit)
  return (
    <div className="grid gap-1.5 rounded-ui border border-line px-3 py-2">
      <p className="flex justify-between gap-3">
        <b className={job.state === 'failed' ? 'font-semibold text-bad' : 'font-semibold'}>{t(titles[job.state])}</b>
        <span className="text-ink-2 text-xs">
          {t('sync.jobSize', {
            platform: t(job.platform === 'instagram' ? 'shared.instagram' : 'shared.messenger'),
            count: job.limit,
          })}
        </span>
      </p>
      {step !== 'choosing' && (
        <progress
          aria-label={t('sync.conversationsDone')}
          className="progress"
          max={job.limit}
          value={job.state === 'queued' ? undefined : done}
        />
      )}
      <p>
        {t('sync.jobDone', { conversations: job.conversations_done, messages: job.messages_stored })}
        {job.unreadable > 0 && `, ${t('sync.jobUnreadable', { count: job.unreadable })}`}
      </p>
      {job.error && (
        <p className={job.state === 'failed' ? 'text-bad text-xs' : 'text-warn text-xs'}>{safeText(job.error)}</p>
      )}
      {isUnreachable && <p className="text-warn text-xs">{t('sync.noNews')}</p>}
      {step !== 'choosing' && !isUnreachable && <p className="text-ink-2 text-xs">{t('sync.goesOnClosed')}</p>}
    </div>
  )
}
