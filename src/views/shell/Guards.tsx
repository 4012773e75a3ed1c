import type { ReactNode } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { selectPhase, selectSession } from '../../machines/app.ts'
import { selectStartIsWaiting, selectWasLeft, selectWhyStartIsWaiting } from '../../machines/session/auth.ts'
import { t } from '../../texts/session.ts'
import { SessionProvider, useApp, useAuth } from '../actors.tsx'
import { Broken } from '../components/Broken.tsx'
import { Button } from '../components/Button.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { useSelector } from '../use-selector.ts'
import { conversationInState } from './opened-conversation.ts'
import { Splash } from './Splash.tsx'

/** Loaded on demand, because it includes the session machines, which /login does not need. */
const SessionInUrl = onDemand(() => import('./SessionInUrl.tsx'))

/** Hides every page until auth has decided who is signed in (spec section 2). */
function WhenKnown({ children }: { children: ReactNode }) {
  const phase = useSelector(useApp(), selectPhase)
  const auth = useAuth()
  const isWaiting = useSelector(auth, selectStartIsWaiting)
  const why = useSelector(auth, selectWhyStartIsWaiting)
  if (phase === 'broken') return <Broken />
  if (phase === 'starting' && isWaiting)
    return (
      <Splash note={t('session.connectingStart')} why={why}>
        <Button onClick={() => auth.send({ type: 'signOut.requested' })}>{t('session.signInAgain')}</Button>
      </Splash>
    )
  if (phase === 'starting') return <Splash />
  return children
}

/** The address that the user opened before being redirected to sign in. */
const wantedIn = (state: unknown): string => {
  const wanted = typeof state === 'object' && state !== null && 'wanted' in state ? state.wanted : null
  return typeof wanted === 'string' && /^\/(?!\/)/.test(wanted) ? wanted : '/'
}

function NeedsSignIn() {
  const session = useSelector(useApp(), selectSession)
  const wasLeft = useSelector(useAuth(), selectWasLeft)
  const { pathname, search, state } = useLocation()
  if (!session) {
    const wanted = { wanted: pathname + search, conversationId: conversationInState(state) }
    return <Navigate to="/login" replace state={wasLeft ? null : wanted} />
  }
  return (
    <SessionProvider session={session}>
      <SessionInUrl />
      <Outlet />
    </SessionProvider>
  )
}

function NeedsGuest() {
  const session = useSelector(useApp(), selectSession)
  const { state } = useLocation()
  const auth = useAuth()
  const navigate = useNavigate()
  if (!session) return <Outlet />
  // The address in the router stays the same after the link was used.
  if (location.hash.startsWith('#reset='))
    return (
      <main className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
        <p role="status">{t('session.signedInWithLink')}</p>
        <Button onClick={() => auth.send({ type: 'signOut.requested' })}>{t('shared.signOut')}</Button>
        <Button variant="ghost" onClick={() => navigate('/', { replace: true })}>
          {t('shared.inbox')}
        </Button>
      </main>
    )
  return <Navigate to={wantedIn(state)} replace state={{ conversationId: conversationInState(state) }} />
}

/** Routes that need a sign-in. Redirects a guest to /login. */
export const Protected = () => (
  <WhenKnown>
    <NeedsSignIn />
  </WhenKnown>
)

/** Routes for guests. Redirects a signed-in user to the inbox, unless a link for a new password would be lost. */
export const GuestOnly = () => (
  <WhenKnown>
    <NeedsGuest />
  </WhenKnown>
)
