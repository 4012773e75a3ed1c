import { faults as common, json, said } from './matrix-faults.ts'
import '../../src/sign-in-steps.ts'
import { dataOf, type Fault, type Harness, type ProviderKind, type Stored } from './matrix-fixture.ts'

/** What the screen shows after a failed sign-in call. */
export type Outcome = {
  phase: 'starting' | 'signedOut' | 'signedIn'
  /** The error of the login form. */
  form: string | null
  /** The error of the dialog for a new password. */
  dialog: string | null
  toasts: readonly string[]
  /** Whether the product's own token is in storage. */
  hasToken: boolean
}

export type AuthRow = {
  call: string
  at: string
  /** The contents of storage from an earlier visit. */
  stored: Stored
  /** Uses the provider's unmodified client. */
  provider?: ProviderKind
  /** Whether the call is made when the page opens. */
  isAtStart?: boolean
  /** Prepares the state in which the call is made. */
  prepare?: (harness: Harness) => Promise<unknown>
  act: (harness: Harness) => unknown
  /** What the person typed into the form. */
  typed?: { email: string; password: string }
  isBusy: (harness: Harness) => boolean
  /** The maximum waiting time, in milliseconds. */
  limit?: number
  outcome: (name: string) => Outcome
  /** The retry of the person once the API answers again; does nothing if the client retries on its own. */
  again: (harness: Harness, outcome: Outcome) => unknown
  /** Faults that only this call can meet. */
  codes?: Readonly<Record<string, Fault>>
}

const codes = {
  'refused without a word': json(400),
  'code INACTIVE_ACCOUNT': json(403, { error: 'Inactive', code: 'INACTIVE_ACCOUNT' }),
  'code USE_NEW_LOGIN': json(403, { error: 'Moved', code: 'USE_NEW_LOGIN' }),
}

/** The faults that a row meets, by name. */
export const faultsOf = (row: AuthRow): [name: string, fault: Fault][] => [
  ...Object.entries(common).map(([name, { fault }]): [string, Fault] => [name, fault]),
  ...Object.entries(row.codes ?? {}),
]

const tooMany = 'Too many requests. Please try again later.'
const trouble = 'Internal server error. Please try again later.'
const network = 'Network error. Please check your connection.'
const expired = 'Session expired. Please log in again.'
const provider = 'Invalid email or password. Please try again.'

const forbidden = Object.fromEntries(
  Object.keys(common)
    .filter((name) => name.startsWith('403'))
    .map((name) => [name, 'Forbidden']),
)

const troubles: Readonly<Record<string, string>> = {
  'no answer': network,
  'no answer in 30 s': network,
  '429': tooMany,
  '429 with Retry-After in seconds': tooMany,
  '429 with Retry-After as a date': tooMany,
  '500': trouble,
  '503': trouble,
  '503 with an error': trouble,
}
const unreadable = (text: string) => ({
  HTML: text,
  'truncated JSON': text,
  'wrong shape': text,
  'an empty body': text,
})
const refusals = { '400 with an error': said, '401': 'Token expired', ...forbidden }

const codeTexts: Readonly<Record<string, string>> = {
  'refused without a word': expired,
  'code INACTIVE_ACCOUNT': 'Your account is inactive. Please contact an administrator.',
  'code USE_NEW_LOGIN':
    "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
}
/** The texts of spec section 8, Login, copied by hand. */
const loginTexts: Readonly<Record<string, string>> = {
  ...troubles,
  ...refusals,
  '404': 'Not found',
  ...unreadable('Invalid token response'),
  ...codeTexts,
  'refused without a word': 'Invalid email or password',
}
const migrationTexts: Readonly<Record<string, string>> = {
  ...loginTexts,
  ...unreadable('Migration failed'),
  'refused without a word': 'Migration failed',
  'code USE_NEW_LOGIN': 'Moved',
}
/** The default is the text of spec section 5 for a refusal by the provider. */
const checkTexts: Readonly<Record<string, string>> = {
  ...troubles,
  ...unreadable(trouble),
  '404': 'API endpoint not found: POST /auth/check-migration',
}
/** The provider's client treats an unreadable answer like no answer. */
const providerTrouble = { ...troubles, ...unreadable(network), 'wrong shape': trouble }
/** The texts of spec section 5. */
const providerTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...Object.keys(refusals), '404'].map((name) => [name, provider])),
  ...providerTrouble,
}
const newPasswordTexts: Readonly<Record<string, string>> = { ...refusals, '404': 'Not found', ...providerTrouble }
/** A refused stored session: the general texts of spec section 8, and no text for an expired session. */
const restoringTexts = (name: string): string | null => {
  const general = common[name]?.text({ call: '', text: null }) ?? null
  return name === '401' ? null : (codeTexts[name] ?? general)
}

const isRefusal = (name: string) => name in refusals || name === 'refused without a word' || name.startsWith('code')
const textIn = (texts: Readonly<Record<string, string>>, name: string): string => {
  const text = texts[name]
  if (text === undefined) throw new Error(`nothing is said of "${name}"`)
  return text
}

const nothing = { form: null, dialog: null, toasts: [] } as const
const atForm = (form: string | null): Outcome => ({ ...nothing, phase: 'signedOut', form, hasToken: false })
/** The start keeps retrying without a message. */
const trying = (hasToken: boolean): Outcome => ({ ...nothing, phase: 'starting', hasToken })

const inDialog = (dialog: string): Outcome => ({ ...atForm('Please set a new password to continue'), dialog })

const auth = (harness: Harness) => harness.actor('auth')
const signOut = (harness: Harness) => auth(harness).send({ type: 'signOut.requested' })
const isIn = (harness: Harness, state: Parameters<ReturnType<Harness['authState']>['matches']>[0]) =>
  harness.authState().matches(state)

/** A person without an account at the identity provider. */
const legacy = { email: 'old@example.com', password: 'old' }
const ana = { email: 'ana@example.com', password: 'ana' }
export const chosenPassword = 'Tricycle 7 mangoes'

export const signIn = (person: { email: string; password: string }) => (harness: Harness) =>
  auth(harness).send({ type: 'signIn.requested', ...person })
export const submit = (harness: Harness, password = chosenPassword) =>
  harness.migration()?.send({ type: 'migration.submitted', password, repeatedPassword: password })
export const migrating = async (harness: Harness) => {
  signIn(legacy)(harness)
  await harness.passes(100)
}
const excused = async (harness: Harness) => {
  harness.answers('POST /auth/check-migration', dataOf({ needsMigration: false }))
}

const isSigningIn = (harness: Harness) => isIn(harness, 'signingIn') || isIn(harness, 'clearing')
const isStarting = (harness: Harness) =>
  (isIn(harness, 'restoring') && !isIn(harness, { restoring: 'waiting' })) || isIn(harness, 'clearing')
const isMigrating = (harness: Harness) => harness.migration()?.getSnapshot().hasTag('working') === true
/** The client retries on its own unless the server refused. */
const unlessTrying = (harness: Harness, { phase }: Outcome) => phase === 'signedOut' && signIn(ana)(harness)

/** The call is made when the page opens. */
const atStart = { at: 'the start', isAtStart: true, act: () => {}, isBusy: isStarting, again: unlessTrying, codes }

const stepIn = (harness: Harness) => harness.authState().context.step?.actor ?? null
const isStepIn = (state: string) => (harness: Harness) => stepIn(harness)?.getSnapshot().matches(state) === true
/** A failure of a step is a toast. An expired session, which nobody has yet, is none. */
const toldOf = (call: string, ownText: string) => (name: string) => {
  const text = common[name]?.text({ call, text: ownText })
  return { ...atForm(null), toasts: text == null || name === '401' ? [] : [text] }
}
const linkNotSent = 'The link could not be sent. Please try again.'
const passwordNotChanged = 'The password could not be changed. Please try again.'
const newPassword = { type: 'password.submitted', password: chosenPassword, repeatedPassword: chosenPassword }
const forgot = async (harness: Harness) => {
  auth(harness).send({ type: 'passwordReset.opened' })
  await harness.until(() => stepIn(harness)?.getSnapshot().hasTag('working') === false, 10_000)
}
const backToTheForm = async (harness: Harness) => {
  stepIn(harness)?.send({ type: 'dialog.dismissed' })
  await harness.passes(100)
  signIn(ana)(harness)
}
const submitCode = (harness: Harness) => stepIn(harness)?.send({ type: 'code.submitted', code: '123456' })
const codeNotChecked = 'The code could not be checked. Please try again.'

/** Every call of spec section 7, Authentication, and every call to the provider, for each place that makes the call. */
export const authRows: readonly AuthRow[] = [
  {
    call: 'POST /auth/supabase-login',
    at: 'signing in',
    stored: 'nothing',
    act: signIn(ana),
    typed: ana,
    isBusy: isSigningIn,
    outcome: (name) => atForm(textIn(loginTexts, name)),
    again: signIn(ana),
    codes,
  },
  {
    call: 'POST /auth/supabase-login',
    at: 'after a migration',
    stored: 'nothing',
    prepare: migrating,
    act: (harness) => submit(harness),
    isBusy: (harness) => isSigningIn(harness) || isMigrating(harness),
    outcome: (name) => atForm(textIn(loginTexts, name)),
    again: signIn({ ...legacy, password: chosenPassword }),
  },
  {
    call: 'POST /auth/supabase-login',
    stored: 'provider session',
    ...atStart,
    outcome: (name) => (isRefusal(name) ? atForm(textIn(loginTexts, name)) : trying(false)),
  },
  {
    call: 'POST /auth/check-migration',
    at: 'signing in',
    stored: 'nothing',
    act: signIn(legacy),
    typed: legacy,
    isBusy: isSigningIn,
    outcome: (name) => atForm(checkTexts[name] ?? provider),
    again: async (harness) => {
      await migrating(harness)
      submit(harness)
    },
  },
  {
    call: 'POST /auth/login',
    at: 'signing in',
    stored: 'nothing',
    prepare: excused,
    act: signIn(legacy),
    typed: legacy,
    isBusy: isSigningIn,
    outcome: (name) => atForm(textIn(loginTexts, name)),
    again: signIn(legacy),
    codes,
  },
  {
    call: 'POST /auth/complete-migration',
    at: 'the dialog',
    stored: 'nothing',
    prepare: migrating,
    act: (harness) => submit(harness),
    typed: legacy,
    isBusy: isMigrating,
    outcome: (name) => inDialog(textIn(migrationTexts, name)),
    again: (harness) =>
      harness.migration()?.getSnapshot().matches('interrupted')
        ? harness.migration()?.send({ type: 'migration.resumed' })
        : submit(harness),
    codes,
  },
  {
    call: 'POST /auth/second-factor/verify',
    at: 'the dialog for the code',
    stored: 'nothing',
    prepare: async (harness) => {
      harness.fail('POST /auth/supabase-login', json(403, { error: 'Enter the code', code: 'SECOND_FACTOR_NEEDED' }))
      signIn(ana)(harness)
      await harness.until(() => stepIn(harness) !== null, 10_000)
      harness.hits.length = 0
    },
    act: submitCode,
    isBusy: isStepIn('checking'),
    outcome: toldOf('POST /auth/second-factor/verify', codeNotChecked),
    again: submitCode,
  },
  {
    call: 'GET /auth/password-reset',
    at: 'the dialog for a forgotten password',
    stored: 'nothing',
    act: async (harness) => {
      auth(harness).send({ type: 'passwordReset.opened' })
      await harness.until(() => stepIn(harness) !== null, 10_000, 10)
    },
    isBusy: isStepIn('looking'),
    outcome: toldOf('GET /auth/password-reset', linkNotSent),
    again: backToTheForm,
  },
  {
    call: 'POST /auth/password-reset/request',
    at: 'the dialog for a forgotten password',
    stored: 'nothing',
    prepare: forgot,
    act: (harness) => stepIn(harness)?.send({ type: 'email.submitted', email: 'ana@example.com' }),
    isBusy: isStepIn('requesting'),
    outcome: toldOf('POST /auth/password-reset/request', linkNotSent),
    again: backToTheForm,
  },
  {
    call: 'POST /auth/password-reset/complete',
    at: 'the dialog after a link',
    stored: 'nothing',
    prepare: async (harness) => {
      harness.location.hash = '#reset=token'
      await forgot(harness)
    },
    act: (harness) => stepIn(harness)?.send(newPassword),
    isBusy: isStepIn('saving'),
    outcome: toldOf('POST /auth/password-reset/complete', passwordNotChanged),
    again: backToTheForm,
  },
  {
    call: 'GET /auth/me',
    stored: 'tokens',
    ...atStart,
    outcome: (name) => (isRefusal(name) ? atForm(restoringTexts(name)) : trying(true)),
  },
  {
    call: 'POST /auth/refresh',
    stored: 'ended tokens',
    ...atStart,
    outcome: (name) => (isRefusal(name) ? atForm(restoringTexts(name)) : trying(true)),
  },
  {
    call: 'POST /auth/refresh',
    at: 'during a session',
    stored: 'tokens',
    act: (harness) => auth(harness).send({ type: 'refresh.requested' }),
    isBusy: (harness) => isIn(harness, { refreshing: 'asking' }) || isIn(harness, 'clearing'),
    outcome: (name) =>
      isRefusal(name) ? { ...atForm(null), toasts: [expired] } : { ...nothing, phase: 'signedIn', hasToken: true },
    again: unlessTrying,
  },
  {
    call: 'POST /auth/logout',
    at: 'signing out',
    stored: 'tokens',
    act: signOut,
    isBusy: (harness) => isIn(harness, 'clearing'),
    limit: 5_000,
    outcome: () => atForm(null),
    again: signIn(ana),
  },
  {
    call: 'POST /auth/v1/token',
    at: 'signing in',
    stored: 'nothing',
    provider: 'real',
    act: signIn(ana),
    typed: ana,
    isBusy: isSigningIn,
    outcome: (name) => atForm(textIn(providerTexts, name)),
    again: signIn(ana),
  },
  {
    call: 'POST /auth/v1/signup',
    at: 'the dialog',
    stored: 'nothing',
    provider: 'real',
    prepare: migrating,
    act: (harness) => submit(harness),
    typed: legacy,
    isBusy: isMigrating,
    outcome: (name) => inDialog(name === 'wrong shape' ? 'Migration failed' : textIn(newPasswordTexts, name)),
    again: (harness) => submit(harness),
  },
  {
    call: 'POST /auth/v1/token',
    at: 'the dialog, after an earlier sign-up',
    stored: 'nothing',
    provider: 'real',
    prepare: async (harness) => {
      harness.fail('POST /auth/complete-migration', json(400, { error: said }))
      await migrating(harness)
      submit(harness)
      await harness.passes(100)
      harness.mend()
      harness.hits.length = 0
    },
    act: (harness) => submit(harness),
    isBusy: isMigrating,
    outcome: (name) => inDialog(textIn(newPasswordTexts, name)),
    again: (harness) => submit(harness),
  },
  {
    call: 'POST /auth/v1/logout',
    at: 'signing out',
    stored: 'provider session',
    provider: 'real',
    act: signOut,
    isBusy: (harness) => isIn(harness, 'clearing'),
    limit: 5_000,
    outcome: () => atForm(null),
    again: signIn(ana),
  },
]
