import type { Platform } from '../../schemas/conversation.ts'

/** Whom a summary of orders or payments is about, and where it will be sent; a null platform is any. */
export type SummarySubject = { userId: string; clientId: string | null; platform: Platform | null }
