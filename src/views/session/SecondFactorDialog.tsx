import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { recoveryCodesText, shownRecoveryCode } from '../../domain/session/recovery-codes.ts'
import {
  type SecondFactorActor,
  selectAt,
  selectEnrolment,
  selectFailed,
  selectIsWorking,
  selectRecoveryCodes,
  selectRefused,
  selectStatus,
} from '../../machines/session/second-factor.ts'
import type { Enrolment } from '../../schemas/second-factor.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { CodeField } from './CodeField.tsx'
import { PasswordField } from './PasswordField.tsx'
import { QrCode } from './QrCode.tsx'

type Props = { actor: SecondFactorActor; onDismiss: () => void }

/** Sets up or removes the second factor: in the account menu, or at a sign-in that demands it. */
export default function SecondFactorDialog({ actor, onDismiss }: Props) {
  const status = useSelector(actor, selectStatus)
  const enrolment = useSelector(actor, selectEnrolment)
  const recoveryCodes = useSelector(actor, selectRecoveryCodes)
  const hasFailed = useSelector(actor, selectFailed)
  const at = useSelector(actor, selectAt)
  const part = () => {
    if (recoveryCodes.length > 0) return <RecoveryCodes actor={actor} codes={recoveryCodes} />
    if (enrolment !== null) return <Confirm actor={actor} enrolment={enrolment} onDismiss={onDismiss} />
    if (hasFailed) return <Failed actor={actor} onDismiss={onDismiss} />
    if (status?.isOn) return <Change actor={actor} left={status.recoveryCodesLeft} onDismiss={onDismiss} />
    if (status === null && at === 'menu') return <Loading onDismiss={onDismiss} />
    return <Begin actor={actor} isDemanded={at === 'signIn'} onDismiss={onDismiss} />
  }
  return (
    <DialogFrame
      title={t('session.factorTitle')}
      onDismiss={onDismiss}
      staysOnPressOutside
      className="w-full max-w-104"
    >
      {part()}
    </DialogFrame>
  )
}

type StepProps = {
  /** Absent in a step without a form. */
  onSubmit?: (event: SyntheticEvent<HTMLFormElement, SubmitEvent>) => void
  isWorking?: boolean
  buttons: ReactNode
  children: ReactNode
}

/** One step of the dialog, which is a form if it can be submitted. */
function Step({ onSubmit, isWorking, buttons, children }: StepProps) {
  const parts = (
    <>
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">{children}</div>
      <footer className="flex shrink-0 flex-wrap justify-end gap-2 border-line border-t px-4 py-3">{buttons}</footer>
    </>
  )
  if (onSubmit === undefined) return parts
  return (
    <form
      noValidate
      aria-label={t('session.factorTitle')}
      aria-busy={isWorking}
      onSubmit={(event: SyntheticEvent<HTMLFormElement, SubmitEvent>) => {
        event.preventDefault()
        onSubmit(event)
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      {parts}
    </form>
  )
}

function Loading({ onDismiss }: Pick<Props, 'onDismiss'>) {
  return (
    <Step buttons={<Button onClick={onDismiss}>{t('shared.cancel')}</Button>}>
      <p className="text-ink-2" role="status">
        {t('shared.loading')}
      </p>
    </Step>
  )
}

function Begin({ actor, isDemanded, onDismiss }: Props & { isDemanded: boolean }) {
  const refused = useSelector(actor, selectRefused)
  const isWorking = useSelector(actor, selectIsWorking)
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [wasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const problem = wasSubmitted && password === '' ? t('session.passwordMissing') : null

  useEffect(() => {
    field.current?.focus()
    if (refused !== null) field.current?.select()
  }, [refused])

  const submit = () => {
    setSubmitted(true)
    if (password === '') field.current?.focus()
    else {
      setShown(false)
      actor.send({ type: 'enrolment.requested', password })
    }
  }

  return (
    <Step
      onSubmit={submit}
      isWorking={isWorking}
      buttons={
        <>
          <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
          <Button type="submit" variant="primary" aria-disabled={isWorking}>
            {t('session.factorBegin')}
          </Button>
        </>
      }
    >
      {isDemanded && <p>{t('session.factorRequired')}</p>}
      <p className="text-ink-2">{t('session.factorOff')}</p>
      <p className="text-ink-2">{t('session.factorPasswordAdvice')}</p>
      <PasswordField
        ref={field}
        label={t('session.password')}
        name="current-password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={refused?.at === 'password' ? refused.text : problem}
        isShown={isShown}
        onShow={setShown}
        readOnly={isWorking}
      />
    </Step>
  )
}

function Failed({ actor, onDismiss }: Props) {
  return (
    <Step
      buttons={
        <>
          <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
          <Button variant="primary" autoFocus onClick={() => actor.send({ type: 'refetch.requested' })}>
            {t('shared.tryAgain')}
          </Button>
        </>
      }
    >
      <p role="alert">{t('session.factorNotLoaded')}</p>
    </Step>
  )
}

function Confirm({ actor, enrolment, onDismiss }: Props & { enrolment: Enrolment }) {
  const refused = useSelector(actor, selectRefused)
  const isWorking = useSelector(actor, selectIsWorking)
  const [code, setCode] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const problem = wasSubmitted && code.trim() === '' ? t('session.codeMissing') : null

  useEffect(() => {
    field.current?.focus()
    if (refused !== null) field.current?.select()
  }, [refused])

  const submit = () => {
    setSubmitted(true)
    if (code.trim() === '') field.current?.focus()
    else actor.send({ type: 'code.submitted', code })
  }

  return (
    <Step
      onSubmit={submit}
      isWorking={isWorking}
      buttons={
        <>
          <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
          <Button type="submit" variant="primary" className="min-w-32" aria-disabled={isWorking}>
            {t(isWorking ? 'session.codeChecking' : 'session.factorConfirm')}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{t('session.factorScan')}</p>
      <div className="grid justify-items-center">
        <QrCode text={enrolment.uri} label={t('session.factorPicture')} />
      </div>
      <p className="text-xs">
        {t('session.factorKey')}: <code className="select-all break-all">{enrolment.secret}</code>
      </p>
      <p>
        <a href={enrolment.uri} className="font-medium text-accent underline">
          {t('session.factorOpenApp')}
        </a>
      </p>
      <CodeField
        ref={field}
        value={code}
        onChange={setCode}
        error={refused?.at === 'code' ? refused.text : problem}
        readOnly={isWorking}
      />
    </Step>
  )
}

function RecoveryCodes({ actor, codes }: { actor: SecondFactorActor; codes: readonly string[] }) {
  return (
    <Step
      buttons={
        <Button variant="primary" autoFocus onClick={() => actor.send({ type: 'codes.saved' })}>
          {t('session.recoverySaved')}
        </Button>
      }
    >
      <p>{t('session.recoveryIntroduction')}</p>
      <ul aria-label={t('session.recoveryCodes')} className="grid gap-1 rounded-ui bg-sunken p-3 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="select-all">{shownRecoveryCode(code)}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-4">
        <Button onClick={() => actor.send({ type: 'copy.requested' })}>{t('session.recoveryCopy')}</Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(recoveryCodesText(codes))}`}
          download="staff-inbox-recovery-codes.txt"
          className="font-medium text-accent underline"
        >
          {t('session.recoveryDownload')}
        </a>
      </div>
    </Step>
  )
}

/** Where the factor is on: new recovery codes, or its removal. Both need the password and a code. */
function Change({ actor, left, onDismiss }: Props & { left: number }) {
  const refused = useSelector(actor, selectRefused)
  const isWorking = useSelector(actor, selectIsWorking)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isShown, setShown] = useState(false)
  const [wasSubmitted, setSubmitted] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)
  const codeField = useRef<HTMLInputElement>(null)
  const removal = useRef<HTMLButtonElement>(null)
  const problems = {
    password: password === '' ? t('session.passwordMissing') : null,
    code: code.trim() === '' ? t('session.codeMissing') : null,
  }
  const errorAt = (at: 'password' | 'code') => (refused?.at === at ? refused.text : wasSubmitted ? problems[at] : null)

  useEffect(() => passwordField.current?.focus(), [])

  useEffect(() => {
    if (refused === null) return
    const field = refused.at === 'code' ? codeField : passwordField
    field.current?.focus()
    field.current?.select()
  }, [refused])

  const submit = (event: SyntheticEvent<HTMLFormElement, SubmitEvent>) => {
    setSubmitted(true)
    if (problems.password !== null) passwordField.current?.focus()
    else if (problems.code !== null) codeField.current?.focus()
    else {
      setShown(false)
      const isRemoval = event.nativeEvent.submitter === removal.current
      actor.send({ type: isRemoval ? 'disabling.submitted' : 'newCodes.submitted', password, code })
    }
  }

  return (
    <Step
      onSubmit={submit}
      isWorking={isWorking}
      buttons={
        <>
          <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
          {/* First, because Enter in a field presses the first submit button of the form. */}
          <Button type="submit" aria-disabled={isWorking}>
            {t('session.recoveryNew')}
          </Button>
          <Button ref={removal} type="submit" variant="danger" className="min-w-32" aria-disabled={isWorking}>
            {t(isWorking ? 'session.codeChecking' : 'session.factorDisable')}
          </Button>
        </>
      }
    >
      <p>{t('session.factorOn', { left })}</p>
      <p className="text-ink-2">{t('session.factorOffAdvice')}</p>
      <PasswordField
        ref={passwordField}
        label={t('session.password')}
        name="current-password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={errorAt('password')}
        isShown={isShown}
        onShow={setShown}
        readOnly={isWorking}
      />
      <CodeField ref={codeField} value={code} onChange={setCode} error={errorAt('code')} readOnly={isWorking} />
    </Step>
  )
}
