import type { AnyActorLogic, AnyActorRef } from 'xstate'
import { assign, fromCallback, fromPromise, setup, stopChild } from 'xstate'
import { Failure, isRefusal, SessionLost } from '../../domain/failure.ts'
import { limits } from '../../domain/limits.ts'
import { isUnknownToProvider } from '../../domain/session/provider-refusals.ts'
import type {
  AuthChange,
  Credentials,
  MigrationCheck,
  Refreshed,
  SignedIn,
} from '../../domain/session/session-calls.ts'
import type { EndOfSession } from '../../domain/session/session-end.ts'
import { canSignInWith } from '../../domain/session/sign-in-form.ts'
import { type FormFailure, migrationNeeded } from '../../domain/shell/error-texts.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notify } from '../system.ts'

export type AuthEvent =
  | AuthChange
  | ({ type: 'signIn.requested' } & Credentials)
  /** The person forgot the password, or opened an emailed link for a new one. */
  | { type: 'passwordReset.opened' }
  | { type: 'signOut.requested' }
  | { type: 'refresh.requested' }
  /** A call of the session still got a 401 after a token refresh. */
  | { type: 'session.refused'; session: number }
  /** The saved inbox of the stored session's person is shown during the start. */
  | { type: 'savedInbox.shown' }

/** A step that a sign-in may need after the password, or the reset of a forgotten one. */
export type SignInStep = 'migration' | 'newPassword' | 'code' | 'enrolment' | 'reset'

/** The input of every step. The email is empty except for a migration: elsewhere the server compares a new password with it. */
type StepInput = { email: string; purpose: 'oneTime'; at: 'signIn' }
export type StepEnd = 'completed' | 'cancelled'
type StepProps = { actor: AnyActorRef; title?: string; onDismiss: () => void }

/** The machine and the view of a step. Loaded on demand. The machine ends with 'completed' or 'cancelled'. */
export type LoadedStep = { View: (props: StepProps) => unknown; logic: AnyActorLogic }
type ShownStep = { View: LoadedStep['View']; actor: AnyActorRef }

const steps: Readonly<Record<string, SignInStep>> = {
  PASSWORD_CHANGE_NEEDED: 'newPassword',
  SECOND_FACTOR_NEEDED: 'code',
  ENROLMENT_NEEDED: 'enrolment',
}
export const stepAfter = (error: unknown): SignInStep | undefined =>
  error instanceof Failure ? steps[error.code ?? ''] : undefined

/** Starts a child with any logic. XState types `spawn` by the logics in `setup`, but these are loaded later. */
type SpawnAny = (logic: AnyActorLogic, options: { id: string; input: StepInput }) => AnyActorRef

type Context = {
  /** The step that is loaded or shown. */
  need: SignInStep | null
  step: ShownStep | null
  user: AuthUser | null
  session: number | null
  /** The failure that the login form shows. */
  failure: FormFailure | null
  /** The email address of the person who must set a new password. */
  email: string
  /** The person signed out in this tab. The next session starts at the inbox without a selection. */
  wasLeft: boolean
  /** A saved inbox is shown during the start. */
  showsSaved: boolean
  /** The error of the last failed attempt, during the retries. */
  fault: unknown
  /** The number of consecutive failed attempts. */
  attempts: number
}

/** The upper limit of the backoff, which starts at 200 ms. Milliseconds. */
const longestBackoff = 30_000

/** The longest wait for the provider and the API at sign-out. Milliseconds. */
const signOutTimeoutMs = 5_000

/** The services, guards and actions that the states of `auth` refer to by name. */
export const authSetup = setup({
  types: {
    context: {} as Context,
    events: {} as AuthEvent | { type: 'xstate.done.actor.step'; output: StepEnd },
    tags: {} as 'starting' | 'signedIn' | 'signedOut',
  },
  actors: {
    watchOutside: fromCallback<AuthEvent>(() => {}),
    findProviderSession: fromPromise<boolean>(mustBeProvided('findProviderSession')),
    exchangeProviderSession: fromPromise<SignedIn>(mustBeProvided('exchangeProviderSession')),
    loadUser: fromPromise<SignedIn | null>(mustBeProvided('loadUser')),
    refreshTokens: fromPromise<Refreshed>(mustBeProvided('refreshTokens')),
    askProvider: fromPromise<void, Credentials>(mustBeProvided('askProvider')),
    checkMigration: fromPromise<MigrationCheck>(mustBeProvided('checkMigration')),
    signInLegacy: fromPromise<SignedIn>(mustBeProvided('signInLegacy')),
    loadStep: fromPromise<LoadedStep, { step: SignInStep }>(mustBeProvided('loadStep')),
    endSession: fromPromise<void, { why: EndOfSession }>(mustBeProvided('endSession')),
  },
  delays: {
    backoff: ({ context }) => Math.min(limits.refreshBackoffStart * 2 ** (context.attempts - 1), longestBackoff),
    signOutTimeout: signOutTimeoutMs,
  },
  guards: {
    'can be sent': (_, credentials: Credentials) => canSignInWith(credentials),
    found: (_, { found }: { found: boolean }) => found,
    'is a refusal': (_, { error }: { error: unknown }) => isRefusal(error),
    'session has ended': (_, { error }: { error: unknown }) => error instanceof SessionLost,
    'is unauthorised': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 401,
    'is unknown to the provider': (_, { error }: { error: unknown }) => isUnknownToProvider(error),
    'needs migration': (_, { needsMigration }: MigrationCheck) => needsMigration,
    'needs another step': (_, { error }: { error: unknown }) => stepAfter(error) !== undefined,
    'is completed': (_, { end }: { end: StepEnd }) => end === 'completed',
    'is this session': ({ context }, { session }: { session: number | null }) =>
      session !== null && session === context.session,
    'has a session': (_, { session }: { session: number | null }) => session !== null,
    'shows a saved inbox': ({ context }) => context.showsSaved,
    'is retrying': ({ context }) => context.attempts > 0,
    'has a user': (_, { found }: { found: SignedIn | null }) => found !== null,
  },
  actions: {
    notify,
    'store who is signed in': assign({
      user: (_, signedIn: SignedIn | null) => signedIn?.user ?? null,
      session: (_, signedIn: SignedIn | null) => signedIn?.session ?? null,
      failure: null,
      wasLeft: false,
      showsSaved: false,
      fault: null,
      attempts: 0,
    }),
    'remember the sign-out': assign({ wasLeft: true }),
    'mark the saved inbox as shown': assign({ showsSaved: true }),
    'mark the saved inbox as not shown': assign({ showsSaved: false }),
    'store the refreshed user': assign({
      user: ({ context }, { user }: Refreshed) => user ?? context.user,
      fault: null,
      attempts: 0,
    }),
    'forget the user': assign({ user: null, session: null, showsSaved: false, fault: null, attempts: 0 }),
    'ask for a migration': assign({
      need: 'migration',
      email: (_, { email }: MigrationCheck) => email,
      failure: migrationNeeded,
    }),
    /** The services delete the typed passwords. */
    forgetPasswords: () => {},
    /** Later answers of the provider to this tab are discarded. */
    leaveProvider: () => {},
    'show at the form': assign({ failure: (_, { failure }: { failure: FormFailure | null }) => failure }),
    'start the step': assign({
      step: ({ context: { email }, spawn }, { View, logic }: LoadedStep) => ({
        View,
        actor: (spawn as unknown as SpawnAny)(logic, {
          id: 'step',
          input: { email, purpose: 'oneTime', at: 'signIn' },
        }),
      }),
    }),
    'stop the step': stopChild('step'),
    'keep the need': assign({ need: (_, { need }: { need: SignInStep | undefined }) => need ?? null }),
    'forget the step': assign({ step: null, need: null, email: '' }),
    'clear the form message': assign({ failure: null }),
    'count the attempt': assign({
      attempts: ({ context }) => context.attempts + 1,
      fault: (_, { error }: { error: unknown }) => error,
    }),
  },
})

/** A sign-in in another tab also signs this tab in, and cancels this tab's own sign-in or sign-out. */
export const otherTabSignsIn = {
  guard: { type: 'has a session', params: ({ event }: { event: { session: number | null } }) => event },
  target: 'restoring',
  actions: ['forgetPasswords', 'leaveProvider', 'clear the form message'],
} as const
