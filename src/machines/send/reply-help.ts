import { enqueueActions, setup } from 'xstate'
import { offers } from '../../domain/session/features.ts'
import { mayTry } from '../../domain/session/permissions.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { answerMarkMachine } from '../faq/answer-mark.ts'
import { faqSuggestionsMachine } from '../faq/faq-suggestions.ts'
import type { LaterPartInput } from '../shell/later-parts.ts'
import { createSendAction } from '../system.ts'
import { reactionsMachine } from './reactions.ts'
import { type SavedRepliesEvent, savedRepliesMachine } from './saved-replies.ts'

/** Sends an event to `savedReplies`, if that machine runs. */
const tellSavedReplies = createSendAction<SavedRepliesEvent>((event, { system }) => {
  const replies = system.get('savedReplies')
  return replies === undefined ? [] : [{ to: replies, event }]
})

/** Saved replies, suggestions from the FAQ, marks on its automatic answers, and reactions, for those who may send. */
export const replyHelpMachine = setup({
  types: {
    context: {} as { user: AuthUser },
    events: {} as Extract<SavedRepliesEvent, { type: 'message.sent' }>,
    input: {} as LaterPartInput,
  },
  actors: {
    savedReplies: savedRepliesMachine,
    faqSuggestions: faqSuggestionsMachine,
    answerMark: answerMarkMachine,
    reactions: reactionsMachine,
  },
  actions: {
    'tell the saved replies': tellSavedReplies,
    'start the parts': enqueueActions(({ context: { user }, enqueue }) => {
      if (!mayTry(user, 'messages.send')) return
      if (offers(user, 'faq-matching')) enqueue.spawnChild('answerMark', { id: 'answerMark', systemId: 'answerMark' })
      if (offers(user, 'reactions')) enqueue.spawnChild('reactions', { id: 'reactions', systemId: 'reactions' })
      if (!offers(user, 'saved-replies')) return
      enqueue.spawnChild('savedReplies', { id: 'savedReplies', systemId: 'savedReplies' })
      if (mayTry(user, 'faq.read'))
        enqueue.spawnChild('faqSuggestions', { id: 'faqSuggestions', systemId: 'faqSuggestions' })
    }),
  },
}).createMachine({
  id: 'replyHelp',
  context: ({ input: { user } }) => ({ user }),
  entry: 'start the parts',
  on: { 'message.sent': { actions: { type: 'tell the saved replies', params: ({ event }) => event } } },
})
