import { useSelector } from '@xstate/react'
import { lazy, Suspense } from 'react'
import { selectIsPlaceNeeded } from '../../machines/notifier.ts'
import { useNotifier } from '../actors.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'

const Toaster = lazy(() => import('./Toaster.tsx'))

/**
 * The place of the toasts. Its code is loaded after the list of conversations, so that it is there when the network is
 * not, and elsewhere only when there is something to say.
 */
export function Toasts() {
  if (!useSelector(useNotifier(), selectIsPlaceNeeded)) return null
  return (
    <Suspense fallback={null}>
      <ErrorBoundary fallback={null}>
        <Toaster />
      </ErrorBoundary>
    </Suspense>
  )
}
