import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { type ConnectedPages, noPages, withPages } from '../../domain/pages/connected-pages.ts'
import { isDisconnected, troubleOf } from '../../domain/pages/page-state.ts'
import { pageToasts } from '../../domain/pages/toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { Page } from '../../schemas/page.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { tellSession } from '../session-events.ts'
import type { System } from '../system.ts'

type Context = Retries & {
  pages: ConnectedPages
}

/**
 * `pages.invalidated` refetches at once, also during a load. After a failure `refetch.requested` is the retry. A page that
 * accepted a message works again.
 */
export type PagesEvent =
  | { type: 'refetch.requested' }
  | { type: 'pages.invalidated' }
  | { type: 'page.accepted'; pageId: string | undefined }

/**
 * Owns the connected pages, by page id. Only this machine writes them, from the answer to the last request. All other
 * code holds page ids and reads the pages here: views by selectors, actions by `pagesIn(system)`.
 */
export const pagesMachine = setup({
  types: { context: {} as Context, events: {} as PagesEvent },
  actors: {
    loadPages: fromPromise<readonly Page[]>(mustBeProvided('loadPages')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'is disconnected': ({ context }, { pageId }: { pageId: string | undefined }) => {
      const page = pageId === undefined ? undefined : context.pages.byId.get(pageId)
      return page !== undefined && isDisconnected(page)
    },
  },
  actions: {
    ...readingActions,
    tellSession,
    'merge the answer': assign(({ context }, { pages }: { pages: readonly Page[] }) => ({
      pages: withPages(context.pages, pages),
      ...noRetries,
    })),
  },
}).createMachine({
  id: 'pages',
  context: { pages: noPages, ...noRetries },
  initial: 'loading',
  on: {
    'pages.invalidated': '.loading',
    'page.accepted': { guard: { type: 'is disconnected', params: ({ event }) => event }, target: '.loading' },
  },
  states: {
    loading: {
      invoke: {
        id: 'loadPages',
        src: 'loadPages',
        onDone: {
          target: 'showing',
          actions: [
            { type: 'merge the answer', params: ({ event }) => ({ pages: event.output }) },
            { type: 'tellSession', params: ({ event }) => ({ type: 'pages.loaded', pages: event.output }) },
          ],
        },
        onError: afterFailedRead(pageToasts.failed),
      },
    },
    showing: { on: { 'refetch.requested': 'loading' } },
    /** The pages of an earlier answer stay. */
    failed: failedRead('#pages.loading'),
  },
})

type Snapshot = SnapshotFrom<typeof pagesMachine>

/** The current pages, for use in the actions of machines; null until they are loaded. */
export function pagesIn(system: System): ConnectedPages | null {
  const snapshot: Snapshot | undefined = system.get('pages')?.getSnapshot()
  return snapshot === undefined || snapshot.context.pages === noPages ? null : snapshot.context.pages
}

/** The pages in the order of the server. */
export const selectPages = (snapshot: Snapshot): readonly Page[] => snapshot.context.pages.inOrder
export const selectPagesById = (snapshot: Snapshot): ReadonlyMap<string, Page> => snapshot.context.pages.byId

const pageOf = ({ context }: Snapshot, pageId: string | null | undefined): Page | null =>
  pageId == null ? null : (context.pages.byId.get(pageId) ?? null)

/** Returns a selector for the reason why the page cannot send; null if it can, or if the page is unknown. */
export const selectTrouble = (pageId: string | null) => (snapshot: Snapshot) => {
  const page = pageOf(snapshot, pageId)
  return page === null ? null : troubleOf(page)
}
/** Returns a selector that is true if the network refuses the token of the page. */
export const selectIsDisconnected =
  (pageId: string | null | undefined) =>
  (snapshot: Snapshot): boolean => {
    const page = pageOf(snapshot, pageId)
    return page !== null && isDisconnected(page)
  }
/** Returns a selector for the name of the page; null if the page is unknown. */
export const selectPageName =
  (pageId: string | null | undefined) =>
  (snapshot: Snapshot): string | null =>
    pageOf(snapshot, pageId)?.page_name ?? null

/** Returns a selector for the place of a page among several; null if there is only one, or if the page is unknown. */
export const selectPlace =
  (pageId: string | null | undefined) =>
  ({ context }: Snapshot): number | null => {
    const { inOrder } = context.pages
    const place = inOrder.findIndex(({ page_id }) => page_id === pageId)
    return inOrder.length > 1 && place >= 0 ? place : null
  }

export const selectHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectAreLoading = (snapshot: Snapshot): boolean => snapshot.matches('loading')
