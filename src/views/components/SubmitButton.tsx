import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { Button } from './Button.tsx'

type SubmitButtonProps = {
  /** What the user must correct before the form can be submitted; null if nothing. */
  blockedReason: string | null
  busy: boolean
  /** The id of the form, if the button is outside the form. */
  form?: string
  /** The control that gets the focus after a save if the button stays disabled. */
  focusFallback?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Submits a form. While it is disabled, its accessible description and its tooltip give the reason. */
export function SubmitButton({ blockedReason, busy, form, focusFallback, children }: SubmitButtonProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)

  // The browser takes the focus from a button that is disabled. Afterwards the button gets the focus back, if it is enabled.
  useEffect(() => {
    if (!busy) return
    return () => {
      const isLost = () => document.activeElement === document.body
      if (isLost()) button.current?.focus()
      if (isLost()) focusFallback?.current?.focus()
    }
  }, [busy, focusFallback])

  return (
    <>
      <Button
        ref={button}
        type="submit"
        form={form}
        variant="primary"
        disabled={busy || blockedReason !== null}
        aria-describedby={id}
        title={blockedReason ?? undefined}
      >
        {children}
      </Button>
      <span id={id} className="sr-only">
        {blockedReason}
      </span>
    </>
  )
}
