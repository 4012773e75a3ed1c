import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import {
  type SummariesEvent,
  selectFetching,
  selectMade,
  summariesMachine,
} from '../../../src/machines/client/summaries.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { faults, startSummaries, summariesModel, summaryForm, summaryOf } from './clients-fixture.ts'

const coverage = createCoverage(summariesMachine)
const start = () => startSummaries(coverage.inspect)
const ana = { userId: 'ana', clientId: 'k1', ...summaryForm }
const request = (kind: 'orders' | 'payments') => ({ kind, ...ana })
const ask = (kind: 'orders' | 'payments') => ({ type: 'summary.requested', kind, ...ana }) satisfies SummariesEvent

const kinds = [
  ['orders', 'Failed to fetch orders information'],
  ['payments', 'Failed to fetch payment information'],
] as const

describe.each(kinds)('a summary of %s', (kind, failure) => {
  it('is fetched, and can be taken once', async () => {
    const sut = start()
    sut.actor.send(ask(kind))
    expect([selectFetching(sut.actor.getSnapshot()), sut[kind].inputs()]).toEqual([kind, [request(kind)]])
    const made = { ...request(kind), ...summaryOf[kind] }
    await sut[kind].resolve(summaryOf[kind])
    expect([selectFetching(sut.actor.getSnapshot()), selectMade(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      null,
      made,
      [],
    ])
    sut.actor.send({ type: 'summary.taken' })
    expect([sut.state(), selectMade(sut.actor.getSnapshot())]).toEqual(['idle', null])
  })

  it('that cannot be fetched shows an error, and can be requested again', async () => {
    const sut = start()
    sut.actor.send(ask(kind))
    await sut[kind].reject(faults.unreadable)
    expect([sut.state(), sut.toasts]).toEqual(['idle', [{ kind: 'error', text: failure }]])
    sut.actor.send(ask(kind))
    await sut[kind].resolve(summaryOf[kind])
    expect(selectMade(sut.actor.getSnapshot())?.text).toBe(summaryOf[kind].text)
  })

  it('is fetched once if its button is pressed twice', () => {
    const sut = start()
    sut.actor.send(ask(kind))
    sut.actor.send(ask(kind))
    expect(sut[kind].calls.length).toBe(1)
  })

  it('requires a linked client', () => {
    const sut = start()
    sut.actor.send({ ...ask(kind), clientId: null })
    expect([sut.state(), sut.orders.calls.length, sut.payments.calls.length, sut.toasts]).toEqual([
      'idle',
      0,
      0,
      [{ kind: 'warning', text: 'No linked client found' }],
    ])
  })
})

describe('the walk through the summaries', () => {
  const paths = summariesModel(ana).everyTransition()

  type State = {
    fetching: 'orders' | 'payments' | null
    text: string | null
    toasts: unknown[]
  }
  const compose = (_: State, { output }: AnyEventObject): Partial<State> => ({ fetching: null, text: output.text })
  const fail = ({ toasts }: State): Partial<State> => ({
    fetching: null,
    toasts: [...toasts, { kind: 'error', text: 'Network error. Please check your connection.' }],
  })
  const reference: Reference<State> = {
    start: { fetching: null, text: null, toasts: [] },
    accepts: ({ fetching, text }) => [
      ...when(fetching === null && text === null, 'summary.requested'),
      ...when(text !== null, 'summary.taken'),
      ...when(fetching === 'orders', ...ends('fetchOrders')),
      ...when(fetching === 'payments', ...ends('fetchPayments')),
    ],
    rules: {
      'summary.requested': ({ toasts }, { kind, clientId }) =>
        clientId === null
          ? { toasts: [...toasts, { kind: 'warning', text: 'No linked client found' }] }
          : { fetching: kind },
      'summary.taken': () => ({ text: null }),
      'xstate.done.actor.fetchOrders': compose,
      'xstate.done.actor.fetchPayments': compose,
      'xstate.error.actor.fetchOrders': fail,
      'xstate.error.actor.fetchPayments': fail,
    },
    shown: (state) => state,
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const drive = driverOf(sut.actor.send, { calls: { fetchOrders: sut.orders, fetchPayments: sut.payments } })
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      return {
        fetching: selectFetching(snapshot),
        text: selectMade(snapshot)?.text ?? null,
        toasts: sut.toasts,
      }
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
