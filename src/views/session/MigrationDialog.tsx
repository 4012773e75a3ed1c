import { type FormEvent, type RefObject, useEffect, useId, useRef } from 'react'
import {
  type MigrationActor,
  selectIsInterrupted,
  selectIsMigrating,
  selectMigrationEmail,
  selectMigrationFailure,
} from '../../machines/session/migration.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { FieldLabel, TextInput } from '../components/Field.tsx'
import { useSelector } from '../use-selector.ts'
import { NewPasswordFields, useNewPassword } from './NewPasswordFields.tsx'

type Props = { actor: MigrationActor; onDismiss: () => void }

/** Asks a legacy user for a new password (spec section 2, Migration modal). */
export default function MigrationDialog({ actor, onDismiss }: Props) {
  const isInterrupted = useSelector(actor, selectIsInterrupted)
  const passwordField = useRef<HTMLInputElement>(null)
  return (
    <DialogFrame
      title={t('session.migrationTitle')}
      onDismiss={onDismiss}
      staysOnPressOutside
      initialFocus={passwordField}
      className="w-full max-w-104"
    >
      {isInterrupted ? (
        <Interrupted actor={actor} onDismiss={onDismiss} />
      ) : (
        <NewPasswordForm actor={actor} onDismiss={onDismiss} passwordField={passwordField} />
      )}
    </DialogFrame>
  )
}

function NewPasswordForm({
  actor,
  onDismiss,
  passwordField,
}: Props & { passwordField: RefObject<HTMLInputElement | null> }) {
  const email = useSelector(actor, selectMigrationEmail)
  const failure = useSelector(actor, selectMigrationFailure)
  const isWorking = useSelector(actor, selectIsMigrating)
  const input = useNewPassword(email, passwordField)
  const emailId = useId()

  useEffect(() => {
    if (failure?.at !== 'password') return
    passwordField.current?.focus()
    passwordField.current?.select()
  }, [failure, passwordField])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    input.markAsSubmitted()
    input.submit((password, repeatedPassword) =>
      actor.send({ type: 'migration.submitted', password, repeatedPassword }),
    )
  }

  const refused = failure?.at === 'password' ? failure.text : null
  return (
    <form
      noValidate
      aria-label={t('session.migrationForm')}
      aria-busy={isWorking}
      onSubmit={submit}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">
        <p className="text-ink-2">{t('session.migrationIntroduction')}</p>
        <div className="grid gap-1">
          <FieldLabel htmlFor={emailId}>{t('session.email')}</FieldLabel>
          {/* Tells password managers which account the password belongs to. */}
          <TextInput
            id={emailId}
            name="email"
            type="email"
            autoComplete="username"
            readOnly
            tabIndex={-1}
            value={email}
            className="bg-sunken"
          />
        </div>
        <NewPasswordFields input={input} refused={refused} readOnly={isWorking} />
        <div role="alert" className="empty:hidden">
          {failure?.at === 'dialog' && (
            <div className="grid gap-1 rounded-ui bg-bad-soft px-3 py-2 text-bad text-xs">
              <p>{failure.text}</p>
              {failure.advice !== null && <p>{failure.advice}</p>}
            </div>
          )}
        </div>
      </div>
      <Footer
        submit={isWorking ? t('session.saving') : t('session.migrationSubmit')}
        isWorking={isWorking}
        onDismiss={onDismiss}
      />
    </form>
  )
}

/** The new password is set, and only the last step remains. */
function Interrupted({ actor, onDismiss }: Props) {
  const failure = useSelector(actor, selectMigrationFailure)
  return (
    <form
      aria-label={t('session.finish')}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'migration.resumed' })
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-3 px-4 py-3">
        <p className="text-ink-2">{t('session.migrationInterrupted')}</p>
        <p role="alert" className="rounded-ui bg-bad-soft px-3 py-2 text-bad text-xs">
          {failure?.text}
        </p>
      </div>
      <Footer submit={t('shared.tryAgain')} isWorking={false} onDismiss={onDismiss} hasFocus />
    </form>
  )
}

type FooterProps = { submit: string; isWorking: boolean; onDismiss: () => void; hasFocus?: boolean }

function Footer({ submit, isWorking, onDismiss, hasFocus = false }: FooterProps) {
  return (
    <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
      <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
      {/* Keeps its width while it works; otherwise a second click would hit Cancel. */}
      <Button type="submit" variant="primary" className="min-w-52" aria-disabled={isWorking} autoFocus={hasFocus}>
        {submit}
      </Button>
    </footer>
  )
}
