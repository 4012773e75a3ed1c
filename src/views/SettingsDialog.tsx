import { type ReactNode, useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { settingsForm } from '../machines/settings-form.ts'
import { t } from '../texts/shared-on-demand.ts'
import { Button } from './components/Button.tsx'
import { classNames } from './components/class-names.ts'
import { DialogFrame } from './components/DialogFrame.tsx'
import { DiscardDialog } from './components/DiscardDialog.tsx'
import { SubmitButton } from './components/SubmitButton.tsx'
import { TryAgain } from './components/TryAgain.tsx'
import { useSelector } from './use-selector.ts'

type Form<Settings, Facts> = ReturnType<typeof settingsForm<Settings, Facts>>

type SettingsDialogProps<Settings, Facts> = {
  actor: ActorRefFrom<Form<Settings, Facts>['machine']>
  form: Form<Settings, Facts>
  title: string
  onDismiss: () => void
  texts: { loading: string; failed: string; overtaken: string; save: string }
  /** The width from 640 px on. A phone shows the dialog on the whole screen. */
  className: string
  children: (settings: Settings, saving: boolean) => ReactNode
}

/** A dialog with one document of settings (`settingsForm`). */
export function SettingsDialog<Settings, Facts>({
  actor,
  form,
  title,
  onDismiss,
  texts,
  className,
  children,
}: SettingsDialogProps<Settings, Facts>) {
  const settings = useSelector(actor, form.selectSettings)
  const hasFailed = useSelector(actor, form.selectHasFailed)
  const isOvertaken = useSelector(actor, form.selectIsOvertaken)
  const saving = useSelector(actor, form.selectIsSaving)
  const blockedReason = useSelector(actor, form.selectBlockedReason)
  const asksToDiscard = useSelector(actor, form.selectAsksToDiscard)
  const id = useId()
  const close = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      className={classNames('max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0', className)}
    >
      <div className="scroller min-h-0 flex-1">
        {settings === null ? (
          <div className="grid justify-items-start gap-3 p-4">
            <p role={hasFailed ? 'alert' : 'status'} className="text-ink-2">
              {hasFailed ? texts.failed : texts.loading}
            </p>
            {hasFailed && <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />}
          </div>
        ) : (
          <form
            id={id}
            noValidate
            aria-label={title}
            onSubmit={(event) => {
              event.preventDefault()
              actor.send({ type: 'settings.submitted' })
            }}
          >
            {children(settings, saving)}
          </form>
        )}
      </div>
      {isOvertaken && (
        <p role="alert" className="border-line border-t bg-warn-soft px-4 py-2 text-warn text-xs">
          {texts.overtaken}
        </p>
      )}
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button ref={close} disabled={saving} onClick={onDismiss}>
          {t('shared.close')}
        </Button>
        {/* After a save nothing is left to save, so this button stays disabled. */}
        <SubmitButton form={id} busy={saving} blockedReason={blockedReason} focusFallback={close}>
          {saving ? t('shared.saving') : texts.save}
        </SubmitButton>
      </footer>
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </DialogFrame>
  )
}

/** A named part of the settings. */
export function Group({ name, disabled, children }: { name: string; disabled: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={disabled} className="border-line px-4 py-3 not-first:border-t">
      <legend className="float-left mb-2 w-full font-semibold">{name}</legend>
      <div className="clear-both grid gap-2">{children}</div>
    </fieldset>
  )
}

type CheckProps = {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  label: string
  note?: string
  describedBy?: string | undefined
}

/** A checkbox with its label, and a note below. */
export function Check({ isChecked, onChange, label, note, describedBy }: CheckProps) {
  const own = useId()
  return (
    <div className="grid">
      <label className="flex w-fit cursor-pointer items-center gap-2 touch:min-h-11">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={isChecked}
          aria-describedby={note === undefined ? describedBy : own}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {note !== undefined && (
        <p id={own} className="pl-6 text-ink-2 text-xs">
          {note}
        </p>
      )}
    </div>
  )
}
