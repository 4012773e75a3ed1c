import type { AnyActorRef, AnyActorScope, AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { createEmptyActor } from 'xstate'
import type { ReportedActor, ReportedEvent, ReportFile } from '../../src/recorder/report-file.ts'
import { differences } from './compare.ts'
import { fieldsOf, type Outside, revive } from './revive.ts'

/** The result of an actor's replay, with the differences from the report. */
export type Replayed = {
  id: string
  machine: string
  events: number
  dropped: number
  value: unknown
  status: string
  differences: string[]
}

/** A report that cannot be replayed. The message is for the terminal. */
export class Unreplayable extends Error {}

type Shell = { reported: ReportedActor; machine: AnyStateMachine; ref: AnyActorRef; snapshot: AnyMachineSnapshot }

/**
 * Replays all actors of a report from their first states, with the events in their original order. Runs only the machines'
 * transitions, without side effects. Throws `Unreplayable`.
 */
export function replay(report: ReportFile, machines: ReadonlyMap<string, AnyStateMachine>): Replayed[] {
  const shells = new Map<string, Shell>()
  let seq = 0
  let working: ReportedEvent | null = null
  let asked = 0

  const outside = {
    machine: (id: string): AnyStateMachine => {
      const machine = machines.get(id)
      if (!machine) throw new Unreplayable(`The report holds an actor of the machine "${id}", which is not known here.`)
      return machine
    },
    ask: (name: string): unknown => {
      const answers = working?.drawn ?? []
      const index = answers.findIndex((answer, place) => place >= asked && answer.name === name)
      if (index >= 0) asked = index + 1
      return index >= 0 ? revive(answers[index]?.value, outsideOf(null)) : defaults(name, working?.at ?? 0)
    },
  }

  const system = {
    ...createEmptyActor().system,
    get: (systemId: string) => {
      const living = [...shells.values()].filter(
        ({ reported, snapshot }) =>
          reported.systemId === systemId && reported.from.seq <= seq && snapshot.status === 'active',
      )
      return living.at(-1)?.ref
    },
    _set: () => {},
    _unregister: () => {},
    _relay: () => {},
  }

  function outsideOf(parent: string | null): Outside {
    return {
      ...outside,
      actor: (id) => {
        const known = [...shells.values()].find(({ reported }) => reported.parent === parent && reported.id === id)
        return known?.ref ?? refOf(id, `unrecorded ${id}`, () => ({ status: 'active' }))
      },
    }
  }

  function refOf(id: string, session: string, getSnapshot: () => unknown, parent?: () => AnyActorRef | undefined) {
    const ref = {
      id,
      sessionId: session,
      system,
      getSnapshot,
      send: () => {},
      ref: {},
      get _parent() {
        return parent?.()
      },
    }
    return ref as unknown as AnyActorRef
  }

  for (const reported of report.actors) {
    const machine = outside
      .machine(reported.machine)
      .provide({ guards: { isOnline: () => outside.ask('isOnline') === true } })
    const ref: AnyActorRef = refOf(
      reported.id,
      reported.session,
      () => shells.get(reported.session)?.snapshot,
      () => shells.get(reported.parent ?? '')?.ref,
    )
    const snapshot = machine.resolveState({ value: reported.from.value as never, context: {} })
    shells.set(reported.session, { reported, machine, ref, snapshot })
  }
  // Contexts refer to actors, so they are created after all actors.
  for (const shell of shells.values()) {
    const { reported, snapshot } = shell
    const around = outsideOf(reported.session)
    shell.snapshot = {
      ...snapshot,
      status: reported.from.status,
      context: fieldsOf(revive(reported.from.context, around)),
      children: Object.fromEntries(reported.from.children.map((id) => [id, around.actor(id)])),
    } as AnyMachineSnapshot
  }

  const steps = [...shells.values()]
    .flatMap((shell) => shell.reported.events.map((received) => ({ shell, received })))
    .sort((one, other) => one.received.seq - other.received.seq)
  for (const { shell, received } of steps) {
    seq = received.seq
    working = received
    asked = 0
    const event = { ...fieldsOf(revive(received.event, outsideOf(shell.reported.session))), type: received.event.type }
    try {
      shell.snapshot = shell.machine.transition(shell.snapshot, event, scopeOf(shell))
    } catch (error) {
      if (error instanceof Unreplayable) throw error
      shell.snapshot = { ...shell.snapshot, status: 'error', error } as AnyMachineSnapshot
    }
  }
  return Array.from(shells.values(), resultOf)

  function scopeOf({ ref }: Shell): AnyActorScope {
    const nothing = () => {}
    return {
      self: ref,
      id: ref.id,
      sessionId: ref.sessionId,
      logger: nothing,
      defer: nothing,
      system: system as unknown as AnyActorScope['system'],
      stopChild: nothing,
      emit: nothing,
      actionExecutor: nothing,
    }
  }
}

/** The results of outside functions for an event without recorded ones. */
const defaults = (name: string, at: number): unknown => (name === 'now' ? at : name === 'isOnline' ? true : '')

function resultOf({ reported, snapshot }: Shell): Replayed {
  const { value, status, context, children } = snapshot
  return {
    id: reported.id,
    machine: reported.machine,
    events: reported.events.length,
    dropped: reported.dropped,
    value,
    status,
    differences: differences(reported.to, { value, status, context, children: Object.keys(children) }),
  }
}
