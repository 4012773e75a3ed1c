import type { AnyActorLogic } from 'xstate'
import { fromPromise } from 'xstate'
import { changesBetween } from './domain/client/summary-changes.ts'
import { summaryCheckMachine } from './machines/client/summary-check.ts'
import type { SessionServices } from './services-port.ts'

/** `summaryCheck` with its services, in code that is loaded after the first rows. */
export const composeSummaryCheck = (clients: SessionServices['clients']): AnyActorLogic =>
  summaryCheckMachine.provide({
    actors: {
      checkSummary: fromPromise(async ({ input: { kind, user_id, client_id, orders: before }, signal }) => {
        const fetch = kind === 'orders' ? clients.fetchOrders : clients.fetchPayments
        const form = { platform: null, language: null, business: undefined }
        const { orders } = await fetch({ userId: user_id, clientId: client_id, ...form }, signal)
        return { changes: changesBetween(before, orders), orders }
      }),
    },
  })
