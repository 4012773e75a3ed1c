import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { staffToasts } from '../../domain/session/dialog-toasts.ts'
import type { IssuedPassword } from '../../domain/session/staff-calls.ts'
import type { StaffList, StaffMember } from '../../schemas/staff.ts'
import {
  afterDismissal,
  afterSaving,
  type FormListEvent,
  formListGuards,
  keepItem,
  toForm,
} from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'
import { type StaffFormOutput, staffFormMachine } from './staff-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    staff: typeof staffMachine
  }
}

type Context = Retries & {
  /** Null until the members are loaded. */
  staff: StaffList | null
  /** The member to edit, or whose password is reset or second factor removed; null for a new member. */
  item: StaffMember | null
  /** The one-time password while it is shown; null otherwise. */
  issued: IssuedPassword | null
}

export type StaffEvent =
  | { type: 'refetch.requested' }
  | { type: 'reset.requested'; item: StaffMember }
  | { type: 'reset.confirmed' }
  | { type: 'reset.cancelled' }
  | { type: 'factorRemoval.requested'; item: StaffMember }
  | { type: 'factorRemoval.confirmed' }
  | { type: 'factorRemoval.cancelled' }
  | { type: 'password.taken' }
  | FormListEvent<StaffMember>

const aboutSomebodyElse = {
  type: 'is somebody else' as const,
  params: ({ event }: { event: { item: StaffMember } }) => event,
}

/** The dialog of the members of staff, for administrators. */
export const staffMachine = setup({
  types: {
    context: {} as Context,
    events: {} as StaffEvent | { type: 'staff.invalidated' },
    children: {} as { staffForm: 'staffForm' },
  },
  actors: {
    staffForm: staffFormMachine,
    loadStaff: fromPromise<StaffList>(mustBeProvided('loadStaff')),
    resetPassword: fromPromise<string, { id: string }>(mustBeProvided('resetPassword')),
    removeSecondFactor: fromPromise<void, { id: string }>(mustBeProvided('removeSecondFactor')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    ...formListGuards,
    'is somebody else': ({ context }, { item }: { item: StaffMember }) => item.id !== context.staff?.own_id,
    'was issued a password': (_, { issued }: StaffFormOutput) => issued !== null,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the staff': assign((_, { staff }: { staff: StaffList }) => ({ staff, ...noRetries })),
    'keep the item': assign({ item: (_, { item }: { item: StaffMember | null }) => item }),
    'keep the issued password': assign({ issued: (_, { issued }: { issued: IssuedPassword | null }) => issued }),
    'keep the new password': assign({
      issued: ({ context }, { password }: { password: string }) => ({ email: context.item?.email ?? '', password }),
    }),
    'forget the password': assign({ issued: null }),
    'invalidate the staff': raise({ type: 'staff.invalidated' }),
    'request close of the form': sendTo('staffForm', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'staff',
  context: { staff: null, item: null, issued: null, ...noRetries },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        members: {
          initial: 'loading',
          on: { 'staff.invalidated': '.loading' },
          states: {
            loading: {
              invoke: {
                id: 'loadStaff',
                src: 'loadStaff',
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the staff', params: ({ event }) => ({ staff: event.output }) },
                },
                onError: afterFailedRead(staffToasts.failed),
              },
            },
            showing: { on: { 'refetch.requested': 'loading' } },
            /** The earlier members stay. */
            failed: failedRead('#staff.open.members.loading'),
          },
        },
        work: {
          initial: 'list',
          states: {
            list: {
              on: {
                ...toForm,
                'reset.requested': { guard: aboutSomebodyElse, target: 'askingToReset', actions: keepItem },
                'factorRemoval.requested': {
                  guard: aboutSomebodyElse,
                  target: 'askingToRemoveFactor',
                  actions: keepItem,
                },
                'dialog.dismissed': '#staff.dismissed',
              },
            },
            form: {
              invoke: {
                id: 'staffForm',
                src: 'staffForm',
                input: ({ context }) => ({ item: context.item }),
                onDone: [
                  afterDismissal('#staff.dismissed'),
                  {
                    guard: { type: 'was issued a password', params: ({ event }) => event.output },
                    target: 'showingPassword',
                    actions: [
                      { type: 'keep the issued password', params: ({ event }) => event.output },
                      'invalidate the staff',
                    ],
                  },
                  ...afterSaving('invalidate the staff'),
                ],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the form' } },
            },
            askingToReset: {
              on: { 'reset.confirmed': 'resetting', 'reset.cancelled': 'list', 'dialog.dismissed': 'list' },
            },
            resetting: {
              invoke: {
                id: 'resetPassword',
                src: 'resetPassword',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: {
                  target: 'showingPassword',
                  actions: { type: 'keep the new password', params: ({ event }) => ({ password: event.output }) },
                },
                onError: { target: 'list', actions: reportFailure(staffToasts.resetFailed) },
              },
            },
            askingToRemoveFactor: {
              on: {
                'factorRemoval.confirmed': 'removingFactor',
                'factorRemoval.cancelled': 'list',
                'dialog.dismissed': 'list',
              },
            },
            removingFactor: {
              invoke: {
                id: 'removeSecondFactor',
                src: 'removeSecondFactor',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: {
                  target: 'list',
                  actions: [{ type: 'notify', params: staffToasts.factorRemoved }, 'invalidate the staff'],
                },
                onError: {
                  target: 'list',
                  actions: [
                    reportFailure(staffToasts.factorNotRemoved),
                    // The factor may have been removed although the answer was lost.
                    'invalidate the staff',
                  ],
                },
              },
            },
            /** Ignores a dismissal: the password cannot be shown a second time. */
            showingPassword: {
              on: { 'password.taken': { target: 'list', actions: 'forget the password' } },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type StaffActor = ActorRefFrom<typeof staffMachine>

type Snapshot = SnapshotFrom<typeof staffMachine>

/** The open form; undefined while the list is shown. */
export const selectStaffForm = (snapshot: Snapshot) => snapshot.children.staffForm
/** Null until they are loaded. */
export const selectStaff = (snapshot: Snapshot): readonly StaffMember[] | null => snapshot.context.staff?.staff ?? null
/** Whether the server keeps the passwords; true until it is known. */
export const selectManagesPasswords = (snapshot: Snapshot): boolean => snapshot.context.staff?.manages_passwords ?? true
/** The member who uses the dialog: the server refuses to reset the own password or second factor here. */
export const selectOwnId = (snapshot: Snapshot): string | null => snapshot.context.staff?.own_id ?? null
/** The member of the last edit, reset or removal of a factor; null for a new one. */
export const selectStaffItem = (snapshot: Snapshot): StaffMember | null => snapshot.context.item
export const selectStaffHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { members: 'failed' } })
export const selectStaffAreLoading = (snapshot: Snapshot): boolean => snapshot.matches({ open: { members: 'loading' } })
/** The member whose password the person is asked to reset; null if the question is not shown. */
export const selectAskedToReset = (snapshot: Snapshot): StaffMember | null =>
  snapshot.matches({ open: { work: 'askingToReset' } }) || snapshot.matches({ open: { work: 'resetting' } })
    ? snapshot.context.item
    : null
export const selectIsResetting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'resetting' } })
/** The member whose second factor the person is asked to remove; null if the question is not shown. */
export const selectAskedToRemoveFactor = (snapshot: Snapshot): StaffMember | null =>
  snapshot.matches({ open: { work: 'askingToRemoveFactor' } }) || selectIsRemovingFactor(snapshot)
    ? snapshot.context.item
    : null
export const selectIsRemovingFactor = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { work: 'removingFactor' } })
/** The one-time password to show; null if none is shown. */
export const selectIssuedPassword = (snapshot: Snapshot): IssuedPassword | null => snapshot.context.issued
