import type { SnapshotFrom } from 'xstate'
import { fromPromise, setup } from 'xstate'
import { haveSameValues } from '../../domain/same-fields.ts'
import type { ReplyToSave } from '../../domain/send/saved-reply-calls.ts'
import {
  blockedReasonOf,
  bodyOf,
  fieldsOf,
  nameProblem,
  type SavedReplyFields,
} from '../../domain/send/saved-reply-fields.ts'
import { savedReplyFormTexts, savedReplyToasts } from '../../domain/send/saved-reply-toasts.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
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
import { mustBeProvided } from '../must-be-provided.ts'

/** `item`: the edited saved reply; null for a new one. */
type Input = { item: SavedReply | null; others: readonly SavedReply[] }

export type SavedReplyFormEvent = ItemFormEvent<SavedReplyFields>

/** The form of a saved reply. */
export const savedReplyFormMachine = setup({
  types: {
    context: {} as Input & ItemFormContext<SavedReply, SavedReplyFields>,
    events: {} as SavedReplyFormEvent,
    input: {} as Input,
    output: {} as ItemFormOutput,
  },
  actors: { saveReply: fromPromise<void, ReplyToSave>(mustBeProvided('saveReply')) },
  guards: {
    ...itemFormGuards,
    'is complete': ({ context }) => blockedReasonOf(context.fields, context.others) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, fieldsOf(context.item)),
  },
  actions: itemFormActions(() => savedReplyFormTexts.perhapsCreated),
}).createMachine({
  id: 'savedReplyForm',
  context: ({ input }) => ({ ...emptyItemForm, ...input, fields: fieldsOf(input.item) }),
  initial: 'editing',
  states: {
    editing: { on: editingItem },
    ...endingItemForm,
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveReply',
        src: 'saveReply',
        input: ({ context: { item, fields } }) => ({ id: item?.id ?? null, body: bodyOf(fields) }),
        ...afterItemSave(savedReplyToasts),
      },
    },
  },
  output: ({ context: { isDismissed, mayHaveSaved } }) => ({ isDismissed, mayHaveSaved }),
})

type Snapshot = SnapshotFrom<typeof savedReplyFormMachine>

export const selectNameProblem = (snapshot: Snapshot): string | null =>
  nameProblem(snapshot.context.fields, snapshot.context.others)
/** The reason why the saved reply cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null =>
  blockedReasonOf(snapshot.context.fields, snapshot.context.others)
