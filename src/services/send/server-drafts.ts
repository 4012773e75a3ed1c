import type * as z from 'zod/mini'
import type { DraftSave, DraftSaveResult, ServerDraft } from '../../domain/send/saved-drafts.ts'
import { draftsAnswer, saveDraftAnswer, type serverDraft } from '../../schemas/draft.ts'
import type { Http } from '../http.ts'

const draftOf = ({ conversation_id, text, extras, version }: z.infer<typeof serverDraft>): ServerDraft => ({
  conversationId: conversation_id,
  text,
  extras: extras ?? null,
  version,
})

/** The drafts of the signed-in person on the server (feature 'drafts'). All calls throw `Failure`. */
export function createServerDrafts(http: Http) {
  return {
    loadDrafts: async (signal: AbortSignal): Promise<readonly ServerDraft[]> => {
      const { data } = await http.get('/facebook/drafts', { schema: draftsAnswer, signal })
      return data.map(draftOf)
    },
    /** Not aborted, because the server may have saved the draft in any case. */
    saveDraft: async ({ conversationId, ...body }: DraftSave): Promise<DraftSaveResult> => {
      const { data } = await http.put(`/facebook/drafts/${encodeURIComponent(conversationId)}`, {
        schema: saveDraftAnswer,
        body,
      })
      return { isSaved: data.is_saved, draft: data.draft && draftOf(data.draft) }
    },
  }
}
