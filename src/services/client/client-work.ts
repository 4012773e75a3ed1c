import * as z from 'zod/mini'
import type { ClientLanguageRequest } from '../../domain/client/client-calls.ts'
import { isSearchable, type NewClient } from '../../domain/client/client-linking.ts'
import { type Client, type CreateClientBody, client, clientAnswer } from '../../schemas/client.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'
import { createChatOrders } from './chat-orders.ts'
import { createClientChanges } from './client-changes.ts'

/**
 * The calls of the dialogs that link, create and change clients (spec section 7), and of those for their orders. All throw
 * `Failure`.
 */
export function createClientWork(http: Http, log: { warn: (text: string) => void }) {
  const clientsAnswer = z.object({ success: z.literal(true), data: rows(client, log, 'clients') })
  return {
    ...createChatOrders(http, log),
    ...createClientChanges(http, log),

    /** A search of fewer than 2 characters finds no client (spec section 5). */
    searchClients: async ({ term }: { term: string }, signal: AbortSignal): Promise<readonly Client[]> => {
      if (!isSearchable(term)) return []
      const { data } = await http.get('/facebook/search-clients', {
        schema: clientsAnswer,
        signal,
        query: { search: term.trim() },
      })
      return data
    },

    /** Never aborted, because the server may already have created the client. */
    createClient: async ({ fields }: { fields: NewClient }): Promise<Client> => {
      const body: CreateClientBody = {
        first_name: fields.firstName,
        last_name: fields.lastName,
        email: fields.email || null,
        phone: fields.phone || null,
        company_name: fields.company || null,
        is_active: true,
      }
      return (await http.post('/clients', { schema: clientAnswer, body })).data
    },

    /** Links a chat user to a client. Never aborted. Throws a Failure with status 409 if either is already linked. */
    linkClient: async (link: { fbUserId: string; clientId: string }): Promise<void> => {
      await http.post('/facebook/link-client', { schema: successAnswer, body: link })
    },

    /** Never aborted. */
    saveLanguage: async ({ clientId, language }: ClientLanguageRequest): Promise<Client> =>
      (
        await http.put(`/clients/${encodeURIComponent(clientId)}/language`, {
          schema: clientAnswer,
          body: { language },
        })
      ).data,
  }
}
