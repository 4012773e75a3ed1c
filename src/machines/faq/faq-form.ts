import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { faqFormTexts, faqToasts } from '../../domain/faq/dialog-toasts.ts'
import type { SavedFaq } from '../../domain/faq/faq-calls.ts'
import {
  blockedReasonOf,
  bodyOf,
  type FaqFields,
  fieldsOf,
  hasNewKeyword,
  haveSameValues,
  keywordProblem,
  priorityProblem,
  withKeyword,
  withoutKeyword,
} from '../../domain/faq/faq-fields.ts'
import { mayBeTemporary } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import { askingToDiscard, type FormEnd, type FormOutput, leavingForm } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { afterFailedCreation } from '../on-failure.ts'
import { notify } from '../system.ts'

/** `mayHaveSaved`: the list may be stale. */
type FaqFormOutput = FormOutput & { mayHaveSaved: boolean }

type Context = {
  /** The edited entry; null for a new entry. */
  entry: FaqEntry | null
  fields: FaqFields
  isDismissed: boolean
  mayHaveSaved: boolean
  /** The error of the last failed attempt. */
  error: string | null
}

export type FaqFormEvent =
  | { type: 'fields.typed'; change: Partial<FaqFields> }
  | { type: 'keyword.added' }
  | { type: 'keyword.removed'; keyword: string }
  | { type: 'form.submitted' }
  | FormEnd

/**
 * The form of a FAQ entry (spec sections 2 and 5). Typed text survives every failure and is discarded only after the
 * person confirms.
 */
export const faqFormMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FaqFormEvent,
    input: {} as { entry: FaqEntry | null },
    output: {} as FaqFormOutput,
  },
  actors: {
    saveFaq: fromPromise<void, SavedFaq>(mustBeProvided('saveFaq')),
  },
  guards: {
    'has a new keyword': ({ context }) => hasNewKeyword(context.fields),
    'is complete': ({ context }) => blockedReasonOf(context.fields) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, fieldsOf(context.entry)),
    'is new': ({ context }) => context.entry === null,
    'may have been created': ({ context }, { error }: { error: unknown }) =>
      context.entry === null && mayBeTemporary(error),
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the typed fields': assign({
      fields: ({ context }, { change }: { change: Partial<FaqFields> }) => ({ ...context.fields, ...change }),
    }),
    'add the keyword': assign({ fields: ({ context }) => withKeyword(context.fields) }),
    'remove the keyword': assign({
      fields: ({ context }, { keyword }: { keyword: string }) => withoutKeyword(context.fields, keyword),
    }),
    'store the next target': assign({ isDismissed: (_, { isDismissed }: { isDismissed: boolean }) => isDismissed }),
    'store the attempt': assign({ isDismissed: false, mayHaveSaved: true, error: null }),
    'show the failure': assign({
      error: (_, params: { error: unknown; own: ToastText }) => failureText(params),
    }),
    'show that the result is unknown': assign({ error: () => faqFormTexts.perhapsCreated }),
  },
}).createMachine({
  id: 'faqForm',
  context: ({ input }) => ({
    entry: input.entry,
    fields: fieldsOf(input.entry),
    isDismissed: false,
    mayHaveSaved: false,
    error: null,
  }),
  initial: 'editing',
  states: {
    editing: {
      on: {
        'fields.typed': { actions: { type: 'keep the typed fields', params: ({ event }) => event } },
        'keyword.added': { guard: 'has a new keyword', actions: 'add the keyword' },
        'keyword.removed': { actions: { type: 'remove the keyword', params: ({ event }) => event } },
        'form.submitted': { guard: 'is complete', target: 'saving' },
        ...leavingForm,
      },
    },
    leaving: askingToDiscard('left'),
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveFaq',
        src: 'saveFaq',
        input: ({ context }) => savedOf(context),
        onDone: [
          {
            guard: 'is new',
            target: 'saved',
            actions: { type: 'notify', params: faqToasts.created },
          },
          { target: 'saved', actions: { type: 'notify', params: faqToasts.updated } },
        ],
        onError: afterFailedCreation('editing', faqToasts.saveFailed),
      },
    },
    saved: { type: 'final' },
    left: { type: 'final' },
  },
  output: ({ context: { isDismissed, mayHaveSaved } }) => ({ isDismissed, mayHaveSaved }),
})

const savedOf = ({ entry, fields }: Context): SavedFaq => {
  const body = bodyOf(fields)
  if (body === null) throw new Error('saving starts with a form that is complete')
  return { id: entry?.id ?? null, body }
}

type Snapshot = SnapshotFrom<typeof faqFormMachine>

export const selectFields = (snapshot: Snapshot): FaqFields => snapshot.context.fields
/** The reason why the typed keyword cannot be added; null if it can, or if none is typed. */
export const selectKeywordProblem = (snapshot: Snapshot): string | null => keywordProblem(snapshot.context.fields)
export const selectMayAddKeyword = (snapshot: Snapshot): boolean => snapshot.can({ type: 'keyword.added' })
export const selectPriorityProblem = (snapshot: Snapshot): string | null => priorityProblem(snapshot.context.fields)
export const selectIsNew = (snapshot: Snapshot): boolean => snapshot.context.entry === null
export const selectError = (snapshot: Snapshot): string | null => snapshot.context.error
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
/** The form asks whether to discard the typed text. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
/** The reason why the entry cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null => blockedReasonOf(snapshot.context.fields)
