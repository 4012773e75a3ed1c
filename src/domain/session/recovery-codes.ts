import { t } from '../../texts/session-on-demand.ts'

/** A recovery code as it is shown: four letters between dashes. The server ignores the dashes. */
export const shownRecoveryCode = (code: string): string => (code.match(/.{1,4}/g) ?? []).join('-')

/** The text that is copied or downloaded: what it is, then one code a line. */
export const recoveryCodesText = (codes: readonly string[]): string =>
  [t('session.recoveryFile'), '', ...codes.map(shownRecoveryCode), ''].join('\n')
