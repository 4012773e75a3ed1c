import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { SavedLabel, SavedLabelAnswer } from '../../domain/list/label-calls.ts'
import {
  hasNewLabelKeyword,
  haveSameLabelFields,
  type LabelFields,
  labelBlockedReason,
  labelBodyOf,
  labelFieldsOf,
  labelKeywordProblem,
  withLabelKeyword,
} from '../../domain/list/label-fields.ts'
import { labelFormTexts, labelToasts } from '../../domain/list/label-toasts.ts'
import { mayBeTemporary } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { Label } from '../../schemas/label.ts'
import { askingToDiscard, type FormEnd, type FormOutput, leavingForm } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { afterFailedCreation } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

type Context = {
  /** The edited label; null for a new one. */
  label: Label | null
  before: LabelFields
  fields: LabelFields
  isDismissed: boolean
  /** The error of the last failed attempt. */
  error: string | null
}

export type LabelFormEvent =
  | { type: 'fields.typed'; change: Partial<LabelFields> }
  | { type: 'keyword.added' }
  | { type: 'keyword.removed'; keyword: string }
  | { type: 'form.submitted' }
  | FormEnd

/** The form of a label. Typed text survives every failure and is discarded only after the person confirms. */
export const labelFormMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LabelFormEvent,
    /** `labels`: all that exist. */
    input: {} as { label: Label | null; labels: readonly Label[] },
    output: {} as FormOutput,
  },
  actors: { saveLabel: fromPromise<SavedLabelAnswer, SavedLabel>(mustBeProvided('saveLabel')) },
  guards: {
    'has a new keyword': ({ context }) => hasNewLabelKeyword(context.fields),
    'is complete': ({ context }) => labelBlockedReason(context.fields) === null,
    'has no typed text': ({ context }) => haveSameLabelFields(context.fields, context.before),
    'may have been created': ({ context }, { error }: { error: unknown }) =>
      context.label === null && mayBeTemporary(error),
  },
  actions: {
    notify,
    tellSession,
    'notify failure': notifyFailure,
    'keep the typed fields': assign({
      fields: ({ context }, { change }: { change: Partial<LabelFields> }) => ({ ...context.fields, ...change }),
    }),
    'add the keyword': assign({ fields: ({ context }) => withLabelKeyword(context.fields) }),
    'remove the keyword': assign({
      fields: ({ context: { fields } }, { keyword }: { keyword: string }) => ({
        ...fields,
        keywords: fields.keywords.filter((one) => one !== keyword),
      }),
    }),
    'store the next target': assign({ isDismissed: (_, { isDismissed }: { isDismissed: boolean }) => isDismissed }),
    'store the attempt': assign({ isDismissed: false, error: null }),
    'show the failure': assign({ error: (_, params: { error: unknown; own: ToastText }) => failureText(params) }),
    'show that the result is unknown': assign({ error: () => labelFormTexts.perhapsCreated }),
  },
}).createMachine({
  id: 'labelForm',
  context: ({ input: { label, labels } }) => {
    const fields = labelFieldsOf(label, labels)
    return { label, before: fields, fields, isDismissed: false, error: null }
  },
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
        id: 'saveLabel',
        src: 'saveLabel',
        input: ({ context: { label, fields } }) => {
          const body = labelBodyOf(fields)
          if (body === null) throw new Error('saving starts with a form that is complete')
          return { id: label?.id ?? null, body }
        },
        onDone: {
          target: 'saved',
          actions: [
            { type: 'tellSession', params: ({ event }) => ({ type: 'labels.told', labels: event.output.labels }) },
            {
              type: 'notify',
              params: ({ context }) => (context.label === null ? labelToasts.created : labelToasts.updated),
            },
          ],
        },
        onError: afterFailedCreation('editing', labelToasts.saveFailed),
      },
    },
    saved: { type: 'final' },
    left: { type: 'final' },
  },
  output: ({ context: { isDismissed } }) => ({ isDismissed }),
})

type Snapshot = SnapshotFrom<typeof labelFormMachine>

export const selectFields = (snapshot: Snapshot): LabelFields => snapshot.context.fields
/** The reason why the typed keyword cannot be added; null if it can, or if none is typed. */
export const selectKeywordProblem = (snapshot: Snapshot): string | null => labelKeywordProblem(snapshot.context.fields)
export const selectMayAddKeyword = (snapshot: Snapshot): boolean => snapshot.can({ type: 'keyword.added' })
export const selectIsNew = (snapshot: Snapshot): boolean => snapshot.context.label === null
export const selectError = (snapshot: Snapshot): string | null => snapshot.context.error
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
/** The form asks whether to discard the typed text. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
/** The reason why the label cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null => labelBlockedReason(snapshot.context.fields)
