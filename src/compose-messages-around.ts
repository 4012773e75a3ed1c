import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { messagesAroundMachine } from './machines/thread/messages-around.ts'
import type { SessionServices } from './services-port.ts'

/** `messagesAround` with its service, in code that is loaded after the first rows. The service is loaded with the first call. */
export const composeMessagesAround = (loadSearch: SessionServices['loadSearch']): AnyActorLogic =>
  messagesAroundMachine.provide({
    actors: { loadAround: fromPromise(async ({ input, signal }) => (await loadSearch()).loadAround(input, signal)) },
  })
