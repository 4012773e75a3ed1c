import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import type { SavedStaff } from '../../../src/domain/session/staff-calls.ts'
import { auditLogMachine } from '../../../src/machines/session/audit-log.ts'
import { selectStaffForm, staffMachine } from '../../../src/machines/session/staff.ts'
import { type StaffFormOutput, staffFormMachine } from '../../../src/machines/session/staff-form.ts'
import type { AuditEntryRow, AuditFilters, AuditPage } from '../../../src/schemas/audit.ts'
import type { StaffList, StaffMember } from '../../../src/schemas/staff.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'

export const memberOf = (id: string, rest: Partial<StaffMember> = {}): StaffMember => ({
  id,
  email: `${id}@example.com`,
  name: `Name ${id}`,
  role: 'agent',
  is_active: true,
  last_seen_at: '2026-01-05T12:00:00Z',
  has_second_factor: false,
  ...rest,
})
export const ana = memberOf('ana', { role: 'administrator' })
export const ben = memberOf('ben', { last_seen_at: null, is_active: false, has_second_factor: true })
export const listOf = (staff: StaffMember[], rest: Partial<StaffList> = {}): StaffList => ({
  staff,
  manages_passwords: true,
  ...rest,
})

export const entryOf = (id: number, rest: Partial<AuditEntryRow> = {}): AuditEntryRow => ({
  id,
  created_at: '2026-01-05T12:00:00Z',
  staff_id: 'ana',
  staff_name: 'Name ana',
  action: 'faq.created',
  row_kind: 'faq',
  row_id: `row-${id}`,
  address: '192.0.2.1',
  user_agent: 'Test browser',
  details: { title: `Title ${id}` },
  ...rest,
})
export const auditPageOf = (ids: number[], next: string | null): AuditPage => ({
  entries: ids.map((id) => entryOf(id)),
  next,
  people: [{ id: 'ana', name: 'Name ana' }],
})

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ method: 'POST', path: '/staff', kind: 'status', ...facts })

/** The possible failures of a call. */
export const staffFaults = {
  noAnswer: failure({ kind: 'noAnswer' }),
  refused: failure({ status: 409, error: 'This is the last active administrator.' }),
  unnamed: failure({ status: 422 }),
}

const nothing: Inspect = () => {}

export function startStaff(alsoInspect: Inspect = nothing) {
  const load = createControl<StaffList>()
  const reset = createControl<string, { id: string }>()
  const remove = createControl<void, { id: string }>()
  const clock = new SimulatedClock()
  const save = createControl<string | null, SavedStaff>()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const staffForm = staffFormMachine.provide({ actors: { saveStaff: save.logic } })
  const machine = staffMachine.provide({
    actors: { loadStaff: load.logic, resetPassword: reset.logic, removeSecondFactor: remove.logic, staffForm },
  })
  const actor = createActor(machine, { inspect, clock }).start()
  return {
    clock,
    load,
    reset,
    remove,
    save,
    actor,
    toasts,
    form: () => selectStaffForm(actor.getSnapshot()),
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export function startStaffForm(member: StaffMember | null, alsoInspect: Inspect = nothing) {
  const save = createControl<string | null, SavedStaff>()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const actor = createActor(staffFormMachine.provide({ actors: { saveStaff: save.logic } }), {
    input: { item: member },
    inspect,
  }).start()
  return {
    save,
    actor,
    toasts,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    output: () => actor.getSnapshot().output,
  }
}

export function startAuditLog(alsoInspect: Inspect = nothing) {
  const load = createControl<AuditPage, { filters: AuditFilters; before: string | null }>()
  const save = createControl<void, AuditFilters>()
  const clock = new SimulatedClock()
  const { inspect, toasts } = createToastLog(alsoInspect)
  const machine = auditLogMachine.provide({ actors: { loadAudit: load.logic, exportAudit: save.logic } })
  const actor = createActor(machine, { inspect, clock }).start()
  return {
    load,
    save,
    actor,
    clock,
    toasts,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export const newMember = { email: 'new@example.com', name: 'New' }
export const issued = { email: newMember.email, password: 'one-time' }
const formEnd = (rest: Partial<StaffFormOutput>): { output: StaffFormOutput } => ({
  output: { isDismissed: false, mayHaveSaved: false, issued: null, ...rest },
})

export const staffModel = () => {
  const isQuiet = (snapshot: SnapshotFrom<typeof staffMachine>) =>
    snapshot.matches({ open: { members: 'showing', work: 'list' } }) && snapshot.context.item === null
  return modelOf(staffMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof staffMachine>) => context,
    cases: {
      'refetch.requested': (snapshot) =>
        snapshot.matches({ open: { work: 'list' } }) && snapshot.context.item === null ? [{}] : [],
      'staff.invalidated': [],
      'item.added': (snapshot) => (isQuiet(snapshot) ? [{}] : []),
      'item.edited': (snapshot) => (isQuiet(snapshot) ? [{ item: ben }] : []),
      'reset.requested': (snapshot) => (isQuiet(snapshot) ? [{ item: ben }] : []),
      'reset.confirmed': [{}],
      'reset.cancelled': [{}],
      'factorRemoval.requested': (snapshot) => (isQuiet(snapshot) ? [{ item: ben }] : []),
      'factorRemoval.confirmed': [{}],
      'factorRemoval.cancelled': [{}],
      'password.taken': [{}],
      'dialog.dismissed': (snapshot) => (snapshot.matches({ open: { work: 'form' } }) ? [] : [{}]),
      'xstate.done.actor.loadStaff': [{ output: listOf([ana, ben]) }],
      'xstate.error.actor.loadStaff': ({ context }) =>
        context.failures === 0 ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }] : [],
      'xstate.done.actor.resetPassword': [{ output: 'one-time' }],
      'xstate.error.actor.resetPassword': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.removeSecondFactor': [{ output: undefined }],
      'xstate.error.actor.removeSecondFactor': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.staffForm': ({ context }) =>
        context.item === null
          ? [formEnd({}), formEnd({ isDismissed: true }), formEnd({ mayHaveSaved: true, issued })]
          : [formEnd({ mayHaveSaved: true })],
      'xstate.error.actor.staffForm': [],
    },
  })
}

export const staffFormModel = (member: StaffMember | null) =>
  modelOf(staffFormMachine, {
    input: { item: member },
    vertex: ({ context }: SnapshotFrom<typeof staffFormMachine>) => context,
    cases: {
      'fields.typed': ({ context }) =>
        context.fields.name === (member?.name ?? '') ? [{ change: member === null ? newMember : { name: 'New' } }] : [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.saveStaff': member === null ? [{ output: 'one-time' }, { output: null }] : [{ output: null }],
      'xstate.error.actor.saveStaff': [{ error: staffFaults.refused }, { error: staffFaults.noAnswer }],
    },
  })

export const auditModel = () =>
  modelOf(auditLogMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof auditLogMachine>) => context,
    cases: {
      'filter.changed': ({ context }) => (context.filters.person === '' ? [{ change: { person: 'ana' } }] : []),
      'refetch.requested': [{}],
      'more.requested': [{}],
      'export.requested': (snapshot) =>
        snapshot.matches({ open: { list: { showing: 'idle' } } }) && snapshot.context.filters.person === '' ? [{}] : [],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadFirst': [{ output: auditPageOf([4, 3], 'place') }],
      'xstate.error.actor.loadFirst': ({ context }) =>
        context.failures === 0 ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }] : [],
      'xstate.done.actor.loadMore': [{ output: auditPageOf([2, 1], null) }],
      'xstate.error.actor.loadMore': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.exportAudit': [{ output: undefined }],
      'xstate.error.actor.exportAudit': [{ error: staffFaults.unnamed }],
    },
  })
