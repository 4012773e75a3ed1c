import { type StaffRole, staffRoles } from '../../src/schemas/staff.ts'

/** The server's own permission names (spec section 6 leaves them open). */
export const permissions = [
  'conversations.read',
  'conversations.mark_read',
  'conversations.manage',
  'messages.send',
  'notes.write',
  'pages.read',
  'pages.manage',
  'stats.read',
  'clients.read',
  'clients.link',
  'clients.create',
  'clients.manage',
  'clients.remove',
  'orders.read',
  'orders.manage',
  'payments.approve',
  'sync.run',
  'sync.manage',
  'faq.read',
  'faq.manage',
  'labels.manage',
  'persons.export',
  'persons.erase',
  'staff.manage',
  'api-keys.manage',
  'webhooks.manage',
  'audit.read',
  'alarms.read',
  'reports.read',
  'imports.manage',
  'shops.manage',
  'data.export',
] as const
export type Permission = (typeof permissions)[number]

export const roles = staffRoles
export type Role = StaffRole

const viewer: Permission[] = [
  'conversations.read',
  'pages.read',
  'stats.read',
  'clients.read',
  'orders.read',
  'faq.read',
]
const agent: Permission[] = [
  ...viewer,
  'conversations.mark_read',
  'conversations.manage',
  'messages.send',
  'notes.write',
  'clients.link',
  'clients.create',
  'clients.manage',
  'orders.manage',
  'sync.run',
]

const permissionsByRole = new Map<string, readonly string[]>([
  ['administrator', permissions],
  ['agent', agent],
  ['viewer', viewer],
] satisfies [Role, readonly Permission[]][])

/** The permissions of a role and the person's own. An unknown role has none (spec section 6). */
export const permissionsOf = (role: string, own: readonly string[]): string[] => [
  ...new Set([...(permissionsByRole.get(role) ?? []), ...own]),
]

/** Whether a staff member may answer customers, so that conversations can be assigned to the member. */
export const mayAnswer = ({ role, permissions: own }: { role: string; permissions: readonly string[] }): boolean =>
  permissionsOf(role, own).includes('messages.send')
