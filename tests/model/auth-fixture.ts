import type { AnyEventObject, InspectionEvent, SnapshotFrom } from 'xstate'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { Failure, SessionLost } from '../../src/domain/failure.ts'
import { type AuthActor, type AuthEvent, authMachine, type Identity, type Refreshed } from '../../src/machines/auth.ts'
import type { AuthUser } from '../../src/schemas/auth.ts'
import { createControl, createToastLog, modelOf } from './harness.ts'

export const ana: AuthUser = {
  id: 'u1',
  email: 'ana@example.com',
  name: 'Ana',
  role: 'agent',
  permissions: ['messages.send'],
}
export const promoted: AuthUser = { ...ana, role: 'administrator', permissions: ['messages.send', 'pages.write'] }

const call = { method: 'POST', path: '/auth/any' }
export const faults = {
  noAnswer: new Failure({ ...call, kind: 'noAnswer' }),
  serverError: new Failure({ ...call, kind: 'status', status: 503 }),
  badAnswer: new Failure({ ...call, kind: 'badAnswer', status: 200 }),
  unauthorised: new Failure({ ...call, kind: 'status', status: 401, error: 'Token expired' }),
  forbidden: new Failure({
    ...call,
    kind: 'status',
    status: 403,
    code: 'INACTIVE_ACCOUNT',
    error: 'Account is inactive',
  }),
  wrongPassword: new Failure({ ...call, kind: 'status', status: 400, error: 'Invalid login credentials' }),
  lost: new SessionLost('No refresh token available'),
}

export const credentials = { email: 'ana@example.com', password: 'correct horse' }

/** The auth machine with every answer of the outside in the test's hand. */
export function controlAuth() {
  const calls: string[] = []
  const provider = createControl<boolean>(() => calls.push('look for a provider session'))
  const exchange = createControl<Identity>(() => calls.push('exchange'))
  const me = createControl<Identity | null>(() => calls.push('load the user'))
  const refresh = createControl<Refreshed>(() => calls.push('refresh'))
  const password = createControl<void, { email: string; password: string }>(() => calls.push('ask the provider'))
  const end = createControl<void, { tell: boolean }>(({ tell }) => calls.push(tell ? 'end and tell' : 'end quietly'))
  const machine = authMachine.provide({
    actors: {
      watchOutside: fromCallback<AuthEvent>(() => {}),
      findProviderSession: provider.logic,
      exchangeProviderSession: exchange.logic,
      loadUser: me.logic,
      refreshTokens: refresh.logic,
      askProvider: password.logic,
      endSession: end.logic,
    },
  })
  return { machine, calls, provider, exchange, me, refresh, password, end }
}

/** The auth machine alone. */
export function startAuth(inspect?: (event: InspectionEvent) => void) {
  const { machine, ...controls } = controlAuth()
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const actor: AuthActor = createActor(machine, {
    clock,
    inspect: (event) => {
      toastLog.inspect(event)
      inspect?.(event)
    },
  }).start()
  return { actor, clock, ...controls, toasts: toastLog.toasts }
}

export type StartedAuth = ReturnType<typeof startAuth>

/** How to make each thing happen that the model speaks of. */
export function driveAuth(sut: Omit<StartedAuth, 'toasts'>): Record<string, (event: AnyEventObject) => unknown> {
  const send = (event: AnyEventObject) => sut.actor.send(event as AuthEvent)
  const done =
    <Output>(control: { resolve: (output: Output) => unknown }) =>
    (event: AnyEventObject) =>
      control.resolve(event['output'] as Output)
  const failed = (control: { reject: (error: unknown) => unknown }) => (event: AnyEventObject) =>
    control.reject(event['error'])
  const backoff = () => sut.clock.increment(30_000)
  const farewell = () => sut.clock.increment(5_000)
  return {
    'signIn.requested': send,
    'signOut.requested': send,
    'refresh.requested': send,
    'session.refused': send,
    'tokens.changed': send,
    'storage.failed': send,
    'connection.returned': send,
    'xstate.done.actor.findProviderSession': done(sut.provider),
    'xstate.error.actor.findProviderSession': failed(sut.provider),
    'xstate.done.actor.exchangeProviderSession': done(sut.exchange),
    'xstate.error.actor.exchangeProviderSession': failed(sut.exchange),
    'xstate.done.actor.exchangeAtSignIn': done(sut.exchange),
    'xstate.error.actor.exchangeAtSignIn': failed(sut.exchange),
    'xstate.done.actor.loadUser': done(sut.me),
    'xstate.error.actor.loadUser': failed(sut.me),
    'xstate.done.actor.loadUserAgain': done(sut.me),
    'xstate.error.actor.loadUserAgain': failed(sut.me),
    'xstate.done.actor.refreshAtStart': done(sut.refresh),
    'xstate.error.actor.refreshAtStart': failed(sut.refresh),
    'xstate.done.actor.refreshTokens': done(sut.refresh),
    'xstate.error.actor.refreshTokens': failed(sut.refresh),
    'xstate.done.actor.askProvider': done(sut.password),
    'xstate.error.actor.askProvider': failed(sut.password),
    'xstate.done.actor.endSession': done(sut.end),
    'xstate.error.actor.endSession': failed(sut.end),
    'xstate.done.actor.followEnd': done(sut.end),
    'xstate.error.actor.followEnd': failed(sut.end),
    'xstate.after.backoff.auth.restoring.waiting': backoff,
    'xstate.after.backoff.auth.refreshing.waiting': backoff,
    'xstate.after.farewell.auth.clearing': farewell,
    'xstate.after.farewell.auth.following': farewell,
  }
}

/** How often it was tried shows in the wait only, and that is pinned in the journeys. */
export const seen = ({ attempts, ...context }: SnapshotFrom<typeof authMachine>['context']) => ({
  ...context,
  isTryingAgain: attempts > 0,
})

const errors = (...list: unknown[]) => list.map((error) => ({ error }))

export const authModel = () =>
  modelOf(authMachine, {
    input: undefined,
    vertex: ({ context }) => seen(context),
    cases: {
      'signIn.requested': [credentials],
      'signOut.requested': [{}],
      'refresh.requested': [{}],
      'session.refused': [{ session: 1 }, { session: 7 }],
      'tokens.changed': [{ session: 1 }, { session: 2 }, { session: null }],
      'storage.failed': [{}],
      'connection.returned': [{}],
      'xstate.done.actor.findProviderSession': [{ output: true }, { output: false }],
      'xstate.error.actor.findProviderSession': errors(faults.noAnswer),
      'xstate.done.actor.exchangeProviderSession': [{ output: { user: ana, session: 1 } }],
      'xstate.error.actor.exchangeProviderSession': errors(faults.forbidden, faults.serverError),
      'xstate.done.actor.exchangeAtSignIn': [{ output: { user: ana, session: 1 } }],
      'xstate.error.actor.exchangeAtSignIn': errors(faults.forbidden, faults.noAnswer),
      'xstate.done.actor.loadUser': [{ output: { user: ana, session: 1 } }, { output: null }],
      'xstate.error.actor.loadUser': errors(faults.unauthorised, faults.forbidden, faults.badAnswer),
      'xstate.done.actor.loadUserAgain': [{ output: { user: ana, session: 1 } }, { output: null }],
      'xstate.error.actor.loadUserAgain': errors(faults.unauthorised, faults.serverError),
      'xstate.done.actor.refreshAtStart': [{ output: { user: ana, session: 1 } }],
      'xstate.error.actor.refreshAtStart': errors(faults.lost, faults.unauthorised, faults.noAnswer),
      'xstate.done.actor.refreshTokens': [
        { output: { user: null, session: 1 } },
        { output: { user: promoted, session: 1 } },
        { output: { user: promoted, session: 2 } },
      ],
      'xstate.error.actor.refreshTokens': errors(faults.lost, faults.unauthorised, faults.serverError),
      'xstate.done.actor.askProvider': [{ output: undefined }],
      'xstate.error.actor.askProvider': errors(faults.wrongPassword, faults.noAnswer),
      'xstate.done.actor.endSession': [{ output: undefined }],
      'xstate.error.actor.endSession': errors(faults.noAnswer),
      'xstate.done.actor.followEnd': [{ output: undefined }],
      'xstate.error.actor.followEnd': errors(faults.noAnswer),
    },
  })
