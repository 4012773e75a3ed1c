import { useCallback } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { type Actors, ActorsProvider, useSession } from './actors.tsx'
import { ErrorBoundary } from './components/ErrorBoundary.tsx'
import { onDemand } from './components/on-demand.tsx'
import { GuestOnly, Protected } from './shell/Guards.tsx'
import { addressOf } from './shell/opened-conversation.ts'
import { Splash } from './shell/Splash.tsx'
import { Toasts } from './shell/Toasts.tsx'

const LoginScreen = onDemand(() => import('./session/LoginScreen.tsx'), Splash)
const InboxScreen = onDemand(
  () => import('./shell/InboxScreen.tsx').then((module) => ({ default: module.InboxScreen })),
  Splash,
)
const ClientScreen = onDemand(() => import('./client/ClientScreen.tsx'), Splash)

function Inbox() {
  const session = useSession()
  const navigate = useNavigate()
  // The search and the filters stay, whatever is open.
  const { search } = useLocation()
  const open = useCallback(
    (id: string) => {
      const { pathname, state } = addressOf(session, id)
      void navigate({ pathname, search }, { state })
    },
    [session, navigate, search],
  )
  const leave = useCallback(() => void navigate({ pathname: '/', search }), [navigate, search])
  return <InboxScreen onOpen={open} onLeave={leave} />
}

function Screens() {
  const { key } = useLocation()
  return (
    <ErrorBoundary resetKey={key}>
      <Routes>
        <Route element={<GuestOnly />}>
          <Route path="/login" element={<LoginScreen />} />
        </Route>
        <Route element={<Protected />}>
          <Route path="/:conversationId?" element={<Inbox />} />
          <Route path="/clients/:clientId" element={<ClientScreen />} />
        </Route>
        <Route path="*" element={<Navigate to="/" replace />} />
      </Routes>
    </ErrorBoundary>
  )
}

/** The product on the screen (spec section 2). A router stands around it. */
export function App({ actors }: { actors: Actors }) {
  return (
    <ActorsProvider actors={actors}>
      <Screens />
      <Toasts />
    </ActorsProvider>
  )
}
