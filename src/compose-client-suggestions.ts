import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { clientSuggestionsMachine } from './machines/client/client-suggestions.ts'
import type { SessionServices } from './services-port.ts'

/** `clientSuggestions` with its services, in code that is loaded after the first rows. */
export const composeClientSuggestions = (load: SessionServices['loadClientWork']): AnyActorLogic =>
  clientSuggestionsMachine.provide({
    actors: {
      loadSuggestions: fromPromise(async ({ input, signal }) => (await load()).loadSuggestions(input, signal)),
      dismissSuggestion: fromPromise(async ({ input }) => (await load()).dismissSuggestion(input)),
    },
  })
