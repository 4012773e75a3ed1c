import * as z from 'zod/mini'
import type {
  ClientEditRequest,
  ClientRequestById,
  MergeRequest,
  RemoveRequest,
} from '../../domain/client/client-calls.ts'
import { type MovedChat, movedChat } from '../../schemas/chats.ts'
import { type Client, client, clientAnswer } from '../../schemas/client.ts'
import {
  type ClientSummary,
  clientSummaryAnswer,
  type RemovedClient,
  removedClient,
} from '../../schemas/client-removal.ts'
import { type ClientSuggestion, clientSuggestion } from '../../schemas/client-suggestion.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

const inPath = (part: string) => encodeURIComponent(part)

/**
 * The calls that edit, delete and merge clients (feature 'client-changes'), and those of suggestions (feature
 * 'client-suggestions'). All throw `Failure`. Changes are never aborted.
 */
export function createClientChanges(http: Http, log: { warn: (text: string) => void }) {
  const removalAnswer = z.object({ success: z.literal(true), data: rows(movedChat, log, 'chats') })
  const removalsAnswer = z.object({ success: z.literal(true), data: rows(removedClient, log, 'removed clients') })
  const suggestionsAnswer = z.object({ success: z.literal(true), data: rows(clientSuggestion, log, 'suggestions') })
  const own = (id: string) =>
    z.object({ success: z.literal(true), data: client.check(z.refine((one) => one.id === id)) })

  return {
    loadClientToEdit: async ({ clientId }: ClientRequestById, signal: AbortSignal): Promise<Client> =>
      (await http.get(`/clients/${inPath(clientId)}`, { schema: own(clientId), signal })).data,

    /** Throws a Failure with the code `clientChangedCode` if the client has another version. */
    editClient: async ({ clientId, body }: ClientEditRequest): Promise<Client> =>
      (await http.put(`/clients/${inPath(clientId)}`, { schema: clientAnswer, body })).data,

    loadClientSummary: async ({ clientId }: ClientRequestById, signal: AbortSignal): Promise<ClientSummary> =>
      (await http.get(`/clients/${inPath(clientId)}/summary`, { schema: clientSummaryAnswer, signal })).data,

    removeClient: async ({ clientId, version }: RemoveRequest): Promise<readonly MovedChat[]> =>
      (await http.delete(`/clients/${inPath(clientId)}`, { schema: removalAnswer, body: { version } })).data,

    mergeClients: async ({ clientId, body }: MergeRequest): Promise<readonly MovedChat[]> =>
      (await http.post(`/clients/${inPath(clientId)}/merge`, { schema: removalAnswer, body })).data,

    loadRemovals: async (signal: AbortSignal): Promise<readonly RemovedClient[]> =>
      (await http.get('/client-removals', { schema: removalsAnswer, signal })).data,

    undoRemoval: async ({ clientId }: ClientRequestById): Promise<readonly MovedChat[]> =>
      (await http.post(`/client-removals/${inPath(clientId)}/undo`, { schema: removalAnswer })).data,

    loadSuggestions: async (
      { conversationId }: { conversationId: string },
      signal: AbortSignal,
    ): Promise<readonly ClientSuggestion[]> =>
      (await http.get(`/facebook/client-suggestions/${inPath(conversationId)}`, { schema: suggestionsAnswer, signal }))
        .data,

    dismissSuggestion: async ({ conversationId, clientId }: { conversationId: string; clientId: string }) => {
      const path = `/facebook/client-suggestions/${inPath(conversationId)}/dismiss`
      await http.post(path, { schema: successAnswer, body: { clientId } })
    },
  }
}
