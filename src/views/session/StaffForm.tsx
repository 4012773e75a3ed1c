import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { roleText } from '../../domain/session/role-text.ts'
import { selectBlockedReason, type staffFormMachine } from '../../machines/session/staff-form.ts'
import { staffLimits, staffRoles } from '../../schemas/staff.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Field, FieldLabel } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { Select } from '../components/Select.tsx'
import { useItemForm } from '../use-item-form.ts'
import { useSelector } from '../use-selector.ts'

/** The form for a new or existing member of staff. */
export function StaffForm({ actor }: { actor: ActorRefFrom<typeof staffFormMachine> }) {
  const { fields, change, isNew, isSaving: saving, frame } = useItemForm(actor)
  const blockedReason = useSelector(actor, selectBlockedReason)
  const role = useId()
  return (
    <FormFrame
      {...frame}
      heading={isNew ? t('session.staffAdd') : t('session.staffEdit')}
      blockedReason={blockedReason}
      submit={saving ? t('shared.saving') : isNew ? t('session.staffAdd') : t('session.staffSave')}
    >
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
          onChange={({ target }) => change({ role: staffRoles.find((known) => known === target.value) ?? fields.role })}
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
    </FormFrame>
  )
}
