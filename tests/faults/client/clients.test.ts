import { describe, expect, it } from 'vitest'
import type { SummaryForm } from '../../../src/domain/client/client-calls.ts'
import { ordersSummary, paymentsSummary } from '../../../src/domain/client/summaries.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { createClientWork } from '../../../src/services/client/client-work.ts'
import { createClients } from '../../../src/services/client/clients.ts'
import { createHttp } from '../../../src/services/http.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { clientOf, filled, orderOf } from '../../model/client/clients-fixture.ts'

/** The calls against a server that answers by path. */
function callsOn(answers: Readonly<Record<string, unknown>>, status = 200) {
  const asked: unknown[] = []
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) }
  const http = createHttp({
    baseUrl: '/api',
    log,
    retries: 0,
    tokens: { current: () => ({ token: 't', session: 1 }), isEnding: () => false, renew: () => Promise.reject() },
    fetch: async (url, init) => {
      const sent = typeof init?.body === 'string' ? { body: JSON.parse(init.body) } : {}
      asked.push({ call: `${init?.method} ${url}`, ...sent })
      const path = String(url).replace('/api', '').replace(/\?.*/, '')
      return new Response(JSON.stringify(answers[path] ?? { success: false, error: 'unexpected' }), { status })
    },
  })
  return { clients: { ...createClients(http, log), ...createClientWork(http, log) }, asked, warnings }
}

const { signal } = new AbortController()
const success = (data: unknown) => ({ success: true, data })
const allOrders = 'client_id=k%2F1&limit=1000&sort_by=created_at&sort_order=desc&with=payments'

describe('The details of a client', () => {
  const answers = {
    '/clients/k%2F1': success(clientOf('k/1', { fb_user_id: 'ana-p1' })),
    '/orders': success([orderOf('o1'), { id: 'o2', total_amount: 'much' }]),
    '/facebook/conversations': success([
      conversationOf({ client_id: 'k/1' }),
      conversationOf({ primary_user_id: 'eva', client_id: 'k9' }),
    ]),
  }

  it('refuse an answer about another client', async () => {
    const { clients } = callsOn({ '/clients/k2': success(clientOf('k1')) })
    await expect(clients.loadProfile({ clientId: 'k2' }, signal)).rejects.toMatchObject({ kind: 'badAnswer' })
  })

  it('load in parts: the client, up to 1000 orders, and only the linked conversations', async () => {
    const { clients, asked, warnings } = callsOn(answers)
    const request = { clientId: 'k/1', fbUserId: 'ana-p1' }
    expect([
      await clients.loadProfile(request, signal),
      await clients.loadOrders(request, signal),
      await clients.loadChats(request, signal),
    ]).toEqual([
      { client: clientOf('k/1', { fb_user_id: 'ana-p1' }) },
      { orders: [orderOf('o1')] },
      { chats: [conversationOf({ client_id: 'k/1' })] },
    ])
    expect(asked).toEqual([
      { call: 'GET /api/clients/k%2F1' },
      { call: `GET /api/orders?${allOrders}` },
      { call: 'GET /api/facebook/conversations?page=1&limit=20&search=ana-p1' },
    ])
    expect(warnings).toEqual(['1 orders could not be read'])
  })

  it('leave out an order with an unreadable payment, because its balance would be wrong', async () => {
    const halfPaid = { ...orderOf('o2'), payments: [{ id: 'p1', amount: 5, status: 'approved' }, { id: 'p2' }] }
    const { clients, warnings } = callsOn({ '/orders': success([orderOf('o1'), halfPaid]) })
    expect(await clients.loadOrders({ clientId: 'k/1' }, signal)).toEqual({ orders: [orderOf('o1')] })
    expect(warnings).toEqual(['1 orders could not be read'])
  })

  it.each([null, undefined])('of a client with the Facebook user %s request no conversations', async (fbUserId) => {
    const { clients, asked } = callsOn(answers)
    const { chats } = await clients.loadChats(
      fbUserId === undefined ? { clientId: 'k/1' } : { clientId: 'k/1', fbUserId },
      signal,
    )
    expect([chats, asked]).toEqual([[], []])
  })

  it.each([
    ['a bare text', 'ok'],
    ['without a client', { success: true }],
  ])('reject an answer that is %s', async (_, answer) => {
    const { clients } = callsOn({ ...answers, '/clients/k%2F1': answer })
    const failure = await clients.loadProfile({ clientId: 'k/1' }, signal).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({ kind: 'badAnswer', path: '/clients/k%2F1' })
  })
})

describe('The search for clients', () => {
  it.each(['', ' ', 'm ', ' m'])('sends no request for %j', async (term) => {
    const { clients, asked } = callsOn({})
    expect([await clients.searchClients({ term }, signal), asked]).toEqual([[], []])
  })

  it('trims the search term', async () => {
    const { clients, asked } = callsOn({ '/facebook/search-clients': success([clientOf('k1')]) })
    expect(await clients.searchClients({ term: ' ma & pa ' }, signal)).toEqual([clientOf('k1')])
    expect(asked).toEqual([{ call: 'GET /api/facebook/search-clients?search=ma+%26+pa' }])
  })
})

describe('Creating and linking a client', () => {
  it('sends the typed values, omits empty ones, and marks the client as active', async () => {
    const { clients, asked } = callsOn({ '/clients': success(clientOf('k9')) })
    expect(await clients.createClient({ fields: { ...filled, company: 'Cruz Bakery' } })).toEqual(clientOf('k9'))
    expect(asked).toEqual([
      {
        call: 'POST /api/clients',
        body: {
          first_name: 'Ana',
          last_name: 'Cruz',
          email: null,
          phone: null,
          company_name: 'Cruz Bakery',
          is_active: true,
        },
      },
    ])
  })

  it('sends the Facebook user and the client', async () => {
    const { clients, asked } = callsOn({ '/facebook/link-client': success({}) })
    await clients.linkClient({ fbUserId: 'ana', clientId: 'k1' })
    expect(asked).toEqual([{ call: 'POST /api/facebook/link-client', body: { fbUserId: 'ana', clientId: 'k1' } }])
  })

  it('sends the language of a client, and returns the client', async () => {
    const { clients, asked } = callsOn({ '/clients/k%2F1/language': success({ id: 'k/1', language: 'fil' }) })
    expect(await clients.saveLanguage({ clientId: 'k/1', language: 'fil' })).toMatchObject({
      id: 'k/1',
      language: 'fil',
    })
    expect(asked).toEqual([{ call: 'PUT /api/clients/k%2F1/language', body: { language: 'fil' } }])
  })

  it('returns the reason of a conflict', async () => {
    const { clients } = callsOn({ '/facebook/link-client': { success: false, error: 'Linked already' } }, 409)
    const failure = await clients.linkClient({ fbUserId: 'ana', clientId: 'k1' }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'status', status: 409, error: 'Linked already' })
  })
})

describe('The data of a summary', () => {
  const form: SummaryForm = { platform: 'messenger', language: 'fil', business: undefined }
  const ana = { userId: 'a/b', clientId: 'k/1', ...form }
  const paid = orderOf('o1', { payments: [{ id: 'p1', amount: 5, status: 'approved', created_at: null }] })

  const kept = [
    { id: 'o1', name: '#101', status: 'processing', total: 10_000, paid: 500, created_at: '2026-03-01T04:00:00.000Z' },
  ]

  it('of orders come from the client of the Facebook user', async () => {
    const { clients, asked } = callsOn({ '/facebook/orders/a%2Fb': success({ orders: [paid] }) })
    expect(await clients.fetchOrders(ana, signal)).toEqual({ text: ordersSummary([paid], form), orders: kept })
    expect(asked).toEqual([{ call: 'GET /api/facebook/orders/a%2Fb' }])
  })

  it('of payments come from all orders of the client', async () => {
    const { clients, asked } = callsOn({ '/orders': success([paid]) })
    expect(await clients.fetchPayments(ana, signal)).toEqual({ text: paymentsSummary([paid], form), orders: kept })
    expect(asked).toEqual([{ call: `GET /api/orders?${allOrders}` }])
  })
})
