import { Eye, EyeOff } from 'lucide-react'
import { type KeyboardEvent, type Ref, useId, useState } from 'react'
import { t } from '../../texts/session.ts'
import { IconButton } from '../components/Button.tsx'
import { FieldLabel, TextInput } from '../components/Field.tsx'

type PasswordFieldProps = {
  label: string
  name: string
  autoComplete: 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
  /** The error of this field, shown below it. */
  error: string | null
  /** Marks the field as invalid without an error text, when another element shows the error for several fields. */
  isInvalid?: boolean
  /** The id of an element that also describes the field. */
  describedBy?: string | undefined
  isShown: boolean
  /** Shows the button that reveals the password. Without it, the visibility follows another field. */
  onShow?: (isShown: boolean) => void
  readOnly?: boolean
  ref?: Ref<HTMLInputElement>
}

/** A password field that can reveal its content and warns while Caps Lock is on. */
export function PasswordField({
  label,
  error,
  isInvalid = false,
  describedBy,
  isShown,
  onShow,
  onChange,
  ...rest
}: PasswordFieldProps) {
  const [isCapsLockOn, setCapsLockOn] = useState(false)
  const id = useId()
  const watchCapsLock = (event: KeyboardEvent) => setCapsLockOn(event.getModifierState('CapsLock'))
  const descriptions = [error === null ? null : `${id}-error`, isCapsLockOn ? `${id}-caps` : null, describedBy]
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id} required>
        {label}
      </FieldLabel>
      <div className="relative">
        <TextInput
          {...rest}
          id={id}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
          onBlur={() => setCapsLockOn(false)}
          aria-invalid={error !== null || isInvalid || undefined}
          aria-describedby={descriptions.filter(Boolean).join(' ') || undefined}
          className={onShow && 'pr-10 touch:pr-12'}
        />
        {onShow && (
          <IconButton
            label={t(isShown ? 'session.hide' : 'session.show', { field: label.toLowerCase() })}
            aria-pressed={isShown}
            onClick={() => onShow(!isShown)}
            className="absolute inset-y-0.5 right-0.5 touch:inset-y-0 touch:right-0"
          >
            {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
          </IconButton>
        )}
      </div>
      {error !== null && (
        <p id={`${id}-error`} className="text-bad text-xs">
          {error}
        </p>
      )}
      {/* Rendered empty, so that screen readers announce later content. */}
      <p role="status" id={`${id}-caps`} className="text-warn text-xs empty:hidden">
        {isCapsLockOn && t('session.capsLock')}
      </p>
    </div>
  )
}
