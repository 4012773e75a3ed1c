import type { AnyActorLogic } from 'xstate'
import { fromCallback, fromPromise } from 'xstate'
import { commentCountMachine } from './machines/comments/comment-count.ts'
import { commentNewsMachine } from './machines/comments/comment-news.ts'
import { savedFiltersMachine } from './machines/list/saved-filters.ts'
import { colleaguesMachine } from './machines/thread/colleagues.ts'
import { notesMachine } from './machines/thread/notes.ts'
import { presenceMachine } from './machines/thread/presence.ts'
import type { SessionServices } from './services-port.ts'

/** `colleagues` with its services, in code that is loaded after the first rows. */
export const composeColleagues = (
  service: Awaited<ReturnType<SessionServices['loadColleagues']>>,
  { loadSavedFilterService, noteStorage }: Pick<SessionServices, 'loadSavedFilterService' | 'noteStorage'>,
): AnyActorLogic =>
  colleaguesMachine.provide({
    actors: {
      watchColleagues: fromCallback(({ input, sendBack }) => service.watch(input.tables, sendBack)),
      presence: presenceMachine.provide({
        actors: { renewPresence: fromPromise(({ input, signal }) => service.renewPresence(input, signal)) },
        actions: {
          'tell that this tab left': (_, { tab }) => void service.endPresence(tab).catch(() => {}),
        },
      }),
      commentCount: commentCountMachine.provide({
        actors: { loadCount: fromPromise(({ signal }) => service.loadCommentCount(signal)) },
      }),
      commentNews: commentNewsMachine.provide({
        actors: {
          readAddress: fromCallback(({ sendBack }) => {
            const comments = service.takeCommentsInAddress()
            if (comments !== null) sendBack({ type: 'comments.requested', ...comments })
          }),
        },
      }),
      savedFilters: savedFiltersMachine.provide({
        actors: {
          loadFilters: fromPromise(async ({ signal }) => (await loadSavedFilterService()).loadFilters(signal)),
        },
      }),
      notes: notesMachine.provide({
        actors: {
          loadNotes: fromPromise(({ input, signal }) => service.loadNotes(input.id, signal)),
          saveNote: fromPromise(({ input }) => service.saveNote(input)),
          deleteNote: fromPromise(({ input }) => service.deleteNote(input.id)),
          watchTexts: fromCallback(({ input, sendBack }) =>
            noteStorage.watch(input.userId, ({ conversationId, draft }) =>
              sendBack({ type: 'note.received', conversationId, text: draft?.text ?? '' }),
            ),
          ),
        },
        actions: {
          'store the text': (_, { userId, conversationId, text }) =>
            noteStorage.store({ staffId: userId, conversationId, draft: { id: conversationId, text, pageId: null } }),
        },
      }),
    },
  })
