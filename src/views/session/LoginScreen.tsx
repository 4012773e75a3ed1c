import { type ComponentType, createElement, type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { AnyActorRef } from 'xstate'
import { signInProblems } from '../../domain/session/sign-in-form.ts'
import { selectCanSignIn, selectSignInFailure, selectStep } from '../../machines/session/auth.ts'
import { selectIsShared } from '../../machines/session/shared-computer.ts'
import { t } from '../../texts/session.ts'
import { useAuth, useSharedComputer } from '../actors.tsx'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { useSelector } from '../use-selector.ts'
import { PasswordField } from './PasswordField.tsx'

type StepView = ComponentType<{ actor: AnyActorRef; onDismiss: () => void }>

const noProblems: ReturnType<typeof signInProblems> = { email: null, password: null }

/**
 * The sign-in form with email and password (spec sections 5 and 8). Errors are shown in the form. The machine does not
 * store the password, so the form validates with the same function as the guard of the machine.
 */
export default function LoginScreen() {
  const auth = useAuth()
  const isReady = useSelector(auth, selectCanSignIn)
  const failure = useSelector(auth, selectSignInFailure)
  const step = useSelector(auth, selectStep)
  const sharedComputer = useSharedComputer()
  const isShared = useSelector(sharedComputer, selectIsShared)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [problems, setProblems] = useState(noProblems)
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const failureId = useId()
  const isComplete = problems.email === null && problems.password === null
  const shownFailure = isComplete && (isReady || step) ? failure : null
  const isAboutTyped = shownFailure?.about === 'typed'

  useEffect(() => {
    document.title = t('session.documentTitle')
  }, [])

  useEffect(() => {
    if (failure === null || failure.about === 'stored' || !isReady) return
    passwordField.current?.focus()
    passwordField.current?.select()
  }, [failure, isReady])

  // An emailed link for a new password.
  useEffect(() => {
    if (isReady && location.hash.startsWith('#reset=')) auth.send({ type: 'passwordReset.opened' })
  }, [auth, isReady])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A password manager may fill the fields without a change event that React receives.
    const fields = new FormData(event.currentTarget)
    const typed = { email: String(fields.get('email') ?? '').trim(), password: String(fields.get('password') ?? '') }
    const found = signInProblems(typed)
    setEmail(typed.email)
    setPassword(typed.password)
    setProblems(found)
    if (found.email !== null) emailField.current?.focus()
    else if (found.password !== null) passwordField.current?.focus()
    else {
      setShown(false)
      auth.send({ type: 'signIn.requested', ...typed })
    }
  }

  return (
    <main className="grid min-h-dvh place-items-center bg-bg p-4">
      <div className="w-full max-w-88">
        <div className="mb-6 grid justify-items-center gap-2.5 text-center">
          <img src="/icon.svg" alt="" width={44} height={44} />
          <h1 className="font-semibold text-xl tracking-tight">{t('session.heading')}</h1>
          <p className="text-ink-2">{t('session.subheading')}</p>
        </div>
        {/* The page shows its own validation messages at the fields. */}
        <form
          noValidate
          aria-label={t('session.signIn')}
          aria-busy={!isReady}
          onSubmit={submit}
          className="grid gap-4 rounded-ui border border-line bg-panel p-5"
        >
          <Field
            ref={emailField}
            label={t('session.email')}
            name="email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              setProblems((before) => ({ ...before, email: null }))
            }}
            error={problems.email}
            isInvalid={isAboutTyped}
            describedBy={shownFailure === null ? undefined : failureId}
          />
          <PasswordField
            ref={passwordField}
            label={t('session.password')}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(value) => {
              setPassword(value)
              setProblems((before) => ({ ...before, password: null }))
            }}
            error={problems.password}
            isInvalid={isAboutTyped}
            describedBy={shownFailure === null ? undefined : failureId}
            isShown={isShown}
            onShow={setShown}
          />
          <label className="flex cursor-pointer items-start gap-2 text-xs touch:min-h-11">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={isShared}
              onChange={(event) =>
                sharedComputer.send({ type: 'sharedComputer.chosen', isShared: event.target.checked })
              }
            />
            <span>
              {t('session.sharedComputer')}
              <span className="block text-ink-2">{t('session.sharedComputerAdvice')}</span>
            </span>
          </label>
          {/* Rendered empty, so that screen readers announce later content. */}
          <div role="alert" id={failureId} className="empty:hidden">
            {shownFailure !== null && (
              <p className="rounded-ui bg-bad-soft px-3 py-2 text-bad text-xs">{shownFailure.text}</p>
            )}
          </div>
          <Button type="submit" variant="primary" disabled={!isReady} className="h-9 w-full">
            {isReady ? t('session.signIn') : t('session.signingIn')}
          </Button>
          <Button variant="ghost" aria-disabled={!isReady} onClick={() => auth.send({ type: 'passwordReset.opened' })}>
            {t('session.forgot')}
          </Button>
        </form>
      </div>
      {step &&
        createElement(step.View as StepView, {
          actor: step.actor,
          onDismiss: () => step.actor.send({ type: 'dialog.dismissed' }),
        })}
    </main>
  )
}
