import { answerOf } from '../../schemas/primitives.ts'
import { type MessageTemplate, messageTemplate } from '../../schemas/structured-message.ts'
import { type Http, rows } from '../http.ts'

/** The templates of the pages (feature 'message-templates'). The call throws `Failure`. */
export function createMessageTemplates(http: Http, log: { warn: (text: string) => void }) {
  const answer = answerOf(rows(messageTemplate, log, 'message templates'))
  return {
    loadTemplates: async ({ pageId }: { pageId: string }, signal: AbortSignal): Promise<readonly MessageTemplate[]> => {
      const path = `/facebook/pages/${encodeURIComponent(pageId)}/message-templates`
      return (await http.get(path, { schema: answer, signal })).data
    },
  }
}
