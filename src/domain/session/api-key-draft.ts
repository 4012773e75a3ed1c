import { apiKeyLimits, apiScopes, type CreateApiKeyBody } from '../../schemas/api-key.ts'
import { t } from '../../texts/session-on-demand.ts'

/** A key to make. */
export type ApiKeyDraft = CreateApiKeyBody

/** A new key may do everything until the person takes a scope away. */
export const emptyApiKeyDraft: ApiKeyDraft = { name: '', scopes: [...apiScopes] }

export const isEmptyDraft = ({ name, scopes }: ApiKeyDraft): boolean =>
  name === '' && scopes.length === apiScopes.length

/** The reason why the key cannot be made; null if it can. */
export function keyBlockedReason({ name, scopes }: ApiKeyDraft): string | null {
  if (name.trim() === '') return t('session.keyNameMissing')
  if (name.trim().length > apiKeyLimits.name) return t('shared.tooLong', { most: apiKeyLimits.name })
  return scopes.length === 0 ? t('session.keyScopeMissing') : null
}

export const isWholeDraft = (draft: ApiKeyDraft): boolean => keyBlockedReason(draft) === null
