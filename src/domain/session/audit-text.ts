import type { AuditAction, AuditEntryRow } from '../../schemas/audit.ts'
import { t } from '../../texts/session-on-demand.ts'

const actionTexts: Record<AuditAction, Parameters<typeof t>[0]> = {
  'sign-in.succeeded': 'session.auditSignIn',
  'sign-in.refused': 'session.auditSignInRefused',
  'sign-in.refusals-omitted': 'session.auditRefusalsOmitted',
  'session.stolen': 'session.auditSessionStolen',
  'sign-out': 'session.auditSignOut',
  'staff.added': 'session.auditStaffAdded',
  'staff.renamed': 'session.auditStaffRenamed',
  'staff.role-changed': 'session.auditRoleChanged',
  'staff.activated': 'session.auditStaffActivated',
  'staff.deactivated': 'session.auditStaffDeactivated',
  'password.changed': 'session.auditPasswordChanged',
  'password.reset': 'session.auditPasswordReset',
  'second-factor.enabled': 'session.auditFactorEnabled',
  'second-factor.disabled': 'session.auditFactorDisabled',
  'page.connected': 'session.auditPageConnected',
  'page.changed': 'session.auditPageChanged',
  'page.removed': 'session.auditPageRemoved',
  'token.entered': 'session.auditTokenEntered',
  'token.invalid': 'session.auditTokenInvalid',
  'client.created': 'session.auditClientCreated',
  'client.linked': 'session.auditClientLinked',
  'person.erased': 'session.auditPersonErased',
  'person.exported': 'session.auditPersonExported',
  'faq.created': 'session.auditFaqCreated',
  'faq.changed': 'session.auditFaqChanged',
  'faq.deleted': 'session.auditFaqDeleted',
  'sync.settings-changed': 'session.auditSyncSettings',
  'keys.rotated': 'session.auditKeysRotated',
  'backup.restored': 'session.auditBackupRestored',
  'audit.exported': 'session.auditLogExported',
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(actionTexts, action)

/** The action in words. An action of a newer server stays as it is. */
export const auditActionText = (action: string): string => (isKnown(action) ? t(actionTexts[action]) : action)

/** The facts of an entry in one line: 'name: Hours, active: true'. */
export const auditDetailsText = ({ details }: Pick<AuditEntryRow, 'details'>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(', ')
