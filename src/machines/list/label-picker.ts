import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientLabelsRequest, SavedLabel, SavedLabelAnswer } from '../../domain/list/label-calls.ts'
import { labelToasts } from '../../domain/list/label-toasts.ts'
import {
  changeOf,
  freeColour,
  isNewName,
  type LabelChoices,
  labelUseIn,
  withToggled,
} from '../../domain/list/label-use.ts'
import { rowById } from '../../domain/list/records.ts'
import type { Label } from '../../schemas/label.ts'
import type { ClientLabels } from '../../schemas/labels-of-row.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { createSendAction, type System } from '../system.ts'
import { recordsIn } from './records.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    labels: typeof labelPickerMachine
  }
}

/** Conversations, as row ids, or a client with its labels. */
export type LabelTarget = { ids: readonly string[] } | { clientId: string; labelIds: readonly string[] }

type Context = { target: LabelTarget; choices: LabelChoices; draft: SavedLabel['body'] | null }

export type LabelPickerEvent =
  | { type: 'label.toggled'; id: string }
  /** `labels`: all that exist. */
  | { type: 'label.created'; name: string; labels: readonly Label[] }
  /** Saves the labels of a client again, after a failure. */
  | { type: 'change.retried' }
  | { type: 'dialog.dismissed' }

/** The label ids of each conversation, or of the client. */
const rowsOf = (system: System, target: LabelTarget): (readonly string[])[] =>
  'clientId' in target
    ? [target.labelIds]
    : target.ids.map((id) => rowById(recordsIn(system), id)?.state?.label_ids ?? [])

const requestChange = createSendAction<Context>(({ target, choices }, { system, self }) => {
  const labels = changeOf(choices)
  if ('clientId' in target || labels === null) return []
  const event = { type: 'change.requested', ids: target.ids, decision: { labels } }
  return [{ to: system.get('session') ?? self, event }]
})

/**
 * The dialog in which labels are put on conversations or a client and taken off. What was chosen is applied when the
 * dialog closes, as one change. Conversations show the change at once (`stateChanges`); for a client the dialog waits for
 * the answer.
 */
export const labelPickerMachine = setup({
  types: { context: {} as Context, events: {} as LabelPickerEvent, input: {} as LabelTarget },
  actors: {
    createLabel: fromPromise<SavedLabelAnswer, SavedLabel>(mustBeProvided('createLabel')),
    changeClientLabels: fromPromise<ClientLabels, ClientLabelsRequest>(mustBeProvided('changeClientLabels')),
  },
  guards: {
    'is a new name': (_, { name, labels }: { name: string; labels: readonly Label[] }) => isNewName(labels, name),
    'changes a client': ({ context: { target, choices } }) => 'clientId' in target && changeOf(choices) !== null,
  },
  actions: {
    tellSession,
    'notify failure': notifyFailure,
    'request the change': requestChange,
    toggle: assign({
      choices: ({ context: { target, choices }, system }, { id }: { id: string }) =>
        withToggled(choices, id, labelUseIn(rowsOf(system, target), id)),
    }),
    'keep the draft': assign({
      draft: (_, { name, labels }: { name: string; labels: readonly Label[] }) => ({
        name: name.trim(),
        colour: freeColour(labels),
        keywords: [],
      }),
    }),
  },
}).createMachine({
  id: 'labelPicker',
  context: ({ input }) => ({ target: input, choices: {}, draft: null }),
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        'label.toggled': { actions: { type: 'toggle', params: ({ event }) => event } },
        'label.created': {
          guard: { type: 'is a new name', params: ({ event }) => event },
          target: 'creating',
          actions: { type: 'keep the draft', params: ({ event }) => event },
        },
        'dialog.dismissed': [{ guard: 'changes a client', target: 'saving' }, { target: 'closed' }],
      },
    },
    /** The new label is chosen too. */
    creating: {
      invoke: {
        id: 'createLabel',
        src: 'createLabel',
        input: ({ context: { draft } }) => {
          if (draft === null) throw new Error('a label is created because its name was typed')
          return { id: null, body: draft }
        },
        onDone: {
          target: 'choosing',
          actions: [
            {
              type: 'tellSession',
              params: ({ event }) => ({ type: 'labels.told', labels: event.output.labels }),
            },
            { type: 'toggle', params: ({ event }) => ({ id: event.output.id }) },
          ],
        },
        onError: {
          target: 'choosing',
          // The label may have been created although the answer was lost.
          actions: [
            reportFailure(labelToasts.saveFailed),
            { type: 'tellSession', params: { type: 'labels.invalidated' } },
          ],
        },
      },
      on: { 'label.toggled': { actions: { type: 'toggle', params: ({ event }) => event } } },
    },
    saving: {
      invoke: {
        id: 'changeClientLabels',
        src: 'changeClientLabels',
        input: ({ context: { target, choices } }) => {
          const change = changeOf(choices)
          if (!('clientId' in target) || change === null)
            throw new Error('labels of a client are saved if they changed')
          return { clientId: target.clientId, change }
        },
        onDone: {
          target: 'closed',
          actions: {
            type: 'tellSession',
            params: ({ context: { target }, event }) => ({
              type: 'clientLabels.told',
              clientId: 'clientId' in target ? target.clientId : '',
              labels: event.output,
            }),
          },
        },
        // What was chosen stays. The next dismissal leaves without a change.
        onError: { target: 'failed', actions: reportFailure(labelToasts.changeFailed) },
      },
    },
    failed: {
      on: {
        'label.toggled': { target: 'choosing', actions: { type: 'toggle', params: ({ event }) => event } },
        'change.retried': 'saving',
        'dialog.dismissed': 'left',
      },
    },
    left: { type: 'final' },
    closed: { type: 'final', entry: { type: 'request the change', params: ({ context }) => context } },
  },
})

type Snapshot = SnapshotFrom<typeof labelPickerMachine>

export const selectTarget = (snapshot: Snapshot): LabelTarget => snapshot.context.target
export const selectChoices = (snapshot: Snapshot): LabelChoices => snapshot.context.choices
export const selectIsCreating = (snapshot: Snapshot): boolean => snapshot.matches('creating')
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
/** The labels of a client could not be saved. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
