import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { auditFiltersOf, noAuditFilters, type TypedAuditFilters } from '../../domain/session/audit-filters.ts'
import { auditToasts } from '../../domain/session/dialog-toasts.ts'
import type { AuditEntryRow, AuditFilters, AuditPage } from '../../schemas/audit.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    auditLog: typeof auditLogMachine
  }
}

type Context = Retries & {
  filters: TypedAuditFilters
  /** Null until the first page is loaded. */
  entries: readonly AuditEntryRow[] | null
  /** The start of the next page; null if there is none. */
  next: string | null
  people: AuditPage['people']
}

export type AuditLogEvent =
  | { type: 'filter.changed'; change: Partial<TypedAuditFilters> }
  | { type: 'refetch.requested' }
  | { type: 'more.requested' }
  | { type: 'export.requested' }
  | { type: 'dialog.dismissed' }

type PageRequest = { filters: AuditFilters; before: string | null }

/** Milliseconds without a change before a filter applies. */
const filterDelay = 300

/** The dialog of the audit log, for administrators. */
export const auditLogMachine = setup({
  types: { context: {} as Context, events: {} as AuditLogEvent },
  actors: {
    loadAudit: fromPromise<AuditPage, PageRequest>(mustBeProvided('loadAudit')),
    exportAudit: fromPromise<void, AuditFilters>(mustBeProvided('exportAudit')),
  },
  delays: { filterDelay, ...readingDelays },
  guards: { ...readingGuards, 'has more': ({ context }) => context.next !== null },
  actions: {
    notify,
    ...readingActions,
    'keep the filter': assign({
      filters: ({ context }, { change }: { change: Partial<TypedAuditFilters> }) => ({ ...context.filters, ...change }),
    }),
    'show the first page': assign((_, { page }: { page: AuditPage }) => ({ ...page, ...noRetries })),
    'add the page': assign(({ context }, { page: { entries, next, people } }: { page: AuditPage }) => ({
      entries: [...(context.entries ?? []), ...entries],
      next,
      people,
    })),
  },
}).createMachine({
  id: 'auditLog',
  context: { filters: noAuditFilters, entries: null, next: null, people: [], ...noRetries },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      on: { 'dialog.dismissed': 'dismissed' },
      states: {
        list: {
          initial: 'loading',
          on: {
            'filter.changed': {
              target: '.settling',
              actions: { type: 'keep the filter', params: ({ event }) => event },
            },
          },
          states: {
            settling: { after: { filterDelay: 'loading' } },
            loading: {
              invoke: {
                id: 'loadFirst',
                src: 'loadAudit',
                input: ({ context }) => ({ filters: auditFiltersOf(context.filters), before: null }),
                onDone: {
                  target: 'showing',
                  actions: { type: 'show the first page', params: ({ event }) => ({ page: event.output }) },
                },
                onError: afterFailedRead(auditToasts.failed),
              },
            },
            failed: failedRead('#auditLog.open.list.loading'),
            showing: {
              initial: 'idle',
              on: { 'refetch.requested': 'loading' },
              states: {
                idle: { on: { 'more.requested': { guard: 'has more', target: 'loadingMore' } } },
                loadingMore: {
                  invoke: {
                    id: 'loadMore',
                    src: 'loadAudit',
                    input: ({ context }) => ({ filters: auditFiltersOf(context.filters), before: context.next }),
                    onDone: {
                      target: 'idle',
                      actions: { type: 'add the page', params: ({ event }) => ({ page: event.output }) },
                    },
                    onError: { target: 'idle', actions: reportFailure(auditToasts.failed) },
                  },
                },
              },
            },
          },
        },
        export: {
          initial: 'idle',
          states: {
            idle: { on: { 'export.requested': 'exporting' } },
            exporting: {
              invoke: {
                id: 'exportAudit',
                src: 'exportAudit',
                input: ({ context }) => auditFiltersOf(context.filters),
                onDone: { target: 'idle', actions: { type: 'notify', params: auditToasts.exported } },
                onError: { target: 'idle', actions: reportFailure(auditToasts.exportFailed) },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type AuditLogActor = ActorRefFrom<typeof auditLogMachine>

type Snapshot = SnapshotFrom<typeof auditLogMachine>

export const selectAuditFilters = (snapshot: Snapshot): TypedAuditFilters => snapshot.context.filters
/** Null until the first page is loaded. */
export const selectAuditEntries = (snapshot: Snapshot): readonly AuditEntryRow[] | null => snapshot.context.entries
export const selectAuditPeople = (snapshot: Snapshot): AuditPage['people'] => snapshot.context.people
/** The first page with the current filters is not there yet. */
export const selectAuditIsLoading = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { list: 'loading' } }) || snapshot.matches({ open: { list: 'settling' } })
export const selectAuditHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { list: 'failed' } })
export const selectAuditHasMore = (snapshot: Snapshot): boolean =>
  snapshot.context.next !== null && snapshot.matches({ open: { list: 'showing' } })
export const selectAuditIsLoadingMore = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { list: { showing: 'loadingMore' } } })
export const selectAuditIsExporting = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { export: 'exporting' } })
