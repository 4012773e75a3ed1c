import type { AnyActorLogic } from 'xstate'
import { fromCallback, fromPromise } from 'xstate'
import { notificationsMachine } from './machines/shell/notifications.ts'
import type { SessionServices } from './services-port.ts'

/** `notifications` with its services, in code that is loaded after the first rows. */
export const composeNotifications = (
  service: Awaited<ReturnType<SessionServices['loadNotifications']>>,
): AnyActorLogic =>
  notificationsMachine.provide({
    actors: {
      loadSettings: fromPromise(({ signal }) => service.loadSettings(signal)),
      requestPermission: fromPromise(() => service.requestPermission()),
      watchBrowser: fromCallback(({ input, sendBack }) => service.watch(input.userId, sendBack)),
    },
    actions: {
      'play the sound': service.play,
      'show the notices': (_, { notices }) => service.show(notices),
      'close the notice': (_, { tag }) => service.close(tag),
    },
  })
