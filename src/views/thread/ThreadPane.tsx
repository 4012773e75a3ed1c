import { MessagesSquare } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import { threadToasts } from '../../domain/thread/toasts.ts'
import type { threadMachine } from '../../machines/thread/thread.ts'
import { t } from '../../texts/thread.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useIsInboxEmpty } from '../use-inbox.ts'
import type { PaneProps } from './OpenThread.tsx'
import { ThreadSkeleton } from './ThreadSkeleton.tsx'

const FirstRun = onDemand(() => import('../list/FirstRun.tsx'))
const OpenThread = onDemand(() => import('./OpenThread.tsx'), ThreadSkeleton)

/** Loads the code of an open thread, so that the first conversation opens without a skeleton. */
export const preloadThread = OpenThread.preload

/** The open conversation (spec section 2, pane 2). */
export function ThreadPane({ thread, ...pane }: PaneProps & { thread: ActorRefFrom<typeof threadMachine> | null }) {
  if (thread === null) return <NothingSelected />
  return (
    <ErrorBoundary resetKey={thread.sessionId} fallback={<NotShown />}>
      <OpenThread thread={thread} {...pane} />
    </ErrorBoundary>
  )
}

/** In place of a thread whose code could not be loaded. Chromium does not request a failed module again until a reload. */
function NotShown() {
  return (
    <EmptyState title={threadToasts.failed.text}>
      <TryAgain onRetry={() => window.location.reload()} />
    </EmptyState>
  )
}

function NothingSelected() {
  if (useIsInboxEmpty()) return <FirstRun />
  return <EmptyState icon={<MessagesSquare size={30} strokeWidth={1.5} />} title={t('thread.noneSelected')} />
}
