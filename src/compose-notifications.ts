import type { AnyActorLogic } from 'xstate'
import { fromCallback, fromPromise } from 'xstate'
import { notificationsMachine } from './machines/shell/notifications.ts'
import { pushMachine } from './machines/shell/push.ts'
import type { SessionServices } from './services-port.ts'

/** `notifications` with its services, in code that is loaded after the first rows. */
export const composeNotifications = (
  service: Awaited<ReturnType<SessionServices['loadNotifications']>>,
  /** Whether the person signed out or another person signed in. */
  wasLeft: () => boolean,
): AnyActorLogic =>
  notificationsMachine.provide({
    actors: {
      loadSettings: fromPromise(({ signal }) => service.loadSettings(signal)),
      requestPermission: fromPromise(() => service.requestPermission()),
      push: pushMachine.provide({
        actors: {
          readDevice: fromPromise(({ input }) => service.push.readDevice(input.userId)),
          subscribe: fromPromise(({ input }) => service.push.subscribe(input.userId)),
          renewSubscription: fromPromise(({ input }) => service.push.renewSubscription(input.userId)),
          unsubscribe: fromPromise(({ input }) => service.push.unsubscribe(input.subscription)),
          tellVisible: fromPromise(() => service.push.tellVisible()),
          watchWorker: fromCallback(({ sendBack }) => {
            const stop = service.push.watch(sendBack)
            return () => {
              stop()
              if (wasLeft()) void service.push.forget().catch(() => {})
            }
          }),
        },
        actions: { 'tell that the tab is hidden': () => service.push.tellHidden() },
      }),
      watchBrowser: fromCallback(({ input, sendBack }) => service.watch(input.userId, sendBack)),
    },
    actions: {
      'play the sound': service.play,
      'show the notices': (_, { notices }) => service.show(notices),
      'close the notice': (_, { tag }) => service.close(tag),
    },
  })
