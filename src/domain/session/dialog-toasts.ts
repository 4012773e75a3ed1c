import { t } from '../../texts/session-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

/** Toasts about the own password and the second factor. */
export const accountToasts = {
  passwordChanged: success('session.passwordChanged'),
  passwordNotChanged: error('session.passwordNotChanged'),
  factorNotLoaded: error('session.factorNotLoaded'),
  factorSetUp: success('session.factorSetUp'),
  factorNotSetUp: error('session.factorNotSetUp'),
  factorRemoved: success('session.factorRemoved'),
  factorNotRemoved: error('session.factorNotRemoved'),
  codesCopied: success('session.recoveryCopied'),
  codesNotCopied: error('session.recoveryNotCopied'),
  codesReplaced: success('session.recoveryReplaced'),
  codesNotReplaced: error('session.recoveryNotReplaced'),
  linkNotSent: error('session.linkNotSent'),
  codeNotChecked: error('session.codeNotChecked'),
} as const

export const staffToasts = {
  failed: error('session.staffFailed'),
  created: success('session.staffAdded'),
  updated: success('session.staffUpdated'),
  saveFailed: error('session.staffSaveFailed'),
  resetFailed: error('session.staffResetFailed'),
  factorRemoved: success('session.staffFactorRemoved'),
  factorNotRemoved: error('session.staffFactorNotRemoved'),
} as const

/** Texts of the staff form. */
export const staffFormTexts = {
  get perhapsAdded() {
    return t('session.staffPerhapsAdded')
  },
} as const

export const apiKeyToasts = {
  failed: error('session.keysFailed'),
  notMade: error('session.keyNotMade'),
  revoked: success('session.keyRevoked'),
  notRevoked: error('session.keyNotRevoked'),
} as const

/** Texts of the form for a key. */
export const apiKeyTexts = {
  get perhapsMade() {
    return t('session.keyPerhapsMade')
  },
} as const

export const webhookToasts = {
  failed: error('session.webhooksFailed'),
  updated: success('session.webhookUpdated'),
  saveFailed: error('session.webhookSaveFailed'),
  deleted: success('session.webhookDeleted'),
  deleteFailed: error('session.webhookDeleteFailed'),
  notReplaced: error('session.webhookNotReplaced'),
  logFailed: error('session.webhookLogFailed'),
  resent: success('session.webhookResent'),
  notResent: error('session.webhookNotResent'),
  tested: success('session.webhookTested'),
  notTested: error('session.webhookNotTested'),
} as const

/** Texts of the form of a webhook. */
export const webhookTexts = {
  get perhapsMade() {
    return t('session.webhookPerhapsMade')
  },
} as const

export const auditToasts = {
  failed: error('session.auditFailed'),
  exported: success('session.auditExported'),
  exportFailed: error('session.auditExportFailed'),
} as const

/** Texts of the dialog of a migration. */
export const migrationTexts = {
  get failed() {
    return t('session.migrationFailed')
  },
  get oldPasswordWasWrong() {
    return t('session.oldPasswordWasWrong')
  },
  /** An earlier attempt has set another password than the one that is chosen now. */
  get newPasswordIsAnother() {
    return t('session.newPasswordIsAnother')
  },
} as const
