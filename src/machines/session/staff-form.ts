import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { staffFormTexts, staffToasts } from '../../domain/session/dialog-toasts.ts'
import type { IssuedPassword, SavedStaff } from '../../domain/session/staff-calls.ts'
import {
  isSameStaffFields,
  type StaffFields,
  savedStaffOf,
  staffBlockedReason,
  staffFieldsOf,
} from '../../domain/session/staff-fields.ts'
import type { StaffMember } from '../../schemas/staff.ts'
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

/** `issued`: the one-time password of a new member, to be shown once. */
export type StaffFormOutput = ItemFormOutput & { issued: IssuedPassword | null }

export type StaffFormEvent = ItemFormEvent<StaffFields>

const { onDone, onError } = afterItemSave(staffToasts)

/** The form of a member of staff. */
export const staffFormMachine = setup({
  types: {
    context: {} as ItemFormContext<StaffMember, StaffFields> & { issued: IssuedPassword | null },
    events: {} as StaffFormEvent,
    input: {} as { item: StaffMember | null },
    output: {} as StaffFormOutput,
  },
  actors: {
    saveStaff: fromPromise<string | null, SavedStaff>(mustBeProvided('saveStaff')),
  },
  guards: {
    ...itemFormGuards,
    'is complete': ({ context }) => staffBlockedReason(context.fields) === null,
    'has no typed text': ({ context }) => isSameStaffFields(context.fields, staffFieldsOf(context.item)),
    'was issued a password': (_, { password }: { password: string | null }) => password !== null,
  },
  actions: {
    ...itemFormActions(() => staffFormTexts.perhapsAdded),
    'keep the password': assign({
      issued: ({ context }, { password }: { password: string | null }) =>
        password === null ? null : { email: context.fields.email.trim(), password },
    }),
  },
}).createMachine({
  id: 'staffForm',
  context: ({ input: { item } }) => ({ ...emptyItemForm, item, fields: staffFieldsOf(item), issued: null }),
  initial: 'editing',
  states: {
    editing: { on: editingItem },
    ...endingItemForm,
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveStaff',
        src: 'saveStaff',
        input: ({ context }) => savedStaffOf(context.item, context.fields),
        onDone: [
          {
            // The dialog shows the password, which says more than a toast.
            guard: { type: 'was issued a password', params: ({ event }) => ({ password: event.output }) },
            target: 'saved',
            actions: { type: 'keep the password', params: ({ event }) => ({ password: event.output }) },
          },
          ...onDone,
        ],
        onError,
      },
    },
  },
  output: ({ context: { isDismissed, mayHaveSaved, issued } }) => ({ isDismissed, mayHaveSaved, issued }),
})

/** The reason why the member cannot be saved; null if it can. */
export const selectBlockedReason = ({ context }: SnapshotFrom<typeof staffFormMachine>): string | null =>
  staffBlockedReason(context.fields)
