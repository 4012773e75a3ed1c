import * as z from 'zod/mini'
import { type ApiKey, apiKey, type CreateApiKeyBody, createdApiKeyAnswer } from '../../schemas/api-key.ts'
import { answerOf, successAnswer } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

/** The calls for the keys of other programs. All throw `Failure`. Calls that change data are never aborted. */
export function createApiKeys(http: Http, log: { warn: (text: string) => void }) {
  const keysAnswer = answerOf(z.object({ keys: rows(apiKey, log, 'API keys') }))
  return {
    loadApiKeys: async (signal: AbortSignal): Promise<readonly ApiKey[]> =>
      (await http.get('/api-keys', { schema: keysAnswer, signal })).data.keys,

    /** Resolves with the secret, which the server answers only once. */
    createApiKey: async (body: CreateApiKeyBody): Promise<string> =>
      (await http.post('/api-keys', { schema: createdApiKeyAnswer, body })).data.secret,

    revokeApiKey: async ({ id }: { id: string }): Promise<void> => {
      await http.delete(`/api-keys/${encodeURIComponent(id)}`, { schema: successAnswer })
    },
  }
}
