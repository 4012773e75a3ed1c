import type { ReplyToSave, ReplyUse } from '../../domain/send/saved-reply-calls.ts'
import { answerOf, successAnswer } from '../../schemas/primitives.ts'
import { type SavedReply, savedReply } from '../../schemas/saved-reply.ts'
import { type Http, rows } from '../http.ts'

const pathOf = (id: string) => `/saved-replies/${encodeURIComponent(id)}`

/** The calls of saved replies (feature 'saved-replies'). All throw `Failure`. Calls that change data are never aborted. */
export function createSavedReplies(http: Http, log: { warn: (text: string) => void }) {
  const listAnswer = answerOf(rows(savedReply, log, 'saved replies'))
  return {
    loadReplies: async (signal: AbortSignal): Promise<readonly SavedReply[]> =>
      (await http.get('/saved-replies', { schema: listAnswer, signal })).data,

    /** A null id creates a new saved reply. */
    saveReply: async ({ id, body }: ReplyToSave): Promise<void> => {
      if (id === null) await http.post('/saved-replies', { schema: successAnswer, body })
      else await http.put(pathOf(id), { schema: successAnswer, body })
    },

    deleteReply: async ({ id }: { id: string }): Promise<void> => {
      await http.delete(pathOf(id), { schema: successAnswer })
    },

    countUse: async ({ id, key }: ReplyUse): Promise<void> => {
      await http.post(`${pathOf(id)}/used`, { schema: successAnswer, body: { key } })
    },
  }
}
