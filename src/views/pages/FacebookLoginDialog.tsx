import { ExternalLink } from 'lucide-react'
import { connectable } from '../../domain/pages/facebook-login.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type LoginStep,
  type LoginStop,
  selectBlockedAddress,
  selectChosen,
  selectConnected,
  selectFailures,
  selectOffered,
  selectStep,
  selectStop,
} from '../../machines/pages/facebook-login.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { OfferedPage } from '../../schemas/facebook-login.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { useSelector } from '../use-selector.ts'

type Actor = Pick<DialogProps<'facebookLogin'>, 'actor'>

const stopTexts = {
  over: 'pages.loginOver',
  cancelled: 'pages.loginCancelled',
  refused: 'pages.loginRefused',
  noPages: 'pages.loginNoPages',
  failed: 'pages.loginFailed',
} as const satisfies Record<LoginStop, string>

/** Connects pages by a login at the network. */
export default function FacebookLoginDialog({ actor, title, onDismiss }: DialogProps<'facebookLogin'>) {
  const step = useSelector(actor, selectStep)
  const hasPages = step === 'choosing' || step === 'connecting' || step === 'partly'
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          actor.send({ type: hasPages ? 'connection.requested' : 'login.requested' })
        }}
      >
        <div className="scroller grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-3 p-4">
          <Status actor={actor} step={step} />
          {step === 'partly' && <Failures actor={actor} />}
          {hasPages && step !== 'partly' && <Offered actor={actor} isBusy={step === 'connecting'} />}
        </div>
        <Footer actor={actor} step={step} />
      </form>
    </DialogFrame>
  )
}

/** What happens now, and what to do. */
function Status({ actor, step }: Actor & { step: LoginStep }) {
  const stop = useSelector(actor, selectStop)
  const blocked = useSelector(actor, selectBlockedAddress)
  const pages = useSelector(actor, selectOffered)
  const failures = useSelector(actor, selectFailures)
  const connected = useSelector(actor, selectConnected)
  const texts: Record<LoginStep, string> = {
    ready: t('pages.loginReady'),
    opening: t('pages.loginOpening'),
    waiting: blocked === null ? t('pages.loginWaiting') : t('pages.loginBlocked'),
    completing: t('pages.loginCompleting'),
    stopped: stop === null ? '' : t(stopTexts[stop]),
    choosing: connectable(pages).length > 0 ? t('pages.loginChoose') : t('pages.loginAllConnected'),
    connecting: t('pages.loginConnecting'),
    partly: t('pages.loginPartly', { failed: failures.length, connected }),
  }
  return (
    <>
      <p role="status">{texts[step]}</p>
      {blocked !== null && (
        <a
          href={blocked}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1.5 justify-self-start font-medium text-accent underline"
        >
          <ExternalLink size={15} aria-hidden="true" />
          {t('pages.loginLink')}
        </a>
      )}
    </>
  )
}

function Offered({ actor, isBusy }: Actor & { isBusy: boolean }) {
  const pages = useSelector(actor, selectOffered)
  const chosen = useSelector(actor, selectChosen)
  return (
    <ul aria-label={t('shared.pages')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {pages.map((page) => (
        <li key={page.id} className="rounded-ui border border-line">
          <label className="flex min-h-11 items-center gap-3 px-3 py-2">
            <input
              type="checkbox"
              disabled={page.is_connected || isBusy}
              checked={page.is_connected || chosen.includes(page.id)}
              onChange={() => actor.send({ type: 'page.toggled', pageId: page.id })}
            />
            <PageFacts page={page} />
            {page.is_connected && <Badge tone="ok">{t('pages.loginConnectedAlready')}</Badge>}
          </label>
        </li>
      ))}
    </ul>
  )
}

const shownName = (page: OfferedPage): string => safeName(page.name) || page.id

function PageFacts({ page }: { page: OfferedPage }) {
  const instagram = safeName(page.instagram_username ?? '')
  const facts = [safeName(page.category ?? ''), instagram && t('pages.loginInstagram', { name: instagram })]
  return (
    <span className="min-w-0 flex-1">
      <bdi className="block truncate font-medium">{shownName(page)}</bdi>
      <bdi className="block truncate text-ink-2 text-xs">{facts.filter(Boolean).join(' · ')}</bdi>
    </span>
  )
}

/** The pages that could not be connected, with the reasons. */
function Failures({ actor }: Actor) {
  const failures = useSelector(actor, selectFailures)
  return (
    <ul aria-label={t('shared.pages')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {failures.map(({ page, reason }) => (
        <li key={page.id} className="rounded-ui border border-line px-3 py-2">
          <PageFacts page={page} />
          <p className="mt-1 text-bad text-xs [overflow-wrap:anywhere]">{safeText(reason)}</p>
        </li>
      ))}
    </ul>
  )
}

function Footer({ actor, step }: Actor & { step: LoginStep }) {
  const chosen = useSelector(actor, selectChosen)
  const labels: Record<LoginStep, string> = {
    ready: t('pages.loginContinue'),
    opening: t('pages.loginOpening'),
    waiting: t('pages.loginAgain'),
    completing: t('pages.loginCompleting'),
    stopped: t('pages.loginAgain'),
    choosing: t('pages.loginConnect', { count: chosen.length }),
    connecting: t('pages.loginConnecting'),
    partly: t('shared.tryAgain'),
  }
  return (
    <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
      {(step === 'choosing' || step === 'partly') && (
        <Button onClick={() => actor.send({ type: 'login.requested' })}>{t('pages.loginAgain')}</Button>
      )}
      <SubmitButton
        busy={step === 'opening' || step === 'completing' || step === 'connecting'}
        blockedReason={step === 'choosing' && chosen.length === 0 ? t('pages.loginNoneChosen') : null}
      >
        {labels[step]}
      </SubmitButton>
    </footer>
  )
}
