import { businessDay } from '../../domain/client/business-day.ts'
import { safeName } from '../../domain/shown-text.ts'
import { selectClients, selectHasFailed, selectIsBusy, selectRestoring } from '../../machines/client/removed-clients.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { removalLimits } from '../../schemas/client-removal.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import { useBusiness } from './use-business.ts'

const shownName = (name: string): string => safeName(name) || t('client.unnamedClient')

/** The clients that were deleted or merged, each with a button that restores it. */
export default function RemovedClientsDialog({ actor, title, onDismiss }: DialogProps<'removedClients'>) {
  const clients = useSelector(actor, selectClients)
  const hasFailed = useSelector(actor, selectHasFailed)
  const isBusy = useSelector(actor, selectIsBusy)
  const restoring = useSelector(actor, selectRestoring)
  const business = useBusiness()
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="scroller grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-3 p-4">
        <p className="text-ink-2">{t('client.removedHelp', { days: removalLimits.days })}</p>
        {clients === null && !hasFailed && (
          <p role="status" className="text-ink-2">
            {t('client.loading')}
          </p>
        )}
        {hasFailed && (
          <>
            <p className="text-ink-2">{t('client.removedNotLoaded')}</p>
            <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />
          </>
        )}
        {clients?.length === 0 && <p>{t('client.removedNone')}</p>}
        {clients !== null && clients.length > 0 && (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {clients.map(({ id, name, kept, removed_at, removed_by, undo_until }) => (
              <li key={id} className="flex items-center justify-between gap-3 rounded-ui border border-line px-3 py-2">
                <div className="min-w-0 [overflow-wrap:anywhere]">
                  <p dir="auto" className="font-medium">
                    {shownName(name)}
                  </p>
                  <p className="text-ink-2 text-xs">
                    {kept === null
                      ? t('client.removedFact', { date: businessDay(removed_at, business) })
                      : t('client.mergedFact', {
                          name: shownName(kept.name),
                          date: businessDay(removed_at, business),
                        })}
                    {removed_by !== null && ` · ${safeName(removed_by)}`}
                  </p>
                  <p className="text-ink-2 text-xs">
                    {t('client.undoUntil', { date: businessDay(undo_until, business) })}
                  </p>
                </div>
                <Button
                  className="shrink-0"
                  aria-label={t('client.restoreNamed', { name: shownName(name) })}
                  aria-disabled={isBusy}
                  aria-busy={restoring === id}
                  onClick={() => actor.send({ type: 'restore.requested', id })}
                >
                  {t('client.restore')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </DialogFrame>
  )
}
