import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { stateChangesMachine } from './machines/list/state-changes.ts'
import type { SessionServices } from './services-port.ts'

/** `stateChanges` with its service, in code that is loaded after the first rows. */
export const composeStateChanges = (service: Awaited<ReturnType<SessionServices['loadStates']>>): AnyActorLogic =>
  stateChangesMachine.provide({
    actors: { changeStates: fromPromise(({ input }) => service.changeStates(input)) },
  })
