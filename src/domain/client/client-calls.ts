import type { AuthUser } from '../../schemas/auth.ts'
import type { EditClientBody } from '../../schemas/client.ts'
import type { MergeClientsBody } from '../../schemas/client-removal.ts'
import type { Platform } from '../../schemas/conversation.ts'
import type { CustomerLanguage } from '../../schemas/customer-language.ts'
import type { SummaryOrder } from '../../schemas/draft.ts'

export type ClientRequestById = { clientId: string }
export type ClientEditRequest = ClientRequestById & { body: EditClientBody }
/** `version`: of the client as it was shown. */
export type RemoveRequest = ClientRequestById & { version: number }
export type MergeRequest = ClientRequestById & { body: MergeClientsBody }

export type ClientLanguageRequest = { clientId: string; language: CustomerLanguage }

export type SummaryKind = 'orders' | 'payments'

/**
 * How the text of a summary is written. A null platform stands for any platform, a null language for that of clients for whom
 * none was chosen. `business` is that of the user (`businessOf`).
 */
export type SummaryForm = { platform: Platform | null; language: string | null; business: AuthUser['business'] }

/** The person that a summary of orders or payments describes. */
export type SummarySubject = SummaryForm & { userId: string; clientId: string | null }

/** A summary with what it tells of the orders that it was made from. */
export type Summary = { text: string; orders: SummaryOrder[] }
