import type { ActorLogic, ActorRefFrom, AnyActorLogic, PromiseActorLogic, Snapshot, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { noRetries, type Retries } from '../domain/retries.ts'
import type { ToastText } from '../domain/toast.ts'
import type { ItemFormOutput } from './item-forms.ts'
import {
  afterDismissal,
  afterSaving,
  askingToDelete,
  formListGuards,
  type ListEvent,
  listLeadingTo,
} from './lists-with-forms.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { reportFailure } from './on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from './reading.ts'
import { notify } from './system.ts'

type Identified = { id: string }

/** `item`: the edited item; null for a new one. `others`: the other items of the list. */
type FormInput<Item> = { item: Item | null; others: readonly Item[] }

/** The form of an item as the manager uses it. */
type FormLogic<Item> = ActorLogic<Snapshot<ItemFormOutput>, { type: 'dialog.dismissed' }, FormInput<Item>>

type Context<Item> = Retries & {
  /** In the order of the server. Null until they are loaded. */
  items: readonly Item[] | null
  /** The item to edit or delete; null for a new one. */
  item: Item | null
}

type Parts<Form> = {
  id: string
  form: Form
  toasts: Record<'failed' | 'deleted' | 'deleteFailed', ToastText>
}

/** A dialog with a list of items that it loads itself, and a form to create and edit one. */
export function itemManager<Item extends Identified, Form extends AnyActorLogic>({ id, form, toasts }: Parts<Form>) {
  // A form accepts more events than the manager sends, and its snapshot has more than the output.
  const asForm = (logic: Form) => logic as unknown as FormLogic<Item>
  const machine = setup({
    types: {
      context: {} as Context<Item>,
      events: {} as { type: 'refetch.requested' } | ListEvent<Item> | { type: 'items.invalidated' },
      children: {} as { itemForm: 'itemForm' },
    },
    actors: {
      itemForm: asForm(form),
      loadItems: fromPromise<readonly Item[]>(mustBeProvided('loadItems')),
      deleteItem: fromPromise<void, Identified>(mustBeProvided('deleteItem')),
    },
    delays: readingDelays,
    guards: { ...readingGuards, ...formListGuards },
    actions: {
      notify,
      ...readingActions,
      'keep the items': assign((_, { items }: { items: readonly Item[] }) => ({ items, ...noRetries })),
      'keep the item': assign({ item: (_, { item }: { item: Item | null }) => item }),
      'remove the item from the list': assign({
        items: ({ context }) => context.items?.filter((item) => item.id !== context.item?.id) ?? null,
      }),
      'invalidate the items': raise({ type: 'items.invalidated' }),
      'request close of the form': sendTo('itemForm', { type: 'dialog.dismissed' }),
    },
  }).createMachine({
    id,
    context: { items: null, item: null, ...noRetries },
    initial: 'open',
    states: {
      open: {
        type: 'parallel',
        states: {
          list: {
            initial: 'loading',
            on: { 'items.invalidated': '.loading' },
            states: {
              loading: {
                invoke: {
                  id: 'loadItems',
                  src: 'loadItems',
                  onDone: {
                    target: 'showing',
                    actions: { type: 'keep the items', params: ({ event }) => ({ items: event.output }) },
                  },
                  onError: afterFailedRead(toasts.failed),
                },
              },
              showing: {},
              /** The earlier items stay. */
              failed: failedRead(`#${id}.open.list.loading`),
            },
          },
          work: {
            initial: 'list',
            states: {
              list: listLeadingTo(`#${id}.dismissed`),
              form: {
                invoke: {
                  id: 'itemForm',
                  src: 'itemForm',
                  input: ({ context: { item, items } }) => ({
                    item,
                    others: (items ?? []).filter((other) => other.id !== item?.id),
                  }),
                  onDone: [afterDismissal(`#${id}.dismissed`), ...afterSaving('invalidate the items')],
                },
                on: { 'dialog.dismissed': { actions: 'request close of the form' } },
              },
              asking: { on: askingToDelete('deleting') },
              deleting: {
                invoke: {
                  id: 'deleteItem',
                  src: 'deleteItem',
                  input: ({ context }) => ({ id: context.item?.id ?? '' }),
                  onDone: {
                    target: 'list',
                    actions: [
                      'remove the item from the list',
                      { type: 'notify', params: toasts.deleted },
                      'invalidate the items',
                    ],
                  },
                  onError: {
                    target: 'list',
                    // The item may have been deleted although the answer was lost.
                    actions: [reportFailure(toasts.deleteFailed), 'invalidate the items'],
                  },
                },
              },
            },
          },
        },
      },
      dismissed: { type: 'final' },
    },
  })

  type Manager = SnapshotFrom<typeof machine>

  return {
    machine,
    /** The machine with its calls, and the form with its own. */
    provide: ({
      itemForm,
      ...calls
    }: {
      itemForm: Form
      loadItems: PromiseActorLogic<readonly Item[]>
      deleteItem: PromiseActorLogic<void, Identified>
    }) => machine.provide({ actors: { itemForm: asForm(itemForm), ...calls } }),
    /** The open form; undefined while the list is shown. */
    selectForm: (snapshot: Manager) => snapshot.children.itemForm as ActorRefFrom<Form> | undefined,
    /** Null until they are loaded. */
    selectItems: (snapshot: Manager): readonly Item[] | null => snapshot.context.items,
    /** The item that the person edited or was asked to delete last; null for a new one. */
    selectItem: (snapshot: Manager): Item | null => snapshot.context.item,
    selectHaveFailed: (snapshot: Manager): boolean => snapshot.matches({ open: { list: 'failed' } }),
    /** The item whose deletion the person is asked to confirm; null if the question is not shown. */
    selectAskedAbout: (snapshot: Manager): Item | null =>
      snapshot.matches({ open: { work: 'asking' } }) || snapshot.matches({ open: { work: 'deleting' } })
        ? snapshot.context.item
        : null,
    selectIsDeleting: (snapshot: Manager): boolean => snapshot.matches({ open: { work: 'deleting' } }),
  }
}
