import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import {
  requestRefresh,
  selectCanSignIn,
  selectSignInFailure,
  selectStartIsWaiting,
  selectUser,
  selectWasLeft,
  selectWhyStartIsWaiting,
} from '../../../src/machines/session/auth.ts'
import { settled } from '../harness.ts'
import { ana, credentials, faults, loadedStep, promoted, type StartedAuth, startAuth, stepOf } from './auth-fixture.ts'

/** Expected results, written by hand from spec sections 4, 5 and 8 and the table of faults, not from the machine. */

type Do = (sut: StartedAuth) => unknown
type End = {
  at: unknown
  who?: string | null
  form?: string | null
  /** The reason why the start is waiting. Null: waiting without a text for the reason. False: not waiting. */
  waits?: string | null | false
  /** The email of the person who must set a new password. */
  email?: string
  calls: readonly string[]
  toasts?: readonly { kind: string; text: string }[]
}

const anasSession = { user: ana, session: 1 }

const providerHasSession: Do = (sut) => sut.provider.resolve(true)
const providerHasNone: Do = (sut) => sut.provider.resolve(false)
const providerIsAway: Do = (sut) => sut.provider.reject(faults.noAnswer)
const exchanged: Do = (sut) => sut.exchange.resolve(anasSession)
const exchangeFails =
  (error: unknown): Do =>
  (sut) =>
    sut.exchange.reject(error)
const noTokenStored: Do = (sut) => sut.me.resolve(null)
const userLoaded: Do = (sut) => sut.me.resolve(anasSession)
const loadingFails =
  (error: unknown): Do =>
  (sut) =>
    sut.me.reject(error)
const refreshed: Do = (sut) => sut.refresh.resolve({ user: ana, session: 1 })
const refreshFails =
  (error: unknown): Do =>
  (sut) =>
    sut.refresh.reject(error)
const personSignsIn: Do = (sut) => sut.actor.send({ type: 'signIn.requested', ...credentials })
const passwordAccepted: Do = (sut) => sut.password.resolve()
const passwordFails =
  (error: unknown): Do =>
  (sut) =>
    sut.password.reject(error)
const stepLoaded: Do = (sut) => sut.loadStep.resolve(loadedStep)
const stepEnds =
  (how: 'completed' | 'cancelled'): Do =>
  (sut) =>
    stepOf(sut).send({ type: `step.${how}` })
const personSignsOut: Do = (sut) => sut.actor.send({ type: 'signOut.requested' })
const inboxIsShown: Do = (sut) => sut.actor.send({ type: 'savedInbox.shown' })
const ended: Do = (sut) => sut.end.resolve()
const refreshNeeded: Do = (sut) => sut.actor.send({ type: 'refresh.requested' })
const callRefused =
  (session: number): Do =>
  (sut) =>
    sut.actor.send({ type: 'session.refused', session })
const otherTab =
  (session: number | null): Do =>
  (sut) =>
    sut.actor.send({ type: 'tokens.changed', session })
const passes =
  (milliseconds: number): Do =>
  (sut) =>
    sut.clock.increment(milliseconds)

/** Ends the refused session, but not a session that another tab has stored in the meantime. */
const refusedEnd = 'end what was refused'
const look = 'look for a provider session'
const lookingAgain = { restoring: 'lookingForProviderSession' }
const started = [providerHasSession, exchanged]
const startedCalls = [look, 'exchange']
const signedOutAtStart = [providerHasNone, noTokenStored]
const signedOutCalls = [look, 'load the user']
const expired = { kind: 'error', text: 'Session expired. Please log in again.' }
const noNetwork = 'Network error. Please check your connection.'
const anonymous = { at: 'anonymous', who: null }
const authenticated = { at: 'authenticated', who: 'agent' }

async function judge(steps: readonly Do[], end: End) {
  const sut = startAuth()
  for (const step of steps) {
    await step(sut)
    await settled()
  }
  const snapshot = sut.actor.getSnapshot()
  const came = {
    at: snapshot.value,
    who: selectUser(snapshot)?.role ?? null,
    form: selectSignInFailure(snapshot)?.text ?? null,
    waits: selectStartIsWaiting(snapshot) && selectWhyStartIsWaiting(snapshot),
    email: snapshot.context.email,
    calls: sut.calls,
    toasts: sut.toasts,
  }
  expect(came).toEqual({ who: null, form: null, waits: false, email: '', toasts: [], ...end })
  expect(selectCanSignIn(snapshot)).toBe(end.at === 'anonymous')
}

const refusedWith = (facts: { status: number; code?: string; error?: string }) =>
  new Failure({ kind: 'status', method: 'POST', path: '/auth/login', ...facts })

type Journey = [claim: string, steps: readonly Do[], end: End]

const restoring: Journey[] = [
  ['uses a provider session first', started, { ...authenticated, calls: startedCalls }],
  [
    'loads the user with the stored token if there is no provider session',
    [providerHasNone, userLoaded],
    { ...authenticated, calls: signedOutCalls },
  ],
  ['ends at the form without any token', signedOutAtStart, { ...anonymous, calls: signedOutCalls }],
  [
    'refreshes once after a 401 for the stored token, and loads the user again',
    [providerHasNone, loadingFails(faults.unauthorised), refreshed, userLoaded],
    { ...authenticated, calls: [look, 'load the user', 'refresh', 'load the user'] },
  ],
  [
    'ends at the form without an error if the token is gone after the refresh',
    [providerHasNone, loadingFails(faults.unauthorised), refreshed, noTokenStored],
    { ...anonymous, calls: [look, 'load the user', 'refresh', 'load the user'] },
  ],
  [
    'ends after a second 401, without a third attempt',
    [providerHasNone, loadingFails(faults.unauthorised), refreshed, loadingFails(faults.unauthorised), ended],
    { ...anonymous, calls: [look, 'load the user', 'refresh', 'load the user', refusedEnd] },
  ],
  [
    'ends at the form without an error after a refused refresh, because no staff member was at work yet',
    [providerHasNone, loadingFails(faults.unauthorised), refreshFails(faults.unauthorised), ended],
    { ...anonymous, calls: [look, 'load the user', 'refresh', refusedEnd] },
  ],
  [
    'clears the session and shows an error at the form if a token has no refresh token',
    [providerHasNone, loadingFails(faults.unauthorised), refreshFails(faults.lost), ended],
    {
      ...anonymous,
      form: 'No refresh token available',
      calls: [look, 'load the user', 'refresh', refusedEnd],
    },
  ],
  ...(
    [
      [
        'an inactive account',
        { status: 403, code: 'INACTIVE_ACCOUNT', error: 'no' },
        'Your account is inactive. Please contact an administrator.',
      ],
      [
        'a user of the new login',
        { status: 403, code: 'USE_NEW_LOGIN', error: 'no' },
        "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
      ],
      [
        'a user without permission',
        { status: 403, error: 'no' },
        'Access denied. You do not have permission to perform this action.',
      ],
      ['a user refused with a text', { status: 400, error: 'Bad token' }, 'Bad token'],
      ['a user refused without a text', { status: 400 }, 'Session expired. Please log in again.'],
    ] as const
  ).flatMap(([who, facts, form]): Journey[] => [
    [
      `clears the session of ${who} and shows an error at the form when loading the user fails`,
      [providerHasNone, loadingFails(refusedWith(facts)), ended],
      { ...anonymous, form, calls: [look, 'load the user', refusedEnd] },
    ],
    [
      `clears the session of ${who} and shows an error at the form when refreshing the tokens fails`,
      [providerHasNone, loadingFails(faults.unauthorised), refreshFails(refusedWith(facts)), ended],
      { ...anonymous, form, calls: [look, 'load the user', 'refresh', refusedEnd] },
    ],
    [
      `clears the session of ${who} and shows an error at the form when the second load of the user fails`,
      [providerHasNone, loadingFails(faults.unauthorised), refreshed, loadingFails(refusedWith(facts)), ended],
      { ...anonymous, form, calls: [look, 'load the user', 'refresh', 'load the user', refusedEnd] },
    ],
  ]),
  [
    'clears nothing after a 404, and retries',
    [providerHasNone, loadingFails(refusedWith({ status: 404 })), passes(200), providerHasNone, userLoaded],
    { ...authenticated, calls: [...signedOutCalls, ...signedOutCalls] },
  ],
  [
    'shows an error at the form for an inactive account',
    [providerHasSession, exchangeFails(faults.forbidden), ended],
    {
      ...anonymous,
      form: 'Your account is inactive. Please contact an administrator.',
      calls: [look, 'exchange', refusedEnd],
    },
  ],
  ['retries after 200 ms', [providerIsAway, passes(200)], { at: lookingAgain, waits: noNetwork, calls: [look, look] }],
  ...(
    [
      ['the look-up of the provider session', [], 'provider', [look]],
      ['the exchange', [providerHasSession], 'exchange', startedCalls],
      ['the first load of the user', [providerHasNone], 'me', signedOutCalls],
      ['the refresh', [providerHasNone, loadingFails(faults.unauthorised)], 'refresh', [...signedOutCalls, 'refresh']],
      [
        'the second load of the user',
        [providerHasNone, loadingFails(faults.unauthorised), refreshed],
        'me',
        [...signedOutCalls, 'refresh', 'load the user'],
      ],
    ] as const
  ).flatMap(([where, steps, asked, calls]): Journey[] => {
    const fails = (error: unknown): Do[] => [...steps, (sut) => sut[asked].reject(error)]
    const waiting = { at: { restoring: 'waiting' } }
    return [
      [
        `stays undecided, neither inbox nor form, without a connection during ${where}`,
        fails(faults.noAnswer),
        { ...waiting, waits: noNetwork, calls },
      ],
      [
        `clears nothing after a server error during ${where}`,
        fails(refusedWith({ status: 500 })),
        { ...waiting, waits: 'Server error. Please try again later.', calls },
      ],
      [`clears nothing after a bad answer to ${where}`, fails(faults.badAnswer), { ...waiting, waits: null, calls }],
      [
        `does not retry ${where} before the delay ends`,
        [...fails(faults.noAnswer), passes(199)],
        { ...waiting, waits: noNetwork, calls },
      ],
      [
        `waits longer after the second failure of ${where}`,
        [...fails(faults.noAnswer), passes(200), ...fails(faults.noAnswer), passes(399)],
        { ...waiting, waits: noNetwork, calls: [...calls, ...calls] },
      ],
    ]
  }),
  [
    'retries at once when the connection returns',
    [providerIsAway, (sut) => sut.actor.send({ type: 'connection.returned' }), ...started],
    { ...authenticated, calls: [look, look, 'exchange'] },
  ],
  [
    'ends the stored session and shows the form if staff sign out during the wait',
    [providerHasNone, loadingFails(faults.serverError), personSignsOut, ended],
    { ...anonymous, calls: [...signedOutCalls, 'end and tell'] },
  ],
  [
    'ends the stored session and shows the form if staff sign out during a retry',
    [providerIsAway, passes(200), personSignsOut, ended],
    { ...anonymous, calls: [look, look, 'end and tell'] },
  ],
  [
    'ignores a sign-out before the first failure',
    [providerHasNone, personSignsOut],
    { at: { restoring: 'loadingUser' }, calls: signedOutCalls },
  ],
  [
    'accepts a sign-out while a saved inbox is shown',
    [providerHasNone, inboxIsShown, personSignsOut, ended],
    { ...anonymous, calls: [...signedOutCalls, 'end and tell'] },
  ],
  [
    'hides the saved inbox when another tab changes the token',
    [providerHasNone, inboxIsShown, otherTab(2), providerHasNone, personSignsOut],
    { at: { restoring: 'loadingUser' }, calls: [...signedOutCalls, ...signedOutCalls] },
  ],
  [
    'starts over when another tab changes the token',
    [providerHasNone, otherTab(null), providerHasNone, noTokenStored],
    { ...anonymous, calls: [look, 'load the user', look, 'load the user'] },
  ],
]

const forget = 'forget the passwords'
/** After a sign-in in another tab: this tab drops its own attempt and looks up the session. */
const letIn = [forget, 'leave the provider']

const attempt = [...signedOutAtStart, personSignsIn]
const attemptCalls = [...signedOutCalls, 'ask the provider']

const signingIn: Journey[] = [
  [
    'asks the provider, exchanges its token and ends in the inbox',
    [...attempt, passwordAccepted, exchanged],
    { ...authenticated, calls: [...attemptCalls, 'exchange'] },
  ],
  [
    'ignores a second submit during the first',
    [...attempt, personSignsIn],
    { at: { signingIn: 'askingProvider' }, calls: attemptCalls },
  ],
  [
    'shows another refusal of the provider',
    [...attempt, passwordFails(faults.forbidden)],
    { ...anonymous, form: 'Invalid email or password. Please try again.', calls: attemptCalls },
  ],
  [
    'reports an email that was never confirmed',
    [...attempt, passwordFails(faults.unconfirmed)],
    {
      ...anonymous,
      form: 'Please check your email to confirm your account before logging in.',
      calls: attemptCalls,
    },
  ],
  [
    'does not blame the password for a lost connection',
    [...attempt, passwordFails(faults.noAnswer)],
    { ...anonymous, form: 'Network error. Please check your connection.', calls: attemptCalls },
  ],
  [
    'clears the provider session after a failed exchange, and shows the reason',
    [...attempt, passwordAccepted, exchangeFails(faults.forbidden), ended],
    {
      ...anonymous,
      form: 'Your account is inactive. Please contact an administrator.',
      calls: [...attemptCalls, 'exchange', refusedEnd],
    },
  ],
  [
    'asks for the code of the second factor, and then exchanges the token again',
    [...attempt, passwordAccepted, exchangeFails(faults.codeNeeded), stepLoaded, stepEnds('completed'), exchanged],
    { ...authenticated, calls: [...attemptCalls, 'exchange', 'ask for code', forget, 'exchange'] },
  ],
  [
    'asks for one step after the other',
    [
      ...attempt,
      passwordAccepted,
      exchangeFails(faults.codeNeeded),
      stepLoaded,
      stepEnds('completed'),
      exchangeFails(refusedWith({ status: 403, code: 'PASSWORD_CHANGE_NEEDED' })),
      stepLoaded,
      stepEnds('completed'),
      exchangeFails(refusedWith({ status: 403, code: 'ENROLMENT_NEEDED' })),
    ],
    {
      at: { continuing: 'loading' },
      calls: [
        ...attemptCalls,
        'exchange',
        'ask for code',
        forget,
        'exchange',
        'ask for newPassword',
        forget,
        'exchange',
        'ask for enrolment',
      ],
    },
  ],
  [
    'opens the reset of a forgotten password from the form, and comes back to it',
    [
      ...signedOutAtStart,
      (sut) => sut.actor.send({ type: 'passwordReset.opened' }),
      stepLoaded,
      stepEnds('cancelled'),
      ended,
    ],
    { ...anonymous, calls: [...signedOutCalls, 'ask for reset', forget, refusedEnd] },
  ],
  [
    'clears the provider session if the step is cancelled',
    [...attempt, passwordAccepted, exchangeFails(faults.codeNeeded), stepLoaded, stepEnds('cancelled'), ended],
    { ...anonymous, calls: [...attemptCalls, 'exchange', 'ask for code', forget, refusedEnd] },
  ],
  [
    'clears the provider session and blames the network if the code of the step does not load',
    [
      ...attempt,
      passwordAccepted,
      exchangeFails(faults.codeNeeded),
      (sut) => sut.loadStep.reject(new TypeError('Failed to fetch')),
      ended,
    ],
    {
      ...anonymous,
      form: 'Network error. Please check your connection.',
      calls: [...attemptCalls, 'exchange', 'ask for code', forget, refusedEnd],
    },
  ],
  [
    'clears the error of the form at the next attempt',
    [...attempt, passwordFails(faults.noAnswer), personSignsIn],
    { at: { signingIn: 'askingProvider' }, calls: [...attemptCalls, 'ask the provider'] },
  ],
]

const incomplete: Journey[] = (
  [
    ['an empty email', { ...credentials, email: ' ' }],
    ['a text that is no email', { ...credentials, email: 'ana' }],
    ['an empty password', { ...credentials, password: '' }],
  ] as const
).map(([what, typed]) => [
  `with ${what} is refused before any request`,
  [...signedOutAtStart, (sut) => sut.actor.send({ type: 'signIn.requested', ...typed })],
  { ...anonymous, calls: signedOutCalls },
])

const failedCalls = [...attemptCalls, 'exchange', refusedEnd]
const unknown = [...attempt, passwordFails(faults.unknown)]
const unknownCalls = [...attemptCalls, 'check migration']
const oldWayCalls = [...unknownCalls, 'sign in the old way']
const mayMigrate: Do = (sut) => sut.check.resolve({ needsMigration: true, email: credentials.email })
const needsNone: Do = (sut) => sut.check.resolve({ needsMigration: false, email: credentials.email })
const oldWayFails =
  (error: unknown): Do =>
  (sut) =>
    sut.oldWay.reject(error)

const signingInLegacy: Journey[] = [
  [
    'first asks the API whether a user unknown to the provider must migrate',
    unknown,
    { at: { signingIn: 'checkingMigration' }, calls: unknownCalls },
  ],
  [
    'continues with the legacy login if the user need not migrate',
    [...unknown, needsNone],
    { at: { signingIn: 'signingInLegacy' }, calls: oldWayCalls },
  ],
  [
    'ends in the inbox after the legacy login',
    [...unknown, needsNone, (sut) => sut.oldWay.resolve(anasSession)],
    { ...authenticated, calls: oldWayCalls },
  ],
  ...(
    [
      [
        'an inactive account',
        { status: 403, code: 'INACTIVE_ACCOUNT', error: 'no' },
        'Your account is inactive. Please contact an administrator.',
      ],
      [
        'a user of the new login',
        { status: 400, code: 'USE_NEW_LOGIN', error: 'no' },
        "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
      ],
      ['a server error', { status: 500, error: 'Stack' }, 'Internal server error. Please try again later.'],
      ['a refusal with a text', { status: 401, error: 'Wrong password' }, 'Wrong password'],
      ['a refusal without a text', { status: 401 }, 'Invalid email or password'],
      ['too many attempts', { status: 429, error: 'Slow' }, 'Too many requests. Please try again later.'],
    ] as const
  ).map(
    ([what, facts, form]): Journey => [
      `shows the error of the legacy login for ${what}, and ends no session`,
      [...unknown, needsNone, oldWayFails(refusedWith(facts))],
      { ...anonymous, form, calls: oldWayCalls },
    ],
  ),
  [
    'reports an answer without tokens',
    [...unknown, needsNone, oldWayFails(faults.badAnswer)],
    { ...anonymous, form: 'Invalid token response', calls: oldWayCalls },
  ],
  [
    'reports an internal error',
    [...unknown, needsNone, oldWayFails(new TypeError('x'))],
    { ...anonymous, form: 'Invalid credentials', calls: oldWayCalls },
  ],
  [
    'does not try the legacy login if the connection is lost during the migration check',
    [...unknown, (sut) => sut.check.reject(faults.noAnswer)],
    { ...anonymous, form: 'Network error. Please check your connection.', calls: unknownCalls },
  ],
  ...(
    [
      [
        'keeps the error of the provider after a refused migration check',
        { kind: 'status', status: 400, error: 'Invalid body' },
        'Invalid email or password. Please try again.',
      ],
      [
        'does not blame the password if the API has no migration check',
        { kind: 'status', status: 404, error: 'Not found' },
        'API endpoint not found: POST /auth/check-migration',
      ],
      [
        'does not blame the password if the migration check answers with HTML',
        { kind: 'badAnswer', status: 200 },
        'Internal server error. Please try again later.',
      ],
      [
        'does not blame the password if the migration check answers with an unknown status',
        { kind: 'status', status: 403 },
        'Internal server error. Please try again later.',
      ],
    ] as const
  ).map(
    ([claim, facts, form]): Journey => [
      claim,
      [...unknown, (sut) => sut.check.reject(new Failure({ method: 'POST', path: '/auth/check-migration', ...facts }))],
      { ...anonymous, form, calls: unknownCalls },
    ],
  ),
]

const askedCalls = [...unknownCalls, 'ask for migration']
const asked = [...unknown, mayMigrate, stepLoaded]
const migrated = [stepEnds('completed')]
const migratedCalls = [...askedCalls, forget, 'exchange']
const askedForNewPassword: End = {
  at: { continuing: 'asking' },
  form: 'Please set a new password to continue',
  email: credentials.email,
  calls: askedCalls,
}

const migrating: Journey[] = [
  ['asks for a new password', asked, askedForNewPassword],
  [
    'continues with a normal login after the password was set',
    [...asked, ...migrated, exchanged],
    { ...authenticated, calls: migratedCalls },
  ],
  [
    'clears the form while the login continues',
    [...asked, ...migrated],
    { at: { signingIn: 'exchanging' }, calls: migratedCalls },
  ],
  [
    'shows a failure of that login at the form',
    [...asked, ...migrated, exchangeFails(faults.forbidden), ended],
    {
      ...anonymous,
      form: 'Your account is inactive. Please contact an administrator.',
      calls: [...migratedCalls, refusedEnd],
    },
  ],
  [
    'returns to the form on cancel, and clears a session that the provider may have created',
    [...asked, stepEnds('cancelled'), ended],
    {
      ...anonymous,
      form: 'Please set a new password to continue',
      calls: [...askedCalls, forget, refusedEnd],
    },
  ],
  [
    'ends when another tab signs in',
    [...asked, otherTab(1), ...started],
    { ...authenticated, calls: [...askedCalls, forget, ...letIn, ...startedCalls] },
  ],
  ['continues when a token disappears', [...asked, otherTab(null)], askedForNewPassword],
]

const refreshing: Journey[] = [
  [
    'stores new tokens and the permissions in them',
    [...started, refreshNeeded, (sut) => sut.refresh.resolve({ user: promoted, session: 1 })],
    { at: 'authenticated', who: 'administrator', calls: [...startedCalls, 'refresh'] },
  ],
  [
    'keeps the user if another tab refreshed the tokens',
    [...started, refreshNeeded, (sut) => sut.refresh.resolve({ user: null, session: 1 })],
    { ...authenticated, calls: [...startedCalls, 'refresh'] },
  ],
  [
    'runs once for several requests',
    [...started, refreshNeeded, refreshNeeded, refreshNeeded],
    { at: { refreshing: 'asking' }, who: 'agent', calls: [...startedCalls, 'refresh'] },
  ],
  [
    'signs out with the session message after a refusal',
    [...started, refreshNeeded, refreshFails(faults.unauthorised), ended],
    { ...anonymous, calls: [...startedCalls, 'refresh', refusedEnd], toasts: [expired] },
  ],
  [
    'clears the session without a refresh token',
    [...started, refreshNeeded, refreshFails(faults.lost), ended],
    {
      ...anonymous,
      calls: [...startedCalls, 'refresh', refusedEnd],
      toasts: [{ kind: 'error', text: 'No refresh token available' }],
    },
  ],
  [
    'keeps the session after a server error',
    [...started, refreshNeeded, refreshFails(faults.serverError)],
    { at: { refreshing: 'waiting' }, who: 'agent', calls: [...startedCalls, 'refresh'] },
  ],
  [
    'is retried after 200 ms until it succeeds',
    [...started, refreshNeeded, refreshFails(faults.noAnswer), passes(200), refreshed],
    { ...authenticated, calls: [...startedCalls, 'refresh', 'refresh'] },
  ],
  [
    'is retried with growing delays',
    [...started, refreshNeeded, refreshFails(faults.noAnswer), passes(200), refreshFails(faults.noAnswer), passes(399)],
    { at: { refreshing: 'waiting' }, who: 'agent', calls: [...startedCalls, 'refresh', 'refresh'] },
  ],
  [
    'is retried after 200 ms again after a success',
    [
      ...started,
      refreshNeeded,
      refreshFails(faults.noAnswer),
      passes(200),
      refreshed,
      refreshNeeded,
      refreshFails(faults.noAnswer),
      passes(200),
    ],
    { at: { refreshing: 'asking' }, who: 'agent', calls: [...startedCalls, ...Array(4).fill('refresh')] },
  ],
  [
    'that returns the tokens of another user looks up the session again',
    [...started, refreshNeeded, (sut) => sut.refresh.resolve({ user: null, session: 2 })],
    { at: lookingAgain, calls: [...startedCalls, 'refresh', look] },
  ],
  [
    'is retried at once when the connection returns',
    [
      ...started,
      refreshNeeded,
      refreshFails(faults.noAnswer),
      (sut) => sut.actor.send({ type: 'connection.returned' }),
      refreshed,
    ],
    { ...authenticated, calls: [...startedCalls, 'refresh', 'refresh'] },
  ],
]

const ending: Journey[] = [
  [
    'tells the provider and the API',
    [...started, personSignsOut, ended],
    { ...anonymous, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'takes effect at once, without waiting for them',
    [...started, personSignsOut],
    { at: 'clearing', who: null, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'takes effect if they fail',
    [...started, personSignsOut, (sut) => sut.end.reject(faults.noAnswer)],
    { ...anonymous, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'takes effect if they never answer',
    [...started, personSignsOut, passes(5_000)],
    { ...anonymous, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'takes effect if another tab also ended the session',
    [...started, otherTab(null), passes(5_000)],
    { ...anonymous, calls: [...startedCalls, 'end quietly'] },
  ],
  [
    'takes effect during a refresh',
    [...started, refreshNeeded, personSignsOut, ended],
    { ...anonymous, calls: [...startedCalls, 'refresh', 'end and tell'] },
  ],
  [
    'follows a 401 that a refresh could not resolve, with the session message',
    [...started, callRefused(1), ended],
    { ...anonymous, calls: [...startedCalls, refusedEnd], toasts: [expired] },
  ],
  [
    'follows such a 401 during a refresh',
    [...started, refreshNeeded, callRefused(1), ended],
    { ...anonymous, calls: [...startedCalls, 'refresh', refusedEnd], toasts: [expired] },
  ],
  [
    'is not caused by a 401 of an earlier session during a refresh',
    [...started, refreshNeeded, callRefused(0)],
    { at: { refreshing: 'asking' }, who: 'agent', calls: [...startedCalls, 'refresh'] },
  ],
  [
    'is not caused by a 401 of an earlier session',
    [...started, callRefused(0)],
    { ...authenticated, calls: startedCalls },
  ],
  [
    'in another tab, if it is a sign-out, also signs out this tab, and the server is not told twice',
    [...started, otherTab(null), ended],
    { ...anonymous, calls: [...startedCalls, 'end quietly'] },
  ],
  [
    'in another tab is followed only once',
    [...started, otherTab(null), otherTab(null)],
    { at: 'following', calls: [...startedCalls, 'end quietly'] },
  ],
  [
    'in another tab takes effect if the local end fails',
    [...started, otherTab(null), (sut) => sut.end.reject(faults.noAnswer)],
    { ...anonymous, calls: [...startedCalls, 'end quietly'] },
  ],
  ['does not follow a refresh in another tab', [...started, otherTab(1)], { ...authenticated, calls: startedCalls }],
  [
    'does not follow a refresh in another tab, which also replaces the refresh of this tab',
    [...started, refreshNeeded, refreshFails(faults.noAnswer), otherTab(1)],
    { ...authenticated, calls: [...startedCalls, 'refresh'] },
  ],
  [
    'follows a sign-in of another user in another tab: this tab looks up the session, without a user',
    [...started, otherTab(2)],
    { at: lookingAgain, who: null, calls: [...startedCalls, look] },
  ],
  [
    'in another tab, if it is a sign-in, signs in this tab',
    [...attempt, passwordFails(faults.noAnswer), otherTab(1), ...started],
    { ...authenticated, calls: [...attemptCalls, ...letIn, look, 'exchange'] },
  ],
  [
    'does not follow a lost token if no user is signed in',
    [...signedOutAtStart, otherTab(null)],
    { ...anonymous, calls: signedOutCalls },
  ],
]

const otherTabSignsIn: Journey[] = (
  [
    ['the form shows an error', [...attempt, passwordFails(faults.noAnswer)], attemptCalls],
    ['the provider is asked', attempt, attemptCalls],
    ['the token of the provider is exchanged', [...attempt, passwordAccepted], [...attemptCalls, 'exchange']],
    ['the API checks whether the user must migrate', unknown, unknownCalls],
    ['the legacy login is asked', [...unknown, needsNone], oldWayCalls],
    ['a refused sign-in is ended', [...attempt, passwordAccepted, exchangeFails(faults.forbidden)], failedCalls],
    [
      'a code is requested',
      [...attempt, passwordAccepted, exchangeFails(faults.codeNeeded), stepLoaded],
      [...attemptCalls, 'exchange', 'ask for code', forget],
    ],
    ['a new password is requested', asked, [...askedCalls, forget]],
    ['a cancelled migration is ended', [...asked, stepEnds('cancelled')], [...askedCalls, forget, refusedEnd]],
    ['this tab ends the session', [...started, personSignsOut], [...startedCalls, 'end and tell']],
    ['this tab follows a sign-out of another tab', [...started, otherTab(null)], [...startedCalls, 'end quietly']],
  ] as const
).flatMap(([when, steps, calls]): Journey[] => [
  [
    `while ${when} causes a new look-up of the session, and clears the form`,
    [...steps, otherTab(7)],
    { at: lookingAgain, calls: [...calls, ...letIn, look] },
  ],
  [
    `while ${when} signs in this tab`,
    [...steps, otherTab(7), ...started],
    { ...authenticated, calls: [...calls, ...letIn, ...startedCalls] },
  ],
])

const otherTabSignsOut: Journey[] = [
  [
    'changes nothing during a sign-in in this tab, because its own tokens are yet to arrive',
    [...attempt, otherTab(null), passwordAccepted, exchanged],
    { ...authenticated, calls: [...attemptCalls, 'exchange'] },
  ],
  [
    'changes nothing while this tab ends its session',
    [...started, personSignsOut, otherTab(null), ended],
    { ...anonymous, calls: [...startedCalls, 'end and tell'] },
  ],
]

describe('a start', () => it.each(restoring)('%s', (_, steps, end) => judge(steps, end)))
describe('a sign-in', () => it.each(signingIn)('%s', (_, steps, end) => judge(steps, end)))
describe('an incomplete sign-in', () => it.each(incomplete)('%s', (_, steps, end) => judge(steps, end)))
describe('a legacy sign-in', () => it.each(signingInLegacy)('%s', (_, steps, end) => judge(steps, end)))
describe('a migration', () => it.each(migrating)('%s', (_, steps, end) => judge(steps, end)))
describe('a refresh', () => it.each(refreshing)('%s', (_, steps, end) => judge(steps, end)))
describe('a sign-out or sign-in', () => it.each(ending)('%s', (_, steps, end) => judge(steps, end)))

describe('a sign-in in another tab', () => it.each(otherTabSignsIn)('%s', (_, steps, end) => judge(steps, end)))
describe('a sign-out in another tab', () => it.each(otherTabSignsOut)('%s', (_, steps, end) => judge(steps, end)))

describe('auth', () => {
  it('reports once that the browser cannot store anything', () =>
    judge([...started, (sut) => sut.actor.send({ type: 'storage.failed' })], {
      ...authenticated,
      calls: startedCalls,
      toasts: [
        {
          kind: 'warning',
          text: 'This browser cannot keep you signed in. After you close this tab, you will have to sign in again.',
        },
      ],
    }))

  it('passes the credentials to the provider and does not store them', async () => {
    const sut = startAuth()
    for (const step of attempt) {
      await step(sut)
      await settled()
    }
    expect(sut.password.inputs()).toEqual([credentials])
    expect(JSON.stringify(sut.actor.getSnapshot().context)).not.toContain(credentials.password)
  })

  it('aborts its request when the refresh is no longer necessary', async () => {
    const sut = startAuth()
    for (const step of [...started, refreshNeeded]) {
      await step(sut)
      await settled()
    }
    expect(sut.refresh.last().signal.aborted).toBe(false)
    personSignsOut(sut)
    expect(sut.refresh.last().signal.aborted).toBe(true)
  })
})

async function signedIn() {
  const sut = startAuth()
  for (const step of started) {
    await step(sut)
    await settled()
  }
  return sut
}

describe('a request for new tokens', () => {
  it('shares one refresh with all other requests', async () => {
    const sut = await signedIn()
    const callers = [requestRefresh(sut.actor), requestRefresh(sut.actor), requestRefresh(sut.actor)]
    await refreshed(sut)
    await expect(Promise.all(callers)).resolves.toEqual([undefined, undefined, undefined])
    expect(sut.calls).toEqual([...startedCalls, 'refresh'])
  })

  it('fails with the reason of the failed attempt, while the retries continue', async () => {
    const sut = await signedIn()
    const callers = [requestRefresh(sut.actor), requestRefresh(sut.actor)]
    const heard = Promise.allSettled(callers)
    await refreshFails(faults.serverError)(sut)
    const late = Promise.allSettled([requestRefresh(sut.actor)])
    expect([...(await heard), ...(await late)]).toEqual(
      Array(3).fill({ status: 'rejected', reason: faults.serverError }),
    )
    expect(sut.actor.getSnapshot().value).toEqual({ refreshing: 'waiting' })
  })

  it.each([
    ['a refused refresh', refreshFails(faults.unauthorised)],
    ['signing out', personSignsOut],
    ["somebody else's tokens", otherTab(2)],
  ])('is settled after %s and gets no further result', async (_, step) => {
    const sut = await signedIn()
    const heard = Promise.allSettled([requestRefresh(sut.actor)])
    await step(sut)
    await settled()
    expect(await heard).toEqual([
      { status: 'rejected', reason: new Failure({ kind: 'aborted', method: 'POST', path: '/auth/refresh' }) },
    ])
  })

  it('is refused if no user is signed in', async () => {
    const sut = startAuth()
    await expect(requestRefresh(sut.actor)).rejects.toMatchObject({ kind: 'aborted' })
    expect(sut.calls).toEqual([look])
  })
})

describe('the unsent drafts and messages', () => {
  it.each([
    ['are kept during the session', () => {}, false],
    ['are deleted when the user signs out in this tab', personSignsOut, true],
    [
      'are deleted when the user signs out in this tab during a refresh of the tokens',
      (sut: StartedAuth) => {
        refreshNeeded(sut)
        personSignsOut(sut)
      },
      true,
    ],
    ['are kept when the session expires', callRefused(1), false],
    ['are kept when another tab ended the session, which may have expired there', otherTab(null), false],
  ])('%s', async (_, step, isThrownAway) => {
    const sut = await signedIn()
    await step(sut)
    expect(selectWasLeft(sut.actor.getSnapshot())).toBe(isThrownAway)
  })
})
