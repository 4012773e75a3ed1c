import { selectIsToasterNeeded } from '../../machines/shell/notifier.ts'
import { useNotifier } from '../actors.tsx'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { useSelector } from '../use-selector.ts'
import type { ConversationAddress } from './conversation-address.ts'

const Toaster = onDemand(() => import('./Toaster.tsx'))

/**
 * The container of the toasts. In the inbox its code loads right after the conversation list, so that it is available
 * when the connection is lost. Elsewhere it loads with the first toast. An opening dialog hides every element without
 * `aria-live` from screen readers, so the container exists from the start with `aria-live="off"`. The toasts inside
 * announce themselves.
 */
export function Toasts({ onOpen }: { onOpen: (address: ConversationAddress) => void }) {
  const isToasterNeeded = useSelector(useNotifier(), selectIsToasterNeeded)
  return (
    <div aria-live="off">
      {isToasterNeeded && (
        <ErrorBoundary fallback={null}>
          <Toaster onOpen={onOpen} />
        </ErrorBoundary>
      )}
    </div>
  )
}
