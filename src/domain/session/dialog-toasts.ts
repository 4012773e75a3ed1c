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
  linkNotSent: error('session.linkNotSent'),
  codeNotChecked: error('session.codeNotChecked'),
} as const
