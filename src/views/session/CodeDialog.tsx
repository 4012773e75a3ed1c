import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type CodeEntryActor, selectIsChecking, selectRefusal } from '../../machines/session/code-entry.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { CodeField } from './CodeField.tsx'

/** Asks for a code of the second factor at sign-in. */
export default function CodeDialog({ actor, onDismiss }: { actor: CodeEntryActor; onDismiss: () => void }) {
  const refusal = useSelector(actor, selectRefusal)
  const isChecking = useSelector(actor, selectIsChecking)
  const [code, setCode] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const problem = wasSubmitted && code.trim() === '' ? t('session.codeMissing') : null

  useEffect(() => {
    if (refusal === null) return
    field.current?.focus()
    field.current?.select()
  }, [refusal])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (code.trim() === '') field.current?.focus()
    else actor.send({ type: 'code.submitted', code })
  }

  return (
    <DialogFrame
      title={t('session.codeTitle')}
      onDismiss={onDismiss}
      staysOnPressOutside
      initialFocus={field}
      className="w-full max-w-96"
    >
      <form
        noValidate
        aria-label={t('session.codeTitle')}
        aria-busy={isChecking}
        onSubmit={submit}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">
          <p className="text-ink-2">{t('session.codeIntroduction')}</p>
          <CodeField ref={field} value={code} onChange={setCode} error={refusal ?? problem} readOnly={isChecking} />
        </div>
        <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
          <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
          <Button type="submit" variant="primary" className="min-w-32" aria-disabled={isChecking}>
            {t(isChecking ? 'session.codeChecking' : 'session.codeSubmit')}
          </Button>
        </footer>
      </form>
    </DialogFrame>
  )
}
