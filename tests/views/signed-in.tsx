import type { ReactNode } from 'react'
import { SessionProvider } from '../../src/views/actors.tsx'
import { startSessionOf } from '../model/session/session-fixture.ts'

/** Parts of the screen of a signed-in person, without the rest of the application. */
export function SignedIn({ children }: { children: ReactNode }) {
  return <SessionProvider session={session.actor}>{children}</SessionProvider>
}

const session = startSessionOf({})
