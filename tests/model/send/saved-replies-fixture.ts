import { createActor, fromCallback, fromPromise, SimulatedClock, type SnapshotFrom } from 'xstate'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import type { AttachedFile } from '../../../src/domain/send/attached-files.ts'
import type { ReplyToSave, ReplyUse } from '../../../src/domain/send/saved-reply-calls.ts'
import { attachedFilesMachine, type UploadReport } from '../../../src/machines/send/attached-files.ts'
import { savedRepliesMachine } from '../../../src/machines/send/saved-replies.ts'
import { savedReplyFormMachine } from '../../../src/machines/send/saved-reply-form.ts'
import { savedReplyManager, savedReplyManagerMachine } from '../../../src/machines/send/saved-reply-manager.ts'
import type { OutgoingFile } from '../../../src/schemas/outgoing-file.ts'
import type { SavedReply } from '../../../src/schemas/saved-reply.ts'
import { type Cases, createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { itemManagerCases } from '../item-manager-fixture.ts'

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

export const hours = savedReplyOf('hours')
export const holiday = savedReplyOf('holiday', { uses: 3 })
export const address = savedReplyOf('address')

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ method: 'POST', path: '/saved-replies', kind: 'status', ...facts })

/** The possible failures of a call. */
export const replyFaults = {
  noAnswer: failure({ kind: 'noAnswer' }),
  unreadable: failure({ kind: 'badAnswer', status: 200 }),
  refused: failure({ status: 422, error: 'Another saved reply has this name' }),
  unnamed: failure({ status: 422 }),
}

/** The list of the composer with controlled calls. */
export function startSavedReplies(inspect: Inspect = () => {}) {
  const load = createControl<readonly SavedReply[]>()
  const use = createControl<void, ReplyUse>()
  const log = createToastLog()
  const clock = new SimulatedClock()
  const actor = createActor(savedRepliesMachine.provide({ actors: { loadReplies: load.logic, countUse: use.logic } }), {
    clock,
    inspect: inspectAll(inspect, log.inspect),
  }).start()
  return { load, use, clock, actor, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}

/** An uploaded picture with this id. */
export const pictureOf = (id: string): OutgoingFile => ({
  id,
  kind: 'image',
  type: 'image/png',
  name: `${id}.png`,
  size: 9,
  url: `/pictures/${id}`,
})

/** The pictures of the form with uploads that the test ends, in the order in which they begin. */
function controlledPictures() {
  const uploads: { id: string; report: (told: UploadReport) => void }[] = []
  const discarded: string[] = []
  const logic = attachedFilesMachine.provide({
    actors: {
      loadFiles: fromPromise<readonly AttachedFile[], { staffId: string }>(async () => []),
      prepareFile: fromPromise(async ({ input }) => input.file),
      uploadFile: fromCallback(({ input, sendBack }) => void uploads.push({ id: input.file.id, report: sendBack })),
      watchBrowser: fromCallback(() => {}),
    },
    actions: { store: () => {}, discard: (_, { ids }) => void discarded.push(...ids) },
  })
  return { logic, uploads, discarded }
}

/** The dialog with controlled calls. */
export function startManager(inspect: Inspect = () => {}) {
  const load = createControl<readonly SavedReply[]>()
  const save = createControl<void, ReplyToSave>()
  const remove = createControl<void, { id: string }>()
  const pictures = controlledPictures()
  const log = createToastLog()
  const clock = new SimulatedClock()
  const actor = createActor(
    savedReplyManager.provide({
      loadItems: load.logic,
      deleteItem: remove.logic,
      itemForm: savedReplyFormMachine.provide({ actors: { saveReply: save.logic, pictures: pictures.logic } }),
    }),
    {
      clock,
      inspect: inspectAll(inspect, log.inspect),
    },
  ).start()
  return { load, save, remove, pictures, clock, actor, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}

/** The form with a controlled call. */
export function startForm(reply: SavedReply | null, inspect: Inspect = () => {}, others: readonly SavedReply[] = []) {
  const save = createControl<void, ReplyToSave>()
  const pictures = controlledPictures()
  const log = createToastLog()
  const calls = { saveReply: save.logic, pictures: pictures.logic }
  const actor = createActor(savedReplyFormMachine.provide({ actors: calls }), {
    input: { item: reply, others },
    inspect: inspectAll(inspect, log.inspect),
  }).start()
  return { save, pictures, actor, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}

/** What is typed in the composer. `|` marks the caret. */
export const typed = (marked: string, pageIds = ['p1']) => ({
  type: 'composer.changed' as const,
  text: marked.replace('|', ''),
  caret: marked.indexOf('|'),
  pageIds,
})

type ListSnapshot = SnapshotFrom<typeof savedRepliesMachine>

/** The list of the composer. `changed` replaces cases. */
export const savedRepliesModel = (changed: Cases<ListSnapshot> = {}) => {
  const isQuiet = (snapshot: ListSnapshot) => snapshot.matches({ list: 'idle' })
  const texts = ['x|', '/h|', '/h and /|'].map((marked) => ({ ...typed(marked), type: undefined }))
  return modelOf(savedRepliesMachine, {
    input: undefined,
    vertex: ({ context: { replies, typed: kept, active, isByButton, failures } }: ListSnapshot) => [
      replies,
      kept.text,
      active,
      isByButton,
      failures,
    ],
    cases: {
      'composer.changed': texts.map(({ type: _, ...payload }) => payload),
      'slash.written': (snapshot) => (snapshot.matches({ picker: 'closed' }) && isQuiet(snapshot) ? [{}] : []),
      'option.moved': (snapshot) => (isQuiet(snapshot) ? [{ by: 1 }] : []),
      'picker.dismissed': [{}],
      'reply.inserted': (snapshot) =>
        isQuiet(snapshot) ? [{ conversationId: 'ana', draftId: 'd1', id: 'hours' }] : [],
      'draft.emptied': [],
      'draft.accepted': [],
      'message.sent': [],
      'list.needed': [],
      'refetch.requested': [{}],
      'xstate.done.actor.loadReplies': [{ output: [holiday, hours] }],
      'xstate.error.actor.loadReplies': ({ context }) => [
        ...(context.failures > 0 ? [] : [{ error: replyFaults.unreadable }]),
        { error: replyFaults.unnamed },
      ],
      ...changed,
    },
  })
}

/** The dialog. */
export const managerModel = () =>
  modelOf(savedReplyManagerMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: itemManagerCases([address, hours], replyFaults),
  })

/** The form of this saved reply; null for a new one. */
export const savedReplyFormModel = (reply: SavedReply | null) =>
  modelOf(savedReplyFormMachine, {
    input: { item: reply, others: [address] },
    vertex: ({ context }: SnapshotFrom<typeof savedReplyFormMachine>) => context,
    cases: {
      'fields.typed': ({ context }) =>
        context.fields.text === (reply?.text ?? '') ? [{ change: { name: 'new', text: 'New text' } }] : [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      // The walks have no pictures. tests/model/send/saved-reply-manager.test.ts has journeys with some.
      'xstate.snapshot.pictures': [],
      'xstate.done.actor.saveReply': [{ output: undefined }],
      'xstate.error.actor.saveReply': [{ error: replyFaults.refused }, { error: replyFaults.noAnswer }],
    },
  })
