import type { AnyActorLogic } from 'xstate'
import { fromCallback, fromPromise } from 'xstate'
import { faqSuggestionsMachine } from './machines/faq/faq-suggestions.ts'
import { savedRepliesMachine } from './machines/send/saved-replies.ts'
import { notificationsMachine } from './machines/shell/notifications.ts'
import { colleaguesMachine } from './machines/thread/colleagues.ts'
import { notesMachine } from './machines/thread/notes.ts'
import { presenceMachine } from './machines/thread/presence.ts'
import type { SessionServices } from './services-port.ts'

/** The parts of `colleagues` with their services, in code that is loaded after the first rows. */
export function composeColleagues(
  service: Awaited<ReturnType<SessionServices['loadColleagues']>>,
  { loadFaq, loadSavedReplies }: Pick<SessionServices, 'loadFaq' | 'loadSavedReplies'>,
  notifications: Awaited<ReturnType<SessionServices['loadNotifications']>>,
): AnyActorLogic {
  return colleaguesMachine.provide({
    actors: {
      watchColleagues: fromCallback(({ input, sendBack }) => service.watch(input.tables, sendBack)),
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
      savedReplies: savedRepliesMachine.provide({
        actors: {
          loadReplies: fromPromise(async ({ signal }) => (await loadSavedReplies()).loadReplies(signal)),
          countUse: fromPromise(async ({ input }) => (await loadSavedReplies()).countUse(input)),
        },
      }),
      faqSuggestions: faqSuggestionsMachine.provide({
        actors: { loadEntries: fromPromise(async ({ signal }) => (await loadFaq()).loadEntries(signal)) },
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
