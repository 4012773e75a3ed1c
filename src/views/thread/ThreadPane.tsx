import { MessagesSquare } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { threadMachine } from '../../machines/thread/thread.ts'
import { t } from '../../texts/thread.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { useIsInboxEmpty } from '../use-list.ts'
import type { PaneProps } from './OpenThread.tsx'
import { ThreadSkeleton } from './ThreadSkeleton.tsx'

const FirstRun = onDemand(() => import('../list/FirstRun.tsx'))
const OpenThread = onDemand(() => import('./OpenThread.tsx'), ThreadSkeleton)

/** Loads the code of an open thread, so that the first conversation opens without a skeleton. */
export const preloadThread = OpenThread.preload

/** The open conversation (spec section 2, pane 2). */
export function ThreadPane({ thread, ...pane }: PaneProps & { thread: ActorRefFrom<typeof threadMachine> | null }) {
  if (thread === null) return <NothingSelected />
  return <OpenThread thread={thread} {...pane} />
}

function NothingSelected() {
  if (useIsInboxEmpty()) return <FirstRun />
  return <EmptyState icon={<MessagesSquare size={30} strokeWidth={1.5} />} title={t('thread.noneSelected')} />
}
