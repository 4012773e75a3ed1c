import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, sendTo, setup } from 'xstate'
import { newKey } from '../../domain/new-key.ts'
import { haveSameValues } from '../../domain/same-fields.ts'
import { type AttachedFile, inReplyForm } from '../../domain/send/attached-files.ts'
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
import { attachedFilesMachine } from './attached-files.ts'

/** `item`: the edited saved reply; null for a new one. */
type Input = { item: SavedReply | null; others: readonly SavedReply[] }

export type SavedReplyFormEvent = ItemFormEvent<SavedReplyFields>

/** The form of a saved reply. Its pictures are uploaded as soon as they are chosen, and join the reply when it is saved. */
export const savedReplyFormMachine = setup({
  types: {
    context: {} as Input & ItemFormContext<SavedReply, SavedReplyFields>,
    events: {} as SavedReplyFormEvent,
    input: {} as Input,
    output: {} as ItemFormOutput,
    children: {} as { pictures: 'pictures'; saveReply: 'saveReply' },
  },
  actors: {
    saveReply: fromPromise<void, ReplyToSave>(mustBeProvided('saveReply')),
    pictures: attachedFilesMachine,
  },
  guards: {
    ...itemFormGuards,
    'is complete': ({ context }) => blockedReasonOf(context.fields, context.others) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, fieldsOf(context.item)),
  },
  actions: {
    ...itemFormActions(() => savedReplyFormTexts.perhapsCreated),
    'keep the pictures': assign({
      fields: ({ context }, { pictures }: { pictures: readonly AttachedFile[] }) => ({ ...context.fields, pictures }),
    }),
    /** Deletes the uploads on the server. It refuses to delete what belongs to a saved reply. */
    'discard the pictures': sendTo('pictures', { type: 'conversation.gone', id: inReplyForm }),
  },
}).createMachine({
  id: 'savedReplyForm',
  context: ({ input }) => ({ ...emptyItemForm, ...input, fields: fieldsOf(input.item) }),
  invoke: {
    id: 'pictures',
    src: 'pictures',
    input: ({ context: { fields } }) => ({ userId: '', newKey, purpose: 'saved reply', files: fields.pictures }),
    onSnapshot: {
      actions: { type: 'keep the pictures', params: ({ event }) => ({ pictures: event.snapshot.context.files }) },
    },
  },
  initial: 'editing',
  states: {
    editing: { on: editingItem },
    ...endingItemForm,
    left: { type: 'final', entry: 'discard the pictures' },
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveReply',
        src: 'saveReply',
        input: ({ context: { item, fields } }) => ({ id: item?.id ?? null, body: bodyOf(fields, item) }),
        ...afterItemSave(savedReplyToasts),
      },
    },
  },
  output: ({ context: { isDismissed, mayHaveSaved } }) => ({ isDismissed, mayHaveSaved }),
})

type Snapshot = SnapshotFrom<typeof savedReplyFormMachine>

/** The pictures of the form; undefined once it has ended. */
export const selectPictures = (snapshot: Snapshot): ActorRefFrom<typeof attachedFilesMachine> | undefined =>
  snapshot.children.pictures
export const selectNameProblem = (snapshot: Snapshot): string | null =>
  nameProblem(snapshot.context.fields, snapshot.context.others)
/** The reason why the saved reply cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null =>
  blockedReasonOf(snapshot.context.fields, snapshot.context.others)
