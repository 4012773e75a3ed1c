import type { SnapshotFrom } from 'xstate'
import { fromPromise, setup } from 'xstate'
import { faqFormTexts, faqToasts } from '../../domain/faq/dialog-toasts.ts'
import type { SavedFaq } from '../../domain/faq/faq-calls.ts'
import {
  blockedReasonOf,
  bodyOf,
  type FaqFields,
  faqKeywords,
  fieldsOf,
  priorityProblem,
} from '../../domain/faq/faq-fields.ts'
import { haveSameValues } from '../../domain/same-fields.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import {
  afterItemSave,
  editingItem,
  emptyItemForm,
  endingItemForm,
  type ItemFormContext,
  type ItemFormEvent,
  type ItemFormOutput,
  itemFormActions,
  itemFormGuards,
} from '../item-forms.ts'
import { editingKeywords, type KeywordEvent, keywordActions, keywordGuards } from '../keyword-fields.ts'
import { mustBeProvided } from '../must-be-provided.ts'

type Context = ItemFormContext<FaqEntry, FaqFields>

export type FaqFormEvent = KeywordEvent | ItemFormEvent<FaqFields>

/** The form of a FAQ entry (spec sections 2 and 5). */
export const faqFormMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FaqFormEvent,
    input: {} as { item: FaqEntry | null },
    output: {} as ItemFormOutput,
  },
  actors: {
    saveFaq: fromPromise<void, SavedFaq>(mustBeProvided('saveFaq')),
  },
  guards: {
    ...itemFormGuards,
    ...keywordGuards(faqKeywords),
    'is complete': ({ context }) => blockedReasonOf(context.fields) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, fieldsOf(context.item)),
  },
  actions: {
    ...itemFormActions(() => faqFormTexts.perhapsCreated),
    ...keywordActions(faqKeywords),
  },
}).createMachine({
  id: 'faqForm',
  context: ({ input: { item } }) => ({ ...emptyItemForm, item, fields: fieldsOf(item) }),
  initial: 'editing',
  states: {
    editing: {
      on: { ...editingItem, ...editingKeywords },
    },
    ...endingItemForm,
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveFaq',
        src: 'saveFaq',
        input: ({ context }) => savedOf(context),
        ...afterItemSave(faqToasts),
      },
    },
  },
  output: ({ context: { isDismissed, mayHaveSaved } }) => ({ isDismissed, mayHaveSaved }),
})

const savedOf = ({ item, fields }: Context): SavedFaq => {
  const body = bodyOf(fields)
  if (body === null) throw new Error('saving starts with a form that is complete')
  return { id: item?.id ?? null, body }
}

type Snapshot = SnapshotFrom<typeof faqFormMachine>

/** The reason why the typed keyword cannot be added; null if it can, or if none is typed. */
export const selectKeywordProblem = (snapshot: Snapshot): string | null => faqKeywords.problem(snapshot.context.fields)
export const selectPriorityProblem = (snapshot: Snapshot): string | null => priorityProblem(snapshot.context.fields)
/** The reason why the entry cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null => blockedReasonOf(snapshot.context.fields)
