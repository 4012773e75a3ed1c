import type { EventObject, SnapshotFrom } from 'xstate'
import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { limits } from '../../domain/limits.ts'
import {
  type BegunLogin,
  type CompletedLogin,
  type ConnectedPage,
  connectable,
  type LoginPageFailure,
  type LoginReturn,
  type LoginReturned,
} from '../../domain/pages/facebook-login.ts'
import { facebookLoginToasts as toasts } from '../../domain/pages/facebook-login-toasts.ts'
import type { OfferedPage } from '../../schemas/facebook-login.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    facebookLogin: typeof facebookLoginMachine
  }
}

type Context = {
  /** The begun login; null if there is none. */
  login: BegunLogin | null
  /** The code of the network, until the server has exchanged it. Reports and the inspector omit fields of this name. */
  codeToken: string
  /** The pages that the network offers. */
  pages: readonly OfferedPage[]
  /** The ids of the pages to connect. */
  chosen: readonly string[]
  /** The ids of the chosen pages that are not connected yet, in their order. */
  queue: readonly string[]
  /** The number of pages that this login has connected. */
  connected: number
  failures: readonly LoginPageFailure[]
}

export type FacebookLoginEvent =
  /** The person wants to sign in at the network, for the first time or again. */
  | { type: 'login.requested' }
  | LoginReturned
  | { type: 'page.toggled'; pageId: string }
  | { type: 'connection.requested' }
  | { type: 'dialog.dismissed' }

type Problem = { error: unknown }

/** The reason of the API for a refusal that this dialog explains. */
const hasCode =
  (code: string) =>
  (_: unknown, { error }: Problem) =>
    error instanceof Failure && error.code === code

const withoutFirst = ({ queue }: Context) => queue.slice(1)

/**
 * The dialog that connects pages by a login at the network (Facebook Login for Business). The network opens in a window
 * of its own and returns to a page of the inbox, which reports the return to all tabs; only the tab with this login acts.
 * The server exchanges the code. Chosen pages are connected one after the other, so that one failure stops no other.
 */
export const facebookLoginMachine = setup({
  types: { context: {} as Context, events: {} as FacebookLoginEvent },
  actors: {
    beginLogin: fromPromise<BegunLogin>(mustBeProvided('beginLogin')),
    /** Sends 'login.returned'. */
    watchReturn: fromCallback<EventObject, { stateToken: string }>(mustBeGiven('watchReturn')),
    completeLogin: fromPromise<readonly OfferedPage[], CompletedLogin>(mustBeProvided('completeLogin')),
    connectPage: fromPromise<void, ConnectedPage>(mustBeProvided('connectPage')),
  },
  delays: { loginLifetime: limits.facebookLoginLifetime },
  guards: {
    'window is open': (_, { isWindowOpen }: BegunLogin) => isWindowOpen,
    'was allowed': (_, { outcome }: LoginReturn) => outcome === 'allowed',
    'was cancelled': (_, { outcome }: LoginReturn) => outcome === 'cancelled',
    'is over': hasCode('LOGIN_OVER'),
    'lacks permissions': hasCode('LOGIN_PERMISSIONS_MISSING'),
    'offers a page': (_, { pages }: { pages: readonly OfferedPage[] }) => pages.length > 0,
    'can be connected': ({ context }, { pageId }: { pageId: string }) =>
      connectable(context.pages).some(({ id }) => id === pageId),
    'has chosen a page': ({ context }) => context.chosen.length > 0,
    'has another page': ({ context }) => context.queue.length > 0,
    'has failures': ({ context }) => context.failures.length > 0,
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    tellSession,
    'forget the earlier login': assign({ login: null, pages: [], chosen: [], queue: [], connected: 0, failures: [] }),
    'keep the login': assign({ login: (_, login: BegunLogin) => login }),
    'keep the code': assign({
      codeToken: (_, returned: LoginReturn) => (returned.outcome === 'allowed' ? returned.codeToken : ''),
    }),
    'forget the code': assign({ codeToken: '' }),
    'keep the pages': assign((_, { pages }: { pages: readonly OfferedPage[] }) => ({
      pages,
      chosen: connectable(pages).map(({ id }) => id),
    })),
    'toggle the page': assign({
      chosen: ({ context: { chosen } }, { pageId }: { pageId: string }) =>
        chosen.includes(pageId) ? chosen.filter((id) => id !== pageId) : [...chosen, pageId],
    }),
    'queue the chosen pages': assign({ queue: ({ context }) => context.chosen, failures: [] }),
    'mark the page as connected': assign(({ context }) => ({
      queue: withoutFirst(context),
      connected: context.connected + 1,
      chosen: context.chosen.filter((id) => id !== context.queue[0]),
      pages: context.pages.map((page) => (page.id === context.queue[0] ? { ...page, is_connected: true } : page)),
    })),
    'keep the failure': assign(({ context }, { error }: Problem) => {
      const page = context.pages.find(({ id }) => id === context.queue[0])
      const reason = failureText({ error, own: toasts.connectFailed }) || toasts.connectFailed.text
      return {
        queue: withoutFirst(context),
        failures: page === undefined ? context.failures : [...context.failures, { page, reason }],
      }
    }),
  },
}).createMachine({
  id: 'facebookLogin',
  context: { login: null, codeToken: '', pages: [], chosen: [], queue: [], connected: 0, failures: [] },
  initial: 'ready',
  on: { 'dialog.dismissed': '.closed' },
  states: {
    ready: { on: { 'login.requested': 'opening' } },
    opening: {
      entry: 'forget the earlier login',
      invoke: {
        id: 'beginLogin',
        src: 'beginLogin',
        onDone: [
          {
            guard: { type: 'window is open', params: ({ event }) => event.output },
            target: 'waiting.opened',
            actions: { type: 'keep the login', params: ({ event }) => event.output },
          },
          { target: 'waiting.blocked', actions: { type: 'keep the login', params: ({ event }) => event.output } },
        ],
        onError: { target: 'stopped.failed', actions: reportFailure(toasts.beginFailed) },
      },
    },
    waiting: {
      initial: 'opened',
      invoke: {
        id: 'watchReturn',
        src: 'watchReturn',
        input: ({ context }) => ({ stateToken: stateTokenOf(context) }),
      },
      after: { loginLifetime: 'stopped.over' },
      on: {
        // The person closed the window, which the inbox cannot see.
        'login.requested': 'opening',
        'login.returned': [
          {
            guard: { type: 'was allowed', params: ({ event }) => event },
            target: 'completing',
            actions: { type: 'keep the code', params: ({ event }) => event },
          },
          { guard: { type: 'was cancelled', params: ({ event }) => event }, target: 'stopped.cancelled' },
          { target: 'stopped.failed' },
        ],
      },
      states: {
        opened: {},
        /** The browser blocked the window, so the person opens the network by a link. */
        blocked: {},
      },
    },
    completing: {
      exit: 'forget the code',
      invoke: {
        id: 'completeLogin',
        src: 'completeLogin',
        input: ({ context }) => ({ stateToken: stateTokenOf(context), codeToken: context.codeToken }),
        onDone: [
          {
            guard: { type: 'offers a page', params: ({ event }) => ({ pages: event.output }) },
            target: 'choosing',
            actions: { type: 'keep the pages', params: ({ event }) => ({ pages: event.output }) },
          },
          { target: 'stopped.noPages' },
        ],
        onError: [
          {
            guard: { type: 'is over', params: ({ event }) => event },
            target: 'stopped.over',
            actions: reportFailure(toasts.completeFailed),
          },
          {
            guard: { type: 'lacks permissions', params: ({ event }) => event },
            target: 'stopped.refused',
            actions: reportFailure(toasts.completeFailed),
          },
          { target: 'stopped.failed', actions: reportFailure(toasts.completeFailed) },
        ],
      },
    },
    stopped: {
      initial: 'failed',
      on: { 'login.requested': 'opening' },
      states: {
        /** The time is up, or the code was used already. */
        over: {},
        cancelled: {},
        /** A permission was not given. */
        refused: {},
        noPages: {},
        failed: {},
      },
    },
    choosing: {
      on: {
        'page.toggled': {
          guard: { type: 'can be connected', params: ({ event }) => event },
          actions: { type: 'toggle the page', params: ({ event }) => event },
        },
        'connection.requested': {
          guard: 'has chosen a page',
          target: 'connecting',
          actions: 'queue the chosen pages',
        },
        'login.requested': 'opening',
      },
    },
    connecting: {
      // Not dismissable, so that the person sees the result.
      on: { 'dialog.dismissed': {} },
      // A page may have been connected although the answer was lost.
      exit: {
        type: 'tellSession',
        params: ({ context }) => ({ type: context.connected > 0 ? 'pages.changed' : 'pages.invalidated' }),
      },
      initial: 'calling',
      states: {
        calling: {
          invoke: {
            id: 'connectPage',
            src: 'connectPage',
            input: ({ context }) => ({ stateToken: stateTokenOf(context), pageId: context.queue[0] ?? '' }),
            onDone: { target: 'called', actions: 'mark the page as connected' },
            onError: {
              target: 'called',
              actions: [
                { type: 'keep the failure', params: ({ event }) => event },
                reportFailure(toasts.connectFailed),
              ],
            },
          },
        },
        called: {
          always: [
            { guard: 'has another page', target: 'calling' },
            { guard: 'has failures', target: '#facebookLogin.partly' },
            {
              target: '#facebookLogin.closed',
              actions: { type: 'notify', params: ({ context }) => toasts.connected(context.connected) },
            },
          ],
        },
      },
    },
    /** At least one page could not be connected. The chosen pages are those that failed. */
    partly: {
      on: {
        'connection.requested': { target: 'connecting', actions: 'queue the chosen pages' },
        'login.requested': 'opening',
      },
    },
    closed: { type: 'final' },
  },
})

function stateTokenOf({ login }: Context): string {
  if (login === null) throw new Error('the network returns from a begun login only')
  return login.stateToken
}

type Snapshot = SnapshotFrom<typeof facebookLoginMachine>

const stops = ['over', 'cancelled', 'refused', 'noPages', 'failed'] as const
export type LoginStop = (typeof stops)[number]

/** Why the login stopped; null if it did not. */
export const selectStop = (snapshot: Snapshot): LoginStop | null =>
  stops.find((stopped) => snapshot.matches({ stopped })) ?? null

export type LoginStep =
  | 'ready'
  | 'opening'
  | 'waiting'
  | 'completing'
  | 'stopped'
  | 'choosing'
  | 'connecting'
  | 'partly'
const steps = ['opening', 'waiting', 'completing', 'stopped', 'choosing', 'connecting', 'partly'] as const

export const selectStep = (snapshot: Snapshot): LoginStep => steps.find((step) => snapshot.matches(step)) ?? 'ready'

/** The address of the network that the browser did not open; null if there is none. */
export const selectBlockedAddress = (snapshot: Snapshot): string | null =>
  snapshot.matches({ waiting: 'blocked' }) ? (snapshot.context.login?.address ?? null) : null

export const selectOffered = (snapshot: Snapshot): readonly OfferedPage[] => snapshot.context.pages
export const selectChosen = (snapshot: Snapshot): readonly string[] => snapshot.context.chosen
export const selectConnected = (snapshot: Snapshot): number => snapshot.context.connected
export const selectFailures = (snapshot: Snapshot): readonly LoginPageFailure[] => snapshot.context.failures
