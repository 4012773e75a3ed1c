import type { AuditAction, AuditDetails, AuditEntryRow, SignInRefusal } from '../../schemas/audit.ts'
import { t } from '../../texts/session-on-demand.ts'
import { roleText } from './role-text.ts'

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
  'second-factor.codes-issued': 'session.auditFactorCodesIssued',
  'page.connected': 'session.auditPageConnected',
  'page.changed': 'session.auditPageChanged',
  'page.removed': 'session.auditPageRemoved',
  'token.entered': 'session.auditTokenEntered',
  'token.invalid': 'session.auditTokenInvalid',
  'client.created': 'session.auditClientCreated',
  'client.changed': 'session.auditClientChanged',
  'client.deleted': 'session.auditClientDeleted',
  'client.merged': 'session.auditClientMerged',
  'client.restored': 'session.auditClientRestored',
  'suggestion.dismissed': 'session.auditSuggestionDismissed',
  'client.linked': 'session.auditClientLinked',
  'client.unlinked': 'session.auditClientUnlinked',
  'chats.joined': 'session.auditChatsJoined',
  'chat.split': 'session.auditChatSplit',
  'label.created': 'session.auditLabelCreated',
  'label.changed': 'session.auditLabelChanged',
  'label.deleted': 'session.auditLabelDeleted',
  'client.labelled': 'session.auditClientLabelled',
  'client.language-chosen': 'session.auditClientLanguageChosen',
  'order.created': 'session.auditOrderCreated',
  'order.status-changed': 'session.auditOrderStatusChanged',
  'payment.recorded': 'session.auditPaymentRecorded',
  'payment.status-changed': 'session.auditPaymentStatusChanged',
  'product.created': 'session.auditProductCreated',
  'product.changed': 'session.auditProductChanged',
  'product.deleted': 'session.auditProductDeleted',
  'note.deleted': 'session.auditNoteDeleted',
  'comment.hidden': 'session.auditCommentHidden',
  'comment.shown': 'session.auditCommentShown',
  'comment.deleted': 'session.auditCommentDeleted',
  'live-sale.changed': 'session.auditLiveSale',
  'person.erased': 'session.auditPersonErased',
  'person.exported': 'session.auditPersonExported',
  'faq.created': 'session.auditFaqCreated',
  'faq.changed': 'session.auditFaqChanged',
  'faq.deleted': 'session.auditFaqDeleted',
  'faq.matching-changed': 'session.auditFaqMatching',
  'faq.answer-marked': 'session.auditFaqMarked',
  'faq.answer-unmarked': 'session.auditFaqUnmarked',
  'faq.answer-resolved': 'session.auditFaqResolved',
  'business-hours.changed': 'session.auditBusinessHours',
  'assignment-rules.changed': 'session.auditAssignmentRules',
  'saved-reply.created': 'session.auditSavedReplyCreated',
  'saved-reply.changed': 'session.auditSavedReplyChanged',
  'saved-reply.deleted': 'session.auditSavedReplyDeleted',
  'sync.settings-changed': 'session.auditSyncSettings',
  'keys.rotated': 'session.auditKeysRotated',
  'api-key.created': 'session.auditApiKeyCreated',
  'api-key.revoked': 'session.auditApiKeyRevoked',
  'webhook.created': 'session.auditWebhookCreated',
  'webhook.changed': 'session.auditWebhookChanged',
  'webhook.deleted': 'session.auditWebhookDeleted',
  'webhook.disabled': 'session.auditWebhookDisabled',
  'webhook.secret-replaced': 'session.auditWebhookSecretReplaced',
  'webhook.resent': 'session.auditWebhookResent',
  'import.stored': 'session.auditImportStored',
  'csv-import.started': 'session.auditCsvStarted',
  'csv-import.completed': 'session.auditCsvCompleted',
  'csv-import.cancelled': 'session.auditCsvCancelled',
  'shop.connected': 'session.auditShopConnected',
  'shop.sync-started': 'session.auditShopSync',
  'shop.disconnected': 'session.auditShopDisconnected',
  'data.exported': 'session.auditDataExported',
  'backup.restored': 'session.auditBackupRestored',
  'audit.exported': 'session.auditLogExported',
  'report.exported': 'session.auditReportExported',
}

const isKnown = (action: string): action is AuditAction => Object.hasOwn(actionTexts, action)

/** The action in words. An action of a newer server stays as it is. */
export const auditActionText = (action: string): string => (isKnown(action) ? t(actionTexts[action]) : action)

const refusalTexts: Record<SignInRefusal, Parameters<typeof t>[0]> = {
  'wrong-password': 'session.refusalWrongPassword',
  'wrong-code': 'session.refusalWrongCode',
  'too-many-attempts': 'session.refusalTooMany',
  'email-not-confirmed': 'session.refusalNotConfirmed',
  'invalid-token': 'session.refusalInvalidToken',
  'no-staff-account': 'session.refusalNoAccount',
  inactive: 'session.refusalInactive',
  'migration-pending': 'session.refusalMigrationPending',
}

const isRefusal = (reason: string): reason is SignInRefusal => Object.hasOwn(refusalTexts, reason)

const kindTexts: Record<string, Parameters<typeof t>[0]> = {
  staff: 'session.auditPerson',
  page: 'session.auditPage',
  client: 'session.auditClient',
  conversation: 'session.auditConversation',
  faq: 'session.auditFaq',
  'api-key': 'session.auditApiKey',
  'csv-import': 'session.auditCsv',
  webhook: 'session.auditWebhook',
  shop: 'session.auditShop',
  label: 'session.auditLabel',
  product: 'session.auditProduct',
  comment: 'session.auditComment',
  'saved-reply': 'session.auditSavedReply',
}

const roles = new Set(['role', 'before', 'after'])

function valueText(name: string, value: AuditDetails[string]): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'boolean') return value ? t('session.auditYes') : t('session.auditNo')
  const text = String(value)
  if (roles.has(name)) return roleText(text)
  if (name === 'action') return auditActionText(text)
  return name === 'reason' && isRefusal(text) ? t(refusalTexts[text]) : text
}

/** 'interval_minutes' becomes 'Interval minutes'. */
const nameText = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** The facts of an entry in one line: 'Name: Hours, Active: yes'. A reason of a newer server stays as it is. */
export const auditDetailsText = ({ details }: Pick<AuditEntryRow, 'details'>): string =>
  Object.entries(details)
    .map(([name, value]) => `${nameText(name)}: ${valueText(name, value)}`)
    .join(', ')

/** The row of an entry: 'Page 104200000000101'; '' if the entry has none. */
export function auditRowText({ row_kind, row_id }: Pick<AuditEntryRow, 'row_kind' | 'row_id'>): string {
  if (row_kind === null) return ''
  const kind = kindTexts[row_kind]
  return `${kind === undefined ? row_kind : t(kind)} ${row_id}`
}
