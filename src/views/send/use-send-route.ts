import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { SendRoute } from '../../domain/send/send-route.ts'
import { selectRoute } from '../../machines/send/send-route.ts'
import { selectSendRoute, type threadMachine } from '../../machines/thread/thread.ts'

/**
 * Which page and identity a message would go out by, and why; null where there is one page alone or while it is not
 * known. `pageIds` are the conversation's pages, and `pageId` the chosen one.
 */
export function useSendRoute(
  thread: ActorRefFrom<typeof threadMachine>,
  pageIds: readonly string[],
  pageId: string | null,
): SendRoute | null {
  const actor = useSelector(thread, selectSendRoute)
  const route = useSelector(actor, (snapshot) => snapshot && selectRoute(snapshot)) ?? null
  const pages = pageIds.length > 1 ? pageIds.join() : null
  useEffect(() => {
    if (pages !== null) thread.send({ type: 'route.requested', pageId })
  }, [thread, pages, pageId])
  return pages === null ? null : route
}
