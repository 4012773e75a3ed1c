import { t } from '../../texts/client-on-demand.ts'

/** The word that staff type to confirm an erasure. */
export const eraseWord = (): string => t('client.eraseWord')
