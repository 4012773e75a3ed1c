import { useEffect } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { SendRoute } from '../../domain/send/send-route.ts'
import { selectRoute } from '../../machines/send/send-route.ts'
import { selectSendRoute, type threadMachine } from '../../machines/thread/thread.ts'
import { useSelector } from '../use-selector.ts'

/**
 * The send route of the next message, with its reason; null if the conversation has only one social page or the route
 * is not known yet. `pageIds` are the pages of the conversation, `pageId` is the chosen one.
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
