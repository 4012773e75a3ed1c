import { type AnyStateMachine, createActor, type InputFrom, SimulatedClock, type SnapshotFrom } from 'xstate'
import type { ClientEditRequest, MergeRequest, RemoveRequest } from '../../../src/domain/client/client-calls.ts'
import { fieldsOfClient } from '../../../src/domain/client/client-fields.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { clientSuggestionsMachine } from '../../../src/machines/client/client-suggestions.ts'
import { editClientMachine } from '../../../src/machines/client/edit-client.ts'
import { type MergePreview, mergeClientsMachine } from '../../../src/machines/client/merge-clients.ts'
import { removeClientMachine } from '../../../src/machines/client/remove-client.ts'
import { removedClientsMachine } from '../../../src/machines/client/removed-clients.ts'
import type { MovedChat } from '../../../src/schemas/chats.ts'
import { type Client, clientChangedCode } from '../../../src/schemas/client.ts'
import type { ClientSummary, RemovedClient } from '../../../src/schemas/client-removal.ts'
import type { ClientSuggestion } from '../../../src/schemas/client-suggestion.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { clientOf } from './clients-fixture.ts'

const call = { method: 'PUT', path: '/clients/k1' }
export const refused = new Failure({ ...call, kind: 'status', status: 422, error: 'No.' })
export const noAnswer = new Failure({ ...call, kind: 'noAnswer' })
export const outdated = new Failure({
  ...call,
  kind: 'status',
  status: 409,
  error: 'Somebody changed this client meanwhile.',
  code: clientChangedCode,
})

export const maria: Client = clientOf('k1', {
  classification: 'new',
  phone: '0917 123 4567',
  company_name: 'Acme',
  version: 3,
})
/** As a colleague left her meanwhile. */
export const mariaLater: Client = { ...maria, version: 4, email: 'new@santos.ph', company_name: 'Bolt' }
const typed = { ...fieldsOfClient(maria), company: 'Corner' }
export const moved: MovedChat[] = [{ id: 'ana', primary_user_id: 'ana', client_id: null }]
export const summary: ClientSummary = { client: { ...maria, fb_user_id: 'ana' }, orders: 2, payments: 1 }
export const benita = clientOf('k2', {
  classification: 'vip',
  company_name: 'Acme',
  phone: null,
  version: 1,
  fb_user_id: 'ben',
})
export const preview: MergePreview = { kept: summary, other: { client: benita, orders: 1, payments: 0 } }
export const removed: RemovedClient[] = [
  {
    id: 'k1',
    name: 'Maria Santos',
    kept: null,
    removed_at: '2026-01-15T12:00:00Z',
    removed_by: 'Ana',
    undo_until: '2026-02-14T12:00:00Z',
  },
  {
    id: 'k2',
    name: '',
    kept: { id: 'k3', name: 'Ben Cruz' },
    removed_at: '2026-01-14T12:00:00Z',
    removed_by: null,
    undo_until: '2026-02-13T12:00:00Z',
  },
]
export const suggestions: ClientSuggestion[] = [
  {
    client: maria,
    reasons: [
      { kind: 'phone', value: '0917 123 4567' },
      { kind: 'order', value: 'SO-1' },
    ],
  },
  { client: benita, reasons: [{ kind: 'name', value: 'Ben' }] },
]

function started<Machine extends AnyStateMachine>(machine: Machine, input: InputFrom<Machine>, inspect: Inspect) {
  const clock = new SimulatedClock()
  const log = createToastLog()
  const options = {
    input,
    clock,
    inspect: inspectAll(inspect, log.inspect),
  }
  // The types of `createActor` ask for an input only of machines that have one.
  const actor = createActor(machine, options as never).start()
  return { actor, clock, toasts: log.toasts }
}

const byId = { clientId: 'k1' }

export function startEditing(inspect: Inspect) {
  const load = createControl<Client, { clientId: string }>()
  const save = createControl<Client, ClientEditRequest>()
  const told: unknown[] = []
  const machine = editClientMachine.provide({
    actors: { loadClient: load.logic, editClient: save.logic },
    actions: { tellClients: (_, event) => void told.push(event) },
  })
  return { ...started(machine, byId, inspect), load, save, told }
}

export const editClientModel = () =>
  modelOf(editClientMachine, {
    input: byId,
    vertex: ({ context: { base, fields, changes, failures, error } }: SnapshotFrom<typeof editClientMachine>) => [
      base?.version,
      fields,
      changes.length,
      failures,
      error,
    ],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'fields.typed': ({ context: { fields } }) =>
        [typed, { ...typed, firstName: '' }]
          .filter((one) => JSON.stringify(one) !== JSON.stringify(fields))
          .map((one) => ({ fields: one })),
      'value.chosen': ({ context: { changes, fields } }) =>
        changes
          .filter(({ mine, theirs, field }) => mine !== null && fields[field] !== theirs)
          .map(({ field, theirs }) => ({ field, value: theirs })),
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'refetch.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadClient': [{ output: maria }],
      'xstate.error.actor.loadClient': [{ error: refused }, { error: noAnswer }],
      'xstate.done.actor.loadChanges': [{ output: mariaLater }],
      'xstate.error.actor.loadChanges': [{ error: refused }],
      'xstate.done.actor.editClient': [{ output: mariaLater }],
      'xstate.error.actor.editClient': [{ error: refused }, { error: outdated }],
      'xstate.after.retryDelay.editClient.failed.waiting': [{}],
    },
  })

export function startRemoving(inspect: Inspect) {
  const load = createControl<ClientSummary, { clientId: string }>()
  const remove = createControl<readonly MovedChat[], RemoveRequest>()
  const told: unknown[] = []
  const machine = removeClientMachine.provide({
    actors: { loadSummary: load.logic, removeClient: remove.logic },
    actions: { tellSession: (_, report) => void told.push(report) },
  })
  return { ...started(machine, byId, inspect), load, remove, told }
}

export const removeClientModel = () =>
  modelOf(removeClientMachine, {
    input: byId,
    vertex: ({ context }: SnapshotFrom<typeof removeClientMachine>) => [context.summary !== null, context.failures],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'removal.confirmed': [{}],
      'refetch.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadSummary': [{ output: summary }],
      'xstate.error.actor.loadSummary': [{ error: refused }, { error: noAnswer }],
      'xstate.done.actor.removeClient': [{ output: moved }],
      'xstate.error.actor.removeClient': [{ error: refused }, { error: outdated }],
      'xstate.after.retryDelay.removeClient.failed.waiting': [{}],
    },
  })

export function startRestoring(inspect: Inspect) {
  const load = createControl<readonly RemovedClient[]>()
  const undo = createControl<readonly MovedChat[], { clientId: string }>()
  const told: unknown[] = []
  const machine = removedClientsMachine.provide({
    actors: { loadRemovals: load.logic, undoRemoval: undo.logic },
    actions: { tellSession: (_, report) => void told.push(report) },
  })
  return { ...started(machine, undefined as never, inspect), load, undo, told }
}

export const removedClientsModel = () =>
  modelOf(removedClientsMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof removedClientsMachine>) => [
      context.clients?.length,
      context.restoring,
      context.failures,
    ],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'restore.requested': ({ context }) => (context.clients === null ? [] : [{ id: 'k1' }]),
      'refetch.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadRemovals': [{ output: removed }],
      'xstate.error.actor.loadRemovals': [{ error: refused }, { error: noAnswer }],
      'xstate.done.actor.undoRemoval': [{ output: moved }],
      'xstate.error.actor.undoRemoval': [{ error: refused }],
      'xstate.after.retryDelay.removedClients.failed.waiting': [{}],
    },
  })

export function startMerging(inspect: Inspect) {
  const search = createControl<readonly Client[], { term: string }>()
  const load = createControl<MergePreview, { clientId: string; otherId: string }>()
  const merge = createControl<readonly MovedChat[], MergeRequest>()
  const told: unknown[] = []
  const machine = mergeClientsMachine.provide({
    actors: { searchClients: search.logic, loadPreview: load.logic, mergeClients: merge.logic },
    actions: { tellSession: (_, report) => void told.push(report) },
  })
  return { ...started(machine, byId, inspect), search, load, merge, told }
}

export const mergeClientsModel = () =>
  modelOf(mergeClientsMachine, {
    input: byId,
    vertex: ({ context: { term, found, otherId, preview: known, take } }: SnapshotFrom<typeof mergeClientsMachine>) => [
      term,
      found?.clients.length,
      otherId,
      known !== null,
      [...take].sort(),
    ],
    cases: {
      'search.typed': ({ context }) => [{ term: 'benita' }, { term: 'b' }].filter(({ term }) => term !== context.term),
      'refetch.requested': [{}],
      'client.chosen': ({ context }) => (context.found === null ? [] : [{ id: 'k2' }]),
      'field.chosen': ({ context }) =>
        context.preview === null
          ? []
          : [{ field: 'classification', isTaken: !context.take.includes('classification') }],
      'back.requested': [{}],
      'merge.confirmed': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.searchClients': [{ output: [maria, benita] }],
      'xstate.error.actor.searchClients': [{ error: refused }],
      'xstate.done.actor.loadPreview': [{ output: preview }],
      'xstate.error.actor.loadPreview': [{ error: refused }],
      'xstate.done.actor.mergeClients': [{ output: moved }],
      'xstate.error.actor.mergeClients': [{ error: refused }, { error: outdated }],
      'xstate.after.searchDebounce.mergeClients.choosing.debouncing': [{}],
    },
  })

export function startSuggesting(inspect: Inspect) {
  const load = createControl<readonly ClientSuggestion[], { conversationId: string }>()
  const dismiss = createControl<void, { conversationId: string; clientId: string }>()
  const machine = clientSuggestionsMachine.provide({
    actors: { loadSuggestions: load.logic, dismissSuggestion: dismiss.logic },
  })
  return { ...started(machine, undefined as never, inspect), load, dismiss }
}

export const ana = { conversationId: 'ana', lastMessageAt: '2026-01-15T12:00:00Z' }

export const clientSuggestionsModel = () =>
  modelOf(clientSuggestionsMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof clientSuggestionsMachine>) => [
      context.subject,
      context.suggestions.length,
      context.dismissed,
      context.failures,
    ],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'subject.changed': ({ context }) => (context.subject === null ? [{ subject: ana }] : [{ subject: null }]),
      'suggestion.dismissed': [{ clientId: 'k1' }],
      'xstate.done.actor.loadSuggestions': [{ output: suggestions }],
      'xstate.error.actor.loadSuggestions': [{ error: refused }, { error: noAnswer }],
      'xstate.done.actor.dismissSuggestion': [{ output: undefined }],
      'xstate.error.actor.dismissSuggestion': [{ error: refused }],
      'xstate.after.settleDelay.clientSuggestions.settling': [{}],
      'xstate.after.retryDelay.clientSuggestions.waiting': [{}],
    },
  })
