import type { Platform } from '../../schemas/conversation.ts'

/**
 * The person that a summary of orders or payments describes, and the platform it will be sent on. A null platform
 * stands for any platform.
 */
export type SummarySubject = { userId: string; clientId: string | null; platform: Platform | null }
