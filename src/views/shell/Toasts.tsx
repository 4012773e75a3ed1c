import { useSelector } from '@xstate/react'
import { selectIsToasterNeeded } from '../../machines/shell/notifier.ts'
import { useNotifier } from '../actors.tsx'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { onDemand } from '../components/on-demand.tsx'

const Toaster = onDemand(() => import('./Toaster.tsx'))

/**
 * The place of the toasts. Its code is loaded after the list of conversations, so that it is there when the network is
 * not, and elsewhere only when there is something to say.
 *
 * A dialog hides from screen readers what was there without `aria-live` when it opened: the place is there at once, and
 * leaves speaking to the toasts in it.
 */
export function Toasts() {
  const isToasterNeeded = useSelector(useNotifier(), selectIsToasterNeeded)
  return (
    <div aria-live="off">
      {isToasterNeeded && (
        <ErrorBoundary fallback={null}>
          <Toaster />
        </ErrorBoundary>
      )}
    </div>
  )
}
