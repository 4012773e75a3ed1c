import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { FormEnd } from '../../machines/leaving-forms.ts'
import { t } from '../../texts/shared-on-demand.ts'
import { Button } from './Button.tsx'
import { DiscardDialog } from './DiscardDialog.tsx'
import { NeededNote } from './Field.tsx'
import { SubmitButton } from './SubmitButton.tsx'

type FormFrameProps = {
  actor: { send: (event: FormEnd | { type: 'form.submitted' }) => void }
  /** None if the title of the dialog says it. */
  heading?: ReactNode
  /** The name of the form, if there is no heading or it is no name for the form. */
  label?: string
  /** The error of the last failed attempt; null if there is none. */
  error: string | null
  isSaving: boolean
  /** The reason why the form cannot be submitted; null if it can. */
  blockedReason: string | null
  asksToDiscard: boolean
  /** The text of the submit button. It differs while the form is saved. */
  submit: string
  /** Buttons before the submit button. */
  actions?: ReactNode
  /** The fields. */
  children: ReactNode
}

/** A form that fills a dialog: heading, error, fields, buttons, and the question whether to discard typed text. */
export function FormFrame(props: FormFrameProps) {
  const { actor, heading, label, error, isSaving, blockedReason, asksToDiscard, submit, actions, children } = props
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus(), [])
  const id = useId()
  return (
    <form
      ref={form}
      noValidate
      autoComplete="off"
      aria-label={label}
      aria-labelledby={label === undefined ? id : undefined}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'form.submitted' })
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">
        {heading !== undefined && (
          <h3 id={id} className="font-semibold">
            {heading}
          </h3>
        )}
        {error !== null && (
          <p role="alert" className="rounded-ui bg-bad-soft px-3 py-2 text-bad">
            {error}
          </p>
        )}
        {children}
      </div>
      <footer className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-3">
        <NeededNote />
        <Button disabled={isSaving} onClick={() => actor.send({ type: 'form.cancelled' })}>
          {t('shared.cancel')}
        </Button>
        {actions}
        <SubmitButton busy={isSaving} blockedReason={blockedReason}>
          {submit}
        </SubmitButton>
      </footer>
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </form>
  )
}
