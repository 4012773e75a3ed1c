import type { Reacted } from '../../domain/thread/reaction-calls.ts'
import type { Message } from '../../schemas/message.ts'
import { reactAnswer } from '../../schemas/reaction.ts'
import type { Http } from '../http.ts'

/** The reactions of pages (feature 'reactions'). Throws `Failure`. */
export function createReactions(http: Http) {
  return {
    /** Not aborted, because the network may have the reaction. Returns the message as it is now. */
    react: async ({ messageId, emoji }: Reacted): Promise<Message> => {
      const path = `/facebook/messages/${encodeURIComponent(messageId)}/reaction`
      return (await http.put(path, { schema: reactAnswer, body: { emoji } })).data.message
    },
  }
}
