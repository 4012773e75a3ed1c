import { createActor, type InspectionEvent, SimulatedClock } from 'xstate'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import type { ReplyToSave, ReplyUse } from '../../../src/domain/send/saved-reply-calls.ts'
import { savedRepliesMachine } from '../../../src/machines/send/saved-replies.ts'
import { savedReplyFormMachine } from '../../../src/machines/send/saved-reply-form.ts'
import { savedReplyManagerMachine } from '../../../src/machines/send/saved-reply-manager.ts'
import type { SavedReply } from '../../../src/schemas/saved-reply.ts'
import { createControl, createToastLog } from '../harness.ts'

/** A saved reply whose id is its name. */
export const savedReplyOf = (name: string, rest: Partial<SavedReply> = {}): SavedReply => ({
  id: name,
  name,
  text: `Text of ${name}`,
  page_ids: null,
  uses: 0,
  created_by_name: 'Ana Reyes',
  created_at: '2026-01-05T12:00:00Z',
  updated_by_name: 'Ben Cruz',
  updated_at: '2026-01-06T12:00:00Z',
  ...rest,
})

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ method: 'POST', path: '/saved-replies', kind: 'status', ...facts })

/** The possible failures of a call. */
export const replyFaults = {
  noAnswer: failure({ kind: 'noAnswer' }),
  unreadable: failure({ kind: 'badAnswer', status: 200 }),
  refused: failure({ status: 422, error: 'Another saved reply has this name' }),
  unnamed: failure({ status: 422 }),
}

type Inspect = (event: InspectionEvent) => void

/** The list of the composer with controlled calls. */
export function startSavedReplies(inspect: Inspect = () => {}) {
  const load = createControl<readonly SavedReply[]>()
  const use = createControl<void, ReplyUse>()
  const log = createToastLog()
  const clock = new SimulatedClock()
  const actor = createActor(savedRepliesMachine.provide({ actors: { loadReplies: load.logic, countUse: use.logic } }), {
    clock,
    inspect: (event) => {
      inspect(event)
      log.inspect(event)
    },
  }).start()
  return { load, use, clock, actor, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}

/** The dialog with controlled calls. */
export function startManager(inspect: Inspect = () => {}) {
  const load = createControl<readonly SavedReply[]>()
  const save = createControl<void, ReplyToSave>()
  const remove = createControl<void, { id: string }>()
  const log = createToastLog()
  const clock = new SimulatedClock()
  const actor = createActor(
    savedReplyManagerMachine.provide({
      actors: {
        loadReplies: load.logic,
        deleteReply: remove.logic,
        savedReplyForm: savedReplyFormMachine.provide({ actors: { saveReply: save.logic } }),
      },
    }),
    {
      clock,
      inspect: (event) => {
        inspect(event)
        log.inspect(event)
      },
    },
  ).start()
  return { load, save, remove, clock, actor, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}

/** The form with a controlled call. */
export function startForm(reply: SavedReply | null, inspect: Inspect = () => {}, others: readonly SavedReply[] = []) {
  const save = createControl<void, ReplyToSave>()
  const log = createToastLog()
  const actor = createActor(savedReplyFormMachine.provide({ actors: { saveReply: save.logic } }), {
    input: { reply, others },
    inspect: (event) => {
      inspect(event)
      log.inspect(event)
    },
  }).start()
  return { save, actor, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}
