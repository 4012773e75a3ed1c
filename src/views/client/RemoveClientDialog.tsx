import { clientNameOf } from '../../domain/client/client-linking.ts'
import {
  selectHasFailed,
  selectIsAsking,
  selectIsRemoving,
  selectSummary,
} from '../../machines/client/remove-client.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { removalLimits } from '../../schemas/client-removal.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

/** Asks whether to delete a client, and says what happens to its orders, payments and chat. */
export default function RemoveClientDialog({ actor, title, onDismiss }: DialogProps<'removeClient'>) {
  const summary = useSelector(actor, selectSummary)
  const hasFailed = useSelector(actor, selectHasFailed)
  const isAsking = useSelector(actor, selectIsAsking)
  const isRemoving = useSelector(actor, selectIsRemoving)
  return (
    <DialogFrame title={title} onDismiss={onDismiss} className="w-105 max-w-full">
      <div className="grid gap-3 p-4 [overflow-wrap:anywhere]">
        {summary === null ? (
          <p role="status" className="text-ink-2">
            {hasFailed ? t('client.profileNotLoaded') : t('client.loading')}
          </p>
        ) : (
          <>
            <p>{t('client.removeQuestion', { name: clientNameOf(summary.client) || t('client.unnamedClient') })}</p>
            <ul className="grid list-disc gap-1 pl-5 text-ink-2">
              <li>{t('client.removeOrders', { orders: summary.orders, payments: summary.payments })}</li>
              {summary.client.fb_user_id != null && <li>{t('client.removeChat')}</li>}
              <li>{t('client.removeUndo', { days: removalLimits.days })}</li>
            </ul>
          </>
        )}
        {hasFailed && <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />}
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button disabled={isRemoving} onClick={onDismiss}>
          {t('shared.cancel')}
        </Button>
        <Button variant="danger" disabled={!isAsking} onClick={() => actor.send({ type: 'removal.confirmed' })}>
          {t('client.removeConfirm')}
        </Button>
      </footer>
    </DialogFrame>
  )
}
