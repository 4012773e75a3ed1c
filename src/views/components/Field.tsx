import { type ComponentProps, useId } from 'react'
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
      <label htmlFor={id} className="font-medium text-xs">
        {label}
      </label>
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
