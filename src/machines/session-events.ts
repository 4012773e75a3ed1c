import type { ListQuery } from '../domain/list/list-query.ts'
import type { BrowserReport } from '../domain/shell/browser-report.ts'
import type { MessageChange, UserChange } from '../domain/shell/changes.ts'
import type { AuthUser } from '../schemas/auth.ts'
import type { AutoSyncStatus } from '../schemas/auto-sync.ts'
import type { Message } from '../schemas/message.ts'
import type { Page } from '../schemas/page.ts'
import { telling } from './system.ts'

/** Who is asked for a resync after a gap, and answers `resync.done`. */
export type Resyncing = 'conversations' | 'thread' | 'outbox'

/** What the screen asks of the session. */
type SessionRequest =
  /** The id in the URL: a primary user id or a fb user id. */
  | { type: 'conversation.selected'; id: string }
  | { type: 'conversation.deselected' }
  /** Null is All Pages. */
  | { type: 'page.chosen'; pageId: string | null }
  /** The search and the filters as the URL has them. */
  | { type: 'query.opened'; query: ListQuery }
  | { type: 'refetch.requested' }
  /** Of the page that is filtered by, or of all. */
  | { type: 'recentSync.requested' }
  /** The id in the URL of a client's page. */
  | { type: 'client.opened'; id: string }
  | { type: 'client.left' }
  /** The session started with a saved inbox, and the server has confirmed its person. */
  | { type: 'user.confirmed'; user: AuthUser }

/** What the session's children tell their owner. */
export type SessionReport =
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  /** The thread has read these. */
  | { type: 'messages.fetched'; messages: readonly Message[] }
  /** Realtime receives changes again, and may have missed some: whoever holds rows has to catch up. */
  | { type: 'resync.requested' }
  /** Everything may be old: realtime receives nothing, or a sync has ended. The first page of the list is fetched. */
  | { type: 'inbox.invalidated' }
  | { type: 'resync.done'; from: Resyncing }
  | { type: 'message.sent'; conversationId: string; message: Message; realMessageId?: string | null }
  /** The open conversation was marked as read, whether the call succeeded or not. */
  | { type: 'conversation.read'; id: string }
  | { type: 'pages.loaded'; pages: readonly Page[] }
  /** The list of pages may be another by now. */
  | { type: 'pages.invalidated' }
  /** A page was added, changed or deleted here, and with it what stands in the list. */
  | { type: 'pages.changed' }
  /** The automatic sync was changed here. */
  | { type: 'autoSync.received'; status: AutoSyncStatus }
  | { type: 'autoSync.invalidated' }
  /** A chat user was linked to a client here. */
  | { type: 'client.linked'; userId: string; clientId: string }

export type SessionEvent = SessionRequest | SessionReport | BrowserReport

/**
 * Tells the owner: `{ type: 'tellSession', params: { type: 'resync.done', from: 'thread' } }`.
 * Where no session runs the machine itself gets the event, and ignores it.
 */
export const tellSession = telling<SessionReport>((report, { system, self }) => [
  { to: system.get('session') ?? self, event: report },
])
