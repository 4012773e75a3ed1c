import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import {
  type SummariesEvent,
  selectFetching,
  selectTaken,
  selectText,
  summariesMachine,
} from '../../../src/machines/client/summaries.ts'
import { createCoverage, follow } from '../harness.ts'
import { faults, startSummaries, summariesModel } from './clients-fixture.ts'

const coverage = createCoverage(summariesMachine)
const start = () => startSummaries(coverage.inspect)
const text = 'Hello! Here is a summary.'
const ana = { userId: 'ana', clientId: 'k1', platform: null }
const ask = (kind: 'orders' | 'payments'): SummariesEvent => ({ type: 'summary.requested', kind, ...ana })

const kinds = [
  ['orders', 'Failed to fetch orders information'],
  ['payments', 'Failed to fetch payment information'],
] as const

describe.each(kinds)('a summary of %s', (kind, failure) => {
  it('is fetched, and can be taken once', async () => {
    const sut = start()
    sut.actor.send(ask(kind))
    expect([selectFetching(sut.actor.getSnapshot()), sut[kind].inputs()]).toEqual([kind, [ana]])
    await sut[kind].resolve(text)
    expect([selectFetching(sut.actor.getSnapshot()), selectText(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      null,
      text,
      [],
    ])
    sut.actor.send({ type: 'summary.taken' })
    expect([sut.state(), selectText(sut.actor.getSnapshot()), selectTaken(sut.actor.getSnapshot())]).toEqual([
      'idle',
      null,
      text,
    ])
  })

  it('that cannot be fetched shows an error, and can be requested again', async () => {
    const sut = start()
    sut.actor.send(ask(kind))
    await sut[kind].reject(faults.unreadable)
    expect([sut.state(), sut.toasts]).toEqual(['idle', [{ kind: 'error', text: failure }]])
    sut.actor.send(ask(kind))
    await sut[kind].resolve(text)
    expect(selectText(sut.actor.getSnapshot())).toBe(text)
  })

  it('is fetched once if its button is pressed twice', () => {
    const sut = start()
    sut.actor.send(ask(kind))
    sut.actor.send(ask(kind))
    expect(sut[kind].calls.length).toBe(1)
  })

  it('requires a linked client', () => {
    const sut = start()
    sut.actor.send({ type: 'summary.requested', kind, userId: 'ana', clientId: null, platform: null })
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

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const send = (event: AnyEventObject) => sut.actor.send(event as SummariesEvent)
    await follow(
      path,
      {
        'summary.requested': send,
        'summary.taken': send,
        'xstate.done.actor.fetchOrders': ({ output }) => sut.orders.resolve(output),
        'xstate.error.actor.fetchOrders': ({ error }) => sut.orders.reject(error),
        'xstate.done.actor.fetchPayments': ({ output }) => sut.payments.resolve(output),
        'xstate.error.actor.fetchPayments': ({ error }) => sut.payments.reject(error),
      },
      ({ expected }) =>
        expect([sut.state(), sut.actor.getSnapshot().context]).toEqual([expected.value, expected.context]),
    )
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
