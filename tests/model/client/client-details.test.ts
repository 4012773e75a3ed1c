import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import {
  clientDetailsMachine,
  selectClientData,
  selectHasFailed,
  selectIsMissing,
  selectMergedInto,
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
      { loading: 'current' },
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
    expect([sut.state(), selectClientData(sut.actor.getSnapshot())]).toEqual([
      { showing: { refreshing: 'current' } },
      held,
    ])
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

  it('are fetched once after a pause in the changes, and again after a change during the fetch', async () => {
    const sut = start()
    const changed = () => sut.actor.send({ type: 'clientData.changed', clientIds: ['k1'] })
    changed()
    await sut.load.resolve(fileOf())
    // The first answer may be older than the change.
    expect([sut.state(), selectClientData(sut.actor.getSnapshot())]).toEqual([
      { showing: { changed: 'pausing' } },
      held,
    ])
    for (let change = 0; change < 3; change += 1) {
      sut.clock.increment(999)
      changed()
    }
    expect(sut.load.calls.length).toBe(1)
    sut.clock.increment(1_000)
    for (let change = 0; change < 3; change += 1) changed()
    expect([sut.load.calls.length, sut.load.last().signal.aborted]).toEqual([2, false])
    await sut.load.resolve(fileOf())
    sut.clock.increment(1_000)
    expect(sut.load.calls.length).toBe(3)
    await sut.load.resolve(laterFile)
    sut.clock.increment(600_000)
    expect([sut.state(), sut.load.calls.length]).toEqual([{ showing: 'idle' }, 3])
  })

  it('are fetched every 10 s while changes do not pause', async () => {
    const sut = start()
    await sut.load.resolve(fileOf())
    for (let tenth = 0; tenth < 199; tenth += 1) {
      sut.actor.send({ type: 'clientData.changed', clientIds: null })
      sut.clock.increment(100)
      if (sut.load.calls.length === 2) break
    }
    expect([sut.load.calls.length, sut.clock.now()]).toEqual([2, 10_000])
  })

  it('of a client who was deleted meanwhile are missing', async () => {
    const sut = start()
    await sut.load.resolve(fileOf())
    sut.actor.send({ type: 'clientData.changed', clientIds: ['k1'] })
    sut.clock.increment(1_000)
    await sut.load.reject(faults.missing)
    expect([sut.state(), selectIsMissing(sut.actor.getSnapshot()), sut.toasts.length]).toEqual([
      { failed: 'missing' },
      true,
      1,
    ])
  })

  it('of a merged client name the client that has them, until they are fetched', async () => {
    const sut = start()
    const { method, path } = faults.missing
    await sut.load.reject(new Failure({ kind: 'status', method, path, status: 404, details: { merged_into: 'k2' } }))
    expect([sut.state(), selectMergedInto(sut.actor.getSnapshot())]).toEqual([{ failed: 'missing' }, 'k2'])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.resolve(fileOf())
    expect(selectMergedInto(sut.actor.getSnapshot())).toBe(null)
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
    isOutdated: boolean
    file: unknown
    failures: number
    loads: number
    toasts: unknown[]
  }
  const load = (state: State): Partial<State> => ({
    step: state.step === 'idle' || state.step === 'changed' ? 'refreshing' : 'loading',
    isOutdated: false,
    loads: state.loads + 1,
  })
  const shownAfter = ({ isOutdated }: State): Partial<State> => ({
    step: isOutdated ? 'changed' : 'idle',
    isOutdated: false,
  })
  const missing = { kind: 'error', text: 'API endpoint not found: POST /facebook/link-client' }
  const reference: Reference<State> = {
    start: { step: 'loading', isOutdated: false, file: null, failures: 0, loads: 1, toasts: [] },
    accepts: ({ step, isOutdated }) => [
      ...when(step !== 'loading' && step !== 'refreshing', 'refetch.requested'),
      ...when(['idle', 'changed'].includes(step), 'clientData.changed'),
      ...when(['loading', 'refreshing'].includes(step) && !isOutdated, 'clientData.changed'),
      ...when(
        step === 'changed',
        'xstate.after.changeDelay.clientDetails.showing.changed.pausing',
        'xstate.after.longestChangeDelay.clientDetails.showing.changed',
      ),
      ...when(step === 'waiting', 'xstate.after.retryDelay.clientDetails.failed.waiting'),
      ...when(step === 'loading', ...ends('loadClient')),
      ...when(step === 'refreshing', ...ends('refreshClient')),
    ],
    rules: {
      'refetch.requested': (state) => ({ ...load(state), failures: 0 }),
      'clientData.changed': ({ step }, { clientIds }) => {
        if (clientIds !== null && !clientIds.includes('k1')) return {}
        return ['loading', 'refreshing'].includes(step) ? { isOutdated: true } : { step: 'changed' }
      },
      'xstate.after.changeDelay.clientDetails.showing.changed.pausing': load,
      'xstate.after.longestChangeDelay.clientDetails.showing.changed': load,
      'xstate.after.retryDelay.clientDetails.failed.waiting': load,
      'xstate.done.actor.loadClient': (state) => ({ ...shownAfter(state), file: held, failures: 0 }),
      'xstate.error.actor.loadClient': ({ failures, toasts }, { error }) => {
        if (error === faults.missing) return { step: 'missing', isOutdated: false, toasts: [...toasts, missing] }
        if (error === faults.invalid) return { step: 'refused', isOutdated: false, toasts: [...toasts, ownText] }
        return {
          step: 'waiting',
          isOutdated: false,
          failures: failures + 1,
          toasts: failures > 0 ? toasts : [...toasts, network],
        }
      },
      'xstate.done.actor.refreshClient': (state) => ({
        ...shownAfter(state),
        file: { orders: laterFile.orders, chatIds: [] },
        failures: 0,
      }),
      'xstate.error.actor.refreshClient': (state, { error }) =>
        error === faults.missing
          ? { step: 'missing', isOutdated: false, toasts: [...state.toasts, missing] }
          : { ...shownAfter(state), toasts: [...state.toasts, network] },
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
      delays: {
        retryDelay: () => sut.clock.increment(4_000),
        changeDelay: () => sut.clock.increment(1_000),
        // Changes come until the longest delay has passed.
        longestChangeDelay: () => {
          for (let tenth = 0; tenth < 20; tenth += 1) {
            sut.actor.send({ type: 'clientData.changed', clientIds: null })
            sut.clock.increment(500)
          }
        },
      },
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
