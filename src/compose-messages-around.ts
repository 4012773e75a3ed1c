import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { messagesAroundMachine } from './machines/thread/messages-around.ts'
import type { SessionServices } from './services-port.ts'

/** `messagesAround` with its service, in code that is loaded after the first rows. */
export const composeMessagesAround = (
  service: Awaited<ReturnType<SessionServices['loadMessagesAround']>>,
): AnyActorLogic =>
  messagesAroundMachine.provide({
    actors: { loadAround: fromPromise(({ input, signal }) => service.loadAround(input, signal)) },
  })
