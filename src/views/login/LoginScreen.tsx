import { useSelector } from '@xstate/react'
import { Eye, EyeOff } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { selectCanSignIn, selectSignInFailure } from '../../machines/auth.ts'
import { useAuth } from '../actors.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { TextInput } from '../components/Field.tsx'

/** Sign-in with e-mail and password (spec sections 5 and 8). What goes wrong is said at the form. */
export default function LoginScreen() {
  const auth = useAuth()
  const isReady = useSelector(auth, selectCanSignIn)
  const failure = useSelector(auth, selectSignInFailure)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)
  const id = useId()
  const failureId = `${id}-failure`

  useEffect(() => {
    document.title = 'Sign in · Inbox'
  }, [])

  useEffect(() => {
    if (failure !== null && isReady) passwordField.current?.select()
  }, [failure, isReady])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A password manager may fill the fields without a change that React hears.
    const fields = new FormData(event.currentTarget)
    setShown(false)
    auth.send({
      type: 'signIn.requested',
      email: String(fields.get('email') ?? '').trim(),
      password: String(fields.get('password') ?? ''),
    })
  }

  return (
    <main className="grid min-h-dvh place-items-center bg-bg p-4">
      <div className="w-full max-w-88">
        <div className="mb-6 grid justify-items-center gap-2.5 text-center">
          <img src="/icon.svg" alt="" width={44} height={44} />
          <h1 className="font-semibold text-xl tracking-tight">Sign in to Inbox</h1>
          <p className="text-ink-2">Conversations of all your pages, in one place.</p>
        </div>
        <form
          aria-label="Sign in"
          aria-busy={!isReady}
          onSubmit={submit}
          className="grid gap-4 rounded-ui border border-line bg-panel p-5"
        >
          <div className="grid gap-1">
            <label htmlFor={`${id}-email`} className="font-medium text-xs">
              E-mail
            </label>
            <TextInput
              id={`${id}-email`}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              aria-invalid={failure !== null || undefined}
              aria-describedby={failure === null ? undefined : failureId}
            />
          </div>
          <div className="grid gap-1">
            <label htmlFor={`${id}-password`} className="font-medium text-xs">
              Password
            </label>
            <div className="relative">
              <TextInput
                ref={passwordField}
                id={`${id}-password`}
                name="password"
                type={isShown ? 'text' : 'password'}
                autoComplete="current-password"
                autoCapitalize="none"
                spellCheck={false}
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
                aria-invalid={failure !== null || undefined}
                aria-describedby={failure === null ? undefined : failureId}
                className="pr-10"
              />
              <IconButton
                label={isShown ? 'Hide password' : 'Show password'}
                aria-pressed={isShown}
                onClick={() => setShown((shown) => !shown)}
                className="absolute inset-y-0.5 right-0.5"
              >
                {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
              </IconButton>
            </div>
          </div>
          {/* Stands there empty, so that a screen reader hears what comes into it. */}
          <div role="alert" id={failureId} className="empty:hidden">
            {failure !== null && isReady && (
              <p className="rounded-ui bg-bad-soft px-3 py-2 text-bad text-xs">{failure}</p>
            )}
          </div>
          <Button type="submit" variant="primary" disabled={!isReady} className="h-9 w-full">
            {isReady ? 'Sign in' : 'Signing in…'}
          </Button>
        </form>
      </div>
    </main>
  )
}
