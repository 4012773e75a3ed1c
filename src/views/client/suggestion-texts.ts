import { safeText } from '../../domain/shown-text.ts'
import type { SuggestionReason } from '../../schemas/client-suggestion.ts'
import { t } from '../../texts/client-on-demand.ts'

const texts = {
  phone: 'client.suggestedByPhone',
  email: 'client.suggestedByEmail',
  order: 'client.suggestedByOrder',
  name: 'client.suggestedByName',
} as const

/** Why a client is suggested, as staff read it. */
export const reasonText = ({ kind, value }: SuggestionReason): string => t(texts[kind], { value: safeText(value) })
