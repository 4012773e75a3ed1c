import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { pictureRenewalMachine } from './machines/list/picture-renewal.ts'
import type { SessionServices } from './services-port.ts'

/** `pictureRenewal` with its service, in code that is loaded after the first rows. */
export const composePictureRenewal = (clients: SessionServices['clients']): AnyActorLogic =>
  pictureRenewalMachine.provide({
    actors: { renewPicture: fromPromise(({ input, signal }) => clients.renewPicture(input, signal)) },
  })
