import { type ComponentProps, useId } from 'react'
import { t } from '../../texts/shared.ts'
import { classNames } from './class-names.ts'

/** A single-line text input. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      className={classNames(
        'h-9 w-full min-w-0 rounded-ui border border-edge bg-panel px-3 text-ink touch:min-h-11 disabled:opacity-55 aria-invalid:border-bad',
        className,
      )}
      {...rest}
    />
  )
}

type FieldLabelProps = ComponentProps<'label'> & {
  /** Shows the required mark. The mark is only visual: the field itself must also set `required` or `aria-required`. */
  required?: boolean | undefined
}

/** The label of a field. */
export function FieldLabel({ required, children, ...rest }: FieldLabelProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: `htmlFor` is passed with the other props
    <label className={classNames('font-medium text-xs', required && 'needed')} {...rest}>
      {children}
    </label>
  )
}

/** Explains the star at required labels. For forms that also have optional fields. */
export function NeededNote() {
  return (
    <p aria-hidden="true" className="mr-auto self-center text-2xs text-ink-3">
      {t('shared.needed')}
    </p>
  )
}

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  error?: string | null
  /** Marks the field as invalid without an error text, when another element shows the error for several fields. */
  isInvalid?: boolean
  /** The id of an element that also describes the field. */
  describedBy?: string | undefined
}

/** A labelled text input. The error is shown below the input and linked to it for screen readers. */
export function Field({ label, error, isInvalid = false, describedBy, ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id} required={rest.required}>
        {label}
      </FieldLabel>
      <TextInput
        id={id}
        aria-invalid={error || isInvalid ? true : undefined}
        aria-describedby={[error ? `${id}-error` : '', describedBy].filter(Boolean).join(' ') || undefined}
        {...rest}
      />
      {error && (
        <p id={`${id}-error`} className="text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  )
}
