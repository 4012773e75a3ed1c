import type { MessagesRequest } from '../../domain/thread/thread-calls.ts'
import type { FetchedPage } from '../../domain/thread/thread-messages.ts'
import type { System } from '../system.ts'
import type { MessagePrefetchActor } from './message-prefetch.ts'

/**
 * The page that was prefetched for this request, as soon as it arrives; null if there is none. Rejects with the failure if the
 * request fails meanwhile. Apart from the machine, whose code is loaded after the first rows.
 */
export function takePrefetch(system: System, request: MessagesRequest): Promise<FetchedPage | null> {
  const prefetch: MessagePrefetchActor | undefined = system.get('messagePrefetch')
  return new Promise((reply, fail) => {
    if (prefetch === undefined) reply(null)
    else prefetch.send({ type: 'page.requested', request, reply, fail })
  })
}
