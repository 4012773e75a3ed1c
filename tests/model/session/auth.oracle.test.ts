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
import {
  ana,
  credentials,
  faults,
  migrationOf,
  newPassword,
  promoted,
  type StartedAuth,
  startAuth,
  typedTwice,
} from './auth-fixture.ts'

/** Written by hand from spec sections 4, 5 and 8 and the table of faults; the machine was not asked. */

type Do = (sut: StartedAuth) => unknown
type End = {
  at: unknown
  who?: string | null
  form?: string | null
  /** Why the start is waiting; null where there is no word for it, false where it is not waiting. */
  waits?: string | null | false
  /** Whose new password is asked for. */
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
const personSignsOut: Do = (sut) => sut.actor.send({ type: 'signOut.requested' })
const inboxIsShown: Do = (sut) => sut.actor.send({ type: 'savedInbox.shown' })
const theyGiveUp: Do = (sut) => migrationOf(sut).send({ type: 'migration.cancelled' })
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

/** What was refused here is ended; what another tab has stored meanwhile is not. */
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
  ['a provider session is taken first', started, { ...authenticated, calls: startedCalls }],
  [
    'without one the stored token loads the user',
    [providerHasNone, userLoaded],
    { ...authenticated, calls: signedOutCalls },
  ],
  ['without a token nobody is signed in', signedOutAtStart, { ...anonymous, calls: signedOutCalls }],
  [
    'a 401 for the stored token refreshes once and loads the user again',
    [providerHasNone, loadingFails(faults.unauthorised), refreshed, userLoaded],
    { ...authenticated, calls: [look, 'load the user', 'refresh', 'load the user'] },
  ],
  [
    'a token that is gone after the refresh leaves nobody, without a word',
    [providerHasNone, loadingFails(faults.unauthorised), refreshed, noTokenStored],
    { ...anonymous, calls: [look, 'load the user', 'refresh', 'load the user'] },
  ],
  [
    'a second 401 ends it: there is no third try',
    [providerHasNone, loadingFails(faults.unauthorised), refreshed, loadingFails(faults.unauthorised), ended],
    { ...anonymous, calls: [look, 'load the user', 'refresh', 'load the user', refusedEnd] },
  ],
  [
    'a refused refresh leaves nobody, without a word: nobody was at work yet',
    [providerHasNone, loadingFails(faults.unauthorised), refreshFails(faults.unauthorised), ended],
    { ...anonymous, calls: [look, 'load the user', 'refresh', refusedEnd] },
  ],
  [
    'a token without a refresh token clears the session and says so at the form',
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
        'an account made inactive',
        { status: 403, code: 'INACTIVE_ACCOUNT', error: 'no' },
        'Your account is inactive. Please contact an administrator.',
      ],
      [
        'a person of the new login',
        { status: 403, code: 'USE_NEW_LOGIN', error: 'no' },
        "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
      ],
      [
        'who may not come in any more',
        { status: 403, error: 'no' },
        'Access denied. You do not have permission to perform this action.',
      ],
      ['who is refused in words', { status: 400, error: 'Bad token' }, 'Bad token'],
      ['who is refused without a word', { status: 400 }, 'Session expired. Please log in again.'],
    ] as const
  ).flatMap(([who, facts, form]): Journey[] => [
    [
      `${who} is cleared, and told so at the form, when the user is loaded`,
      [providerHasNone, loadingFails(refusedWith(facts)), ended],
      { ...anonymous, form, calls: [look, 'load the user', refusedEnd] },
    ],
    [
      `${who} is cleared, and told so at the form, when the tokens are refreshed`,
      [providerHasNone, loadingFails(faults.unauthorised), refreshFails(refusedWith(facts)), ended],
      { ...anonymous, form, calls: [look, 'load the user', 'refresh', refusedEnd] },
    ],
    [
      `${who} is cleared, and told so at the form, when the user is loaded again`,
      [providerHasNone, loadingFails(faults.unauthorised), refreshed, loadingFails(refusedWith(facts)), ended],
      { ...anonymous, form, calls: [look, 'load the user', 'refresh', 'load the user', refusedEnd] },
    ],
  ]),
  [
    'an address where no API is clears nothing: it is tried again',
    [providerHasNone, loadingFails(refusedWith({ status: 404 })), passes(200), providerHasNone, userLoaded],
    { ...authenticated, calls: [...signedOutCalls, ...signedOutCalls] },
  ],
  [
    'an account made inactive is told so at the form',
    [providerHasSession, exchangeFails(faults.forbidden), ended],
    {
      ...anonymous,
      form: 'Your account is inactive. Please contact an administrator.',
      calls: [look, 'exchange', refusedEnd],
    },
  ],
  [
    'it tries again after 200 ms',
    [providerIsAway, passes(200)],
    { at: lookingAgain, waits: noNetwork, calls: [look, look] },
  ],
  ...(
    [
      ['looking for a session of the provider', [], 'provider', [look]],
      ['the exchange', [providerHasSession], 'exchange', startedCalls],
      ['loading the user', [providerHasNone], 'me', signedOutCalls],
      ['the refresh', [providerHasNone, loadingFails(faults.unauthorised)], 'refresh', [...signedOutCalls, 'refresh']],
      [
        'loading the user again',
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
        `offline at ${where}, it stays undecided: neither the inbox nor the form`,
        fails(faults.noAnswer),
        { ...waiting, waits: noNetwork, calls },
      ],
      [
        `a server in trouble clears nothing at ${where}`,
        fails(refusedWith({ status: 500 })),
        { ...waiting, waits: 'Server error. Please try again later.', calls },
      ],
      [`nor does what cannot be read at ${where}`, fails(faults.badAnswer), { ...waiting, waits: null, calls }],
      [
        `and ${where} is not tried again before its time`,
        [...fails(faults.noAnswer), passes(199)],
        { ...waiting, waits: noNetwork, calls },
      ],
      [
        `which is later the second time at ${where}`,
        [...fails(faults.noAnswer), passes(200), ...fails(faults.noAnswer), passes(399)],
        { ...waiting, waits: noNetwork, calls: [...calls, ...calls] },
      ],
    ]
  }),
  [
    'the network coming back ends the wait',
    [providerIsAway, (sut) => sut.actor.send({ type: 'connection.returned' }), ...started],
    { ...authenticated, calls: [look, look, 'exchange'] },
  ],
  [
    'who does not want to wait ends what is there, and is let to the form',
    [providerHasNone, loadingFails(faults.serverError), personSignsOut, ended],
    { ...anonymous, calls: [...signedOutCalls, 'end and tell'] },
  ],
  [
    'also while it is tried again',
    [providerIsAway, passes(200), personSignsOut, ended],
    { ...anonymous, calls: [look, look, 'end and tell'] },
  ],
  [
    'but before anything failed nobody is signed out',
    [providerHasNone, personSignsOut],
    { at: { restoring: 'loadingUser' }, calls: signedOutCalls },
  ],
  [
    'who sees a saved inbox can sign out of it',
    [providerHasNone, inboxIsShown, personSignsOut, ended],
    { ...anonymous, calls: [...signedOutCalls, 'end and tell'] },
  ],
  [
    'another tab that changes the token takes the saved inbox away',
    [providerHasNone, inboxIsShown, otherTab(2), providerHasNone, personSignsOut],
    { at: { restoring: 'loadingUser' }, calls: [...signedOutCalls, ...signedOutCalls] },
  ],
  [
    'a token that another tab changes meanwhile starts it over',
    [providerHasNone, otherTab(null), providerHasNone, noTokenStored],
    { ...anonymous, calls: [look, 'load the user', look, 'load the user'] },
  ],
]

const forget = 'forget the passwords'
/** Somebody signed in in another tab: what this one was about ends, and it looks who it is. */
const letIn = [forget, 'leave the provider']

const attempt = [...signedOutAtStart, personSignsIn]
const attemptCalls = [...signedOutCalls, 'ask the provider']

const signingIn: Journey[] = [
  [
    'the provider is asked, its token is exchanged, the person is in',
    [...attempt, passwordAccepted, exchanged],
    { ...authenticated, calls: [...attemptCalls, 'exchange'] },
  ],
  [
    'a second submit while the first runs is not sent',
    [...attempt, personSignsIn],
    { at: { signingIn: 'askingProvider' }, calls: attemptCalls },
  ],
  [
    'another refusal of the provider',
    [...attempt, passwordFails(faults.forbidden)],
    { ...anonymous, form: 'Invalid email or password. Please try again.', calls: attemptCalls },
  ],
  [
    'an e-mail that was never confirmed',
    [...attempt, passwordFails(faults.unconfirmed)],
    {
      ...anonymous,
      form: 'Please check your email to confirm your account before logging in.',
      calls: attemptCalls,
    },
  ],
  [
    'no network is not blamed on the password',
    [...attempt, passwordFails(faults.noAnswer)],
    { ...anonymous, form: 'Network error. Please check your connection.', calls: attemptCalls },
  ],
  [
    'a failed exchange clears what the provider gave, and says why',
    [...attempt, passwordAccepted, exchangeFails(faults.forbidden), ended],
    {
      ...anonymous,
      form: 'Your account is inactive. Please contact an administrator.',
      calls: [...attemptCalls, 'exchange', refusedEnd],
    },
  ],
  [
    'the next attempt starts with a clean form',
    [...attempt, passwordFails(faults.noAnswer), personSignsIn],
    { at: { signingIn: 'askingProvider' }, calls: [...attemptCalls, 'ask the provider'] },
  ],
]

const incomplete: Journey[] = (
  [
    ['an empty e-mail', { ...credentials, email: ' ' }],
    ['a text that is no e-mail', { ...credentials, email: 'ana' }],
    ['an empty password', { ...credentials, password: '' }],
  ] as const
).map(([what, typed]) => [
  `a sign-in with ${what} is refused before anybody is asked`,
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
    'whom the provider does not know may have to migrate: that is asked first',
    unknown,
    { at: { signingIn: 'checkingMigration' }, calls: unknownCalls },
  ],
  [
    'nothing to migrate: the legacy login',
    [...unknown, needsNone],
    { at: { signingIn: 'signingInLegacy' }, calls: oldWayCalls },
  ],
  [
    'that signs the person in',
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
        'a person of the new login',
        { status: 400, code: 'USE_NEW_LOGIN', error: 'no' },
        "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
      ],
      ['a server in trouble', { status: 500, error: 'Stack' }, 'Internal server error. Please try again later.'],
      ['a refusal with its own words', { status: 401, error: 'Wrong password' }, 'Wrong password'],
      ['a refusal without words', { status: 401 }, 'Invalid email or password'],
      ['too many attempts', { status: 429, error: 'Slow' }, 'Too many requests. Please try again later.'],
    ] as const
  ).map(
    ([what, facts, form]): Journey => [
      `there, ${what} is told so, and nothing is ended that never began`,
      [...unknown, needsNone, oldWayFails(refusedWith(facts))],
      { ...anonymous, form, calls: oldWayCalls },
    ],
  ),
  [
    'an answer without tokens',
    [...unknown, needsNone, oldWayFails(faults.badAnswer)],
    { ...anonymous, form: 'Invalid token response', calls: oldWayCalls },
  ],
  [
    'a fault of ours',
    [...unknown, needsNone, oldWayFails(new TypeError('x'))],
    { ...anonymous, form: 'Invalid credentials', calls: oldWayCalls },
  ],
  [
    'the network gone before it is known who is to migrate: the legacy login is not tried blindly',
    [...unknown, (sut) => sut.check.reject(faults.noAnswer)],
    { ...anonymous, form: 'Network error. Please check your connection.', calls: unknownCalls },
  ],
  ...(
    [
      [
        'a refused question leaves it at what the provider said',
        { kind: 'status', status: 400, error: 'Invalid body' },
        'Invalid email or password. Please try again.',
      ],
      [
        'an API that does not know the question is not blamed on the password',
        { kind: 'status', status: 404, error: 'Not found' },
        'API endpoint not found: POST /auth/check-migration',
      ],
      [
        'nor is a page of HTML instead of an answer',
        { kind: 'badAnswer', status: 200 },
        'Internal server error. Please try again later.',
      ],
      [
        'nor one with a status of its own',
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

const asked = [...unknown, mayMigrate]
const newPasswordChosen: Do = (sut) => migrationOf(sut).send({ type: 'migration.submitted', ...typedTwice })
const migrated = [
  newPasswordChosen,
  (sut: StartedAuth) => sut.signUp.resolve(),
  (sut: StartedAuth) => sut.complete.resolve(),
]
const migratedCalls = [...unknownCalls, 'sign up', 'complete the migration', forget, 'exchange']

const migrating: Journey[] = [
  [
    'a new password is asked for',
    asked,
    { at: 'migrating', form: 'Please set a new password to continue', email: credentials.email, calls: unknownCalls },
  ],
  [
    'when it is set, a normal login follows',
    [...asked, ...migrated, exchanged],
    { ...authenticated, calls: migratedCalls },
  ],
  [
    'while it goes on, the form asks for nothing any more',
    [...asked, ...migrated],
    { at: { signingIn: 'exchanging' }, calls: migratedCalls },
  ],
  [
    'whose failure is told at the form',
    [...asked, ...migrated, exchangeFails(faults.forbidden), ended],
    {
      ...anonymous,
      form: 'Your account is inactive. Please contact an administrator.',
      calls: [...migratedCalls, refusedEnd],
    },
  ],
  [
    'who does not want to is at the form again, and what the provider may have given is cleared',
    [...asked, theyGiveUp, ended],
    {
      ...anonymous,
      form: 'Please set a new password to continue',
      calls: [...unknownCalls, forget, refusedEnd],
    },
  ],
  [
    'a sign-in in another tab ends it',
    [...asked, otherTab(1), ...started],
    { ...authenticated, calls: [...unknownCalls, forget, ...letIn, ...startedCalls] },
  ],
  [
    'a token that vanishes does not',
    [...asked, otherTab(null)],
    { at: 'migrating', form: 'Please set a new password to continue', email: credentials.email, calls: unknownCalls },
  ],
]

const refreshing: Journey[] = [
  [
    'fresh tokens, and the permissions that came with them',
    [...started, refreshNeeded, (sut) => sut.refresh.resolve({ user: promoted, session: 1 })],
    { at: 'authenticated', who: 'administrator', calls: [...startedCalls, 'refresh'] },
  ],
  [
    'tokens that another tab got keep the user',
    [...started, refreshNeeded, (sut) => sut.refresh.resolve({ user: null, session: 1 })],
    { ...authenticated, calls: [...startedCalls, 'refresh'] },
  ],
  [
    'only one runs, however many ask',
    [...started, refreshNeeded, refreshNeeded, refreshNeeded],
    { at: { refreshing: 'asking' }, who: 'agent', calls: [...startedCalls, 'refresh'] },
  ],
  [
    'a refusal logs out with the session message',
    [...started, refreshNeeded, refreshFails(faults.unauthorised), ended],
    { ...anonymous, calls: [...startedCalls, 'refresh', refusedEnd], toasts: [expired] },
  ],
  [
    'no refresh token clears the session',
    [...started, refreshNeeded, refreshFails(faults.lost), ended],
    {
      ...anonymous,
      calls: [...startedCalls, 'refresh', refusedEnd],
      toasts: [{ kind: 'error', text: 'No refresh token available' }],
    },
  ],
  [
    'a server in trouble keeps the session',
    [...started, refreshNeeded, refreshFails(faults.serverError)],
    { at: { refreshing: 'waiting' }, who: 'agent', calls: [...startedCalls, 'refresh'] },
  ],
  [
    'and it is tried again after 200 ms, until it works',
    [...started, refreshNeeded, refreshFails(faults.noAnswer), passes(200), refreshed],
    { ...authenticated, calls: [...startedCalls, 'refresh', 'refresh'] },
  ],
  [
    'the waits grow',
    [...started, refreshNeeded, refreshFails(faults.noAnswer), passes(200), refreshFails(faults.noAnswer), passes(399)],
    { at: { refreshing: 'waiting' }, who: 'agent', calls: [...startedCalls, 'refresh', 'refresh'] },
  ],
  [
    'after a success they start again at 200 ms',
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
    "tokens of somebody else are not this session's: who it is is asked again",
    [...started, refreshNeeded, (sut) => sut.refresh.resolve({ user: null, session: 2 })],
    { at: lookingAgain, calls: [...startedCalls, 'refresh', look] },
  ],
  [
    'the network coming back ends the wait',
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
    'signing out tells provider and API',
    [...started, personSignsOut, ended],
    { ...anonymous, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'at once, without waiting for them',
    [...started, personSignsOut],
    { at: 'clearing', who: null, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'also when they fail',
    [...started, personSignsOut, (sut) => sut.end.reject(faults.noAnswer)],
    { ...anonymous, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'and when they never answer',
    [...started, personSignsOut, passes(5_000)],
    { ...anonymous, calls: [...startedCalls, 'end and tell'] },
  ],
  [
    'also where another tab ended it',
    [...started, otherTab(null), passes(5_000)],
    { ...anonymous, calls: [...startedCalls, 'end quietly'] },
  ],
  [
    'also in the middle of a refresh',
    [...started, refreshNeeded, personSignsOut, ended],
    { ...anonymous, calls: [...startedCalls, 'refresh', 'end and tell'] },
  ],
  [
    'a 401 that no refresh could help logs out with the session message',
    [...started, callRefused(1), ended],
    { ...anonymous, calls: [...startedCalls, refusedEnd], toasts: [expired] },
  ],
  [
    'also in the middle of a refresh',
    [...started, refreshNeeded, callRefused(1), ended],
    { ...anonymous, calls: [...startedCalls, 'refresh', refusedEnd], toasts: [expired] },
  ],
  [
    'where one of an earlier session is ignored',
    [...started, refreshNeeded, callRefused(0)],
    { at: { refreshing: 'asking' }, who: 'agent', calls: [...startedCalls, 'refresh'] },
  ],
  ['a 401 of an earlier session is ignored', [...started, callRefused(0)], { ...authenticated, calls: startedCalls }],
  [
    'another tab that signs out takes this one along, and the server is not told twice',
    [...started, otherTab(null), ended],
    { ...anonymous, calls: [...startedCalls, 'end quietly'] },
  ],
  [
    'which it hears once',
    [...started, otherTab(null), otherTab(null)],
    { at: 'following', calls: [...startedCalls, 'end quietly'] },
  ],
  [
    'also where ending it here fails',
    [...started, otherTab(null), (sut) => sut.end.reject(faults.noAnswer)],
    { ...anonymous, calls: [...startedCalls, 'end quietly'] },
  ],
  [
    'another tab that refreshed changes nothing here',
    [...started, otherTab(1)],
    { ...authenticated, calls: startedCalls },
  ],
  [
    'and saves this one its own refresh',
    [...started, refreshNeeded, refreshFails(faults.noAnswer), otherTab(1)],
    { ...authenticated, calls: [...startedCalls, 'refresh'] },
  ],
  [
    'another tab that signs in as somebody else makes this one ask who it is, holding nobody meanwhile',
    [...started, otherTab(2)],
    { at: lookingAgain, who: null, calls: [...startedCalls, look] },
  ],
  [
    'a sign-in in another tab signs this one in',
    [...attempt, passwordFails(faults.noAnswer), otherTab(1), ...started],
    { ...authenticated, calls: [...attemptCalls, ...letIn, look, 'exchange'] },
  ],
  [
    'a token that vanishes while nobody is signed in is no news',
    [...signedOutAtStart, otherTab(null)],
    { ...anonymous, calls: signedOutCalls },
  ],
]

const otherTabSignsIn: Journey[] = (
  [
    ['the form says what failed', [...attempt, passwordFails(faults.noAnswer)], attemptCalls],
    ['the provider is asked', attempt, attemptCalls],
    ['its token is exchanged', [...attempt, passwordAccepted], [...attemptCalls, 'exchange']],
    ['it is asked whether somebody is to migrate', unknown, unknownCalls],
    ['the legacy login is asked', [...unknown, needsNone], oldWayCalls],
    ['a refused sign-in is ended', [...attempt, passwordAccepted, exchangeFails(faults.forbidden)], failedCalls],
    ['a new password is asked for', asked, [...unknownCalls, forget]],
    ['a migration is given up', [...asked, theyGiveUp], [...unknownCalls, forget, refusedEnd]],
    ['the session is ended here', [...started, personSignsOut], [...startedCalls, 'end and tell']],
    ['the end of the session is followed', [...started, otherTab(null)], [...startedCalls, 'end quietly']],
  ] as const
).flatMap(([when, steps, calls]): Journey[] => [
  [
    `while ${when} has this one look who it is, with a clean form`,
    [...steps, otherTab(7)],
    { at: lookingAgain, calls: [...calls, ...letIn, look] },
  ],
  [
    `while ${when} lets this one in`,
    [...steps, otherTab(7), ...started],
    { ...authenticated, calls: [...calls, ...letIn, ...startedCalls] },
  ],
])

const otherTabSignsOut: Journey[] = [
  [
    'while somebody signs in here changes nothing: their own tokens are yet to come',
    [...attempt, otherTab(null), passwordAccepted, exchanged],
    { ...authenticated, calls: [...attemptCalls, 'exchange'] },
  ],
  [
    'while the session is ended here changes nothing',
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
describe('an end', () => it.each(ending)('%s', (_, steps, end) => judge(steps, end)))

describe('a sign-in in another tab', () => it.each(otherTabSignsIn)('%s', (_, steps, end) => judge(steps, end)))
describe('a sign-out in another tab', () => it.each(otherTabSignsOut)('%s', (_, steps, end) => judge(steps, end)))

describe('auth', () => {
  it('says once that the browser keeps nothing', () =>
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

  it('hands the credentials to the provider and keeps them nowhere', async () => {
    const sut = startAuth()
    for (const step of attempt) {
      await step(sut)
      await settled()
    }
    expect(sut.password.inputs()).toEqual([credentials])
    expect(JSON.stringify(sut.actor.getSnapshot().context)).not.toContain(credentials.password)
  })

  it('hands the new password to the provider and keeps it nowhere', async () => {
    const sut = startAuth()
    for (const step of [...asked, newPasswordChosen]) {
      await step(sut)
      await settled()
    }
    expect(sut.signUp.inputs()).toEqual([{ password: newPassword }])
    const kept = [sut.actor.getSnapshot().context, migrationOf(sut).getSnapshot().context]
    expect(kept).toEqual([expect.anything(), { email: credentials.email, failure: null }])
    expect(JSON.stringify(kept)).not.toContain(newPassword)
  })

  it('stops asking the server when the refresh has lost its reason', async () => {
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

describe('asking for fresh tokens', () => {
  it('gives all callers the one refresh', async () => {
    const sut = await signedIn()
    const callers = [requestRefresh(sut.actor), requestRefresh(sut.actor), requestRefresh(sut.actor)]
    await refreshed(sut)
    await expect(Promise.all(callers)).resolves.toEqual([undefined, undefined, undefined])
    expect(sut.calls).toEqual([...startedCalls, 'refresh'])
  })

  it('tells each caller why this attempt brought none, while it goes on trying', async () => {
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
  ])('is over with %s: nobody is told anything more', async (_, step) => {
    const sut = await signedIn()
    const heard = Promise.allSettled([requestRefresh(sut.actor)])
    await step(sut)
    await settled()
    expect(await heard).toEqual([
      { status: 'rejected', reason: new Failure({ kind: 'aborted', method: 'POST', path: '/auth/refresh' }) },
    ])
  })

  it('is refused while nobody is signed in', async () => {
    const sut = startAuth()
    await expect(requestRefresh(sut.actor)).rejects.toMatchObject({ kind: 'aborted' })
    expect(sut.calls).toEqual([look])
  })
})

describe('what was written and not sent', () => {
  it.each([
    ['is kept while they are here', () => {}, false],
    ['is thrown away with the person who signs out here', personSignsOut, true],
    [
      'is thrown away with the person who signs out while the tokens are refreshed',
      (sut: StartedAuth) => {
        refreshNeeded(sut)
        personSignsOut(sut)
      },
      true,
    ],
    ['is kept where the session expired', callRefused(1), false],
    ['is kept where another tab ended the session, which may have expired there', otherTab(null), false],
  ])('%s', async (_, step, isThrownAway) => {
    const sut = await signedIn()
    await step(sut)
    expect(selectWasLeft(sut.actor.getSnapshot())).toBe(isThrownAway)
  })
})
