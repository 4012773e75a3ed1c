import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { messagePrefetchMachine } from './machines/thread/message-prefetch.ts'
import type { SessionServices } from './services-port.ts'

/** `messagePrefetch` with its service, in code that is loaded after the first rows. */
export const composeMessagePrefetch = (messages: SessionServices['messages']): AnyActorLogic =>
  messagePrefetchMachine.provide({
    actors: { loadMessages: fromPromise(({ input, signal }) => messages.loadMessages(input, signal)) },
  })
