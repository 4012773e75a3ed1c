import { type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'

type SubmitButtonProps = {
  /** What the user must correct before the form can be submitted; null if nothing. */
  blockedReason: string | null
  busy: boolean
  /** The id of the form, if the button is outside the form. */
  form?: string
  children: ReactNode
}

/** Submits a form. While it is disabled, its accessible description gives the reason. */
export function SubmitButton({ blockedReason, busy, form, children }: SubmitButtonProps) {
  const id = useId()
  return (
    <>
      <Button
        type="submit"
        form={form}
        variant="primary"
        disabled={busy || blockedReason !== null}
        aria-describedby={id}
      >
        {children}
      </Button>
      <span id={id} className="sr-only">
        {blockedReason}
      </span>
    </>
  )
}
