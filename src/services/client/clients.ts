import * as z from 'zod/mini'
import type { Summary, SummarySubject } from '../../domain/client/client-calls.ts'
import type { ClientData, ClientRequest } from '../../domain/client/client-data.ts'
import { limits } from '../../domain/limits.ts'
import { client, refreshProfileAnswer } from '../../schemas/client.ts'
import { conversation } from '../../schemas/conversation.ts'
import { type Order, order } from '../../schemas/order.ts'
import { answerOf } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

const inPath = (part: string) => encodeURIComponent(part)

/** The calls that read clients, orders and payments (spec section 7). All throw `Failure`. */
export function createClients(http: Http, log: { warn: (text: string) => void }) {
  const listOf = <Row extends z.ZodMiniType>(row: Row, name: string) =>
    z.object({
      success: z.literal(true),
      data: rows(row, log, name),
    })
  const ordersAnswer = listOf(order, 'orders')
  const chatsAnswer = listOf(conversation, 'conversations')
  const userOrdersAnswer = z.object({
    success: z.literal(true),
    data: z.object({ orders: rows(order, log, 'orders') }),
  })

  async function ordersOf(clientId: string, signal: AbortSignal): Promise<Order[]> {
    const { data } = await http.get('/orders', {
      schema: ordersAnswer,
      signal,
      query: {
        client_id: clientId,
        limit: limits.clientOrders,
        sort_by: 'created_at',
        sort_order: 'desc',
        with: 'payments',
      },
    })
    return data
  }

  return {
    /** Loads only the client. An answer about another client is unreadable. */
    loadProfile: async ({ clientId }: ClientRequest, signal: AbortSignal): Promise<ClientData> => {
      const schema = answerOf(client.check(z.refine(({ id }) => id === clientId)))
      return { client: (await http.get(`/clients/${inPath(clientId)}`, { schema, signal })).data }
    },

    /** Loads only the orders, newest first, with their payments. */
    loadOrders: async ({ clientId }: ClientRequest, signal: AbortSignal): Promise<ClientData> => ({
      orders: await ordersOf(clientId, signal),
    }),

    /** Loads the conversations that are linked to the client, found by `fbUserId`; empty without it. */
    loadChats: async ({ clientId, fbUserId }: ClientRequest, signal: AbortSignal): Promise<ClientData> => {
      if (fbUserId == null) return { chats: [] }
      const { data } = await http.get('/facebook/conversations', {
        schema: chatsAnswer,
        signal,
        query: { page: 1, limit: limits.conversationPageSize, search: fbUserId },
      })
      return { chats: data.filter((chat) => chat.client_id === clientId) }
    },

    /** The new address of a chat user's picture; null if the network provides none. */
    renewPicture: async ({ id }: { id: string }, signal: AbortSignal): Promise<string | null> => {
      const { data } = await http.post(`/facebook/refresh-user-profile/${inPath(id)}`, {
        schema: refreshProfileAnswer,
        signal,
      })
      return data.new_profile_pic ?? null
    },

    /** A text about the orders of a chat user's client. The code that writes the text is loaded on demand. */
    fetchOrders: async ({ userId, ...form }: SummarySubject, signal: AbortSignal): Promise<Summary> => {
      const [{ ordersSummary, summaryOrderOf }, { data }] = await Promise.all([
        import('../../domain/client/summaries.ts'),
        http.get(`/facebook/orders/${inPath(userId)}`, { schema: userOrdersAnswer, signal }),
      ])
      return { text: ordersSummary(data.orders, form), orders: data.orders.map(summaryOrderOf) }
    },

    /** A text about a client's payments. */
    fetchPayments: async ({ clientId, ...form }: SummarySubject, signal: AbortSignal): Promise<Summary> => {
      const [{ paymentsSummary, summaryOrderOf }, orders] = await Promise.all([
        import('../../domain/client/summaries.ts'),
        clientId === null ? [] : ordersOf(clientId, signal),
      ])
      return { text: paymentsSummary(orders, form), orders: orders.map(summaryOrderOf) }
    },
  }
}
