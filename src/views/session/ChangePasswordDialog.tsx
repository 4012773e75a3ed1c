import { useSelector } from '@xstate/react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { newPasswordProblems, passwordRules, strengthOf } from '../../domain/session/new-password.ts'
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
import { PasswordField } from './PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'

type Props = { actor: NewPasswordActor; onDismiss: () => void }

/** Asks for the current password and a new one: in the account menu, or at sign-in with a one-time password. */
export default function ChangePasswordDialog({ actor, onDismiss }: Props) {
  const isOneTime = useSelector(actor, selectPurpose) === 'oneTime'
  const email = useSelector(actor, selectEmail)
  const refused = useSelector(actor, selectRefused)
  const isSaving = useSelector(actor, selectIsSaving)
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [repeatedPassword, setRepeated] = useState('')
  const [isShown, setShown] = useState(false)
  const [wasSubmitted, setSubmitted] = useState(false)
  const currentField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const repeatedField = useRef<HTMLInputElement>(null)
  const rulesId = useId()
  // The machine does not store the passwords, so the form checks the same rules as the guard of the machine.
  const typed = { password, repeatedPassword, email }
  const problems = newPasswordProblems(typed)
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
    setSubmitted(true)
    if (currentProblem !== null) currentField.current?.focus()
    else if (problems.password !== null) passwordField.current?.focus()
    else if (problems.repeatedPassword !== null) repeatedField.current?.focus()
    else {
      setShown(false)
      actor.send({ type: 'password.submitted', currentPassword, password, repeatedPassword })
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
            error={refusedAt('current') ?? (wasSubmitted ? currentProblem : null)}
            isShown={isShown}
            readOnly={isSaving}
          />
          <div className="grid gap-2">
            <PasswordField
              ref={passwordField}
              label={t('session.newPassword')}
              name="new-password"
              autoComplete="new-password"
              value={password}
              onChange={setPassword}
              error={refusedAt('password') ?? (wasSubmitted ? problems.password : null)}
              describedBy={rulesId}
              isShown={isShown}
              onShow={setShown}
              readOnly={isSaving}
            />
            {password !== '' && <PasswordStrength strength={strengthOf(password, email)} />}
          </div>
          <PasswordField
            ref={repeatedField}
            label={t('session.repeatNewPassword')}
            name="repeated-password"
            autoComplete="new-password"
            value={repeatedPassword}
            onChange={setRepeated}
            error={wasSubmitted ? problems.repeatedPassword : null}
            isShown={isShown}
            readOnly={isSaving}
          />
          <PasswordRules id={rulesId} rules={passwordRules(typed)} />
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
