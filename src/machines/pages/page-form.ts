import type { SnapshotFrom } from 'xstate'
import { and, assign, fromPromise, or, setup, stateIn } from 'xstate'
import { pageDialogToasts } from '../../domain/pages/dialog-toasts.ts'
import { isToken, pageNameProblem } from '../../domain/pages/page-fields.ts'
import { isTokenRefused, type TokenOwner, tokenMismatchOf } from '../../domain/pages/page-token.ts'
import type { PageSenderActions, SavedPage } from '../../domain/pages/pages-calls.ts'
import { haveSameValues } from '../../domain/same-fields.ts'
import type { Page } from '../../schemas/page.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { askingToDiscard, type FormEnd, type FormOutput, leavingForm } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

type Context = {
  /** The edited page; null for a new page. */
  page: Page | null
  name: string
  isActive: boolean
  /** What customers see of staff; null if the API offers no choice, and for a new page. */
  senderActions: PageSenderActions | null
  /** The value of the token field, until the form ends. Reports and the inspector omit fields of this name. */
  token: string
  /** The page that the verified token belongs to. */
  owner: TokenOwner | null
  /** The reason why the token was not verified. */
  problem: string | null
  /** The error of the last failed save. */
  error: string | null
  /** The person dismissed the whole dialog, not only the form. */
  isDismissed: boolean
}

export type PageFormEvent =
  | { type: 'name.edited'; name: string }
  | { type: 'active.chosen'; isActive: boolean }
  | { type: 'senderActions.chosen'; senderActions: PageSenderActions }
  | { type: 'token.edited'; token: string }
  | { type: 'verification.requested' }
  | { type: 'form.submitted' }
  | FormEnd

type Problem = { error: unknown }

const holdsToken = ({ token }: { token: string }): boolean => token.trim() !== ''
const needsToken = ({ page }: Context): boolean => page?.keeps_token !== true
const keepsToken = (context: Context): boolean => !needsToken(context) && !holdsToken(context)
const hasName = ({ name }: Context): boolean => name.trim() !== ''

const senderActionsOf = (page: Page | null): PageSenderActions | null =>
  page?.shows_typing === undefined ? null : { typing: page.shows_typing, seen: page.shows_seen ?? false }

const toastsOf = ({ page }: Context) => (page === null ? pageDialogToasts.add : pageDialogToasts.update)
const verifyFailure = ({ error }: Problem) => ({
  error,
  own: pageDialogToasts.verifyFailed,
  refused: pageDialogToasts.verifyRefused,
})
const saveFailure = (context: Context, { error }: Problem) => ({
  error,
  own: toastsOf(context).failed,
  refused: toastsOf(context).refused,
})

/**
 * The form for a page (spec sections 2, 4 and 5). A page is saved only with a verified token, or without a token if the
 * API keeps the stored one. The typed text, including the token, is kept until the person saves or discards the form,
 * also when another screen is shown in between.
 */
export const pageFormMachine = setup({
  types: {
    context: {} as Context,
    events: {} as PageFormEvent,
    input: {} as { page: Page | null },
    output: {} as FormOutput,
  },
  actors: {
    verifyToken: fromPromise<TokenOwner, { token: string }>(mustBeProvided('verifyToken')),
    savePage: fromPromise<void, SavedPage>(mustBeProvided('savePage')),
  },
  guards: {
    'has a token': ({ context }) => isToken(context.token),
    'has no typed text': ({ context: { page, name, isActive, senderActions, token } }) =>
      !holdsToken({ token }) &&
      name === (page?.page_name ?? '') &&
      isActive === (page?.is_active ?? true) &&
      haveSameValues({ senderActions }, { senderActions: senderActionsOf(page) }),
    'offers sender actions': ({ context }) => context.senderActions !== null,
    'has a name': ({ context }) => pageNameProblem(context.name) === null,
    'keeps the stored token': ({ context }) => keepsToken(context),
    'token belongs to this page': ({ context }, { owner }: { owner: TokenOwner }) =>
      tokenMismatchOf(context.page, owner) === null,
    'was rejected': (_, { error }: Problem) => isTokenRefused(error),
    'is editing': stateIn({ open: { work: 'editing' } }),
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    tellSession,
    'keep the name': assign({ name: (_, { name }: { name: string }) => name }),
    'keep the active setting': assign({ isActive: (_, { isActive }: { isActive: boolean }) => isActive }),
    'keep the sender actions': assign({
      senderActions: (_, { senderActions }: { senderActions: PageSenderActions }) => senderActions,
    }),
    'keep the token': assign({
      token: (_, { token }: { token: string }) => token,
      owner: null,
      problem: null,
    }),
    'forget the token': assign({ token: '' }),
    'clear the problem': assign({ owner: null, problem: null }),
    'show the page of the token': assign(({ context }, { owner }: { owner: TokenOwner }) => ({
      owner,
      name: hasName(context) ? context.name : owner.name,
    })),
    'show the validation error': assign({
      problem: ({ context }, { owner }: { owner: TokenOwner }) => tokenMismatchOf(context.page, owner),
    }),
    'show the verification error': assign({
      problem: (_, params: Problem) => failureText(verifyFailure(params)),
    }),
    'show the save error': assign({
      error: ({ context }, params: Problem) => failureText(saveFailure(context, params)),
    }),
    'clear the error': assign({ error: null }),
    'store the next target': assign({ isDismissed: (_, { isDismissed }: { isDismissed: boolean }) => isDismissed }),
  },
}).createMachine({
  id: 'pageForm',
  context: ({ input: { page } }) => ({
    page,
    name: page?.page_name ?? '',
    isActive: page?.is_active ?? true,
    senderActions: senderActionsOf(page),
    token: '',
    owner: null,
    problem: null,
    error: null,
    isDismissed: false,
  }),
  output: ({ context: { isDismissed } }) => ({ isDismissed }),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        verification: {
          initial: 'unverified',
          on: {
            'token.edited': {
              target: '.unverified',
              actions: { type: 'keep the token', params: ({ event }) => event },
            },
            'verification.requested': [
              { guard: and(['is editing', 'has a token']), target: '.verifying' },
              {
                guard: 'is editing',
                actions: { type: 'notify', params: pageDialogToasts.tokenMissing },
              },
            ],
          },
          states: {
            unverified: {},
            verifying: {
              entry: 'clear the problem',
              invoke: {
                id: 'verifyToken',
                src: 'verifyToken',
                input: ({ context }) => ({ token: context.token }),
                onDone: [
                  {
                    guard: { type: 'token belongs to this page', params: ({ event }) => ({ owner: event.output }) },
                    target: 'valid',
                    actions: [
                      { type: 'show the page of the token', params: ({ event }) => ({ owner: event.output }) },
                      { type: 'notify', params: pageDialogToasts.verified },
                    ],
                  },
                  {
                    target: 'invalid',
                    actions: [
                      { type: 'show the validation error', params: ({ event }) => ({ owner: event.output }) },
                      {
                        type: 'notify',
                        params: ({ context, event }) =>
                          pageDialogToasts.verifyRefused(`${tokenMismatchOf(context.page, event.output)}`),
                      },
                    ],
                  },
                ],
                onError: [
                  {
                    guard: { type: 'was rejected', params: ({ event }) => ({ error: event.error }) },
                    target: 'invalid',
                    actions: [
                      { type: 'show the verification error', params: ({ event }) => ({ error: event.error }) },
                      { type: 'notify failure', params: ({ event }) => verifyFailure(event) },
                    ],
                  },
                  {
                    target: 'unverified',
                    actions: [
                      { type: 'show the verification error', params: ({ event }) => ({ error: event.error }) },
                      { type: 'notify failure', params: ({ event }) => verifyFailure(event) },
                    ],
                  },
                ],
              },
              on: { 'verification.requested': {} },
            },
            valid: {},
            invalid: {},
          },
        },
        work: {
          initial: 'editing',
          states: {
            editing: {
              on: {
                'name.edited': { actions: { type: 'keep the name', params: ({ event }) => event } },
                'active.chosen': { actions: { type: 'keep the active setting', params: ({ event }) => event } },
                'senderActions.chosen': {
                  guard: 'offers sender actions',
                  actions: { type: 'keep the sender actions', params: ({ event }) => event },
                },
                'form.submitted': {
                  guard: and([
                    'has a name',
                    or(['keeps the stored token', stateIn({ open: { verification: 'valid' } })]),
                  ]),
                  target: 'saving',
                },
                ...leavingForm,
              },
            },
            leaving: askingToDiscard('#pageForm.cancelled'),
            saving: {
              entry: ['clear the error', { type: 'store the next target', params: { isDismissed: false } }],
              invoke: {
                id: 'savePage',
                src: 'savePage',
                input: ({ context }) => ({
                  pageId: context.page?.page_id ?? null,
                  name: context.name.trim(),
                  token: holdsToken(context) ? context.token : '',
                  isActive: context.isActive,
                  ...(context.senderActions === null ? {} : { senderActions: context.senderActions }),
                }),
                onDone: {
                  target: '#pageForm.saved',
                  actions: {
                    type: 'notify',
                    params: ({ context }) => toastsOf(context).done,
                  },
                },
                onError: {
                  target: 'editing',
                  actions: [
                    { type: 'show the save error', params: ({ event }) => ({ error: event.error }) },
                    { type: 'notify failure', params: ({ context, event }) => saveFailure(context, event) },
                    // The page may have been saved although the answer was lost.
                    { type: 'tellSession', params: { type: 'pages.invalidated' } },
                  ],
                },
              },
            },
          },
        },
      },
    },
    saved: { type: 'final', entry: ['forget the token', { type: 'tellSession', params: { type: 'pages.changed' } }] },
    cancelled: { type: 'final', entry: 'forget the token' },
  },
})

type Snapshot = SnapshotFrom<typeof pageFormMachine>
export type Verification = 'unverified' | 'verifying' | 'valid' | 'invalid'

const verifications: readonly Verification[] = ['verifying', 'valid', 'invalid']

/** The verification state of the typed token. */
export const selectVerification = (snapshot: Snapshot): Verification =>
  verifications.find((verification) => snapshot.matches({ open: { verification } })) ?? 'unverified'

export const selectFields = (snapshot: Snapshot) => snapshot.context
/** The page can be saved only with a token: a new page, or a page whose stored token the API does not keep. */
export const selectNeedsToken = (snapshot: Snapshot): boolean => needsToken(snapshot.context)
/** The token field is not empty. */
export const selectHasToken = (snapshot: Snapshot): boolean => holdsToken(snapshot.context)
/** The form asks whether to discard the typed text. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'leaving' } })
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'saving' } })

/** The problem of the name; null for an empty name that verifying the token will fill in. */
export const selectNameProblem = (snapshot: Snapshot): string | null => {
  const isToCome = snapshot.context.page === null && selectVerification(snapshot) !== 'valid'
  return !hasName(snapshot.context) && isToCome ? null : pageNameProblem(snapshot.context.name)
}

const tokenProblem = (snapshot: Snapshot): string | null => {
  if (keepsToken(snapshot.context) || selectVerification(snapshot) === 'valid') return null
  return selectHasToken(snapshot) ? t('pages.tokenUnverified') : t('pages.tokenMissingHint')
}

/** The reason why the page cannot be added or updated (spec section 4); null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null =>
  selectNameProblem(snapshot) ?? tokenProblem(snapshot)
