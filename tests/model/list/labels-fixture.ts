import type { ActorRefFrom, AnyEventObject, AnyStateMachine, SnapshotFrom } from 'xstate'
import { createActor, SimulatedClock, sendTo, setup } from 'xstate'
import type { ClientLabelsRequest, SavedLabel, SavedLabelAnswer } from '../../../src/domain/list/label-calls.ts'
import { clientsMachine } from '../../../src/machines/client/clients.ts'
import { labelFormMachine } from '../../../src/machines/list/label-form.ts'
import { labelManagerMachine } from '../../../src/machines/list/label-manager.ts'
import { type LabelTarget, labelPickerMachine, selectChoices } from '../../../src/machines/list/label-picker.ts'
import { labelsMachine } from '../../../src/machines/list/labels.ts'
import { recordsMachine } from '../../../src/machines/list/records.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Label, LabelUsage } from '../../../src/schemas/label.ts'
import type { ClientLabels } from '../../../src/schemas/labels-of-row.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'
import { faults, row, stateOf } from '../inbox-fixture.ts'

export const withoutLabels: AuthUser = {
  id: 's1',
  email: 'ana@example.com',
  role: 'agent',
  permissions: ['conversations.manage', 'labels.manage'],
  features: ['conversation-states'],
}
export const withLabels: AuthUser = { ...withoutLabels, features: ['conversation-states', 'labels'] }
export const vip: Label = { id: 'l1', name: 'VIP', colour: 'purple', keywords: [] }
export const late: Label = { id: 'l2', name: 'Late', colour: 'red', keywords: ['late', 'delayed'] }
/** The label that a test creates. */
export const newLabel: Label = { id: 'l3', name: 'New', colour: 'blue', keywords: [] }

/** A session with the owners of rows, clients and labels, whose calls the test answers. */
export function startLabelSession({
  inspect,
  person = withLabels,
  dialog = labelPickerMachine,
  input,
}: {
  inspect: Inspect
  person?: AuthUser
  dialog?: AnyStateMachine
  input?: LabelTarget
}) {
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const load = createControl<readonly Label[]>()
  const told: AnyEventObject[] = []
  const session = createActor(
    setup({
      types: { context: {} as { user: AuthUser }, events: {} as AnyEventObject },
      actors: {
        records: recordsMachine,
        clients: clientsMachine,
        labels: labelsMachine.provide({ actors: { loadLabels: load.logic } }),
        dialog,
      },
      actions: { 'tell the labels': sendTo('labels', ({ event }) => event) },
    }).createMachine({
      id: 'session',
      context: { user: person },
      invoke: [
        { src: 'records', id: 'records', systemId: 'records' },
        { src: 'clients', id: 'clients', systemId: 'clients' },
        { src: 'labels', id: 'labels', systemId: 'labels', input: { user: person } },
      ],
      on: { 'labels.told': { actions: 'tell the labels' }, 'labels.invalidated': { actions: 'tell the labels' } },
      initial: 'closed',
      states: {
        closed: { on: { 'dialog.opened': 'open' } },
        open: { invoke: { src: 'dialog', id: 'dialog', systemId: 'dialog', input } },
      },
    }),
    {
      clock,
      systemId: 'session',
      inspect: (event) => {
        inspect(event)
        toastLog.inspect(event)
        if (event.type === '@xstate.event' && event.actorRef.sessionId === event.rootId) told.push(event.event)
      },
    },
  ).start()
  session.system.get('records').send({
    type: 'conversations.fetched',
    rows: [
      row('c1', 1, { state: stateOf(1, { label_ids: ['l1'] }) }),
      row('c2', 2, { state: stateOf(1, { label_ids: ['l1', 'l2'] }) }),
    ],
    asOf: 0,
  })
  session.system.get('clients').send({
    type: 'clients.fetched',
    clients: [{ id: 'k1', is_active: true, labels: { version: 3, label_ids: ['l2'] } }],
    asOf: 0,
  })
  return { session, clock, load, told, toasts: toastLog.toasts, labels: session.system.get('labels') }
}
type Session = ReturnType<typeof startLabelSession>

/** What the session was told by name, without what it tells its children. */
export const toldOf = ({ told }: Pick<Session, 'told'>, ...types: string[]) =>
  told.filter(({ type }) => types.includes(type))

/** The dialog of labels in a session that knows both labels. */
export function startLabelPicker(target: LabelTarget, inspect: Inspect) {
  const create = createControl<SavedLabelAnswer, SavedLabel>()
  const change = createControl<ClientLabels, ClientLabelsRequest>()
  const machine = labelPickerMachine.provide({
    actors: { createLabel: create.logic, changeClientLabels: change.logic },
  })
  const sut = startLabelSession({ inspect, dialog: machine, input: target })
  sut.labels.send({ type: 'labels.told', labels: [late, vip] })
  sut.session.send({ type: 'dialog.opened' })
  const actor: ActorRefFrom<typeof labelPickerMachine> = sut.session.system.get('dialog')
  return { ...sut, actor, create, change, choices: () => selectChoices(actor.getSnapshot()) }
}

/** The manager of labels in a session that knows both labels. */
export function startLabelManager(inspect: Inspect) {
  const save = createControl<SavedLabelAnswer, SavedLabel>()
  const remove = createControl<readonly Label[], { id: string }>()
  const usage = createControl<LabelUsage, { id: string }>()
  const machine = labelManagerMachine.provide({
    actors: {
      labelForm: labelFormMachine.provide({ actors: { saveLabel: save.logic } }),
      deleteLabel: remove.logic,
      loadLabelUsage: usage.logic,
    },
  })
  const sut = startLabelSession({ inspect, dialog: machine })
  sut.labels.send({ type: 'labels.told', labels: [late, vip] })
  sut.session.send({ type: 'dialog.opened' })
  const actor: ActorRefFrom<typeof labelManagerMachine> = sut.session.system.get('dialog')
  const form = () => actor.getSnapshot().children.labelForm
  return {
    ...sut,
    actor,
    save,
    remove,
    usage,
    form,
    state: () => actor.getSnapshot().value,
    type: (change: object) => form()?.send({ type: 'fields.typed', change }),
    submit: () => form()?.send({ type: 'form.submitted' }),
  }
}

export const labelsModel = () =>
  modelOf(labelsMachine, {
    input: { user: withLabels },
    vertex: ({ context: { labels, failures } }) => [labels, Math.min(failures, 2)],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'user.confirmed': [{ user: withLabels }],
      'refetch.requested': [{}],
      'labels.invalidated': [{}],
      'labels.told': [{ labels: [vip] }],
      'xstate.done.actor.loadLabels': [{ output: [late, vip] }],
      'xstate.error.actor.loadLabels': [{ error: faults.noAnswer }, { error: faults.refused }],
    },
  })

/** The model has no rows: there, every label is on none of them. */
export const labelPickerModel = (target: LabelTarget) =>
  modelOf(labelPickerMachine, {
    input: target,
    vertex: ({ context }) => context.choices,
    cases: {
      'label.toggled': [{ id: 'l2' }],
      'label.created': ({ context }) => (context.choices['l3'] ? [] : [{ name: 'New', labels: [late, vip] }]),
      'dialog.dismissed': [{}],
      'change.retried': [{}],
      'xstate.done.actor.createLabel': [{ output: { id: 'l3', labels: [late, newLabel, vip] } }],
      'xstate.error.actor.createLabel': [{ error: faults.refused }],
      'xstate.done.actor.changeClientLabels': [{ output: { version: 4, label_ids: [] } }],
      'xstate.error.actor.changeClientLabels': [{ error: faults.refused }],
    },
  })

const labelUsage: LabelUsage = { conversations: 2, clients: 1 }

export const labelManagerModel = () =>
  modelOf(labelManagerMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    // Other tests follow the form.
    stopWhen: (snapshot) => snapshot.matches('form'),
    cases: {
      'item.added': [{}],
      'item.edited': [{ item: late }],
      'deletion.requested': [{ item: late }],
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.labelForm': [],
      'xstate.done.actor.loadLabelUsage': [{ output: labelUsage }],
      'xstate.error.actor.loadLabelUsage': [{ error: faults.refused }],
      'xstate.done.actor.deleteLabel': [{ output: [vip] }],
      'xstate.error.actor.deleteLabel': [{ error: faults.refused }],
    },
  })

export const newKeyword = 'invoice'

/** The answer to the save of this label, or of a new one, under the name "New". */
export const savedLabel = (label: Label | null): SavedLabelAnswer =>
  label === null
    ? { id: newLabel.id, labels: [late, newLabel, vip] }
    : { id: label.id, labels: [{ ...label, name: newLabel.name }, vip] }

/** The form of a label beside both labels. */
export const labelFormModel = (label: Label | null) =>
  modelOf(labelFormMachine, {
    input: { item: label, labels: [late, vip] },
    vertex: ({ context }: SnapshotFrom<typeof labelFormMachine>) => context,
    cases: {
      'fields.typed': ({ context: { before, fields, error } }) => [
        ...(fields.name === before.name ? [{ change: { name: newLabel.name } }] : []),
        ...(error === null && fields.keyword === '' && fields.keywords.length === before.keywords.length
          ? [{ change: { keyword: newKeyword } }]
          : []),
      ],
      'keyword.added': [{}],
      'keyword.removed': ({ context }) =>
        context.fields.keywords.includes(newKeyword) ? [{ keyword: newKeyword }] : [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': ({ context: { error, fields } }) => (error === null && fields.keyword === '' ? [{}] : []),
      'xstate.done.actor.saveLabel': [{ output: savedLabel(label) }],
      'xstate.error.actor.saveLabel': ({ context: { before, fields, error } }) =>
        error === null && fields.keyword === before.keyword && fields.keywords.length === before.keywords.length
          ? [{ error: faults.refused }, { error: faults.noAnswer }]
          : [],
    },
  })
