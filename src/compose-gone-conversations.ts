import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { goneConversationsMachine } from './machines/send/gone-conversations.ts'
import type { SessionServices } from './services-port.ts'

/** `goneConversations` with its service, in code that is loaded after the first rows. */
export const composeGoneConversations = (messages: SessionServices['messages']): AnyActorLogic =>
  goneConversationsMachine.provide({
    actors: { isGone: fromPromise(({ input, signal }) => messages.isGone(input, signal)) },
  })
