import type { AnyActorRef, AnyMachineSnapshot } from 'xstate'
import type { Recording } from './recorder.ts'
import { createRedactor, type Redactor, type Shown } from './redact.ts'
import type { ReportedActor, ReportedState, ReportFile } from './report-file.ts'

/**
 * The report as text, with all user texts and secrets masked. `takenAt` is in milliseconds; `commit` comes from the
 * build. `npm run replay` reads the report.
 */
export function writeReport(
  recordings: readonly Recording[],
  { takenAt, commit, shown }: { takenAt: number; commit: string | null; shown: Shown },
): string {
  const redactor = createRedactor(shown)
  for (const { ref, stretches, last } of recordings) {
    redactor.learn(inputOf(ref))
    redactor.learn(last.context)
    for (const { from, events } of stretches) redactor.learn([from.context, events])
  }
  const report: ReportFile = {
    format: 'staff-inbox-report',
    version: 1,
    takenAt: new Date(takenAt).toISOString(),
    commit,
    actors: recordings.flatMap((recording) => actorOf(recording, redactor, takenAt)),
  }
  return JSON.stringify(report, null, 1)
}

function actorOf(
  { ref, stretches, last, dropped, open, sent }: Recording,
  redactor: Redactor,
  takenAt: number,
): ReportedActor[] {
  const [first] = stretches
  if (first === undefined) return []
  const events = stretches.flatMap((stretch) => stretch.events)
  const end = stateOf(last, redactor)
  const broke = ref.getSnapshot().status === 'error' && end.status === 'active'
  const brokeAt =
    broke && sent !== null ? [open ?? { seq: Number.MAX_SAFE_INTEGER, at: takenAt, event: sent, drawn: [] }] : []
  return [
    {
      session: ref.sessionId,
      id: ref.id,
      systemId: 'systemId' in ref && typeof ref.systemId === 'string' ? ref.systemId : null,
      parent: ref._parent?.sessionId ?? null,
      machine: last.machine.id,
      input: redactor.redact(inputOf(ref)),
      dropped,
      from: { ...stateOf(first.from, redactor), seq: first.seq },
      events: [...events, ...brokeAt].map(({ seq, at, event, drawn }) => ({
        seq,
        at,
        event: { ...fieldsOf(redactor.redact(event)), type: event.type },
        drawn: drawn.map(({ name, value }) => ({ name, value: redactor.redact(value, name) })),
      })),
      to: broke ? { ...end, status: 'error' } : end,
    },
  ]
}

/** The input that an actor was started with; null if there was none. */
function inputOf(ref: AnyActorRef): unknown {
  const options: unknown = 'options' in ref ? ref.options : null
  return typeof options === 'object' && options !== null && 'input' in options ? (options.input ?? null) : null
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const stateOf = (snapshot: AnyMachineSnapshot, redactor: Redactor): ReportedState => ({
  value: snapshot.value,
  status: snapshot.status,
  context: fieldsOf(redactor.redact(snapshot.context)),
  children: Object.keys(snapshot.children),
})
