import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  type NewPasswordActor,
  selectEmail,
  selectIsSaving,
  selectPurpose,
  selectRefused,
} from '../../machines/session/new-password.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { NewPasswordFields, useNewPassword } from './NewPasswordFields.tsx'
import { PasswordField } from './PasswordField.tsx'

type Props = { actor: NewPasswordActor; onDismiss: () => void }

/** Asks for the current password and a new one: in the account menu, or at sign-in with a one-time password. */
export default function ChangePasswordDialog({ actor, onDismiss }: Props) {
  const isOneTime = useSelector(actor, selectPurpose) === 'oneTime'
  const email = useSelector(actor, selectEmail)
  const refused = useSelector(actor, selectRefused)
  const isSaving = useSelector(actor, selectIsSaving)
  const [currentPassword, setCurrent] = useState('')
  const currentField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const input = useNewPassword(email, passwordField)
  const currentProblem = currentPassword === '' ? t('session.currentPasswordMissing') : null
  const refusedAt = (at: 'current' | 'password') => (refused?.at === at ? refused.text : null)

  useEffect(() => {
    if (refused === null) return
    const field = refused.at === 'current' ? currentField : passwordField
    field.current?.focus()
    field.current?.select()
  }, [refused])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    input.markAsSubmitted()
    if (currentProblem !== null) currentField.current?.focus()
    else {
      input.submit((password, repeatedPassword) =>
        actor.send({ type: 'password.submitted', currentPassword, password, repeatedPassword }),
      )
    }
  }

  return (
    <DialogFrame
      title={t(isOneTime ? 'session.oneTimeTitle' : 'session.changePasswordTitle')}
      onDismiss={onDismiss}
      staysOnPressOutside
      initialFocus={currentField}
      className="w-full max-w-104"
    >
      <form
        noValidate
        aria-label={t('session.migrationForm')}
        aria-busy={isSaving}
        onSubmit={submit}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">
          <p className="text-ink-2">
            {t(isOneTime ? 'session.oneTimeIntroduction' : 'session.changePasswordIntroduction')}
          </p>
          {/* Tells password managers which account the password belongs to. */}
          {email !== '' && <input type="email" autoComplete="username" value={email} readOnly hidden />}
          <PasswordField
            ref={currentField}
            label={t(isOneTime ? 'session.oneTimePassword' : 'session.currentPassword')}
            name="current-password"
            autoComplete="current-password"
            value={currentPassword}
            onChange={setCurrent}
            error={refusedAt('current') ?? (input.wasSubmitted ? currentProblem : null)}
            isShown={input.isShown}
            readOnly={isSaving}
          />
          <NewPasswordFields input={input} refused={refusedAt('password')} readOnly={isSaving} />
        </div>
        <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
          <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
          <Button type="submit" variant="primary" className="min-w-40" aria-disabled={isSaving}>
            {t(isSaving ? 'session.saving' : 'session.changePasswordSubmit')}
          </Button>
        </footer>
      </form>
    </DialogFrame>
  )
}
