import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { isDisconnected, troubleOf } from '../../domain/pages/page-token.ts'
import { pageToasts } from '../../domain/pages/toasts.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { Page } from '../../schemas/page.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { ifTemporary, isTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'

type Context = Retries & {
  pages: readonly Page[]
  /** Names by page id. */
  names: ReadonlyMap<string, string>
  /** The ids of those whose token the network refuses. */
  disconnected: ReadonlySet<string>
}

/** `pages.invalidated` loads the pages again at once, also during a load. After a failure `refetch.requested` is the retry. */
export type PagesEvent = { type: 'refetch.requested' } | { type: 'pages.invalidated' }

/** The connected pages, for the page filter and for naming what a message came in by. */
export const pagesMachine = setup({
  types: { context: {} as Context, events: {} as PagesEvent },
  actors: {
    loadPages: fromPromise<readonly Page[]>(mustBeProvided('loadPages')),
  },
  delays: { retryDelay: ({ context }) => context.retryDelay },
  guards: { 'is temporary': isTemporary },
  actions: {
    'notify failure': notifyFailure,
    tellSession,
    'keep the pages': assign((_, { pages }: { pages: readonly Page[] }) => ({
      pages,
      names: new Map(pages.map((page) => [page.page_id, page.page_name])),
      disconnected: new Set(pages.filter(isDisconnected).map((page) => page.page_id)),
      ...noRetries,
    })),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
  },
}).createMachine({
  id: 'pages',
  context: { pages: [], names: new Map(), disconnected: new Set(), ...noRetries },
  initial: 'loading',
  on: { 'pages.invalidated': '.loading' },
  states: {
    loading: {
      invoke: {
        id: 'loadPages',
        src: 'loadPages',
        onDone: {
          target: 'showing',
          actions: [
            { type: 'keep the pages', params: ({ event }) => ({ pages: event.output }) },
            { type: 'tellSession', params: ({ event }) => ({ type: 'pages.loaded', pages: event.output }) },
          ],
        },
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce(pageToasts.failed) },
          { target: 'failed.refused', actions: reportFailure(pageToasts.failed) },
        ],
      },
    },
    showing: { on: { 'refetch.requested': 'loading' } },
    /** Pages known from before stay. */
    failed: {
      initial: 'waiting',
      states: {
        waiting: { after: { retryDelay: '#pages.loading' } },
        refused: {},
      },
      on: { 'refetch.requested': 'loading' },
    },
  },
})

type Snapshot = SnapshotFrom<typeof pagesMachine>

export const selectPages = (snapshot: Snapshot): readonly Page[] => snapshot.context.pages
export const selectPageNames = (snapshot: Snapshot): ReadonlyMap<string, string> => snapshot.context.names
/** Why nothing can be sent from that page; null too where it is not known. */
export const selectTrouble = (pageId: string | null) => (snapshot: Snapshot) => {
  const page = snapshot.context.pages.find(({ page_id }) => page_id === pageId)
  return page === undefined ? null : troubleOf(page)
}
/** The pages whose token the network refuses. */
export const selectDisconnected = (snapshot: Snapshot): ReadonlySet<string> => snapshot.context.disconnected
export const selectHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectAreLoading = (snapshot: Snapshot): boolean => snapshot.matches('loading')
