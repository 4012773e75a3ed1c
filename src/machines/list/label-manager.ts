import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, sendTo, setup } from 'xstate'
import { labelToasts } from '../../domain/list/label-toasts.ts'
import type { Label, LabelUsage } from '../../schemas/label.ts'
import { afterDismissal, askingToDelete, formListGuards, type ListEvent, listLeadingTo } from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify, type System } from '../system.ts'
import { labelFormMachine } from './label-form.ts'
import type { labelsMachine } from './labels.ts'
import { selectLabels } from './labels.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    labelManager: typeof labelManagerMachine
  }
}

type Context = {
  /** The label to edit or delete; null for a new one. */
  item: Label | null
  /** How often the label is used; null until it is known. */
  usage: LabelUsage | null
}

const labelsIn = (system: System): readonly Label[] => {
  const actor: ActorRefFrom<typeof labelsMachine> | undefined = system.get('labels')
  return actor === undefined ? [] : selectLabels(actor.getSnapshot())
}

/** The dialog in which labels are created, changed and deleted. The machine `labels` owns the list. */
export const labelManagerMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ListEvent<Label>,
    children: {} as { labelForm: 'labelForm' },
  },
  actors: {
    labelForm: labelFormMachine,
    loadLabelUsage: fromPromise<LabelUsage, { id: string }>(mustBeProvided('loadLabelUsage')),
    deleteLabel: fromPromise<readonly Label[], { id: string }>(mustBeProvided('deleteLabel')),
  },
  guards: formListGuards,
  actions: {
    notify,
    tellSession,
    'notify failure': notifyFailure,
    'keep the item': assign({ item: (_, { item }: { item: Label | null }) => item, usage: null }),
    'keep the usage': assign({ usage: (_, { usage }: { usage: LabelUsage }) => usage }),
    'request close of the form': sendTo('labelForm', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'labelManager',
  context: { item: null, usage: null },
  initial: 'list',
  states: {
    list: listLeadingTo('dismissed'),
    form: {
      invoke: {
        id: 'labelForm',
        src: 'labelForm',
        input: ({ context, self }) => ({ item: context.item, labels: labelsIn(self.system) }),
        onDone: [afterDismissal('dismissed'), { target: 'list' }],
      },
      on: { 'dialog.dismissed': { actions: 'request close of the form' } },
    },
    /** The question says how often the label is used, as soon as that is known. */
    asking: {
      initial: 'counting',
      on: askingToDelete('deleting'),
      states: {
        counting: {
          invoke: {
            id: 'loadLabelUsage',
            src: 'loadLabelUsage',
            input: ({ context }) => ({ id: context.item?.id ?? '' }),
            onDone: {
              target: 'counted',
              actions: { type: 'keep the usage', params: ({ event }) => ({ usage: event.output }) },
            },
            onError: 'notCounted',
          },
        },
        counted: {},
        notCounted: {},
      },
    },
    deleting: {
      invoke: {
        id: 'deleteLabel',
        src: 'deleteLabel',
        input: ({ context }) => ({ id: context.item?.id ?? '' }),
        onDone: {
          target: 'list',
          actions: [
            { type: 'tellSession', params: ({ event }) => ({ type: 'labels.told', labels: event.output }) },
            { type: 'notify', params: labelToasts.deleted },
          ],
        },
        onError: {
          target: 'list',
          actions: [
            reportFailure(labelToasts.deleteFailed),
            // The label may have been deleted although the answer was lost.
            { type: 'tellSession', params: { type: 'labels.invalidated' } },
          ],
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type LabelManagerActor = ActorRefFrom<typeof labelManagerMachine>

type Snapshot = SnapshotFrom<typeof labelManagerMachine>

/** The open form; undefined while the list is shown. */
export const selectForm = (snapshot: Snapshot) => snapshot.children.labelForm
/** The label that the person edited or was asked to delete last; null for a new one. */
export const selectItem = (snapshot: Snapshot): Label | null => snapshot.context.item
/** The label whose deletion the person is asked to confirm; null if the question is not shown. */
export const selectAskedAbout = (snapshot: Snapshot): Label | null =>
  snapshot.matches('asking') || snapshot.matches('deleting') ? snapshot.context.item : null
export const selectUsage = (snapshot: Snapshot): LabelUsage | null => snapshot.context.usage
/** It is not known yet how often the label is used. */
export const selectIsCounting = (snapshot: Snapshot): boolean => snapshot.matches({ asking: 'counting' })
export const selectIsDeleting = (snapshot: Snapshot): boolean => snapshot.matches('deleting')
