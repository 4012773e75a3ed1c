import type { SnapshotFrom } from 'xstate'
import { fromPromise, setup } from 'xstate'
import type { SavedLabel, SavedLabelAnswer } from '../../domain/list/label-calls.ts'
import {
  type LabelFields,
  labelBlockedReason,
  labelBodyOf,
  labelFieldsOf,
  labelKeywords,
} from '../../domain/list/label-fields.ts'
import { labelFormTexts, labelToasts } from '../../domain/list/label-toasts.ts'
import { haveSameValues } from '../../domain/same-fields.ts'
import type { Label } from '../../schemas/label.ts'
import {
  editingItem,
  emptyItemForm,
  endingItemForm,
  type ItemFormContext,
  type ItemFormEvent,
  itemFormActions,
  itemFormGuards,
} from '../item-forms.ts'
import { editingKeywords, type KeywordEvent, keywordActions, keywordGuards } from '../keyword-fields.ts'
import type { FormOutput } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { afterFailedCreation } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'

export type LabelFormEvent = KeywordEvent | ItemFormEvent<LabelFields>

/** The form of a label. */
export const labelFormMachine = setup({
  types: {
    context: {} as ItemFormContext<Label, LabelFields> & { before: LabelFields },
    events: {} as LabelFormEvent,
    /** `labels`: all that exist. */
    input: {} as { item: Label | null; labels: readonly Label[] },
    output: {} as FormOutput,
  },
  actors: { saveLabel: fromPromise<SavedLabelAnswer, SavedLabel>(mustBeProvided('saveLabel')) },
  guards: {
    ...itemFormGuards,
    ...keywordGuards(labelKeywords),
    'is complete': ({ context }) => labelBlockedReason(context.fields) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, context.before),
  },
  actions: {
    ...itemFormActions(() => labelFormTexts.perhapsCreated),
    tellSession,
    ...keywordActions(labelKeywords),
  },
}).createMachine({
  id: 'labelForm',
  context: ({ input: { item, labels } }) => {
    const fields = labelFieldsOf(item, labels)
    return { ...emptyItemForm, item, before: fields, fields }
  },
  initial: 'editing',
  states: {
    editing: {
      on: { ...editingItem, ...editingKeywords },
    },
    ...endingItemForm,
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveLabel',
        src: 'saveLabel',
        input: ({ context: { item, fields } }) => {
          const body = labelBodyOf(fields)
          if (body === null) throw new Error('saving starts with a form that is complete')
          return { id: item?.id ?? null, body }
        },
        onDone: {
          target: 'saved',
          actions: [
            { type: 'tellSession', params: ({ event }) => ({ type: 'labels.told', labels: event.output.labels }) },
            {
              type: 'notify',
              params: ({ context }) => (context.item === null ? labelToasts.created : labelToasts.updated),
            },
          ],
        },
        onError: afterFailedCreation('editing', labelToasts.saveFailed),
      },
    },
  },
  output: ({ context: { isDismissed } }) => ({ isDismissed }),
})

type Snapshot = SnapshotFrom<typeof labelFormMachine>

/** The reason why the typed keyword cannot be added; null if it can, or if none is typed. */
export const selectKeywordProblem = (snapshot: Snapshot): string | null =>
  labelKeywords.problem(snapshot.context.fields)
/** The reason why the label cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null => labelBlockedReason(snapshot.context.fields)
