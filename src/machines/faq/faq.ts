import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { faqToasts } from '../../domain/faq/dialog-toasts.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { FaqCategory, FaqEntry } from '../../schemas/faq.ts'
import {
  afterDismissal,
  afterSaving,
  askingToDelete,
  formListGuards,
  keepItem,
  type ListEvent,
  listLeadingTo,
} from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'
import { faqDryRunMachine } from './faq-dry-run.ts'
import { faqFormMachine } from './faq-form.ts'
import { faqTestMachine } from './faq-test.ts'
import { faqWrongAnswersMachine } from './faq-wrong-answers.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    faq: typeof faqMachine
  }
}

type Context = Retries & {
  /** Null until the categories are loaded. */
  categories: readonly FaqCategory[] | null
  categoryRetries: Retries
  entries: readonly FaqEntry[] | null
  /** The category filter; null is All Categories. */
  categoryId: string | null
  /** The page filter; null is all pages. */
  pageId: string | null
  /** The entry to edit or delete; null for a new entry. */
  item: FaqEntry | null
}

export type FaqEvent =
  | { type: 'refetch.requested' }
  | { type: 'category.chosen'; categoryId: string | null }
  | { type: 'page.chosen'; pageId: string | null }
  /** Shows the answers that staff marked wrong instead of the entries. */
  | { type: 'wrongAnswers.opened' }
  | { type: 'wrongAnswers.left' }
  | ListEvent<FaqEntry>

const list = listLeadingTo('#faq.dismissed')
const withWrongAnswers = { on: { ...list.on, 'wrongAnswers.opened': 'wrongAnswers' as const } }

/** The dialog of FAQ entries (spec section 2, FAQ Management modal). */
export const faqMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FaqEvent | { type: 'entries.invalidated' },
    children: {} as {
      faqForm: 'faqForm'
      faqTest: 'faqTest'
      faqDryRun: 'faqDryRun'
      faqWrongAnswers: 'faqWrongAnswers'
    },
  },
  actors: {
    faqForm: faqFormMachine,
    faqTest: faqTestMachine,
    faqDryRun: faqDryRunMachine,
    faqWrongAnswers: faqWrongAnswersMachine,
    loadCategories: fromPromise<readonly FaqCategory[]>(mustBeProvided('loadCategories')),
    loadEntries: fromPromise<readonly FaqEntry[]>(mustBeProvided('loadEntries')),
    deleteFaq: fromPromise<void, { id: string }>(mustBeProvided('deleteFaq')),
  },
  delays: {
    ...readingDelays,
    categoryRetryDelay: ({ context }) => context.categoryRetries.retryDelay,
  },
  guards: {
    ...readingGuards,
    ...formListGuards,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the categories': assign((_, { categories }: { categories: readonly FaqCategory[] }) => ({
      categories,
      categoryRetries: noRetries,
    })),
    'count the failure of the categories': assign({
      categoryRetries: ({ context }, { error }: { error: unknown }) => retriesAfter(context.categoryRetries, error),
    }),
    'reset the failure count of the categories': assign({ categoryRetries: noRetries }),
    'keep the entries': assign((_, { entries }: { entries: readonly FaqEntry[] }) => ({ entries, ...noRetries })),
    'set the category filter': assign({ categoryId: (_, { categoryId }: { categoryId: string | null }) => categoryId }),
    'set the page filter': assign({ pageId: (_, { pageId }: { pageId: string | null }) => pageId }),
    'keep the item': assign({ item: (_, { item }: { item: FaqEntry | null }) => item }),
    'remove the entry from the list': assign({
      entries: ({ context }) => context.entries?.filter(({ id }) => id !== context.item?.id) ?? null,
    }),
    'invalidate the entries': raise({ type: 'entries.invalidated' }),
    'invalidate the test result': sendTo('faqTest', { type: 'result.invalidated' }),
    'request close of the form': sendTo('faqForm', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'faq',
  context: {
    categories: null,
    categoryRetries: noRetries,
    entries: null,
    categoryId: null,
    pageId: null,
    item: null,
    ...noRetries,
  },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      invoke: [
        { id: 'faqTest', src: 'faqTest' },
        { id: 'faqDryRun', src: 'faqDryRun' },
      ],
      states: {
        categories: {
          initial: 'loading',
          states: {
            loading: {
              invoke: {
                id: 'loadCategories',
                src: 'loadCategories',
                onDone: {
                  target: 'idle',
                  actions: { type: 'keep the categories', params: ({ event }) => ({ categories: event.output }) },
                },
                onError: [
                  {
                    guard: ifTemporary,
                    target: 'waiting',
                    actions: [
                      reportFailure(faqToasts.categoriesFailed, {
                        isSilent: ({ categoryRetries }: Context) => categoryRetries.failures > 0,
                      }),
                      {
                        type: 'count the failure of the categories',
                        params: ({ event }) => ({ error: event.error }),
                      },
                    ],
                  },
                  { target: 'idle', actions: reportFailure(faqToasts.categoriesFailed) },
                ],
              },
            },
            waiting: {
              after: { categoryRetryDelay: 'loading' },
              // A person requested the refetch, so a failure is shown again.
              on: { 'refetch.requested': { target: 'loading', actions: 'reset the failure count of the categories' } },
            },
            idle: {
              on: { 'refetch.requested': { target: 'loading', actions: 'reset the failure count of the categories' } },
            },
          },
        },
        entries: {
          initial: 'loading',
          on: {
            'entries.invalidated': { target: '.loading', actions: 'invalidate the test result' },
          },
          states: {
            loading: {
              invoke: {
                id: 'loadEntries',
                src: 'loadEntries',
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the entries', params: ({ event }) => ({ entries: event.output }) },
                },
                onError: afterFailedRead(faqToasts.failed),
              },
            },
            /** A person requested the refetch, so the result is shown. */
            refreshing: {
              invoke: {
                id: 'refreshEntries',
                src: 'loadEntries',
                onDone: {
                  target: 'showing',
                  actions: [
                    { type: 'keep the entries', params: ({ event }) => ({ entries: event.output }) },
                    'invalidate the test result',
                    { type: 'notify', params: faqToasts.refreshed },
                  ],
                },
                onError: afterFailedRead(faqToasts.failed),
              },
            },
            showing: { on: { 'refetch.requested': 'refreshing' } },
            /** The earlier entries stay. */
            failed: failedRead('#faq.open.entries.loading', 'refreshing'),
          },
        },
        filter: {
          on: {
            'category.chosen': { actions: { type: 'set the category filter', params: ({ event }) => event } },
            'page.chosen': { actions: { type: 'set the page filter', params: ({ event }) => event } },
          },
        },
        work: {
          initial: 'list',
          states: {
            list: withWrongAnswers,
            wrongAnswers: {
              invoke: { id: 'faqWrongAnswers', src: 'faqWrongAnswers' },
              on: {
                'item.edited': { target: 'form', actions: keepItem },
                'wrongAnswers.left': 'list',
                'dialog.dismissed': '#faq.dismissed',
              },
            },
            form: {
              invoke: {
                id: 'faqForm',
                src: 'faqForm',
                input: ({ context }) => ({ item: context.item, entries: context.entries ?? [] }),
                onDone: [afterDismissal('#faq.dismissed'), ...afterSaving('invalidate the entries')],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the form' } },
            },
            asking: {
              on: askingToDelete('deleting'),
            },
            deleting: {
              invoke: {
                id: 'deleteFaq',
                src: 'deleteFaq',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: {
                  target: 'list',
                  actions: [
                    'remove the entry from the list',
                    { type: 'notify', params: faqToasts.deleted },
                    'invalidate the entries',
                  ],
                },
                onError: {
                  target: 'list',
                  actions: [
                    reportFailure(faqToasts.deleteFailed),
                    // The entry may have been deleted although the answer was lost.
                    'invalidate the entries',
                  ],
                },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type FaqActor = ActorRefFrom<typeof faqMachine>

type Snapshot = SnapshotFrom<typeof faqMachine>

/** The open form; undefined while the list is shown. */
export const selectForm = (snapshot: Snapshot) => snapshot.children.faqForm
export const selectTest = (snapshot: Snapshot) => snapshot.children.faqTest

export const selectDryRunActor = (snapshot: Snapshot) => snapshot.children.faqDryRun
/** The list of wrong answers; undefined unless it is shown. */
export const selectWrongAnswersActor = (snapshot: Snapshot) => snapshot.children.faqWrongAnswers

export const selectCategories = (snapshot: Snapshot) => snapshot.context.categories
export const selectCategoryId = (snapshot: Snapshot): string | null => snapshot.context.categoryId

export const selectFilteredPage = (snapshot: Snapshot): string | null => snapshot.context.pageId

/** All entries; null until they are loaded. */
export const selectEntries = (snapshot: Snapshot): readonly FaqEntry[] | null => snapshot.context.entries

/** The entry that the person edited or was asked to delete last; null for a new entry. */
export const selectEntry = (snapshot: Snapshot): FaqEntry | null => snapshot.context.item

export const selectHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { entries: 'failed' } })
export const selectIsRefreshing = (snapshot: Snapshot): boolean => snapshot.matches({ open: { entries: 'refreshing' } })

/** The entry whose deletion the person is asked to confirm; null if the question is not shown. */
export const selectAskedAbout = (snapshot: Snapshot): FaqEntry | null =>
  snapshot.matches({ open: { work: 'asking' } }) || snapshot.matches({ open: { work: 'deleting' } })
    ? snapshot.context.item
    : null
export const selectIsDeleting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'deleting' } })
