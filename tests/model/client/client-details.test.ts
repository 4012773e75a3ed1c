import { describe, expect, it } from 'vitest'
import {
  clientDetailsMachine,
  selectClientData,
  selectHasFailed,
  selectIsMissing,
} from '../../../src/machines/client/client-details.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { row } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { clientDetailsModel, faults, fileOf, laterFile, startClientDetails } from './clients-fixture.ts'

const coverage = createCoverage(clientDetailsMachine)
const start = () => startClientDetails(coverage.inspect)

const network = { kind: 'error', text: 'Network error. Please check your connection.' }
const held = { orders: fileOf().orders, chatIds: [] }
const ownText = { kind: 'error', text: 'Failed to fetch orders information' }

describe("a client's details", () => {
  it('are fetched at once and shown', async () => {
    const sut = start()
    expect([sut.state(), sut.load.inputs(), selectClientData(sut.actor.getSnapshot())]).toEqual([
      'loading',
      [{ clientId: 'k1' }],
      null,
    ])
    await sut.load.resolve(fileOf())
    expect([sut.state(), selectClientData(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      { showing: 'idle' },
      held,
      [],
    ])
  })

  it('give the client and the chats to their owners and keep the ids', async () => {
    const sut = start()
    const file = fileOf({ chats: [row('c1', 1), row('c2', 2)] })
    await sut.load.resolve(file)
    expect([selectClientData(sut.actor.getSnapshot()), sut.client('k1'), sut.row('c1'), sut.row('c2')]).toEqual([
      { orders: file.orders, chatIds: ['c1', 'c2'] },
      file.client,
      row('c1', 1),
      row('c2', 2),
    ])
  })

  it('do not undo a link that was made after they were requested', async () => {
    const sut = start()
    await sut.load.resolve(fileOf())
    sut.actor.send({ type: 'refetch.requested' })
    sut.link('k1', 'c1')
    await sut.load.resolve({ client: { ...laterFile.client, fb_user_id: null } })
    expect(sut.client('k1')).toEqual({ ...laterFile.client, fb_user_id: 'c1' })
    sut.actor.send({ type: 'refetch.requested' })
    const moved = { ...laterFile.client, fb_user_id: 'c2' }
    await sut.load.resolve({ client: moved })
    expect(sut.client('k1')).toEqual(moved)
  })

  it('stay visible while they are fetched again, and after a failed fetch', async () => {
    const sut = start()
    await sut.load.resolve(fileOf())
    sut.actor.send({ type: 'refetch.requested' })
    expect([sut.state(), selectClientData(sut.actor.getSnapshot())]).toEqual([{ showing: 'refreshing' }, held])
    await sut.load.reject(faults.unreadable)
    expect([sut.state(), selectClientData(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      { showing: 'idle' },
      held,
      [ownText],
    ])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.resolve(laterFile)
    expect(selectClientData(sut.actor.getSnapshot())).toEqual({ orders: laterFile.orders, chatIds: [] })
  })

  it('are retried after 2 and 4 s if a retry may help, with a single toast', async () => {
    const sut = start()
    await sut.load.reject(faults.noAnswer)
    expect([sut.state(), selectHasFailed(sut.actor.getSnapshot())]).toEqual([{ failed: 'waiting' }, true])
    sut.clock.increment(1_999)
    expect(sut.load.calls.length).toBe(1)
    sut.clock.increment(1)
    await sut.load.reject(faults.noAnswer)
    sut.clock.increment(4_000)
    await sut.load.resolve(fileOf())
    expect([sut.state(), sut.toasts, sut.load.calls.length]).toEqual([{ showing: 'idle' }, [network], 3])
  })

  it('show a toast for each failure of a fetch that staff request', async () => {
    const sut = start()
    await sut.load.reject(faults.noAnswer)
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.reject(faults.noAnswer)
    expect(sut.toasts).toEqual([network, network])
  })

  it('are fetched again after a refusal only when staff ask', async () => {
    const sut = start()
    await sut.load.reject(faults.invalid)
    sut.clock.increment(600_000)
    expect([sut.state(), sut.toasts, sut.load.calls.length]).toEqual([{ failed: 'refused' }, [ownText], 1])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.resolve(fileOf())
    expect(sut.state()).toEqual({ showing: 'idle' })
  })

  it('of an unknown client show the error text for a missing record', async () => {
    const sut = start()
    await sut.load.reject(faults.missing)
    sut.clock.increment(600_000)
    expect([sut.state(), selectIsMissing(sut.actor.getSnapshot()), sut.toasts, sut.load.calls.length]).toEqual([
      { failed: 'missing' },
      true,
      [{ kind: 'error', text: 'API endpoint not found: POST /facebook/link-client' }],
      1,
    ])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.resolve(fileOf())
    expect([sut.state(), selectIsMissing(sut.actor.getSnapshot())]).toEqual([{ showing: 'idle' }, false])
  })

  it('are no longer fetched after staff leave the client', () => {
    const sut = start()
    sut.actor.stop()
    expect(sut.load.last().signal.aborted).toBe(true)
  })
})

describe("the walk through a client's details", () => {
  const paths = clientDetailsModel().everyTransition()

  type State = {
    step: 'loading' | 'idle' | 'changed' | 'refreshing' | 'waiting' | 'missing' | 'refused'
    file: unknown
    failures: number
    loads: number
    toasts: unknown[]
  }
  const load = (state: State): Partial<State> => ({
    step: state.step === 'idle' || state.step === 'changed' ? 'refreshing' : 'loading',
    loads: state.loads + 1,
  })
  const missing = { kind: 'error', text: 'API endpoint not found: POST /facebook/link-client' }
  const reference: Reference<State> = {
    start: { step: 'loading', file: null, failures: 0, loads: 1, toasts: [] },
    accepts: ({ step }) => [
      ...when(step !== 'loading' && step !== 'refreshing', 'refetch.requested'),
      ...when(step === 'idle' || step === 'refreshing', 'clientData.changed'),
      ...when(step === 'changed', 'xstate.after.changeDelay.clientDetails.showing.changed'),
      ...when(step === 'waiting', 'xstate.after.retryDelay.clientDetails.failed.waiting'),
      ...when(step === 'loading', ...ends('loadClient')),
      ...when(step === 'refreshing', ...ends('refreshClient')),
    ],
    rules: {
      'refetch.requested': (state) => ({ ...load(state), failures: 0 }),
      'clientData.changed': ({ step }, { clientIds }) =>
        ['idle', 'refreshing'].includes(step) && (clientIds === null || clientIds.includes('k1'))
          ? { step: 'changed' }
          : {},
      'xstate.after.changeDelay.clientDetails.showing.changed': load,
      'xstate.after.retryDelay.clientDetails.failed.waiting': load,
      'xstate.done.actor.loadClient': () => ({ step: 'idle', file: held, failures: 0 }),
      'xstate.error.actor.loadClient': ({ failures, toasts }, { error }) => {
        if (error === faults.missing) return { step: 'missing', toasts: [...toasts, missing] }
        if (error === faults.invalid) return { step: 'refused', toasts: [...toasts, ownText] }
        return { step: 'waiting', failures: failures + 1, toasts: failures > 0 ? toasts : [...toasts, network] }
      },
      'xstate.done.actor.refreshClient': () => ({
        step: 'idle',
        file: { orders: laterFile.orders, chatIds: [] },
        failures: 0,
      }),
      'xstate.error.actor.refreshClient': ({ toasts }) => ({ step: 'idle', toasts: [...toasts, network] }),
    },
    shown: ({ step, file, loads, toasts }) => ({
      file,
      hasFailed: ['waiting', 'missing', 'refused'].includes(step),
      isMissing: step === 'missing',
      loads,
      toasts,
    }),
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const drive = driverOf(sut.actor.send, {
      calls: { loadClient: sut.load, refreshClient: sut.load },
      delays: { retryDelay: () => sut.clock.increment(4_000), changeDelay: () => sut.clock.increment(1_000) },
    })
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      return {
        file: selectClientData(snapshot),
        hasFailed: selectHasFailed(snapshot),
        isMissing: selectIsMissing(snapshot),
        loads: sut.load.calls.length,
        toasts: sut.toasts,
      }
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
