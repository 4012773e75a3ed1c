import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientEditRequest, ClientRequestById } from '../../domain/client/client-calls.ts'
import {
  type ClientFieldName,
  type ClientFields,
  clientFieldProblems,
  comparedWith,
  editBlockedReason,
  editBodyOf,
  type FieldChange,
  fieldsOfClient,
  isSameClientFields,
} from '../../domain/client/client-fields.ts'
import { editToasts } from '../../domain/client/dialog-toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { Client } from '../../schemas/client.ts'
import { askingToDiscard, type FormEnd } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText } from '../notify-failure.ts'
import { showFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'
import { changedMeanwhile } from './client-changes.ts'
import { clientsIn, tellClients } from './clients.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    editClient: typeof editClientMachine
  }
}

type Context = ClientRequestById &
  Retries & {
    /** The client that the form began with; null until it is loaded. */
    base: Client | null
    fields: ClientFields
    /** What somebody else changed since the form began. */
    changes: readonly FieldChange[]
    /** The error of the last failed attempt. */
    error: string | null
    /** The number of the last link when the answer was requested. */
    askedAsOf: number
  }

export type EditClientEvent =
  | { type: 'fields.typed'; fields: ClientFields }
  /** The person chooses between two values of a field. */
  | { type: 'value.chosen'; field: ClientFieldName; value: string }
  | { type: 'form.submitted' }
  | { type: 'refetch.requested' }
  | FormEnd

const noFields: ClientFields = { firstName: '', lastName: '', email: '', phone: '', company: '', classification: '' }

/**
 * The form that edits a client. If somebody else saved the client meanwhile, nothing is overwritten: the form shows what they
 * changed, and the person decides and saves again.
 */
export const editClientMachine = setup({
  types: { context: {} as Context, events: {} as EditClientEvent, input: {} as ClientRequestById },
  actors: {
    loadClient: fromPromise<Client, ClientRequestById>(mustBeProvided('loadClient')),
    editClient: fromPromise<Client, ClientEditRequest>(mustBeProvided('editClient')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'can be saved': ({ context }) => editBlockedReason(context.fields) === null,
    'has no typed text': ({ context: { base, fields } }) =>
      base === null || isSameClientFields(fields, fieldsOfClient(base)),
    ...changedMeanwhile,
  },
  actions: {
    ...readingActions,
    notify,
    tellClients,
    'keep the client': assign((_, { client }: { client: Client }) => ({
      base: client,
      fields: fieldsOfClient(client),
      ...noRetries,
    })),
    'compare with the client': assign(({ context: { base, fields } }, { client }: { client: Client }) => ({
      base: client,
      ...comparedWith(base === null ? noFields : fieldsOfClient(base), fields, fieldsOfClient(client)),
    })),
    'note the moment': assign({ askedAsOf: ({ system }) => clientsIn(system).sequence }),
    'keep the fields': assign({ fields: (_, { fields }: { fields: ClientFields }) => fields }),
    'choose the value': assign({
      fields: ({ context }, { field, value }: { field: ClientFieldName; value: string }) => ({
        ...context.fields,
        [field]: value,
      }),
    }),
    'show the failure': assign({
      error: (_, params: { error: unknown; own: ToastText }) => failureText(params),
    }),
    'clear the failure': assign({ error: null }),
  },
}).createMachine({
  id: 'editClient',
  context: ({ input }) => ({
    ...input,
    base: null,
    fields: noFields,
    changes: [],
    error: null,
    askedAsOf: 0,
    ...noRetries,
  }),
  on: { 'dialog.dismissed': '.closed' },
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadClient',
        src: 'loadClient',
        input: ({ context: { clientId } }) => ({ clientId }),
        onDone: {
          target: 'editing',
          actions: { type: 'keep the client', params: ({ event }) => ({ client: event.output }) },
        },
        onError: afterFailedRead(editToasts.loadFailed),
      },
    },
    failed: failedRead('#editClient.loading'),
    editing: {
      on: {
        'fields.typed': { actions: { type: 'keep the fields', params: ({ event }) => event } },
        'value.chosen': { actions: { type: 'choose the value', params: ({ event }) => event } },
        'form.submitted': [
          { guard: 'has no typed text', target: 'closed' },
          { guard: 'can be saved', target: 'saving' },
        ],
        'form.cancelled': 'leaving',
        'dialog.dismissed': 'leaving',
      },
    },
    leaving: askingToDiscard('#editClient.closed'),
    saving: {
      on: { 'dialog.dismissed': {} },
      entry: ['clear the failure', 'note the moment'],
      invoke: {
        id: 'editClient',
        src: 'editClient',
        input: ({ context }) => ({
          clientId: context.clientId,
          body: editBodyOf(context.fields, context.base?.version ?? 0),
        }),
        onDone: {
          target: 'closed',
          actions: [
            {
              type: 'tellClients',
              params: ({ context, event }) => ({
                type: 'clients.fetched',
                clients: [event.output],
                asOf: context.askedAsOf,
              }),
            },
            { type: 'notify', params: editToasts.saved },
          ],
        },
        onError: [
          {
            guard: { type: 'was changed by somebody else', params: ({ event }) => ({ error: event.error }) },
            target: 'comparing',
          },
          { target: 'editing', actions: showFailure(editToasts.saveFailed) },
        ],
      },
    },
    comparing: {
      on: { 'dialog.dismissed': {} },
      invoke: {
        id: 'loadChanges',
        src: 'loadClient',
        input: ({ context: { clientId } }) => ({ clientId }),
        onDone: {
          target: 'editing',
          actions: [
            { type: 'compare with the client', params: ({ event }) => ({ client: event.output }) },
            { type: 'notify', params: editToasts.changed },
          ],
        },
        onError: { target: 'editing', actions: showFailure(editToasts.saveFailed) },
      },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof editClientMachine>

export const selectFields = (snapshot: Snapshot): ClientFields => snapshot.context.fields
export const selectProblems = ({ context }: Snapshot) => clientFieldProblems(context.fields)
/** The reason why the form cannot be saved; null if it can. */
export const selectBlockedReason = ({ context }: Snapshot): string | null => editBlockedReason(context.fields)
export const selectError = (snapshot: Snapshot): string | null => snapshot.context.error
/** What somebody else changed since the form began. */
export const selectChanges = (snapshot: Snapshot): readonly FieldChange[] => snapshot.context.changes
export const selectIsLoaded = (snapshot: Snapshot): boolean => snapshot.context.base !== null
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectIsSaving = (snapshot: Snapshot): boolean =>
  snapshot.matches('saving') || snapshot.matches('comparing')
/** The dialog asks whether to discard the typed text. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
