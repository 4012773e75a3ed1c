import { type ComponentProps, useId } from 'react'
import { t } from '../../texts/shared.ts'
import { classNames } from './class-names.ts'

/** A line of text to type into. */
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
  /** It has to be filled: marked for the eye. The field itself is to carry `required`, or `aria-required`. */
  required?: boolean | undefined
}

/** What stands over a field. */
export function FieldLabel({ required, children, ...rest }: FieldLabelProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: `htmlFor` comes with the rest
    <label className={classNames('font-medium text-xs', required && 'needed')} {...rest}>
      {children}
    </label>
  )
}

/** What the star at a label means; for a form in which some fields may stay empty. */
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
  /** It is wrong together with another field; what is wrong is said elsewhere. */
  isInvalid?: boolean
  /** The id of what else is to be read with it. */
  describedBy?: string | undefined
}

/** A labelled text input; an error is shown under it and read with it. */
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

/** The browser's own select in the product's look. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <select
      className={classNames(
        'h-8 min-w-0 text-ellipsis rounded-ui border border-edge bg-panel px-2 font-medium text-ink text-xs touch:min-h-11 disabled:opacity-55',
        className,
      )}
      {...rest}
    />
  )
}
