import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
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
  const begin = useRef<HTMLButtonElement>(null)
  const part = () => {
    if (recoveryCodes.length > 0) return <RecoveryCodes actor={actor} codes={recoveryCodes} />
    if (enrolment !== null) return <Confirm actor={actor} enrolment={enrolment} onDismiss={onDismiss} />
    if (hasFailed) return <Failed actor={actor} onDismiss={onDismiss} />
    if (status?.isOn) return <Disable actor={actor} left={status.recoveryCodesLeft} onDismiss={onDismiss} />
    return <Begin actor={actor} isKnown={status !== null} buttonRef={begin} onDismiss={onDismiss} />
  }
  return (
    <DialogFrame
      title={t('session.factorTitle')}
      onDismiss={onDismiss}
      staysOnPressOutside
      initialFocus={begin}
      className="w-full max-w-104"
    >
      {part()}
    </DialogFrame>
  )
}

function Body({ children }: { children: ReactNode }) {
  return <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">{children}</div>
}

function Footer({ children }: { children: ReactNode }) {
  return <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">{children}</footer>
}

type BeginProps = Props & { isKnown: boolean; buttonRef: RefObject<HTMLButtonElement | null> }

function Begin({ actor, isKnown, buttonRef, onDismiss }: BeginProps) {
  const isWorking = useSelector(actor, selectIsWorking)
  return (
    <>
      <Body>
        <p className="text-ink-2" role="status">
          {isKnown ? t('session.factorOff') : t('shared.loading')}
        </p>
      </Body>
      <Footer>
        <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
        <Button
          ref={buttonRef}
          variant="primary"
          aria-disabled={isWorking}
          onClick={() => actor.send({ type: 'enrolment.requested' })}
        >
          {t('session.factorBegin')}
        </Button>
      </Footer>
    </>
  )
}

function Failed({ actor, onDismiss }: Props) {
  return (
    <>
      <Body>
        <p role="alert">{t('session.factorNotLoaded')}</p>
      </Body>
      <Footer>
        <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
        <Button variant="primary" autoFocus onClick={() => actor.send({ type: 'refetch.requested' })}>
          {t('shared.tryAgain')}
        </Button>
      </Footer>
    </>
  )
}

function Confirm({ actor, enrolment, onDismiss }: Props & { enrolment: Enrolment }) {
  const refused = useSelector(actor, selectRefused)
  const isWorking = useSelector(actor, selectIsWorking)
  const isDemanded = useSelector(actor, selectAt) === 'signIn'
  const [code, setCode] = useState('')
  const [wasSubmitted, setSubmitted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const problem = wasSubmitted && code.trim() === '' ? t('session.codeMissing') : null

  useEffect(() => {
    field.current?.focus()
    if (refused !== null) field.current?.select()
  }, [refused])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (code.trim() === '') field.current?.focus()
    else actor.send({ type: 'code.submitted', code })
  }

  return (
    <form
      noValidate
      aria-label={t('session.factorTitle')}
      aria-busy={isWorking}
      onSubmit={submit}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Body>
        {isDemanded && <p>{t('session.factorRequired')}</p>}
        <p className="text-ink-2">{t('session.factorScan')}</p>
        <div className="grid justify-items-center">
          <QrCode text={enrolment.uri} label={t('session.factorPicture')} />
        </div>
        <p className="text-xs">
          {t('session.factorKey')}: <code className="select-all break-all">{enrolment.secret}</code>
        </p>
        <CodeField
          ref={field}
          value={code}
          onChange={setCode}
          error={refused?.at === 'code' ? refused.text : problem}
          readOnly={isWorking}
        />
      </Body>
      <Footer>
        <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
        <Button type="submit" variant="primary" className="min-w-32" aria-disabled={isWorking}>
          {t(isWorking ? 'session.codeChecking' : 'session.factorConfirm')}
        </Button>
      </Footer>
    </form>
  )
}

function RecoveryCodes({ actor, codes }: { actor: SecondFactorActor; codes: readonly string[] }) {
  return (
    <>
      <Body>
        <p>{t('session.recoveryIntroduction')}</p>
        <ul aria-label={t('session.recoveryCodes')} className="grid gap-1 rounded-ui bg-sunken p-3 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>
              <code className="select-all">{code.match(/.{1,4}/g)?.join('-')}</code>
            </li>
          ))}
        </ul>
      </Body>
      <Footer>
        <Button variant="primary" autoFocus onClick={() => actor.send({ type: 'codes.saved' })}>
          {t('session.recoverySaved')}
        </Button>
      </Footer>
    </>
  )
}

function Disable({ actor, left, onDismiss }: Props & { left: number }) {
  const refused = useSelector(actor, selectRefused)
  const isWorking = useSelector(actor, selectIsWorking)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isShown, setShown] = useState(false)
  const [wasSubmitted, setSubmitted] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)
  const codeField = useRef<HTMLInputElement>(null)
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

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (problems.password !== null) passwordField.current?.focus()
    else if (problems.code !== null) codeField.current?.focus()
    else {
      setShown(false)
      actor.send({ type: 'disabling.submitted', password, code })
    }
  }

  return (
    <form
      noValidate
      aria-label={t('session.factorTitle')}
      aria-busy={isWorking}
      onSubmit={submit}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Body>
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
      </Body>
      <Footer>
        <Button onClick={onDismiss}>{t('shared.cancel')}</Button>
        <Button type="submit" variant="danger" className="min-w-32" aria-disabled={isWorking}>
          {t(isWorking ? 'session.codeChecking' : 'session.factorDisable')}
        </Button>
      </Footer>
    </form>
  )
}
