import { t } from '../../texts/client-on-demand.ts'

/** What a person types to confirm an erasure. */
export const eraseWord = (): string => t('client.eraseWord')
