import { describe, expect, it } from 'vitest'
import { auditFiltersOf, noAuditFilters } from '../../../src/domain/session/audit-filters.ts'
import { auditLogMachine } from '../../../src/machines/session/audit-log.ts'
import { createCoverage, driverOf, error, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { auditModel, auditPageOf, staffFaults, startAuditLog } from './staff-fixture.ts'

const coverage = createCoverage(auditLogMachine)
const start = () => startAuditLog(coverage.inspect)

describe('the filters', () => {
  it('are sent without those that are empty or not valid; both days are included', () => {
    expect(auditFiltersOf({ ...noAuditFilters, action: 'everything', from: 'soon', row: '  ' })).toEqual({})
    const filters = auditFiltersOf({
      person: 'ana',
      action: 'faq.created',
      row: ' 1 ',
      from: '2026-05-01',
      to: '2026-05-31',
    })
    expect(filters).toEqual({
      person: 'ana',
      action: 'faq.created',
      row: '1',
      from: new Date(2026, 4, 1).toISOString(),
      to: new Date(2026, 5, 1).toISOString(),
    })
  })

  it('apply 300 ms after the last change, and abort the load of the earlier ones', async () => {
    const sut = start()
    const first = sut.load.last()
    sut.actor.send({ type: 'filter.changed', change: { row: '1' } })
    sut.clock.increment(299)
    sut.actor.send({ type: 'filter.changed', change: { row: '12' } })
    sut.clock.increment(299)
    expect([first.signal.aborted, sut.load.calls.length]).toEqual([true, 1])
    sut.clock.increment(1)
    expect(sut.load.inputs().map(({ filters }) => filters.row)).toEqual([undefined, '12'])
    first.resolve(auditPageOf([9], null))
    await sut.load.resolve(auditPageOf([1], null))
    expect(sut.context().entries?.map(({ id }) => id)).toEqual([1])
  })
})

describe('the walk through the dialog', () => {
  const paths = auditModel().everyTransition()

  type State = {
    person: string
    ids: number[] | null
    hasMore: boolean
    list: 'settling' | 'loading' | 'waiting' | 'refused' | 'showing' | 'loadingMore'
    isExporting: boolean
    isDismissed: boolean
    loads: unknown[]
    exports: number
    toasts: unknown[]
  }
  const ask = ({ person, loads }: State, before: string | null): unknown[] => [
    ...loads,
    { filters: person === '' ? {} : { person }, before },
  ]
  const failed = ({ toasts }: State) => [...toasts, error('Failed to load the audit log')]
  const reload = (state: State): Partial<State> => ({ list: 'loading', loads: ask(state, null) })
  const reference: Reference<State> = {
    start: {
      person: '',
      ids: null,
      hasMore: false,
      list: 'loading',
      isExporting: false,
      isDismissed: false,
      loads: [{ filters: {}, before: null }],
      exports: 0,
      toasts: [],
    },
    accepts: ({ list, hasMore, isExporting }) => [
      ...['dialog.dismissed', 'filter.changed'],
      ...(isExporting ? ends('exportAudit') : ['export.requested']),
      ...when(!['loading', 'settling'].includes(list), 'refetch.requested'),
      ...when(list === 'showing' && hasMore, 'more.requested'),
      ...when(list === 'waiting', 'xstate.after.retryDelay.auditLog.open.list.failed.waiting'),
      ...when(list === 'settling', 'xstate.after.filterDelay.auditLog.open.list.settling'),
      ...when(list === 'loading', ...ends('loadFirst')),
      ...when(list === 'loadingMore', ...ends('loadMore')),
    ],
    rules: {
      'filter.changed': () => ({ person: 'ana', list: 'settling' }),
      'xstate.after.filterDelay.auditLog.open.list.settling': reload,
      'refetch.requested': (state) => (['loading', 'settling'].includes(state.list) ? {} : reload(state)),
      'more.requested': (state) =>
        state.list === 'showing' && state.hasMore ? { list: 'loadingMore', loads: ask(state, 'place') } : {},
      'export.requested': ({ exports }) => ({ isExporting: true, exports: exports + 1 }),
      'dialog.dismissed': () => ({ isDismissed: true }),
      'xstate.done.actor.loadFirst': () => ({ list: 'showing', ids: [4, 3], hasMore: true }),
      'xstate.error.actor.loadFirst': (state, { error: failure }) =>
        failure === staffFaults.noAnswer
          ? { list: 'waiting', toasts: [...state.toasts, error('Network error. Please check your connection.')] }
          : { list: 'refused', toasts: failed(state) },
      'xstate.after.retryDelay.auditLog.open.list.failed.waiting': reload,
      'xstate.done.actor.loadMore': ({ ids }) => ({ list: 'showing', ids: [...(ids ?? []), 2, 1], hasMore: false }),
      // The entries and the button stay, so that the person can try again.
      'xstate.error.actor.loadMore': (state) => ({ list: 'showing', toasts: failed(state) }),
      'xstate.done.actor.exportAudit': ({ toasts }) => ({
        isExporting: false,
        toasts: [...toasts, success('Saved as audit-log.csv in your downloads')],
      }),
      'xstate.error.actor.exportAudit': ({ toasts }) => ({
        isExporting: false,
        toasts: [...toasts, error('Failed to export the audit log')],
      }),
    },
    shown: ({ list, isExporting, isDismissed, ...kept }) => ({
      ...kept,
      at: isDismissed ? 'dismissed' : [list === 'waiting' || list === 'refused' ? 'failed' : list, isExporting],
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, {
        calls: { loadFirst: sut.load, loadMore: sut.load, exportAudit: sut.save },
        delays: { filterDelay: () => sut.clock.increment(300), retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const { filters, entries, next } = sut.context()
        const value = sut.state()
        const list = typeof value === 'string' ? value : value.open.list
        const shown =
          typeof list === 'string'
            ? list
            : 'failed' in list
              ? 'failed'
              : list.showing === 'idle'
                ? 'showing'
                : 'loadingMore'
        return {
          person: filters.person,
          ids: entries?.map(({ id }) => id) ?? null,
          hasMore: next !== null,
          loads: sut.load.inputs(),
          exports: sut.save.calls.length,
          toasts: sut.toasts,
          at: typeof value === 'string' ? value : [shown, value.open.export === 'exporting'],
        }
      })
      sut.actor.stop()
    }
  })

  it('loads again by itself with growing pauses, and shows the failure once until a person asks', async () => {
    const sut = start()
    for (const pause of [2_000, 4_000, 8_000]) {
      await sut.load.reject(staffFaults.noAnswer)
      sut.clock.increment(pause - 1)
      const before = sut.load.calls.length
      sut.clock.increment(1)
      expect(sut.load.calls.length).toBe(before + 1)
    }
    await sut.load.reject(staffFaults.noAnswer)
    expect(sut.toasts).toHaveLength(1)
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.reject(staffFaults.noAnswer)
    expect(sut.toasts).toHaveLength(2)
    sut.clock.increment(2_000)
    await sut.load.resolve(auditPageOf([1], null))
    expect(sut.context().entries?.map(({ id }) => id)).toEqual([1])
  })

  it('keeps the shown entries when a further page fails, and loads that page again', async () => {
    const sut = start()
    await sut.load.resolve(auditPageOf([4, 3], 'place'))
    sut.actor.send({ type: 'more.requested' })
    await sut.load.reject(staffFaults.noAnswer)
    sut.actor.send({ type: 'more.requested' })
    await sut.load.resolve(auditPageOf([2], null))
    expect(sut.context().entries?.map(({ id }) => id)).toEqual([4, 3, 2])
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
