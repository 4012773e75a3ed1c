import { createContext, type ReactNode, use } from 'react'
import type { AppActor, selectSession } from '../machines/app.ts'
import type { AuthActor } from '../machines/session/auth.ts'
import type { SharedComputerActor } from '../machines/session/shared-computer.ts'
import type { AppearanceActor } from '../machines/shell/appearance.ts'
import type { NotifierActor } from '../machines/shell/notifier.ts'
import type { PaneWidthsActor } from '../machines/shell/pane-widths.ts'
import type { ReducedMotionActor } from '../machines/shell/reduced-motion.ts'

/** The actors that live as long as the page. Created and started once, outside React. */
export type Actors = {
  app: AppActor
  auth: AuthActor
  notifier: NotifierActor
  appearance: AppearanceActor
  reducedMotion: ReducedMotionActor
  paneWidths: PaneWidthsActor
  sharedComputer: SharedComputerActor
}

const ActorsContext = createContext<Actors | null>(null)

export function ActorsProvider({ actors, children }: { actors: Actors; children: ReactNode }) {
  return <ActorsContext value={actors}>{children}</ActorsContext>
}

function useActors(): Actors {
  const actors = use(ActorsContext)
  if (!actors) throw new Error('views stand inside ActorsProvider')
  return actors
}

export const useApp = () => useActors().app
export const useAuth = () => useActors().auth
export const useNotifier = () => useActors().notifier
export const useAppearance = () => useActors().appearance
export const useReducedMotion = () => useActors().reducedMotion
export const useSharedComputer = () => useActors().sharedComputer
export const usePaneWidths = () => useActors().paneWidths

/** The session of the signed-in user. */
export type SessionRef = NonNullable<ReturnType<typeof selectSession>>

const SessionContext = createContext<SessionRef | null>(null)

export function SessionProvider({ session, children }: { session: SessionRef; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Throws if used outside the routes that need a sign-in. */
export function useSession(): SessionRef {
  const session = use(SessionContext)
  if (!session) throw new Error('nobody is signed in here')
  return session
}
