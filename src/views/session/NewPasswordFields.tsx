import { type RefObject, useId, useRef, useState } from 'react'
import { newPasswordProblems, passwordRules, strengthOf } from '../../domain/session/new-password.ts'
import { t } from '../../texts/session-on-demand.ts'
import { PasswordField } from './PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'

type NewPasswordInput = ReturnType<typeof useNewPassword>

/**
 * The typed new password. The form holds the text and checks the same rules as the guard of its machine, because no
 * machine stores a password. An empty `email` means that the email is not known.
 */
export function useNewPassword(email: string, passwordField: RefObject<HTMLInputElement | null>) {
  const [password, setPassword] = useState('')
  const [repeatedPassword, setRepeated] = useState('')
  const [isShown, setShown] = useState(false)
  const [wasSubmitted, setSubmitted] = useState(false)
  const repeatedField = useRef<HTMLInputElement>(null)
  const typed = { password, repeatedPassword, email }
  const problems = newPasswordProblems(typed)
  return {
    typed,
    problems,
    setPassword,
    setRepeated,
    isShown,
    setShown,
    wasSubmitted,
    markAsSubmitted: () => setSubmitted(true),
    passwordField,
    repeatedField,
    /** Calls `send` and hides the password if both fields are valid; otherwise focuses the first invalid field. */
    submit: (send: (password: string, repeatedPassword: string) => void) => {
      if (problems.password !== null) passwordField.current?.focus()
      else if (problems.repeatedPassword !== null) repeatedField.current?.focus()
      else {
        setShown(false)
        send(password, repeatedPassword)
      }
    },
  }
}

/** Both fields for a new password, its strength and the rules. `refused`: why the server refused the password. */
export function NewPasswordFields({
  input: { typed, problems, setPassword, setRepeated, isShown, setShown, wasSubmitted, passwordField, repeatedField },
  refused,
  readOnly,
}: {
  input: NewPasswordInput
  refused: string | null
  readOnly: boolean
}) {
  const rulesId = useId()
  return (
    <>
      <div className="grid gap-2">
        <PasswordField
          ref={passwordField}
          label={t('session.newPassword')}
          name="new-password"
          autoComplete="new-password"
          value={typed.password}
          onChange={setPassword}
          error={refused ?? (wasSubmitted ? problems.password : null)}
          describedBy={rulesId}
          isShown={isShown}
          onShow={setShown}
          readOnly={readOnly}
        />
        {typed.password !== '' && <PasswordStrength strength={strengthOf(typed.password, typed.email)} />}
      </div>
      <PasswordField
        ref={repeatedField}
        label={t('session.repeatNewPassword')}
        name="repeated-password"
        autoComplete="new-password"
        value={typed.repeatedPassword}
        onChange={setRepeated}
        error={wasSubmitted ? problems.repeatedPassword : null}
        isShown={isShown}
        readOnly={readOnly}
      />
      <PasswordRules id={rulesId} rules={passwordRules(typed)} />
    </>
  )
}
