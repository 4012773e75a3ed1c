import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'
import { storableMoment } from './storable-moment.ts'

/** Every action that the audit log knows. The server records no other. */
export const auditActions = [
  'sign-in.succeeded',
  'sign-in.refused',
  /** One entry for all further refusals of an address within the minute. */
  'sign-in.refusals-omitted',
  'sign-out',
  /** A refresh token was used twice, so it was probably copied. */
  'session.stolen',
  'staff.added',
  'staff.renamed',
  'staff.role-changed',
  'staff.activated',
  'staff.deactivated',
  'password.changed',
  'password.reset',
  'second-factor.enabled',
  'second-factor.disabled',
  'second-factor.codes-issued',
  'page.connected',
  'page.changed',
  'page.removed',
  'token.entered',
  'token.invalid',
  'client.created',
  'client.changed',
  'client.deleted',
  'client.merged',
  'client.restored',
  'client.linked',
  'client.unlinked',
  'chats.joined',
  'chat.split',
  'note.deleted',
  /** Comments under posts, named by the network's id. */
  'comment.hidden',
  'comment.shown',
  'comment.deleted',
  'live-sale.changed',
  'person.erased',
  'person.exported',
  'label.created',
  'label.changed',
  'label.deleted',
  'client.labelled',
  'client.language-chosen',
  'suggestion.dismissed',
  /** Orders and payments are named by their client, so that an erasure of the client finds their entries. */
  'order.created',
  'order.status-changed',
  'payment.recorded',
  'payment.status-changed',
  'product.created',
  'product.changed',
  'product.deleted',
  'faq.created',
  'faq.changed',
  'faq.deleted',
  'faq.matching-changed',
  /** An automatic answer in a thread. */
  'faq.answer-marked',
  'faq.answer-unmarked',
  'faq.answer-resolved',
  'business-hours.changed',
  'assignment-rules.changed',
  'saved-reply.created',
  'saved-reply.changed',
  'saved-reply.deleted',
  'sync.settings-changed',
  'keys.rotated',
  'api-key.created',
  'api-key.revoked',
  /** Endpoints are named by their host, because an address may contain a secret. */
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.secret-replaced',
  'webhook.resent',
  /** Rows that another program stored with its key. */
  'import.stored',
  'csv-import.started',
  'csv-import.completed',
  'csv-import.cancelled',
  'shop.connected',
  'shop.sync-started',
  'shop.disconnected',
  'data.exported',
  'backup.restored',
  'audit.exported',
  'report.exported',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Why a sign-in was refused: the detail `reason` of its entry. */
export type SignInRefusal =
  | 'wrong-password'
  | 'wrong-code'
  | 'too-many-attempts'
  | 'email-not-confirmed'
  | 'invalid-token'
  | 'no-staff-account'
  | 'inactive'
  | 'migration-pending'

/** The kinds of row that an entry names by id. */
export type AuditKind =
  | 'staff'
  | 'page'
  | 'client'
  | 'conversation'
  | 'faq'
  | 'api-key'
  | 'webhook'
  | 'label'
  | 'saved-reply'
  | 'csv-import'
  | 'shop'
  | 'product'
  | 'comment'

/** The maximum number of characters of an entry's texts. */
export const auditLimits = { name: 200, id: 200, address: 64, userAgent: 200, detail: 200 } as const

/** Facts of an entry: ids, names of fields, counts and settings. Never message texts, tokens or passwords. */
const auditDetails = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
export type AuditDetails = z.infer<typeof auditDetails>

export const auditEntry = z.object({
  id: count,
  created_at: moment,
  staff_id: z.nullable(z.string()),
  staff_name: z.nullable(z.string()),
  action: z.string(),
  row_kind: z.nullable(z.string()),
  row_id: z.nullable(z.string()),
  address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  details: auditDetails,
})
export type AuditEntryRow = z.infer<typeof auditEntry>

/** `from` is inclusive, `to` exclusive; both are ISO 8601 texts. An omitted filter matches every entry. */
const filters = {
  person: z.optional(z.string().check(z.maxLength(auditLimits.id))),
  action: z.optional(z.enum(auditActions)),
  row: z.optional(z.string().check(z.maxLength(auditLimits.id))),
  from: z.optional(storableMoment),
  to: z.optional(storableMoment),
}
export const auditExportBody = z.object(filters)
export type AuditFilters = z.infer<typeof auditExportBody>

/** The number of entries of one page. */
export const auditPageSize = 50

/** `before` is the `next` of the page before. */
export const auditQuery = z.object({
  ...filters,
  before: z.optional(z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/))),
})

export const auditPerson = z.object({ id, name: z.string() })

/** Newest first. `next` is null on the last page. `people` are all members of staff, for the filter. */
export const auditAnswer = answerOf(
  z.object({
    entries: z.array(auditEntry),
    next: z.nullable(z.string()),
    people: z.array(auditPerson),
  }),
)
export type AuditPage = z.infer<typeof auditAnswer>['data']
