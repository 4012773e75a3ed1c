import { useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { dateAndTime } from '../../domain/moments.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  settingsBlockedReason,
  settingsProblems,
  shownSettings,
  type TypedSettings,
} from '../../domain/sync/sync-settings.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import {
  type autoSyncControlMachine,
  selectAsksToDiscard,
  selectIsSaving,
  selectIsToggling,
  selectTyped,
} from '../../machines/sync/auto-sync-control.ts'
import { t } from '../../texts/sync-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { Field } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { useMay } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { AutoSyncStatusPanel } from './AutoSyncStatusPanel.tsx'
import { useAutoSync } from './use-auto-sync.ts'

export type AutoSyncControlActor = ActorRefFrom<typeof autoSyncControlMachine>

const { intervalRange, hoursBackRange } = limits.autoSync

/** Controls the automatic sync and shows its status (spec section 2, Auto-sync control modal and status panel). */
export default function AutoSyncDialog({ actor, title, onDismiss }: DialogProps<'autoSyncControl'>) {
  const { state, status, force, forcing } = useAutoSync()
  const typed = useSelector(actor, selectTyped)
  const saving = useSelector(actor, selectIsSaving)
  const asksToDiscard = useSelector(actor, selectAsksToDiscard)
  const toggling = useSelector(actor, selectIsToggling)
  const [first, close] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  const [mayManage, mayForce] = [useMay('sync.manage'), useMay('sync.run')]
  const shown = shownSettings(status)
  const settings = typed ?? shown
  const busy = saving || toggling
  const problems = settingsProblems(settings)
  const blockedReason = settingsBlockedReason(settings, shown)
  const edit = (change: Partial<TypedSettings>) =>
    actor.send({ type: 'settings.edited', settings: { ...settings, ...change }, shown })
  const changed = status?.settings
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={first}
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="scroller min-h-0 flex-1">
        <AutoSyncStatusPanel state={state} status={status} />
        <div className="flex flex-wrap gap-2 px-4 pb-4">
          {mayManage &&
            (status?.isRunning ? (
              <Button ref={first} disabled={busy} onClick={() => actor.send({ type: 'stop.requested' })}>
                {toggling ? t('sync.stopping') : t('sync.stop')}
              </Button>
            ) : (
              <Button ref={first} disabled={busy} onClick={() => actor.send({ type: 'start.requested' })}>
                {toggling ? t('sync.starting') : t('sync.start')}
              </Button>
            ))}
          {mayForce && (
            <Button disabled={forcing} onClick={force}>
              {forcing ? t('sync.syncingNow') : t('sync.forceSync')}
            </Button>
          )}
        </div>
        <form
          id="auto-sync-settings"
          noValidate
          aria-label={t('sync.autoSyncSettings')}
          className="grid gap-3 border-line border-t px-4 py-3"
          onSubmit={(event) => {
            event.preventDefault()
            actor.send({ type: 'settings.submitted', settings, shown })
          }}
        >
          <div className="grid grid-cols-2 items-start gap-3">
            <Field
              label={t('sync.interval')}
              type="number"
              inputMode="numeric"
              required
              min={intervalRange[0]}
              max={intervalRange[1]}
              value={settings.interval}
              readOnly={saving || !mayManage}
              error={problems.interval}
              onChange={(event) => edit({ interval: event.target.value })}
            />
            <Field
              label={t('sync.hoursBack')}
              type="number"
              inputMode="numeric"
              required
              min={hoursBackRange[0]}
              max={hoursBackRange[1]}
              value={settings.hoursBack}
              readOnly={saving || !mayManage}
              error={problems.hoursBack}
              onChange={(event) => edit({ hoursBack: event.target.value })}
            />
          </div>
          <label className="flex w-fit cursor-pointer items-center gap-2 touch:min-h-11">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={settings.enabled}
              disabled={saving || !mayManage}
              onChange={(event) => edit({ enabled: event.target.checked })}
            />
            {t('sync.enabled')}
          </label>
          {!mayManage && <p className="text-ink-2 text-xs">{t('sync.readOnly')}</p>}
          <p className="text-ink-2 text-xs">
            {changed?.last_updated_at == null
              ? t('sync.neverChanged')
              : t('sync.lastUpdated', {
                  name: safeName(changed.last_updated_by ?? '') || t('shared.unknown'),
                  date: dateAndTime(changed.last_updated_at),
                })}
          </p>
        </form>
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button ref={close} disabled={busy} onClick={onDismiss}>
          {t('shared.close')}
        </Button>
        {mayManage && (
          // After a save nothing is left to save, so this button stays disabled.
          <SubmitButton form="auto-sync-settings" busy={busy} blockedReason={blockedReason} focusFallback={close}>
            {saving ? t('shared.saving') : t('sync.saveSettings')}
          </SubmitButton>
        )}
      </footer>
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </DialogFrame>
  )
}
