import type { SnapshotFrom } from 'xstate'
import { fromPromise, setup } from 'xstate'
import { faqFormTexts, faqToasts } from '../../domain/faq/dialog-toasts.ts'
import type { SavedFaq, UnsavedFaq } from '../../domain/faq/faq-calls.ts'
import type { FaqConflict } from '../../domain/faq/faq-conflicts.ts'
import {
  blockedReasonOf,
  bodyOf,
  conflictsOfFields,
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

type Context = ItemFormContext<FaqEntry, FaqFields> & {
  /** All entries, which the typed one may conflict with. */
  entries: readonly FaqEntry[]
}

export type FaqFormEvent = KeywordEvent | ItemFormEvent<FaqFields>

/** The form of a FAQ entry (spec sections 2 and 5). */
export const faqFormMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FaqFormEvent,
    input: {} as { item: FaqEntry | null; entries: readonly FaqEntry[] },
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
  context: ({ input: { item, entries } }) => ({ ...emptyItemForm, item, entries, fields: fieldsOf(item) }),
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
  const body = bodyOf(fields, item)
  if (body === null) throw new Error('saving starts with a form that is complete')
  return { id: item?.id ?? null, body }
}

type Snapshot = SnapshotFrom<typeof faqFormMachine>

/** The reason why the typed keyword cannot be added; null if it can, or if none is typed. */
export const selectKeywordProblem = (snapshot: Snapshot): string | null => faqKeywords.problem(snapshot.context.fields)
export const selectPriorityProblem = (snapshot: Snapshot): string | null => priorityProblem(snapshot.context.fields)
/** The reason why the entry cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null => blockedReasonOf(snapshot.context.fields)

const conflicts = new WeakMap<FaqFields, readonly FaqConflict[]>()

/** The questions that another entry answers too. The array stays the same until a field changes. */
export function selectConflicts({ context: { fields, item, entries } }: Snapshot): readonly FaqConflict[] {
  const known = conflicts.get(fields) ?? conflictsOfFields(fields, item, entries)
  conflicts.set(fields, known)
  return known
}

/** The typed entry for a dry run; null if it is not complete, or if nothing was changed. */
export const unsavedIn = ({ context: { fields, item } }: Snapshot): UnsavedFaq | null => {
  const body = haveSameValues(fields, fieldsOf(item)) ? null : bodyOf(fields, item)
  return body && { ...body, id: item?.id ?? null }
}

export const selectHasUnsaved = (snapshot: Snapshot): boolean => unsavedIn(snapshot) !== null
