import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { mayBeTemporary } from '../../domain/retries.ts'
import type { ReplyToSave } from '../../domain/send/saved-reply-calls.ts'
import {
  blockedReasonOf,
  bodyOf,
  fieldsOf,
  haveSameValues,
  nameProblem,
  type SavedReplyFields,
} from '../../domain/send/saved-reply-fields.ts'
import { savedReplyFormTexts, savedReplyToasts } from '../../domain/send/saved-reply-toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { askingToDiscard, type FormEnd, type FormOutput, leavingForm } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { afterFailedCreation } from '../on-failure.ts'
import { notify } from '../system.ts'

/** `mayHaveSaved`: the list may be stale. */
type SavedReplyFormOutput = FormOutput & { mayHaveSaved: boolean }

type Input = {
  /** The edited saved reply; null for a new one. */
  reply: SavedReply | null
  others: readonly SavedReply[]
}

type Context = Input & {
  fields: SavedReplyFields
  isDismissed: boolean
  mayHaveSaved: boolean
  /** The error of the last failed attempt. */
  error: string | null
}

export type SavedReplyFormEvent =
  | { type: 'fields.typed'; change: Partial<SavedReplyFields> }
  | { type: 'form.submitted' }
  | FormEnd

/** The form of a saved reply. Typed text survives every failure and is discarded only after the person confirms. */
export const savedReplyFormMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SavedReplyFormEvent,
    input: {} as Input,
    output: {} as SavedReplyFormOutput,
  },
  actors: { saveReply: fromPromise<void, ReplyToSave>(mustBeProvided('saveReply')) },
  guards: {
    'is complete': ({ context }) => blockedReasonOf(context.fields, context.others) === null,
    'has no typed text': ({ context }) => haveSameValues(context.fields, fieldsOf(context.reply)),
    'is new': ({ context }) => context.reply === null,
    'may have been created': ({ context }, { error }: { error: unknown }) =>
      context.reply === null && mayBeTemporary(error),
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the typed fields': assign({
      fields: ({ context }, { change }: { change: Partial<SavedReplyFields> }) => ({ ...context.fields, ...change }),
    }),
    'store the next target': assign({ isDismissed: (_, { isDismissed }: { isDismissed: boolean }) => isDismissed }),
    'store the attempt': assign({ isDismissed: false, mayHaveSaved: true, error: null }),
    'show the failure': assign({ error: (_, params: { error: unknown; own: ToastText }) => failureText(params) }),
    'show that the result is unknown': assign({ error: () => savedReplyFormTexts.perhapsCreated }),
  },
}).createMachine({
  id: 'savedReplyForm',
  context: ({ input }) => ({
    ...input,
    fields: fieldsOf(input.reply),
    isDismissed: false,
    mayHaveSaved: false,
    error: null,
  }),
  initial: 'editing',
  states: {
    editing: {
      on: {
        'fields.typed': { actions: { type: 'keep the typed fields', params: ({ event }) => event } },
        'form.submitted': { guard: 'is complete', target: 'saving' },
        ...leavingForm,
      },
    },
    leaving: askingToDiscard('left'),
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveReply',
        src: 'saveReply',
        input: ({ context: { reply, fields } }) => ({ id: reply?.id ?? null, body: bodyOf(fields) }),
        onDone: [
          { guard: 'is new', target: 'saved', actions: { type: 'notify', params: savedReplyToasts.created } },
          { target: 'saved', actions: { type: 'notify', params: savedReplyToasts.updated } },
        ],
        onError: afterFailedCreation('editing', savedReplyToasts.saveFailed),
      },
    },
    saved: { type: 'final' },
    left: { type: 'final' },
  },
  output: ({ context: { isDismissed, mayHaveSaved } }) => ({ isDismissed, mayHaveSaved }),
})

type Snapshot = SnapshotFrom<typeof savedReplyFormMachine>

export const selectFields = (snapshot: Snapshot): SavedReplyFields => snapshot.context.fields
export const selectNameProblem = (snapshot: Snapshot): string | null =>
  nameProblem(snapshot.context.fields, snapshot.context.others)
export const selectIsNew = (snapshot: Snapshot): boolean => snapshot.context.reply === null
export const selectError = (snapshot: Snapshot): string | null => snapshot.context.error
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
/** The form asks whether to discard the typed text. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
/** The reason why the saved reply cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null =>
  blockedReasonOf(snapshot.context.fields, snapshot.context.others)
