import type { ClientLabels } from '../../schemas/labels-of-row.ts'
import type { Note } from '../../schemas/note.ts'
import type { ClientDataChanged } from '../client/client-data.ts'
import type { CommentsChanged } from '../comments/comment-calls.ts'

/** The types of the calls and reports about colleagues, for the service and the machines. */

/** `id`: the conversation. `tab`: this tab. */
export type PresenceRequest = { id: string; tab: string; isTyping: boolean }

/** A change in the realtime table `presence`. `id` is a tab; for a deleted row, only its key is known. */
export type PresenceChange =
  | { type: 'INSERT' | 'UPDATE'; id: string; staffId: string; conversationId: string; isTyping: boolean }
  | { type: 'DELETE'; id: string }

/** A change in the realtime table `notes`. */
export type NoteChange = { type: 'INSERT'; note: Note } | { type: 'DELETE'; id: string }

/** What the channel of colleagues reports. */
export type ColleagueReport =
  | { type: 'channel.joined' }
  | { type: 'channel.lost' }
  | { type: 'presence.changed'; change: PresenceChange }
  | { type: 'note.changed'; change: NoteChange }
  /** A label was created, changed or deleted. */
  | { type: 'label.changed' }
  | { type: 'clientLabels.changed'; clientId: string; labels: ClientLabels }
  | ClientDataChanged
  | CommentsChanged
  /** A member of staff saved filters. */
  | { type: 'savedFilters.changed'; staffId: string; version: number }

/** The realtime tables of that channel. */
export type ColleagueTable =
  | 'presence'
  | 'notes'
  | 'labels'
  | 'client_labels'
  | 'client_changes'
  | 'saved_filter_versions'
  | 'comment_threads'

/** A note to save. `id` stays for a retry. */
export type NoteRequest = { conversationId: string; id: string; text: string; mentions: readonly string[] }
