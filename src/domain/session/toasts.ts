import { t } from '../../texts/session.ts'
import { toastsIn } from '../toast.ts'

const { warning, error } = toastsIn(t)

export const sessionToasts = {
  expired: error('session.expired'),
  noRefreshToken: error('session.noRefreshToken'),
  storageFailed: warning('session.storageFailed'),
} as const

/** Texts of the sign-in form. */
export const signInTexts = {
  get emailNotConfirmed() {
    return t('session.emailNotConfirmed')
  },
  get providerRefused() {
    return t('session.providerRefused')
  },
  get inactiveAccount() {
    return t('session.inactiveAccount')
  },
  get useNewLogin() {
    return t('session.useNewLogin')
  },
  get loginServer() {
    return t('session.loginServer')
  },
  get loginRefused() {
    return t('session.loginRefused')
  },
  get loginFailed() {
    return t('session.loginFailed')
  },
  get badTokenAnswer() {
    return t('session.badTokenAnswer')
  },
  get migrationNeeded() {
    return t('session.migrationNeeded')
  },
  get noMigration() {
    return t('session.noMigration')
  },
} as const
