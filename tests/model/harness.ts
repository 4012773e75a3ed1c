import { setImmediate } from 'node:timers'
import type { StatePath } from '@xstate/graph'
import { adjacencyMapToArray, getAdjacencyMap, getShortestPaths, getSimplePaths, getStateNodes } from '@xstate/graph'
import type {
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyTransitionDefinition,
  EventObject,
  InputFrom,
  InspectionEvent,
  NonReducibleUnknown,
  SnapshotFrom,
} from 'xstate'
import { fromPromise } from 'xstate'
import { emptyRecords, type Records } from '../../src/domain/list/records.ts'
import { fewPaths } from './few-paths.ts'
import { titleOf as wayOf } from './hand-model.ts'

/**
 * The payloads to try for each event type. Events of invoked actors have the name `xstate.done.actor.<id>`. Errors and
 * delays without a case are tried without a payload; for any other event a missing case is an error of the test. A
 * function receives the snapshot in which the event is tried.
 */
export type Cases<Snapshot> = Record<string, readonly Payload[] | ((snapshot: Snapshot) => readonly Payload[])>
type Payload = Readonly<Record<string, unknown>>

/** The records beside a machine whose paths are computed before it starts: the data that its actions read. */
export type RecordsBeside<Snapshot> = {
  start: Records
  /** The data in the records when the machine receives the event. */
  after: (records: Records, event: AnyEventObject, snapshot: Snapshot) => Records
}

const heldBeside = new WeakMap<object, Records>()

/** The data in the records at a snapshot of such a walk. */
export const recordsBeside = (snapshot: AnyMachineSnapshot): Records => heldBeside.get(snapshot) ?? emptyRecords

/** The machine with these records in its actor system. */
function besideRecords<Machine extends AnyStateMachine>(
  machine: Machine,
  { start, after }: RecordsBeside<SnapshotFrom<Machine>>,
): Machine {
  type Scope = Parameters<Machine['transition']>[2]
  const scopeWith = (scope: Scope, records: Records): Scope => {
    const actor = { getSnapshot: () => ({ context: { records } }) }
    const get = (id: string) => (id === 'records' ? actor : undefined)
    return { ...scope, system: { ...scope.system, get } as Scope['system'] }
  }
  const beside = (snapshot: AnyMachineSnapshot, before: object | null, records: Records) => {
    const own = snapshot === before ? Object.assign(Object.create(Object.getPrototypeOf(snapshot)), snapshot) : snapshot
    heldBeside.set(own, records)
    return own
  }
  return Object.assign(Object.create(machine) as Machine, {
    getInitialSnapshot: (scope: Scope, input: unknown) =>
      beside(machine.getInitialSnapshot(scopeWith(scope, start), input), null, start),
    transition: (snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: Scope) => {
      const records = after(recordsBeside(snapshot), event, snapshot as SnapshotFrom<Machine>)
      return beside(machine.transition(snapshot, event, scopeWith(scope, records)), snapshot, records)
    },
  })
}

export type Step<Machine extends AnyStateMachine> = { event: AnyEventObject; expected: SnapshotFrom<Machine> }
export type Path<Machine extends AnyStateMachine> = {
  title: string
  start: SnapshotFrom<Machine>
  steps: readonly Step<Machine>[]
  /** The events of this type that the model tries at a snapshot, accepted or not. */
  tries: (type: string, snapshot: AnyMachineSnapshot) => readonly AnyEventObject[]
}

type Model<Machine extends AnyStateMachine> = {
  input: InputFrom<Machine>
  cases: Cases<SnapshotFrom<Machine>>
  /** Every context field that a check reads. Snapshots with the same vertex count as one, so limit every counter. */
  vertex: (snapshot: SnapshotFrom<Machine>) => unknown
  /** The records in which the machine looks up rows. */
  records?: RecordsBeside<SnapshotFrom<Machine>>
  /** Ends every path at this snapshot. */
  stopWhen?: (snapshot: SnapshotFrom<Machine>) => boolean
  /** The number of visited snapshots above which the model counts as endless. */
  limit?: number
}

const wrap = (text: unknown) => (text === undefined ? '' : ` ${JSON.stringify(text)}`)

function titleOf(steps: readonly Step<AnyStateMachine>[]): string {
  const words = steps.map(({ event: { type, ...payload }, expected }) => {
    const said = Object.keys(payload).length > 0 ? wrap(payload) : ''
    return `${type}${said} → ${JSON.stringify(expected.value)}`
  })
  return words.join(' · ') || 'nothing happens'
}

/**
 * The paths through a machine with invokes and delays. Expected values come from the machine: add a hand-written test.
 */
export function modelOf<Machine extends AnyStateMachine>(machine: Machine, model: Model<Machine>) {
  type Snapshot = SnapshotFrom<Machine>
  const { input, cases, vertex, stopWhen, limit = 3_000 } = model
  const walked: AnyStateMachine = model.records ? besideRecords(machine, model.records) : machine

  const tries = (type: string, snapshot: AnyMachineSnapshot): AnyEventObject[] => {
    const known = cases[type]
    if (known) {
      const payloads = typeof known === 'function' ? known(snapshot as Snapshot) : known
      return payloads.map((payload) => ({ ...payload, type }))
    }
    if (/^xstate\.(error|after)\./.test(type)) return [{ type }]
    throw new Error(`no case for the event "${type}"`)
  }
  const eventsAt = (snapshot: AnyMachineSnapshot): AnyEventObject[] => {
    const types = new Set<string>(snapshot._nodes.flatMap((node) => [...node.ownEvents]))
    return [...types].flatMap((type) => tries(type, snapshot))
  }
  const keyOf = (snapshot: AnyMachineSnapshot) => [snapshot.status, snapshot.value, vertex(snapshot as Snapshot)]
  const options = {
    input,
    limit,
    events: (snapshot: AnyMachineSnapshot) =>
      snapshot.status === 'active' && !stopWhen?.(snapshot as Snapshot)
        ? eventsAt(snapshot).filter((event) => snapshot.can(event))
        : [],
    serializeState: (snapshot: AnyMachineSnapshot) => JSON.stringify(keyOf(snapshot)),
  }

  const pathOf = (start: AnyMachineSnapshot, steps: readonly Step<Machine>[]): Path<Machine> => ({
    title: titleOf(steps),
    start: start as Snapshot,
    steps,
    tries,
  })
  const ours = ({ state, steps }: StatePath<AnyMachineSnapshot, EventObject>): Path<Machine> => {
    const [first, ...others] = steps.map(({ event, state }) => ({ event, expected: state as Snapshot }))
    return pathOf(first?.expected ?? state, others)
  }

  return {
    /** Every path that visits no vertex twice. */
    everyPath: () => getSimplePaths(walked, options).map(ours),
    /** One short path for each edge. A vertex that is reached by another event counts as another vertex. */
    everyTransition: () =>
      getShortestPaths(walked, {
        ...options,
        serializeState: (snapshot: AnyMachineSnapshot, event: EventObject | undefined, before?: AnyMachineSnapshot) =>
          JSON.stringify([keyOf(snapshot), event, before?.value]),
      }).map(ours),
    /**
     * A few long paths that reach every vertex, and take every event and each of its transitions from every state to every
     * state that they lead to. For walks with an expensive start or expensive checks: unlike `everyTransition`, they do not
     * reach a vertex by each of its edges. No path exceeds `longest`, except on the way to a more distant edge. `vertex`
     * must contain everything that decides the next transitions.
     */
    everyTransitionInFewPaths: (longest = 30): Path<Machine>[] => {
      const edges = adjacencyMapToArray(getAdjacencyMap(walked, options)).map(({ state: before, event, nextState }) => {
        const [from, to] = [options.serializeState(before), options.serializeState(nextState)]
        const step: Step<Machine> = { event, expected: nextState as Snapshot }
        const transitions = machine.getTransitionData(before, event).map(nameOf)
        const taken = JSON.stringify([before.value, event, transitions, nextState.value])
        return { from, to, before, step, kinds: [to, taken] }
      })
      return fewPaths(edges[0]?.from ?? '', edges, longest).flatMap((path) =>
        path[0]
          ? [
              pathOf(
                path[0].before,
                path.map(({ step }) => step),
              ),
            ]
          : [],
      )
    },
  }
}

/** The steps of a path, for `withoutBeginnings`. */
export const eventsOf = ({ steps }: Path<AnyStateMachine>): readonly AnyEventObject[] => steps.map(({ event }) => event)

/** The walks of this test file, by machine. */
export type Walked = { paths: number; states: Walk | null; transitions: Walk | null }
type Walk = { declared: number; done: number }
const walkedHere = new Map<string, Walked>()
const coverages: (() => void)[] = []

const walkedOf = (machine: string): Walked => {
  const walked = walkedHere.get(machine) ?? { paths: 0, states: null, transitions: null }
  walkedHere.set(machine, walked)
  return walked
}

/** The walks since the last call, because the test files of a worker share this module. */
export function takeWalked(): Record<string, Walked> {
  for (const count of coverages.splice(0)) count()
  const walked = Object.fromEntries(walkedHere)
  walkedHere.clear()
  return walked
}

/** Does in the system under test what an event of a path stands for. */
export type Drive = (event: AnyEventObject) => unknown

/** A call of the system under test that a walk answers. */
type Answered = { resolve: (output: never) => unknown; reject: (error: unknown) => unknown }

/**
 * Derives from an event's name how to cause it: the done and error events of an actor answer its call, a delay waits,
 * and every other event is sent.
 */
export const driverOf =
  (
    send: (event: never) => unknown,
    /** By the id of the invoked actor, and by the name of the delay. */
    { calls = {}, delays = {} }: { calls?: Record<string, Answered>; delays?: Record<string, () => unknown> },
  ): Drive =>
  (event) => {
    const [, kind, name = ''] = /^xstate\.(done\.actor|error\.actor|after)\.([^.]+)/.exec(event.type) ?? []
    if (kind === undefined) return send(event as never)
    const call = calls[name]
    const wait = delays[name]
    if (kind === 'after' && wait) return wait()
    if (kind === 'done.actor' && call) return call.resolve(event['output'] as never)
    if (kind === 'error.actor' && call) return call.reject(event['error'])
    throw new Error(`the walk does not know how to do "${event.type}"`)
  }

/**
 * Applies each step to the system under test and checks the result. The test itself checks the start. An error lists
 * the steps before it.
 */
export async function follow<Machine extends AnyStateMachine>(
  path: Path<Machine>,
  drive: Drive | Readonly<Record<string, Drive>>,
  check: (step: Step<Machine>, index: number) => unknown,
): Promise<void> {
  const start: AnyMachineSnapshot | undefined = path.steps[0]?.expected
  if (start) walkedOf(start.machine.id).paths += 1
  for (const [index, step] of path.steps.entries()) {
    const execute = typeof drive === 'function' ? drive : drive[step.event.type]
    if (!execute) throw new Error(`the walk does not know how to do "${step.event.type}"`)
    const { event } = step
    await take(
      () => execute(event),
      () => check(step, index),
      () => titleOf(path.steps.slice(0, index + 1)),
    )
  }
}

/** A step of a path written by hand: its title, its action and its check. */
export type HandStep = { name: string; run: () => unknown; check: () => unknown }

/** The same for a path written by hand, for machines whose delays or child actors no model can describe. */
export async function followByHand(machine: AnyStateMachine, steps: readonly HandStep[]): Promise<void> {
  walkedOf(machine.id).paths += 1
  for (const [index, { run, check }] of steps.entries()) {
    await take(run, check, () => wayOf(steps.slice(0, index + 1)))
  }
}

async function take(run: () => unknown, check: () => unknown, way: () => string): Promise<void> {
  try {
    await run()
    await settled()
    await check()
  } catch (error) {
    if (error instanceof Error) error.message += `\nafter ${way()}`
    throw error
  }
}

/** Resolves after the handlers of all settled promises have run. Works with fake timers. */
export const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

function nameOf(transition: AnyTransitionDefinition): string {
  const { source, eventType, target } = transition
  const siblings = (eventType === '' ? source.always : source.transitions.get(eventType)) ?? []
  const which = siblings.length > 1 ? ` #${siblings.indexOf(transition)}` : ''
  const end = target?.map((node) => node.id).join(', ') ?? 'stays'
  return `${source.id} -- ${eventType || 'always'}${which} --> ${end}`
}

/** Every transition that a machine declares: each guarded branch, and the eventless and delayed transitions. */
export const declaredTransitions = (machine: AnyStateMachine): string[] =>
  [machine.root, ...getStateNodes(machine)].flatMap((node) =>
    [...[...node.transitions.values()].flat(), ...(node.always ?? [])].map(nameOf),
  )

export const declaredStates = (machine: AnyStateMachine): string[] =>
  getStateNodes(machine)
    .filter((node) => node.type === 'atomic' || node.type === 'final')
    .map((node) => node.id)

/** Records the states and transitions of the system under test: pass `inspect` to `createActor`. */
export function createCoverage(machine: AnyStateMachine) {
  const taken = new Set<string>()
  const entered = new Set<string>()
  const nodes = new Set(getStateNodes(machine).map((node) => node.id))
  const isOurs = (snapshot: unknown): snapshot is AnyMachineSnapshot =>
    typeof snapshot === 'object' && snapshot !== null && '_nodes' in snapshot
  const missed = (declared: readonly string[], done: ReadonlySet<string>) => declared.filter((name) => !done.has(name))
  const states = declaredStates(machine)
  const transitions = declaredTransitions(machine)
  coverages.push(() => {
    const walked = walkedOf(machine.id)
    walked.states = { declared: states.length, done: states.length - missed(states, entered).length }
    walked.transitions = { declared: transitions.length, done: transitions.length - missed(transitions, taken).length }
  })

  return {
    inspect: (event: InspectionEvent) => {
      // The first snapshot of an actor has no microstep.
      if ((event.type !== '@xstate.microstep' && event.type !== '@xstate.snapshot') || !isOurs(event.snapshot)) return
      if (event.type === '@xstate.microstep') for (const transition of event._transitions) taken.add(nameOf(transition))
      for (const node of event.snapshot._nodes) if (nodes.has(node.id)) entered.add(node.id)
    },
    /** The declared states that were never entered. */
    statesMissed: () => missed(states, entered),
    /** The declared transitions that were never taken. */
    transitionsMissed: () => missed(transitions, taken),
  }
}

export type ControlledCall<Output, Input> = {
  input: Input
  signal: AbortSignal
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/**
 * A call that the test settles: `load.call` replaces a service, `provide({ actors: { load: load.logic } })` the actor
 * of one machine. `onCall` runs at each call, to record the order of several calls.
 */
export function createControl<Output, Input = NonReducibleUnknown>(onCall?: (input: Input) => void) {
  const calls: ControlledCall<Output, Input>[] = []
  const last = () => {
    const call = calls.at(-1)
    if (!call) throw new Error('the actor was not invoked')
    return call
  }
  const call = (input: Input, signal: AbortSignal) =>
    new Promise<Output>((resolve, reject) => {
      calls.push({ input, signal, resolve, reject })
      onCall?.(input)
    })
  return {
    calls,
    /** The latest call. Throws if there is none. */
    last,
    /** The inputs of all calls so far. */
    inputs: () => calls.map(({ input }) => input),
    call,
    logic: fromPromise<Output, Input>(({ input, signal }) => call(input, signal)),
    resolve: async (output: Output) => {
      last().resolve(output)
      await settled()
    },
    reject: async (error: unknown) => {
      last().reject(error)
      await settled()
    },
  }
}

export type Inspect = (event: InspectionEvent) => void

/** Passes each event to all of them. */
export const inspectAll =
  (...inspectors: readonly Inspect[]): Inspect =>
  (event) => {
    for (const inspect of inspectors) inspect(event)
  }

/** A toast as the log below has it. */
export const success = (text: string) => ({ kind: 'success', text })
export const info = (text: string) => ({ kind: 'info', text })
export const warning = (text: string) => ({ kind: 'warning', text })
export const error = (text: string) => ({ kind: 'error', text })

/** The toasts that machines requested, in order: pass `inspect` to `createActor`. */
export function createToastLog(alsoInspect: Inspect = () => {}) {
  const toasts: { kind: unknown; text: unknown }[] = []
  const keepToast = ({ type, event }: InspectionEvent & { event?: AnyEventObject }) => {
    if (type !== '@xstate.event' || event?.type !== 'toast.requested') return
    toasts.push({ kind: event['kind'], text: event['text'] })
  }
  return { toasts, inspect: inspectAll(alsoInspect, keepToast) }
}
