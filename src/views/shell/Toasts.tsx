import { useSelector } from '@xstate/react'
import { lazy, Suspense, useState } from 'react'
import { selectPhase } from '../../machines/app.ts'
import { selectToasts } from '../../machines/notifier.ts'
import { useApp, useNotifier } from '../actors.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'

const Toaster = lazy(() => import('./Toaster.tsx'))

/**
 * The place of the toasts. Its code is loaded with the inbox, so that it is there when the network is not, and at the
 * sign-in only when there is something to say.
 */
export function Toasts() {
  const isSignedIn = useSelector(useApp(), selectPhase) === 'signedIn'
  const hasToasts = useSelector(useNotifier(), selectToasts).length > 0
  const [wasNeeded, setNeeded] = useState(false)
  if (!wasNeeded && (isSignedIn || hasToasts)) setNeeded(true)
  if (!wasNeeded) return null
  return (
    <Suspense fallback={null}>
      <ErrorBoundary fallback={null}>
        <Toaster />
      </ErrorBoundary>
    </Suspense>
  )
}
