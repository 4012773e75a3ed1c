import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { type Actors, ActorsProvider } from './actors.tsx'
import { ErrorBoundary } from './components/ErrorBoundary.tsx'
import { onDemand } from './components/on-demand.tsx'
import { GuestOnly, Protected } from './shell/Guards.tsx'
import { Splash } from './shell/Splash.tsx'
import { Toasts } from './shell/Toasts.tsx'

const LoginScreen = onDemand(() => import('./session/LoginScreen.tsx'), Splash)
const Inbox = onDemand(() => import('./shell/Inbox.tsx'), Splash)
const ClientPage = onDemand(() => import('./shell/ClientPage.tsx'), Splash)

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
          <Route path="/clients/:clientId" element={<ClientPage />} />
        </Route>
        <Route path="*" element={<Navigate to="/" replace />} />
      </Routes>
    </ErrorBoundary>
  )
}

/** The toasts. A press on a toast of a new message opens the conversation at its URL. */
function OpeningToasts() {
  const navigate = useNavigate()
  const { search, pathname: shown } = useLocation()
  return (
    <Toasts
      onOpen={({ pathname, state }) =>
        // The page of a client has no search and no filters.
        void navigate({ pathname, search: shown.startsWith('/clients/') ? '' : search }, { state })
      }
    />
  )
}

/** The root component of the product (spec section 2). Needs a router around it. */
export function App({ actors }: { actors: Actors }) {
  return (
    <ActorsProvider actors={actors}>
      <Screens />
      <OpeningToasts />
    </ActorsProvider>
  )
}
