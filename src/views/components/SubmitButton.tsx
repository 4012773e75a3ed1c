import { type ReactNode, useEffect, useId, useRef } from 'react'
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
  const button = useRef<HTMLButtonElement>(null)

  // The browser takes the focus from a button that is disabled. After a failed attempt the button gets the focus back.
  useEffect(() => {
    if (!busy) return
    return () => {
      if (document.activeElement === document.body) button.current?.focus()
    }
  }, [busy])

  return (
    <>
      <Button
        ref={button}
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
