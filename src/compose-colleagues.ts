import type { AnyActorLogic } from 'xstate'
import { fromCallback, fromPromise } from 'xstate'
import { notificationsMachine } from './machines/shell/notifications.ts'
import { colleaguesMachine } from './machines/thread/colleagues.ts'
import { notesMachine } from './machines/thread/notes.ts'
import { presenceMachine } from './machines/thread/presence.ts'
import type { SessionServices } from './services-port.ts'

/** Presence, notes, collisions and notifications with their services, in code that is loaded after the first rows. */
export function composeColleagues(
  service: Awaited<ReturnType<SessionServices['loadColleagues']>>,
  notifications: Awaited<ReturnType<SessionServices['loadNotifications']>>,
): AnyActorLogic {
  return colleaguesMachine.provide({
    actors: {
      watchColleagues: fromCallback(({ sendBack }) => service.watch(sendBack)),
      presence: presenceMachine.provide({
        actors: { renewPresence: fromPromise(({ input, signal }) => service.renewPresence(input, signal)) },
        actions: {
          'tell that this tab left': (_, { tab }) => void service.endPresence(tab).catch(() => {}),
        },
      }),
      notes: notesMachine.provide({
        actors: {
          loadNotes: fromPromise(({ input, signal }) => service.loadNotes(input.id, signal)),
          saveNote: fromPromise(({ input }) => service.saveNote(input)),
          deleteNote: fromPromise(({ input }) => service.deleteNote(input.id)),
        },
      }),
      notifications: notificationsMachine.provide({
        actors: {
          loadSettings: fromPromise(({ signal }) => notifications.loadSettings(signal)),
          requestPermission: fromPromise(() => notifications.requestPermission()),
          watchBrowser: fromCallback(({ input, sendBack }) => notifications.watch(input.userId, sendBack)),
        },
        actions: {
          'play the sound': notifications.play,
          'show the notices': (_, { notices }) => notifications.show(notices),
          'close the notice': (_, { tag }) => notifications.close(tag),
        },
      }),
    },
  })
}
