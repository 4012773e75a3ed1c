import { createActor, SimulatedClock } from 'xstate'
import type { ClientLanguageRequest } from '../../../src/domain/client/client-calls.ts'
import { summaryOrderOf } from '../../../src/domain/client/summaries.ts'
import { clientLanguageMachine } from '../../../src/machines/client/client-language.ts'
import { type SummaryCheck, summaryCheckMachine } from '../../../src/machines/client/summary-check.ts'
import type { Client } from '../../../src/schemas/client.ts'
import type { SummaryBasis } from '../../../src/schemas/draft.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { startWithRecords } from '../records-fixture.ts'
import { clientOf, faults, orderOf, summaryOf } from './clients-fixture.ts'

/** What a summary of orders in a draft was made from. */
export const summary: SummaryBasis = { kind: 'orders', user_id: 'ana', client_id: 'k1', ...summaryOf.orders }
const laterOrders = [orderOf('o1', { status: 'completed' })].map(summaryOrderOf)
export const changed: SummaryCheck = {
  changes: [{ order: '#101', type: 'status', before: 'processing', after: 'completed' }],
  orders: laterOrders,
}
export const unchanged: SummaryCheck = { changes: [], orders: summary.orders }

export function startSummaryCheck(alsoInspect: Inspect = () => {}) {
  const check = createControl<SummaryCheck, SummaryBasis>()
  const clock = new SimulatedClock()
  const actor = createActor(summaryCheckMachine.provide({ actors: { checkSummary: check.logic } }), {
    clock,
    input: { id: 'ana' },
    inspect: alsoInspect,
  }).start()
  return { actor, check, clock, state: () => actor.getSnapshot().value }
}

const draft = (text: string, draftId = 'd1') => ({ draftId, text })
export const summaryCheckModel = () =>
  modelOf(summaryCheckMachine, {
    input: { id: 'ana' },
    vertex: ({ context }) => [context.id, context.seen, context.held, context.found],
    cases: {
      'conversation.opened': [{ id: 'ana' }, { id: 'ben' }],
      'conversation.closed': [{}],
      'summary.inserted': [{}],
      'draft.changed': [draft('Hello!'), draft('Hello! More'), draft(''), draft('Hi', 'd2')],
      'send.held': [
        { ...draft('Hello!'), summary },
        { ...draft('Hi', 'd2'), summary: null },
      ],
      'send.released': [{}],
      'send.confirmed': [{}],
      'check.retried': [{}],
      'xstate.done.actor.checkSummary': [{ output: unchanged }, { output: changed }],
      'xstate.error.actor.checkSummary': [{ error: faults.noAnswer }],
    },
  })

export function startClientLanguage(alsoInspect: Inspect = () => {}) {
  const save = createControl<Client, ClientLanguageRequest>()
  const log = createToastLog()
  const { actor, client } = startWithRecords(clientLanguageMachine.provide({ actors: { saveLanguage: save.logic } }), {
    clock: new SimulatedClock(),
    input: { clientId: 'k1', language: 'en' },
    inspect: inspectAll(alsoInspect, log.inspect),
  })
  return { actor, client, save, toasts: log.toasts, state: () => actor.getSnapshot().value }
}

export const inFilipino = clientOf('k1', { language: 'fil' })

export const clientLanguageModel = () =>
  modelOf(clientLanguageMachine, {
    input: { clientId: 'k1', language: 'en' },
    vertex: ({ context }) => context.chosen,
    cases: {
      'language.chosen': [{ language: 'en' }, { language: 'fil' }],
      'dialog.dismissed': [{}],
      'xstate.done.actor.saveLanguage': [{ output: inFilipino }],
      'xstate.error.actor.saveLanguage': [{ error: faults.noAnswer }, { error: faults.unreadable }],
    },
  })
