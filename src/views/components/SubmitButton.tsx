import { type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'

type SubmitButtonProps = {
  /** What has to be mended before the form can be sent; null where nothing has. */
  blockedReason: string | null
  busy: boolean
  /** The id of the form, where the button stands outside it. */
  form?: string
  children: ReactNode
}

/** Sends a form. What hinders it is read with the button, for a disabled one does not say by itself why it is. */
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
