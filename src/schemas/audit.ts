import * as z from 'zod/mini'

/** Every action that the audit log knows. The server records no other. */
export const auditActions = [
  'sign-in.succeeded',
  'sign-in.refused',
  /** One entry for all further refusals of an address within the minute. */
  'sign-in.refusals-omitted',
  'sign-out',
  'staff.added',
  'staff.role-changed',
  'staff.activated',
  'staff.deactivated',
  'password.changed',
  'password.reset',
  'second-factor.enabled',
  'second-factor.disabled',
  'page.connected',
  'page.changed',
  'page.removed',
  'token.entered',
  'token.invalid',
  'client.created',
  'client.linked',
  'conversations.merged',
  'person.erased',
  'person.exported',
  'faq.created',
  'faq.changed',
  'faq.deleted',
  'sync.settings-changed',
  'keys.rotated',
  'audit.exported',
] as const
export type AuditAction = (typeof auditActions)[number]

/** The kinds of row that an entry names by id. */
export const auditKinds = ['staff', 'page', 'client', 'conversation', 'faq'] as const
export type AuditKind = (typeof auditKinds)[number]

/** The maximum number of characters of an entry's texts. */
export const auditLimits = { name: 200, id: 200, address: 64, userAgent: 200, detail: 200 } as const

/** Facts of an entry: ids, names of fields, counts and settings. Never message texts, tokens or passwords. */
export const auditDetails = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
)
export type AuditDetails = z.infer<typeof auditDetails>
