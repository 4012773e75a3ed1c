import type { AnyEventObject, InspectionEvent, SnapshotFrom } from 'xstate'
import { createActor, SimulatedClock, setup } from 'xstate'
import { composeAuth } from '../../../src/compose-app.ts'
import { Failure, SessionLost } from '../../../src/domain/failure.ts'
import type { Credentials, MigrationCheck, Refreshed, SignedIn } from '../../../src/domain/session/session-calls.ts'
import type { EndOfSession } from '../../../src/domain/session/session-end.ts'
import { type AuthActor, authMachine } from '../../../src/machines/session/auth.ts'
import type { AuthEvent, LoadedStep, SignInStep } from '../../../src/machines/session/auth-setup.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Services } from '../../../src/services-port.ts'
import { fakeServices } from '../../fake-services.ts'
import { createControl, createToastLog, modelOf } from '../harness.ts'

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
  codeNeeded: new Failure({
    ...call,
    kind: 'status',
    status: 403,
    code: 'SECOND_FACTOR_NEEDED',
    error: 'Please enter the code',
  }),
  unknown: new Failure({
    ...call,
    kind: 'status',
    status: 400,
    code: 'invalid_credentials',
    error: 'Invalid login credentials',
  }),
  unconfirmed: new Failure({ ...call, kind: 'status', status: 400, error: 'Email not confirmed' }),
  wrongPassword: new Failure({ ...call, kind: 'status', status: 401, error: 'Invalid email or password' }),
  lost: new SessionLost('No refresh token available'),
}

/** The signal of a call that is never aborted. */
const never = new AbortController().signal

export const newPassword = 'battery staple'
export const typedTwice = { password: newPassword, repeatedPassword: newPassword }
export const credentials = { email: 'ana@example.com', password: 'correct horse' }

const pending = () => new Promise<never>(() => {})
/** The calls of an account. Only the code of a sign-in is answered. */
export const pendingAccount: Awaited<ReturnType<Services['loadAccount']>> = {
  changePassword: pending,
  loadSecondFactor: pending,
  beginEnrolment: pending,
  confirmEnrolment: pending,
  disableSecondFactor: pending,
  replaceRecoveryCodes: pending,
  copyText: pending,
  enterCode: async () => {},
}

/** The services of the app, with every answer to the auth machine controlled by the test. */
export function controlAuth() {
  const calls: string[] = []
  const provider = createControl<boolean>(() => calls.push('look for a provider session'))
  const exchange = createControl<SignedIn>(() => calls.push('exchange'))
  const me = createControl<SignedIn | null>(() => calls.push('load the user'))
  const refresh = createControl<Refreshed>(() => calls.push('refresh'))
  const password = createControl<void, Credentials>(() => calls.push('ask the provider'))
  const check = createControl<MigrationCheck>(() => calls.push('check migration'))
  const oldWay = createControl<SignedIn>(() => calls.push('sign in the old way'))
  const account = createControl<Awaited<ReturnType<Services['loadAccount']>>>()
  const loadStep = createControl<LoadedStep, { step: SignInStep }>(({ step }) => calls.push(`ask for ${step}`))
  const signUp = createControl<void, { password: string }>(() => calls.push('sign up'))
  const complete = createControl<void>(() => calls.push('complete the migration'))
  const endings = { asked: 'end and tell', refused: 'end what was refused', elsewhere: 'end quietly' } as const
  const end = createControl<void, { why: EndOfSession }>(({ why }) => calls.push(endings[why]))
  const services: Services = fakeServices({
    auth: {
      findProviderSession: () => provider.call(undefined, never),
      exchangeProviderSession: (signal) => exchange.call(undefined, signal),
      loadUser: (signal) => me.call(undefined, signal),
      refreshTokens: (signal) => refresh.call(undefined, signal),
      endSession: (input) => end.call(input, never),
    },
    signIn: {
      askProvider: (input) => password.call(input, never),
      checkMigration: (signal) => check.call(undefined, signal),
      signInLegacy: (signal) => oldWay.call(undefined, signal),
      signUp: (input) => signUp.call(input, never),
      signInAsRegistered: pending,
      completeMigration: (signal) => complete.call(undefined, signal),
      forget: () => void calls.push('forget the passwords'),
    },
    loadAccount: () => account.call(undefined, never),
    loadPasswordReset: async () => ({
      lookUp: () => new Promise<never>(() => {}),
      requestLink: async () => {},
      useLink: async () => {},
    }),
    leaveProvider: () => void calls.push('leave the provider'),
  })
  return {
    services,
    calls,
    loadStep,
    account,
    provider,
    exchange,
    me,
    refresh,
    password,
    check,
    oldWay,
    signUp,
    complete,
    end,
  }
}

/** The auth machine alone. */
export function startAuth(inspect?: (event: InspectionEvent) => void) {
  const { services, ...controls } = controlAuth()
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const machine = composeAuth(services).provide({ actors: { loadStep: controls.loadStep.logic } })
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

/** A step that the test completes or cancels. */
const stepMachine = setup({
  types: { events: {} as { type: 'step.completed' | 'step.cancelled' | 'dialog.dismissed' } },
}).createMachine({
  initial: 'asking',
  states: {
    asking: { on: { 'step.completed': 'completed', 'step.cancelled': 'cancelled', 'dialog.dismissed': 'cancelled' } },
    completed: { type: 'final', output: 'completed' },
    cancelled: { type: 'final', output: 'cancelled' },
  },
  output: ({ event }) => event.output,
})
/** The loaded code of a step. Views show its title. */
export const loadedStep = {
  View: () => 'A step of the sign-in',
  logic: stepMachine,
} as unknown as LoadedStep

/** The machine of the step that the sign-in needs. Throws if none is needed. */
export function stepOf({ actor }: Pick<StartedAuth, 'actor'>) {
  const { step } = actor.getSnapshot().context
  if (!step) throw new Error('the sign-in needs no step')
  return step.actor
}

/** A test action for each event of the model. */
export function driveAuth(sut: Omit<StartedAuth, 'toasts'>): Record<string, (event: AnyEventObject) => unknown> {
  const send = (event: AnyEventObject) => sut.actor.send(event as AuthEvent)
  const done =
    <Output>(control: { resolve: (output: Output) => unknown }) =>
    (event: AnyEventObject) =>
      control.resolve(event['output'] as Output)
  const failed = (control: { reject: (error: unknown) => unknown }) => (event: AnyEventObject) =>
    control.reject(event['error'])
  const backoff = () => sut.clock.increment(30_000)
  const signOutTimeout = () => sut.clock.increment(5_000)
  return {
    'signIn.requested': send,
    'passwordReset.opened': send,
    'signOut.requested': send,
    'savedInbox.shown': send,
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
    'xstate.done.actor.checkMigration': done(sut.check),
    'xstate.error.actor.checkMigration': failed(sut.check),
    'xstate.done.actor.signInLegacy': done(sut.oldWay),
    'xstate.error.actor.signInLegacy': failed(sut.oldWay),
    'xstate.done.actor.loadStep': done(sut.loadStep),
    'xstate.error.actor.loadStep': failed(sut.loadStep),
    'xstate.done.actor.step': ({ output }) => stepOf(sut).send({ type: `step.${output}` }),
    'xstate.done.actor.endSession': done(sut.end),
    'xstate.error.actor.endSession': failed(sut.end),
    'xstate.done.actor.followEnd': done(sut.end),
    'xstate.error.actor.followEnd': failed(sut.end),
    'xstate.after.backoff.auth.restoring.waiting': backoff,
    'xstate.after.backoff.auth.refreshing.waiting': backoff,
    'xstate.after.signOutTimeout.auth.clearing': signOutTimeout,
    'xstate.after.signOutTimeout.auth.following': signOutTimeout,
  }
}

/** The number of attempts affects only the delay, and the tests in auth.oracle.test.ts cover the delay. */
const seen = ({ attempts, step, ...context }: SnapshotFrom<typeof authMachine>['context']) => ({
  ...context,
  isTryingAgain: attempts > 0,
  hasStep: step !== null,
})

const errors = (...list: unknown[]) => list.map((error) => ({ error }))

/** `recalls`: whether a saved inbox may be shown during the start. */
export const authModel = ({ recalls = true } = {}) =>
  modelOf(authMachine, {
    input: undefined,
    limit: 20_000,
    vertex: ({ context }) => seen(context),
    cases: {
      'signIn.requested': [credentials],
      'passwordReset.opened': [{}],
      'signOut.requested': [{}],
      'savedInbox.shown': recalls ? [{}] : [],
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
      'xstate.error.actor.exchangeAtSignIn': errors(faults.forbidden, faults.noAnswer, faults.codeNeeded),
      'xstate.done.actor.loadStep': [{ output: { ...loadedStep, toJSON: () => 'a step' } }],
      'xstate.error.actor.loadStep': errors(faults.noAnswer),
      'xstate.done.actor.step': ({ context }) =>
        context.need === 'reset' ? [{ output: 'cancelled' }] : [{ output: 'completed' }, { output: 'cancelled' }],
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
      'xstate.error.actor.askProvider': errors(faults.unknown, faults.unconfirmed),
      'xstate.done.actor.checkMigration': [
        { output: { needsMigration: true, email: ana.email } },
        { output: { needsMigration: false, email: ana.email } },
      ],
      'xstate.error.actor.checkMigration': errors(faults.noAnswer),
      'xstate.done.actor.signInLegacy': [{ output: { user: ana, session: 1 } }],
      'xstate.error.actor.signInLegacy': errors(faults.forbidden, faults.wrongPassword),
      'xstate.done.actor.endSession': [{ output: undefined }],
      'xstate.error.actor.endSession': errors(faults.noAnswer),
      'xstate.done.actor.followEnd': [{ output: undefined }],
      'xstate.error.actor.followEnd': errors(faults.noAnswer),
    },
  })
