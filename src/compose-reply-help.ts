import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { answerMarkMachine } from './machines/faq/answer-mark.ts'
import { faqSuggestionsMachine } from './machines/faq/faq-suggestions.ts'
import { reactionsMachine } from './machines/send/reactions.ts'
import { replyHelpMachine } from './machines/send/reply-help.ts'
import { savedRepliesMachine } from './machines/send/saved-replies.ts'
import type { SessionServices } from './services-port.ts'

/** `replyHelp` with its services, in code that is loaded after the first rows. */
export const composeReplyHelp = (
  replies: Awaited<ReturnType<SessionServices['loadSavedReplies']>>,
  { loadFaq, loadReactions }: Pick<SessionServices, 'loadFaq' | 'loadReactions'>,
): AnyActorLogic =>
  replyHelpMachine.provide({
    actors: {
      savedReplies: savedRepliesMachine.provide({
        actors: {
          loadReplies: fromPromise(({ signal }) => replies.loadReplies(signal)),
          countUse: fromPromise(({ input }) => replies.countUse(input)),
        },
      }),
      answerMark: answerMarkMachine.provide({
        actors: { markAnswer: fromPromise(async ({ input }) => (await loadFaq()).markAnswer(input)) },
      }),
      reactions: reactionsMachine.provide({
        actors: { react: fromPromise(async ({ input }) => (await loadReactions()).react(input)) },
      }),
      faqSuggestions: faqSuggestionsMachine.provide({
        actors: { loadEntries: fromPromise(async ({ signal }) => (await loadFaq()).loadEntries(signal)) },
      }),
    },
  })
