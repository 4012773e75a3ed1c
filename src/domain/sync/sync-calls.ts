import type * as z from 'zod/mini'
import type { Platform } from '../../schemas/conversation.ts'
import type { PageFailure } from '../../schemas/page.ts'
import type { syncHistoryBody } from '../../schemas/sync.ts'

/** The numbers of new messages and of synced pages, and the pages that failed. */
export type SyncedPages = { messages: number; pages: number; failures: readonly PageFailure[] }

/** One person on one social page. */
export type SyncedConversation = { pageId: string; psid: string; platform: Platform }

export type HistorySyncRequest = { pageId: string } & z.infer<typeof syncHistoryBody>
