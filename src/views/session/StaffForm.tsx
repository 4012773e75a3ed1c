import { useEffect, useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { roleText } from '../../domain/session/role-text.ts'
import type { StaffFields } from '../../domain/session/staff-fields.ts'
import {
  selectStaffAsksToDiscard,
  selectStaffBlockedReason,
  selectStaffError,
  selectStaffFields,
  selectStaffIsNew,
  selectStaffIsSaving,
  type staffFormMachine,
} from '../../machines/session/staff-form.ts'
import { staffLimits, staffRoles } from '../../schemas/staff.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { Field, FieldLabel, NeededNote, Select } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { useSelector } from '../use-selector.ts'

/** The form for a new or existing member of staff. */
export function StaffForm({ actor }: { actor: ActorRefFrom<typeof staffFormMachine> }) {
  const fields = useSelector(actor, selectStaffFields)
  const error = useSelector(actor, selectStaffError)
  const isNew = useSelector(actor, selectStaffIsNew)
  const saving = useSelector(actor, selectStaffIsSaving)
  const blockedReason = useSelector(actor, selectStaffBlockedReason)
  const asksToDiscard = useSelector(actor, selectStaffAsksToDiscard)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus(), [])
  const heading = useId()
  const role = useId()
  const change = (changed: Partial<StaffFields>) => actor.send({ type: 'fields.typed', change: changed })
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={heading}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'form.submitted' })
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">
        <h3 id={heading} className="font-semibold">
          {isNew ? t('session.staffAdd') : t('session.staffEdit')}
        </h3>
        {error !== null && (
          <p role="alert" className="rounded-ui bg-bad-soft px-3 py-2 text-bad">
            {error}
          </p>
        )}
        <Field
          label={t('session.staffEmail')}
          type="email"
          required={isNew}
          autoComplete="off"
          maxLength={staffLimits.email}
          readOnly={saving || !isNew}
          value={fields.email}
          onChange={({ target }) => change({ email: target.value })}
        />
        <Field
          label={t('session.staffName')}
          required
          autoComplete="off"
          maxLength={staffLimits.name}
          readOnly={saving}
          value={fields.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <div className="grid gap-1">
          <FieldLabel htmlFor={role}>{t('session.staffRole')}</FieldLabel>
          <Select
            id={role}
            className="h-9 w-full border-edge!"
            aria-describedby={`${role}-advice`}
            value={fields.role}
            disabled={saving}
            onChange={({ target }) =>
              change({ role: staffRoles.find((known) => known === target.value) ?? fields.role })
            }
          >
            {staffRoles.map((known) => (
              <option key={known} value={known}>
                {roleText(known)}
              </option>
            ))}
          </Select>
          <p id={`${role}-advice`} className="text-ink-2 text-xs">
            {t('session.roleAdvice')}
          </p>
        </div>
        {!isNew && (
          <div className="grid gap-1">
            <label className="flex h-9 cursor-pointer items-center gap-2 touch:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                aria-describedby={`${role}-ends`}
                checked={fields.isActive}
                disabled={saving}
                onChange={({ target }) => change({ isActive: target.checked })}
              />
              {t('shared.active')}
            </label>
            <p id={`${role}-ends`} className="text-ink-2 text-xs">
              {t('session.staffEndsSessions')}
            </p>
          </div>
        )}
      </div>
      <footer className="flex shrink-0 items-center justify-end gap-2 border-line border-t px-4 py-3">
        <NeededNote />
        <Button disabled={saving} onClick={() => actor.send({ type: 'form.cancelled' })}>
          {t('shared.cancel')}
        </Button>
        <SubmitButton busy={saving} blockedReason={blockedReason}>
          {saving ? t('shared.saving') : isNew ? t('session.staffAdd') : t('session.staffSave')}
        </SubmitButton>
      </footer>
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </form>
  )
}
