import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { mayBeTemporary } from '../../domain/retries.ts'
import { staffFormTexts, staffToasts } from '../../domain/session/dialog-toasts.ts'
import type { IssuedPassword, SavedStaff } from '../../domain/session/staff-calls.ts'
import {
  isSameStaffFields,
  type StaffFields,
  savedStaffOf,
  staffBlockedReason,
  staffFieldsOf,
} from '../../domain/session/staff-fields.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { StaffMember } from '../../schemas/staff.ts'
import { askingToDiscard, type FormEnd, type FormOutput, leavingForm } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { afterFailedCreation } from '../on-failure.ts'
import { notify } from '../system.ts'

/** `mayHaveSaved`: the list may be stale. `issued`: the one-time password of a new member, to be shown once. */
export type StaffFormOutput = FormOutput & { mayHaveSaved: boolean; issued: IssuedPassword | null }

type Context = {
  /** The edited member; null for a new one. */
  member: StaffMember | null
  fields: StaffFields
  isDismissed: boolean
  mayHaveSaved: boolean
  issued: IssuedPassword | null
  /** The error of the last failed attempt. */
  error: string | null
}

export type StaffFormEvent =
  | { type: 'fields.typed'; change: Partial<StaffFields> }
  | { type: 'form.submitted' }
  | FormEnd

/** The form of a member of staff. Typed text survives every failure. */
export const staffFormMachine = setup({
  types: {
    context: {} as Context,
    events: {} as StaffFormEvent,
    input: {} as { member: StaffMember | null },
    output: {} as StaffFormOutput,
  },
  actors: {
    saveStaff: fromPromise<string | null, SavedStaff>(mustBeProvided('saveStaff')),
  },
  guards: {
    'is complete': ({ context }) => staffBlockedReason(context.fields) === null,
    'has no typed text': ({ context }) => isSameStaffFields(context.fields, staffFieldsOf(context.member)),
    'was issued a password': (_, { password }: { password: string | null }) => password !== null,
    'is new': ({ context }) => context.member === null,
    'may have been created': ({ context }, { error }: { error: unknown }) =>
      context.member === null && mayBeTemporary(error),
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the typed fields': assign({
      fields: ({ context }, { change }: { change: Partial<StaffFields> }) => ({ ...context.fields, ...change }),
    }),
    'store the next target': assign({ isDismissed: (_, { isDismissed }: { isDismissed: boolean }) => isDismissed }),
    'store the attempt': assign({ isDismissed: false, mayHaveSaved: true, error: null }),
    'keep the password': assign({
      issued: ({ context }, { password }: { password: string | null }) =>
        password === null ? null : { email: context.fields.email.trim(), password },
    }),
    'show the failure': assign({
      error: (_, params: { error: unknown; own: ToastText }) => failureText(params),
    }),
    'show that the result is unknown': assign({ error: () => staffFormTexts.perhapsAdded }),
  },
}).createMachine({
  id: 'staffForm',
  context: ({ input }) => ({
    member: input.member,
    fields: staffFieldsOf(input.member),
    isDismissed: false,
    mayHaveSaved: false,
    issued: null,
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
        id: 'saveStaff',
        src: 'saveStaff',
        input: ({ context }) => savedStaffOf(context.member, context.fields),
        onDone: [
          {
            // The dialog shows the password, which says more than a toast.
            guard: { type: 'was issued a password', params: ({ event }) => ({ password: event.output }) },
            target: 'saved',
            actions: { type: 'keep the password', params: ({ event }) => ({ password: event.output }) },
          },
          { guard: 'is new', target: 'saved', actions: { type: 'notify', params: staffToasts.added } },
          { target: 'saved', actions: { type: 'notify', params: staffToasts.updated } },
        ],
        onError: afterFailedCreation('editing', staffToasts.saveFailed),
      },
    },
    saved: { type: 'final' },
    left: { type: 'final' },
  },
  output: ({ context: { isDismissed, mayHaveSaved, issued } }) => ({ isDismissed, mayHaveSaved, issued }),
})

type Snapshot = SnapshotFrom<typeof staffFormMachine>

export const selectStaffFields = (snapshot: Snapshot): StaffFields => snapshot.context.fields
export const selectStaffIsNew = (snapshot: Snapshot): boolean => snapshot.context.member === null
export const selectStaffError = (snapshot: Snapshot): string | null => snapshot.context.error
export const selectStaffIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
/** The form asks whether to discard the typed text. */
export const selectStaffAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
/** The reason why the member cannot be saved; null if it can. */
export const selectStaffBlockedReason = (snapshot: Snapshot): string | null =>
  staffBlockedReason(snapshot.context.fields)
