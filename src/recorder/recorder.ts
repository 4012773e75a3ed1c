import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot, InspectionEvent } from 'xstate'

/** A non-deterministic value that a machine read while it handled an event: the time, a key, the online state. */
type Drawn = { name: string; value: unknown }

/** An event that an actor received. `at` is in milliseconds; `seq` counts events across all actors. */
type Recorded = { seq: number; at: number; event: AnyEventObject; drawn: Drawn[] }

/** A snapshot and the events received after it. */
type Stretch = { seq: number; from: AnyMachineSnapshot; events: Recorded[]; eventBytes: number; bytes: number }

export type Recording = {
  ref: AnyActorRef
  /** Oldest first. When one is full, the next one begins; only the last two are kept. */
  stretches: Stretch[]
  last: AnyMachineSnapshot
  /** The number of dropped events. */
  dropped: number
  /** The event being handled. */
  open: Recorded | null
  /** The last event sent to the actor: the cause, if the actor failed. */
  sent: AnyEventObject | null
}

const limits = {
  /** Events in a stretch. */
  events: 100,
  /** The approximate size of a stretch. */
  bytes: 128 * 1024,
  /** The maximum number of stopped actors. */
  ended: 20,
  /** The approximate total size. */
  bytesInAll: 4 * 1024 * 1024,
}

const isMachineSnapshot = (snapshot: unknown): snapshot is AnyMachineSnapshot =>
  typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot && 'value' in snapshot

/**
 * Keeps the last events of each machine in memory. Events are stored by reference and neither copied nor masked until a
 * report is requested. Pass `inspect` to `createActor`. The number of events and their total size are limited.
 */
export function createRecorder(now: () => number) {
  const recordings = new Map<AnyActorRef, Recording>()
  const ended: AnyActorRef[] = []
  let seq = 0
  let bytes = 0
  let drawn: Drawn[] = []

  const drop = (recording: Recording, stretch: Stretch | undefined) => {
    if (stretch === undefined) return
    bytes -= stretch.bytes
    recording.dropped += stretch.events.length
  }

  const weigh = (stretch: Stretch, size: number) => {
    stretch.bytes += size
    bytes += size
  }

  const begin = (recording: Recording) => {
    const stretch = { seq, from: recording.last, events: [], eventBytes: 0, bytes: 0 }
    // The context of the first stretch is in memory anyway, so its size does not count.
    if (recording.stretches.length > 0) weigh(stretch, roughBytes(recording.last.context))
    recording.stretches.push(stretch)
    if (recording.stretches.length > 2) drop(recording, recording.stretches.shift())
  }

  const restart = (recording: Recording) => {
    for (const stretch of recording.stretches.splice(0)) drop(recording, stretch)
    begin(recording)
  }

  const forgetOne = (ref: AnyActorRef) => {
    const recording = recordings.get(ref)
    if (recording) for (const stretch of recording.stretches) drop(recording, stretch)
    recordings.delete(ref)
  }

  /**
   * Drops stopped actors first. Running actors then continue with a new stretch from their current state, which is in
   * memory anyway.
   */
  const makeRoom = () => {
    for (let first = ended.shift(); first !== undefined; first = ended.shift()) {
      forgetOne(first)
      if (bytes <= limits.bytesInAll) return
    }
    for (const recording of recordings.values()) restart(recording)
  }

  const close = (recording: Recording, snapshot: AnyMachineSnapshot) => {
    const { open } = recording
    recording.open = null
    recording.last = snapshot
    const stretch = recording.stretches.at(-1)
    if (open === null || stretch === undefined) return
    const size = roughBytes(open.event)
    stretch.events.push(open)
    stretch.eventBytes += size
    weigh(stretch, size)
    if (snapshot.status !== 'active') {
      weigh(stretch, roughBytes(snapshot.context))
      ended.push(recording.ref)
      if (ended.length > limits.ended) forgetOne(ended.shift() ?? recording.ref)
    } else if (stretch.events.length >= limits.events || stretch.eventBytes >= limits.bytes) begin(recording)
    if (bytes > limits.bytesInAll) makeRoom()
  }

  return {
    inspect: (event: InspectionEvent) => {
      const recording = recordings.get(event.actorRef as AnyActorRef)
      if (event.type === '@xstate.event') {
        if (recording) recording.sent = event.event
      } else if (event.type === '@xstate.microstep') {
        const drawnNow = drawn
        drawn = []
        if (!recording) return
        if (recording.open) recording.open.drawn.push(...drawnNow)
        else {
          seq += 1
          recording.open = { seq, at: now(), event: event.event, drawn: drawnNow }
        }
      } else if (event.type === '@xstate.snapshot' && isMachineSnapshot(event.snapshot)) {
        if (recording) close(recording, event.snapshot)
        else if (event.snapshot.status === 'active') {
          const ref = event.actorRef as AnyActorRef
          const begun: Recording = { ref, stretches: [], last: event.snapshot, dropped: 0, open: null, sent: null }
          begin(begun)
          recordings.set(ref, begun)
        }
      }
    },

    /** Wraps a function, so that its results are recorded with the event that a machine is handling. */
    noting:
      <Value>(name: string, ask: () => Value) =>
      (): Value => {
        const value = ask()
        drawn.push({ name, value })
        return value
      },

    /** The current recordings. */
    recordings: (): readonly Recording[] => [...recordings.values()],

    /** Deletes all recorded events, so that a later report contains no data of a user who has signed out. */
    forget: () => {
      for (const ref of ended.splice(0)) forgetOne(ref)
      for (const [ref, recording] of recordings) {
        const snapshot: unknown = ref.getSnapshot()
        if (isMachineSnapshot(snapshot) && snapshot.status === 'active') {
          recording.last = snapshot
          recording.sent = null
          restart(recording)
          recording.dropped = 0
        } else forgetOne(ref)
      }
    },
  }
}

export type Recorder = ReturnType<typeof createRecorder>

/** The approximate size of a value in bytes. Only the first items of long lists are measured. */
function roughBytes(value: unknown, depth = 0): number {
  if (typeof value === 'string') return 16 + 2 * value.length
  if (typeof value !== 'object' || value === null || depth > 6) return 8
  if ('sessionId' in value || 'machine' in value) return 8
  if (Array.isArray(value)) return 16 + sampled(value, value.length, depth)
  if (value instanceof Map || value instanceof Set) return 16 + sampled(value, value.size, depth)
  let sum = 16
  for (const inner of Object.values(value)) sum += 8 + roughBytes(inner, depth + 1)
  return sum
}

function sampled(values: Iterable<unknown>, length: number, depth: number): number {
  let seen = 0
  let sum = 0
  for (const value of values) {
    sum += roughBytes(value, depth + 1)
    seen += 1
    if (seen === 4) break
  }
  return seen === 0 ? 0 : (sum / seen) * length
}
