import type { ClientDataChanged } from '../domain/client/client-data.ts'
import type { CommentsChanged } from '../domain/comments/comment-calls.ts'
import type { CommentsRequested } from '../domain/list/comment-news.ts'
import type { ListQuery } from '../domain/list/list-query.ts'
import type { ExpectedState } from '../domain/list/records.ts'
import type { StateStep } from '../domain/list/state-changes.ts'
import type { DraftSave, DraftSaveResult, ServerDraft } from '../domain/send/saved-drafts.ts'
import type { BrowserReport } from '../domain/shell/browser-report.ts'
import type { MessageChange, StateReport, UserChange } from '../domain/shell/changes.ts'
import type { AuthUser } from '../schemas/auth.ts'
import type { AutoSyncStatus } from '../schemas/auto-sync.ts'
import type { ConversationView } from '../schemas/conversation-state.ts'
import type { Label } from '../schemas/label.ts'
import type { ClientLabels } from '../schemas/labels-of-row.ts'
import type { Message } from '../schemas/message.ts'
import type { SavedNotificationSettings } from '../schemas/notification-settings.ts'
import type { Page } from '../schemas/page.ts'
import { createSendAction } from './system.ts'

/** The machines that resync after a gap and then report `resync.done`. */
export type Resyncing = 'conversations' | 'thread' | 'outbox'

/** Requests of the screen to the session. */
type SessionRequest =
  /** The id in the URL: a primary user id or a fb user id. */
  | { type: 'conversation.selected'; id: string }
  /** The mouse was pressed on the row of a conversation, which a click may open. */
  | { type: 'conversation.pressed'; id: string }
  | { type: 'conversation.deselected' }
  /** A null `pageId` means All Pages. */
  | { type: 'page.chosen'; pageId: string | null }
  | { type: 'view.chosen'; view: ConversationView }
  | ({ type: 'change.requested' } & StateStep)
  /** Undoes the change with this key, or the last one. */
  | { type: 'undo.requested'; key?: string }
  /** `query`: the search and the filters from the URL. */
  | { type: 'query.opened'; query: ListQuery }
  | { type: 'refetch.requested' }
  /** Syncs the page of the page filter, or all pages without a filter. */
  | { type: 'recentSync.requested' }
  /** `id`: the client id in the URL of a client page. */
  | { type: 'client.opened'; id: string }
  | { type: 'client.left' }
  /** The server has confirmed the person of a session that started with a saved inbox. */
  | { type: 'user.confirmed'; user: AuthUser }

/** Reports of the session's children to the session. */
export type SessionReport =
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  /** Realtime or an answer to a change told states of conversations. */
  | { type: 'states.changed'; changes: readonly StateReport[] }
  /** A change of states is sent, and shown before the server answers. */
  | { type: 'states.expected'; ids: readonly string[]; expected: ExpectedState }
  /** The change with this key was answered or has failed. `told` are the states of the answer. */
  | { type: 'states.settled'; key: string; ids: readonly string[]; told: readonly StateReport[] }
  /** These conversations are marked as unread, before the server answers. */
  | { type: 'conversations.unread'; ids: readonly string[] }
  /** The thread has fetched these messages. */
  | { type: 'messages.fetched'; messages: readonly Message[] }
  /** Realtime receives changes again and may have missed some. Every machine that holds rows must resync. */
  | { type: 'resync.requested' }
  /** All data may be stale: realtime is down, or a sync has ended. The list refetches its first page. */
  | { type: 'inbox.invalidated' }
  | { type: 'resync.done'; from: Resyncing }
  | { type: 'message.sent'; conversationId: string; message: Message; realMessageId?: string | null }
  /** The open conversation was marked as read, whether the call succeeded or not. */
  | { type: 'conversation.read'; id: string }
  | { type: 'pages.loaded'; pages: readonly Page[] }
  /** All labels. */
  | { type: 'labels.loaded'; labels: readonly Label[] }
  /** Somebody created, changed or deleted a label, or a change may have been missed. */
  | { type: 'labels.invalidated' }
  /** All labels after a change of this tab. */
  | { type: 'labels.told'; labels: readonly Label[] }
  | CommentsChanged
  /** The person has pressed news of comments. */
  | CommentsRequested
  /** Realtime or an answer told the labels of a client. */
  | ClientDataChanged
  | { type: 'clientLabels.told'; clientId: string; labels: ClientLabels }
  /** The list of pages may have changed. */
  | { type: 'pages.invalidated' }
  /** A page was added, changed or deleted in this tab, so the conversation list may have changed too. */
  | { type: 'pages.changed' }
  /** The automatic sync was changed in this tab. */
  | { type: 'autoSync.received'; status: AutoSyncStatus }
  | { type: 'autoSync.invalidated' }
  /** All data of the person of a conversation was erased. */
  | { type: 'person.erased'; conversationId: string }
  /** The server no longer knows the conversation with this id. */
  | { type: 'conversation.gone'; id: string }
  /** The person has changed a draft. `next`: the write that the server needs. */
  | { type: 'drafts.changed'; next: DraftSave | null }
  /** An answer of the server or another tab has changed the drafts. */
  | { type: 'drafts.merged'; next: DraftSave | null }
  /** All drafts of this person on the server. */
  | { type: 'drafts.fetched'; drafts: readonly ServerDraft[] }
  | { type: 'draft.saving'; conversationId: string; version: string }
  | { type: 'draft.answered'; save: DraftSave; result: DraftSaveResult }
  /** The server will not take this draft. */
  | { type: 'draft.refused'; save: DraftSave }
  /** The drafts are to be saved before the person is signed out. */
  | { type: 'flush.requested' }
  /** No draft can be saved any more: all are saved, or the server does not answer. */
  | { type: 'drafts.flushed' }
  /** The person has clicked a notification about this conversation. */
  | { type: 'conversation.requested'; id: string }
  /** The notification settings of the server after they were saved in this tab. */
  | { type: 'settings.saved'; saved: SavedNotificationSettings }
  /** The chats of a conversation were joined, split or unlinked in this tab. `unlinkedClient`: null if none was. */
  | { type: 'chats.changed'; changes: readonly UserChange[]; unlinkedClient: string | null }
  /** A chat user was linked to a client in this tab. */
  | { type: 'client.linked'; userId: string; clientId: string }

export type SessionEvent = SessionRequest | SessionReport | BrowserReport

/**
 * Sends a report to the session: `{ type: 'tellSession', params: { type: 'resync.done', from: 'thread' } }`.
 * If no session runs, the machine sends the event to itself and ignores it.
 */
export const tellSession = createSendAction<SessionReport>((report, { system, self }) => [
  { to: system.get('session') ?? self, event: report },
])
