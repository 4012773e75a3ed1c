import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import {
  historySyncMachine,
  selectHasStatusFailed,
  selectIsStatusLoading,
  selectIsSynced,
  selectIsUnreachable,
  selectStep,
} from '../../../src/machines/sync/history-sync.ts'
import type { HistorySync, SyncStatus } from '../../../src/schemas/sync.ts'
import { failures, jobOf, startHistorySync, syncStatusOf } from '../dialogs-fixture.ts'
import { createCoverage, driverOf, error, modelOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(historySyncMachine)
const start = (pageId: string | null = null) => startHistorySync(pageId, coverage.inspect)
type Sync = ReturnType<typeof start>

const step = ({ actor }: Sync) => selectStep(actor.getSnapshot())
const done = { state: 'completed', conversations_done: 50, messages_stored: 900 } as const

const ready = async () => {
  const sut = start('p1')
  await sut.status.resolve(syncStatusOf())
  return sut
}

const running = async () => {
  const sut = await ready()
  sut.actor.send({ type: 'sync.requested' })
  await sut.begin.resolve(jobOf())
  return sut
}

describe('the form of a history sync', () => {
  it('starts without a page, with Messenger and 50 conversations', () => {
    const { pageId, platform, limit, status } = start().context()
    expect([pageId, platform, limit, status]).toEqual([null, 'messenger', '50', null])
  })

  it('needs a page', () => {
    const sut = start()
    sut.actor.send({ type: 'sync.requested' })
    expect([sut.begin.calls.length, sut.toasts]).toEqual([0, [error('Please select a page first')]])
  })

  it.each(['', '0', '101', '-1', '1.5', '1e2', 'ten'])('does not start a sync with the limit %j', async (limit) => {
    const sut = await ready()
    sut.actor.send({ type: 'limit.typed', limit })
    sut.actor.send({ type: 'sync.requested' })
    expect([sut.begin.calls.length, sut.context().limit]).toEqual([0, limit])
  })

  it.each([
    ['1', 1],
    ['100', 100],
    [' 7 ', 7],
  ])('requests the typed number of conversations: %j', async (limit, asked) => {
    const sut = await ready()
    sut.actor.send({ type: 'limit.typed', limit })
    sut.actor.send({ type: 'platform.chosen', platform: 'instagram' })
    sut.actor.send({ type: 'sync.requested' })
    sut.actor.send({ type: 'sync.requested' })
    expect(sut.begin.inputs()).toEqual([{ pageId: 'p1', platform: 'instagram', limit: asked }])
  })

  it('shows the figures of the chosen page only', async () => {
    const sut = start('p1')
    expect(selectIsStatusLoading(sut.actor.getSnapshot())).toBe(true)
    sut.actor.send({ type: 'page.chosen', pageId: 'p2' })
    const [first, second] = sut.status.calls
    expect([first?.signal.aborted, second?.input]).toEqual([true, { pageId: 'p2' }])
    await sut.status.resolve(syncStatusOf({ totalMessages: 2 }))
    expect([sut.context().status?.totalMessages, selectHasStatusFailed(sut.actor.getSnapshot())]).toEqual([2, false])
    sut.actor.send({ type: 'page.chosen', pageId: null })
    expect([sut.context().status, sut.status.calls.length]).toEqual([null, 2])
  })

  it('reports figures that cannot be loaded, and loads them again when staff ask', async () => {
    const sut = start('p1')
    await sut.status.reject(failures.unreadable)
    expect([selectHasStatusFailed(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      true,
      [error('Failed to load sync status')],
    ])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.status.resolve(syncStatusOf())
    expect(sut.context().status).toEqual(syncStatusOf())
  })
})

describe('a history sync', () => {
  it('is polled every 2 s until it is done, and then the figures of the page are fetched again', async () => {
    const sut = await running()
    sut.clock.increment(1_999)
    expect([step(sut), sut.look.calls.length]).toEqual(['running', 0])
    sut.clock.increment(1)
    expect(sut.look.inputs()).toEqual([{ id: 'h1' }])
    await sut.look.resolve(jobOf({ conversations_done: 10, messages_stored: 180 }))
    expect([step(sut), sut.context().job?.conversations_done, sut.context().job?.messages_stored]).toEqual([
      'running',
      10,
      180,
    ])
    sut.clock.increment(2_000)
    await sut.look.resolve(jobOf(done))
    expect([step(sut), sut.context().job?.state, sut.status.calls.length, sut.told, sut.toasts]).toEqual([
      'choosing',
      'completed',
      2,
      [{ type: 'inbox.invalidated' }],
      [],
    ])
    sut.clock.increment(60_000)
    expect(sut.look.calls.length).toBe(2)
  })

  it('that is done at once is not polled', async () => {
    const sut = await ready()
    sut.actor.send({ type: 'sync.requested' })
    await sut.begin.resolve(jobOf(done))
    expect([step(sut), sut.context().job]).toEqual(['choosing', jobOf(done)])
  })

  it('that the API completes in its answer shows a success until staff choose something else', async () => {
    const sut = await ready()
    sut.actor.send({ type: 'sync.requested' })
    await sut.begin.resolve(null)
    const isSynced = () => selectIsSynced(sut.actor.getSnapshot())
    expect([step(sut), isSynced(), sut.status.calls.length, sut.told, sut.toasts]).toEqual([
      'choosing',
      true,
      2,
      [{ type: 'inbox.invalidated' }],
      [],
    ])
    sut.actor.send({ type: 'platform.chosen', platform: 'instagram' })
    expect(isSynced()).toBe(false)
  })

  it.each([
    ['a reason of its own', 'The network asks for a new token.', 'The network asks for a new token.'],
    ['no reason', null, 'Failed to sync historical conversations'],
  ])('that fails with %s shows the error', async (_, reason, text) => {
    const sut = await running()
    sut.clock.increment(2_000)
    await sut.look.resolve(jobOf({ state: 'failed', error: reason }))
    expect([step(sut), sut.toasts, sut.told, sut.status.calls.length]).toEqual([
      'choosing',
      [error(text)],
      [{ type: 'inbox.invalidated' }],
      2,
    ])
  })

  it('that does not start shows the error, keeps the form, and checks whether it started after all', async () => {
    const sut = await ready()
    sut.actor.send({ type: 'limit.typed', limit: '7' })
    sut.actor.send({ type: 'sync.requested' })
    await sut.begin.reject(failures.unnamed)
    expect([step(sut), sut.context().limit, sut.toasts, sut.status.calls.length]).toEqual([
      'choosing',
      '7',
      [error('Failed to sync historical conversations')],
      2,
    ])
    await sut.status.resolve(syncStatusOf({ underWay: [jobOf({ limit: 7 })] }))
    expect([step(sut), sut.context().job?.id]).toEqual(['running', 'h1'])
  })

  it('that is under way is found when its page is chosen', async () => {
    const sut = start('p1')
    const status = syncStatusOf({ underWay: [jobOf({ platform: 'instagram', limit: 30 })] })
    await sut.status.resolve(status)
    expect([step(sut), sut.context().platform, sut.context().limit, sut.context().status]).toEqual([
      'running',
      'instagram',
      '30',
      status,
    ])
    expect(selectHasStatusFailed(sut.actor.getSnapshot())).toBe(false)
  })

  it('is polled with growing delays while the server is unreachable, with a single toast', async () => {
    const sut = await running()
    sut.clock.increment(2_000)
    await sut.look.reject(failures.noAnswer)
    expect(selectIsUnreachable(sut.actor.getSnapshot())).toBe(true)
    sut.clock.increment(2_000)
    await sut.look.reject(failures.passing)
    sut.clock.increment(3_999)
    expect(sut.look.calls.length).toBe(2)
    sut.clock.increment(1)
    await sut.look.resolve(jobOf({ conversations_done: 3 }))
    expect([selectIsUnreachable(sut.actor.getSnapshot()), sut.toasts]).toEqual([
      false,
      [error('Network error. Please check your connection.')],
    ])
  })

  it('that the server no longer knows is dropped', async () => {
    const sut = await running()
    sut.clock.increment(2_000)
    await sut.look.reject(failures.gone)
    expect([step(sut), sut.context().job, sut.toasts]).toEqual([
      'choosing',
      null,
      [error('This page is no longer connected.')],
    ])
  })

  it('is cancelled once, and the toast shows what it stored', async () => {
    const sut = await running()
    sut.actor.send({ type: 'cancel.requested' })
    sut.actor.send({ type: 'cancel.requested' })
    expect([step(sut), sut.cancel.inputs()]).toEqual(['cancelling', [{ id: 'h1' }]])
    await sut.cancel.resolve(jobOf({ state: 'cancelled', messages_stored: 40 }))
    expect([step(sut), sut.context().job?.state, sut.context().job?.messages_stored, sut.told]).toEqual([
      'choosing',
      'cancelled',
      40,
      [{ type: 'inbox.invalidated' }],
    ])
  })

  it('that ends before it is cancelled shows its own result', async () => {
    const sut = await running()
    sut.actor.send({ type: 'cancel.requested' })
    await sut.cancel.resolve(jobOf({ state: 'failed', error: 'The network asks for a new token.' }))
    expect([step(sut), sut.toasts]).toEqual(['choosing', [error('The network asks for a new token.')]])
  })

  it('shows no figures of the previous sync while it starts', async () => {
    const sut = await ready()
    sut.actor.send({ type: 'sync.requested' })
    await sut.begin.resolve(jobOf(done))
    sut.actor.send({ type: 'sync.requested' })
    expect([step(sut), sut.context().job]).toEqual(['starting', null])
  })

  it('that cannot be cancelled continues', async () => {
    const sut = await running()
    sut.actor.send({ type: 'cancel.requested' })
    await sut.cancel.reject(failures.unnamed)
    expect([step(sut), sut.toasts]).toEqual(['running', [error('Failed to cancel the sync')]])
  })

  it('continues after the dialog closes, and the dialog closes at any time except while the sync starts', async () => {
    const sut = await ready()
    sut.actor.send({ type: 'sync.requested' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(step(sut)).toBe('starting')
    await sut.begin.resolve(jobOf())
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.state(), sut.cancel.calls.length]).toEqual(['dismissed', 0])
  })
})

describe('the walk through the history sync', () => {
  type Snapshot = SnapshotFrom<typeof historySyncMachine>
  const paths = modelOf(historySyncMachine, {
    input: { pageId: null },
    vertex: ({ context: { failures: failed, ...seen } }: Snapshot) => ({ ...seen, failed: Math.min(failed, 2) }),
    // The tests above cover typed input and a second sync after the first.
    stopWhen: ({ context }) => context.failures > 1 || context.limit !== '50' || context.platform !== 'messenger',
    cases: {
      'page.chosen': ({ context }) => [{ pageId: context.pageId === null ? 'p1' : null }],
      'platform.chosen': [{ platform: 'instagram' }],
      'limit.typed': [{ limit: '7' }],
      'refetch.requested': [{}],
      'status.invalidated': [],
      'sync.found': [],
      'sync.requested': ({ context }) => (context.job === null ? [{}] : []),
      'cancel.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadSyncStatus': [
        { output: syncStatusOf() },
        { output: syncStatusOf({ underWay: [jobOf()] }) },
      ],
      'xstate.error.actor.loadSyncStatus': [{ error: failures.unreadable }],
      'xstate.done.actor.startHistorySync': [{ output: jobOf() }, { output: jobOf(done) }, { output: null }],
      'xstate.error.actor.startHistorySync': [{ error: failures.unnamed }],
      'xstate.done.actor.loadHistorySync': [{ output: jobOf() }, { output: jobOf({ state: 'failed' }) }],
      'xstate.error.actor.loadHistorySync': [{ error: failures.noAnswer }, { error: failures.gone }],
      'xstate.done.actor.cancelHistorySync': [{ output: jobOf({ state: 'cancelled' }) }],
      'xstate.error.actor.cancelHistorySync': [{ error: failures.unnamed }],
    },
  }).everyTransition()

  type State = {
    pageId: string | null
    platform: string
    limit: string
    status: SyncStatus | null
    isLoading: boolean
    hasFailed: boolean
    step: 'choosing' | 'starting' | 'running' | 'cancelling'
    job: HistorySync | null
    isSynced: boolean
    isUnreachable: boolean
    /** What happens while the sync runs. */
    poll: 'waiting' | 'asking' | 'backingOff'
    isDismissed: boolean
    toasts: unknown[]
    told: string[]
  }
  type Change = Partial<State>
  const toasting = ({ toasts }: State, text: string): Change => ({ toasts: [...toasts, error(text)] })
  const choosing = (change: Change): Change => ({ ...change, job: null, isSynced: false })
  const loadingStatus = ({ pageId }: State): Change => ({ isLoading: pageId !== null, hasFailed: false })
  /** The sync has ended: its result stays, and what it stored is fetched. */
  const ended = (state: State, job: HistorySync | null): Change => ({
    ...loadingStatus(state),
    ...(job?.state === 'failed' ? toasting(state, 'Failed to sync historical conversations') : {}),
    step: 'choosing',
    job,
    isSynced: job === null,
    isUnreachable: false,
    told: [...state.told, 'inbox.invalidated'],
  })
  const heard = (state: State, job: HistorySync | null): Change =>
    job?.state === 'running' ? { step: 'running', job, isUnreachable: false, poll: 'waiting' } : ended(state, job)
  const progressInterval = 'xstate.after.progressInterval.historySync.open.work.running.waiting'
  const retryDelay = 'xstate.after.retryDelay.historySync.open.work.running.backingOff'
  const polling = { waiting: [progressInterval], asking: ends('loadHistorySync'), backingOff: [retryDelay] }
  const reference: Reference<State> = {
    start: {
      pageId: null,
      platform: 'messenger',
      limit: '50',
      status: null,
      isLoading: false,
      hasFailed: false,
      step: 'choosing',
      job: null,
      isSynced: false,
      isUnreachable: false,
      poll: 'waiting',
      isDismissed: false,
      toasts: [],
      told: [],
    },
    accepts: ({ step, isLoading, hasFailed, poll }) => [
      ...['status.invalidated', 'sync.found'],
      ...when(isLoading, ...ends('loadSyncStatus')),
      ...when(hasFailed, 'refetch.requested'),
      ...{
        choosing: ['page.chosen', 'platform.chosen', 'limit.typed', 'sync.requested', 'dialog.dismissed'],
        starting: ends('startHistorySync'),
        running: ['cancel.requested', 'dialog.dismissed', ...polling[poll]],
        cancelling: ends('cancelHistorySync'),
      }[step],
    ],
    rules: {
      'page.chosen': (state, { pageId }) => choosing({ pageId, status: null, ...loadingStatus({ ...state, pageId }) }),
      'platform.chosen': (_, { platform }) => choosing({ platform }),
      'limit.typed': (_, { limit }) => choosing({ limit }),
      'refetch.requested': () => ({ isLoading: true, hasFailed: false }),
      'sync.requested': (state) =>
        state.pageId === null
          ? toasting(state, 'Please select a page first')
          : { step: 'starting', job: null, isSynced: false, isUnreachable: false },
      'cancel.requested': () => ({ step: 'cancelling' }),
      'dialog.dismissed': () => ({ isDismissed: true }),
      'xstate.done.actor.loadSyncStatus': ({ step }, { output: status }) => {
        const [running] = status.underWay
        const found: Change =
          step === 'choosing' && running
            ? { step: 'running', job: running, isSynced: false, isUnreachable: false, poll: 'waiting' }
            : {}
        return { status, isLoading: false, hasFailed: false, ...found }
      },
      'xstate.error.actor.loadSyncStatus': (state) => ({
        ...toasting(state, 'Failed to load sync status'),
        isLoading: false,
        hasFailed: true,
      }),
      'xstate.done.actor.startHistorySync': (state, { output }) => heard(state, output),
      'xstate.error.actor.startHistorySync': (state) => ({
        ...toasting(state, 'Failed to sync historical conversations'),
        ...loadingStatus(state),
        step: 'choosing',
      }),
      'xstate.done.actor.loadHistorySync': (state, { output }) => heard(state, output),
      'xstate.error.actor.loadHistorySync': (state, { error: failure }) => {
        if (failure === failures.gone)
          return {
            ...toasting(state, 'This page is no longer connected.'),
            step: 'choosing',
            job: null,
            isUnreachable: false,
          }
        const toast = state.isUnreachable ? {} : toasting(state, 'Network error. Please check your connection.')
        return { ...toast, isUnreachable: true, poll: 'backingOff' }
      },
      'xstate.done.actor.cancelHistorySync': (state, { output }) => heard(state, output),
      'xstate.error.actor.cancelHistorySync': (state) => ({
        ...toasting(state, 'Failed to cancel the sync'),
        step: 'running',
        poll: 'waiting',
      }),
      [progressInterval]: () => ({ poll: 'asking' }),
      [retryDelay]: () => ({ poll: 'asking' }),
    },
    // A dismissed dialog shows nothing.
    shown: ({ isDismissed, poll: _, ...state }) =>
      isDismissed ? { isDismissed, toasts: state.toasts, told: state.told } : { ...state, isDismissed },
  }
  const seen = (sut: Sync) => {
    const snapshot = sut.actor.getSnapshot()
    const reported = { toasts: sut.toasts, told: sut.told.map(({ type }) => type) }
    if (snapshot.status === 'done') return { isDismissed: true, ...reported }
    const { pageId, platform, limit, status, job } = snapshot.context
    return {
      ...reported,
      isDismissed: false,
      pageId,
      platform,
      limit,
      status,
      job,
      step: selectStep(snapshot),
      isSynced: selectIsSynced(snapshot),
      isUnreachable: selectIsUnreachable(snapshot),
      isLoading: selectIsStatusLoading(snapshot),
      hasFailed: selectHasStatusFailed(snapshot),
    }
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const wait = () => sut.clock.increment(2_000)
      const drive = driverOf(sut.actor.send, {
        calls: {
          loadSyncStatus: sut.status,
          startHistorySync: sut.begin,
          loadHistorySync: sut.look,
          cancelHistorySync: sut.cancel,
        },
        delays: { progressInterval: wait, retryDelay: wait },
      })
      await followBeside(path, drive, reference, () => seen(sut))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
