import type { SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import type { CommentsChanged } from '../../domain/comments/comment-calls.ts'
import { Failure } from '../../domain/failure.ts'
import type {
  ColleagueReport,
  ColleagueTable,
  NoteRequest,
  PresenceRequest,
} from '../../domain/thread/colleague-calls.ts'
import { clientChangesRow } from '../../schemas/client.ts'
import { type CommentThreadRow, commentCountAnswer, commentThreadRow } from '../../schemas/comment.ts'
import { clientLabelsRow } from '../../schemas/labels-of-row.ts'
import { type Note, note, noteAnswer } from '../../schemas/note.ts'
import { type Colleague, colleague, presenceRow } from '../../schemas/presence.ts'
import { answerOf, id, successAnswer } from '../../schemas/primitives.ts'
import { savedFilterVersionRow } from '../../schemas/saved-filter.ts'
import { takeCommentsInAddress } from '../comments/comments-in-address.ts'
import { type Http, rows } from '../http.ts'

const inPath = (part: string) => encodeURIComponent(part)

const change = z.object({
  eventType: z.enum(['INSERT', 'UPDATE', 'DELETE']),
  new: z.unknown(),
  old: z.unknown(),
  errors: z.nullish(z.array(z.unknown())),
})
const key = z.object({ id })

function threadIn({ id: threadId, post_id, ...row }: CommentThreadRow): CommentsChanged['thread'] {
  // The key of a deleted row.
  if (post_id === undefined) return { id: threadId, postId: null, isWaiting: false }
  const isWaiting = row.waiting_since != null
  const news = { threadId, name: row.author_name ?? null, line: row.waiting_text ?? null }
  const isNews = isWaiting && row.version !== undefined && row.news_version === row.version
  return { id: threadId, postId: post_id, isWaiting, ...(isNews && { news }) }
}

/** Parses a change; null if it does not match the schemas. */
function readColleagueReport(table: ColleagueTable, payload: unknown): ColleagueReport | null {
  if (table === 'labels') return { type: 'label.changed' }
  const parsed = z.safeParse(change, payload)
  if (!parsed.success || parsed.data.errors?.length) return null
  const { eventType: type, new: record, old } = parsed.data
  if (table === 'client_labels') {
    const row = z.safeParse(clientLabelsRow, record)
    if (!row.success) return null
    const { client_id: clientId, ...labels } = row.data
    return { type: 'clientLabels.changed', clientId, labels }
  }
  if (table === 'client_changes') {
    const row = z.safeParse(clientChangesRow, record)
    return type === 'INSERT' && row.success ? { type: 'clientData.changed', clientIds: row.data.client_ids } : null
  }
  if (table === 'comment_threads') {
    const row = z.safeParse(commentThreadRow, type === 'DELETE' ? old : record)
    return row.success ? { type: 'comments.changed', thread: threadIn(row.data) } : null
  }
  if (table === 'saved_filter_versions') {
    const row = z.safeParse(savedFilterVersionRow, record)
    return row.success ? { type: 'savedFilters.changed', staffId: row.data.staff_id, version: row.data.version } : null
  }
  if (type === 'DELETE') {
    const gone = z.safeParse(key, old)
    if (!gone.success) return null
    return table === 'presence'
      ? { type: 'presence.changed', change: { type, id: gone.data.id } }
      : { type: 'note.changed', change: { type, id: gone.data.id } }
  }
  if (table === 'presence') {
    const row = z.safeParse(presenceRow, record)
    if (!row.success) return null
    const { id: tab, staff_id: staffId, primary_user_id: conversationId, is_typing: isTyping } = row.data
    return { type: 'presence.changed', change: { type, id: tab, staffId, conversationId, isTyping } }
  }
  const row = z.safeParse(note, record)
  return type === 'INSERT' && row.success ? { type: 'note.changed', change: { type, note: row.data } } : null
}

/** The calls and the channel of presence (feature 'presence') and notes (feature 'notes'). Calls throw `Failure`. */
export function createColleagues(
  http: Http,
  log: { warn: (text: string) => void },
  load: () => Promise<SupabaseClient>,
) {
  const presenceAnswer = answerOf(z.object({ colleagues: rows(colleague, log, 'colleagues') }))
  const notesAnswer = answerOf(z.object({ notes: rows(note, log, 'notes') }))
  let opened = 0
  return {
    renewPresence: async (
      { id: conversationId, tab, isTyping }: PresenceRequest,
      signal: AbortSignal,
    ): Promise<readonly Colleague[]> => {
      const { data } = await http.post(`/facebook/conversations/${inPath(conversationId)}/presence`, {
        schema: presenceAnswer,
        body: { tab, isTyping },
        signal,
      })
      return data.colleagues
    },
    endPresence: async (tab: string): Promise<void> => {
      await http.delete(`/facebook/presence/${inPath(tab)}`, { schema: successAnswer })
    },
    loadNotes: async (conversationId: string, signal: AbortSignal): Promise<readonly Note[]> => {
      try {
        const { data } = await http.get(`/facebook/conversations/${inPath(conversationId)}/notes`, {
          schema: notesAnswer,
          signal,
        })
        return data.notes
      } catch (error) {
        // The thread says that there is no such conversation.
        if (error instanceof Failure && error.status === 404) return []
        throw error
      }
    },
    /** Not aborted, because the server may save the note in any case. */
    saveNote: async ({ conversationId, ...body }: NoteRequest): Promise<Note> => {
      const { data } = await http.post(`/facebook/conversations/${inPath(conversationId)}/notes`, {
        schema: noteAnswer,
        body,
      })
      return data
    },
    deleteNote: async (noteId: string): Promise<void> => {
      await http.delete(`/facebook/notes/${inPath(noteId)}`, { schema: successAnswer })
    },

    /** The comments that the address of the page opens; null without any. */
    takeCommentsInAddress: () => takeCommentsInAddress(window),

    loadCommentCount: async (signal: AbortSignal): Promise<number> =>
      (await http.get('/comments/count', { schema: commentCountAnswer, signal })).data.waiting,

    /**
     * Subscribes to these tables on the socket of the other channels, and reports until the returned function is
     * called. Messages have channels of their own, so that a failure here changes nothing about Live.
     */
    watch: (tables: readonly ColleagueTable[], report: (event: ColleagueReport) => void): (() => void) => {
      let isOpen = true
      let leave = () => {}
      const tell = (event: ColleagueReport | null) => {
        if (isOpen && event !== null) report(event)
      }
      const join = async () => {
        const client = await load()
        const { data } = await client.auth.getSession()
        if (data.session === null) throw new Error('there is no session to join with')
        await client.realtime.setAuth()
        if (!isOpen) return
        opened += 1
        const channel = client.channel(`inbox-colleagues-${opened}`)
        for (const table of tables)
          channel.on('postgres_changes', { event: '*', schema: 'public', table }, (payload) =>
            tell(readColleagueReport(table, payload)),
          )
        leave = () => void client.removeChannel(channel)
        channel.subscribe((status) => tell({ type: status === 'SUBSCRIBED' ? 'channel.joined' : 'channel.lost' }))
      }
      join().catch(() => tell({ type: 'channel.lost' }))
      return () => {
        isOpen = false
        leave()
      }
    },
  }
}
