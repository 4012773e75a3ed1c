import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isEmailAddress } from '../../domain/email-address.ts'
import {
  type PasswordResetActor,
  type ResetPart,
  selectIsBusy,
  selectPart,
  selectRefusedPassword,
} from '../../machines/session/password-reset.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field } from '../components/Field.tsx'
import { useSelector } from '../use-selector.ts'
import { NewPasswordFields, useNewPassword } from './NewPasswordFields.tsx'

type Props = { actor: PasswordResetActor; onDismiss: () => void }

const says = {
  looking: 'shared.loading',
  failed: 'session.linkNotSent',
  unavailable: 'session.resetUnavailable',
  sent: 'session.linkSent',
  ended: 'session.linkEnded',
  saved: 'session.resetDone',
} as const satisfies Partial<Record<ResetPart, string>>

/** A new password for a person who forgot it: asks for a link by email, or for the password after a link. */
export default function PasswordResetDialog({ actor, onDismiss }: Props) {
  const part = useSelector(actor, selectPart)
  const shown = () => {
    if (part === 'asking') return <AskingForm actor={actor} onDismiss={onDismiss} />
    if (part === 'choosing') return <ChoosingForm actor={actor} onDismiss={onDismiss} />
    return (
      <Parts text={<p role="status">{t(says[part])}</p>}>
        <Button autoFocus onClick={onDismiss}>
          {t('shared.close')}
        </Button>
        {part === 'failed' && (
          <Button variant="primary" onClick={() => actor.send({ type: 'refetch.requested' })}>
            {t('shared.tryAgain')}
          </Button>
        )}
        {part === 'ended' && (
          <Button variant="primary" onClick={() => actor.send({ type: 'link.requested' })}>
            {t('session.linkSubmit')}
          </Button>
        )}
      </Parts>
    )
  }
  return (
    <DialogFrame title={t('session.resetTitle')} onDismiss={onDismiss} staysOnPressOutside className="w-full max-w-104">
      {shown()}
    </DialogFrame>
  )
}

function Parts({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <>
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">{text}</div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">{children}</footer>
    </>
  )
}

function AskingForm({ actor, onDismiss }: Props) {
  const isBusy = useSelector(actor, selectIsBusy)
  const [email, setEmail] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const typed = email.trim()
  const problem = isEmailAddress(typed) ? null : t(typed === '' ? 'session.emailMissing' : 'shared.emailInvalid')

  useEffect(() => field.current?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (problem !== null) field.current?.focus()
    else actor.send({ type: 'email.submitted', email: typed })
  }
  return (
    <form
      noValidate
      aria-label={t('session.resetTitle')}
      aria-busy={isBusy}
      onSubmit={submit}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Parts
        text={
          <>
            <p className="text-ink-2">{t('session.resetIntroduction')}</p>
            <Field
              ref={field}
              label={t('session.email')}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              readOnly={isBusy}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              error={wasSubmitted ? problem : null}
            />
          </>
        }
      >
        <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
        <Button type="submit" variant="primary" className="min-w-32" aria-disabled={isBusy}>
          {t('session.linkSubmit')}
        </Button>
      </Parts>
    </form>
  )
}

function ChoosingForm({ actor, onDismiss }: Props) {
  const isBusy = useSelector(actor, selectIsBusy)
  const refused = useSelector(actor, selectRefusedPassword)
  const passwordField = useRef<HTMLInputElement>(null)
  // The email is not known here: the server checks that the password differs from it.
  const input = useNewPassword('', passwordField)

  useEffect(() => {
    passwordField.current?.focus()
    if (refused !== null) passwordField.current?.select()
  }, [refused])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    input.markAsSubmitted()
    input.submit((password, repeatedPassword) => actor.send({ type: 'password.submitted', password, repeatedPassword }))
  }
  return (
    <form
      noValidate
      aria-label={t('session.migrationForm')}
      aria-busy={isBusy}
      onSubmit={submit}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Parts text={<NewPasswordFields input={input} refused={refused} readOnly={isBusy} />}>
        <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
        <Button type="submit" variant="primary" className="min-w-32" aria-disabled={isBusy}>
          {t(isBusy ? 'session.saving' : 'session.resetSubmit')}
        </Button>
      </Parts>
    </form>
  )
}
