import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { rowById, stateChangedBy, toldState } from '../../domain/list/records.ts'
import {
  type ChangeStatesRequest,
  type ChangeStatesResult,
  expectedPart,
  type SeenState,
  type StateStep,
  stepsOf,
  undoOf,
} from '../../domain/list/state-changes.ts'
import { changedToast, refusedToast, stateToasts } from '../../domain/list/state-toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { ConversationState } from '../../schemas/conversation-state.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import type { SessionReport } from '../session-events.ts'
import { createSendAction, type Sender, type System, toast, undone } from '../system.ts'
import { recordsIn } from './records.ts'
import { memberNameIn } from './team.ts'

export type StateChangesEvent =
  | ({ type: 'change.requested' } & StateStep)
  /** Undoes the change with this key, or the last one, which may have no answer yet. */
  | { type: 'undo.requested'; key?: string }

type Seen = SeenState & { name: string; before: ConversationState }

/** A change that waits, or is sent. */
type Change = StateStep & {
  key: string
  seen: readonly Seen[]
  /** It undoes another change, so it has no undo itself. */
  isUndo: boolean
  /** The rows show it. */
  hasBegun: boolean
  /** The person undid it before its answer, so the answer is followed by the undo. */
  isUnwanted: boolean
}

/** `seen`: for rows that the records have dropped meanwhile, because they left the view. */
type Undo = { key: string; steps: readonly StateStep[]; seen: readonly Seen[] }

type Context = {
  userId: string
  now: () => number
  newKey: () => string
  /** Oldest first. The first one is sent. */
  queue: readonly Change[]
  undos: readonly Undo[]
}

type Answered = { results: readonly ChangeStatesResult[] }

/** The number of changes that can be undone. */
const undoLimit = 20

/** Marking as unread has no undo. */
const canBeUndone = (change: Change): boolean => !change.isUndo && !change.isUnwanted && !isUnread(change)

const withUnwanted = (queue: readonly Change[], unwanted: Change): Change[] =>
  queue.map((change) => (change === unwanted ? { ...change, isUnwanted: true } : change))

/**
 * The states that the person sees of these conversations, else those that were `seen` last. A conversation without a known
 * state cannot be changed.
 */
const seenIn = (system: System, ids: readonly string[], seen: readonly Seen[]): Seen[] => {
  const records = recordsIn(system)
  return ids.flatMap((id) => {
    const row = rowById(records, id)
    const told = toldState(records, id)
    if (row?.state === undefined || told === undefined) return seen.filter((each) => each.id === id)
    return [
      { id, version: told.version, seenMessageAt: row.last_message_at ?? null, name: nameOf(row), before: row.state },
    ]
  })
}

const requestOf = ({ queue }: Context): ChangeStatesRequest => {
  const [change] = queue
  if (change === undefined) throw new Error('a change is sent only if one waits')
  return {
    changes: change.seen.map((seen) => ({
      id: seen.id,
      version: seen.version,
      seen_message_at: seen.seenMessageAt,
      decision: change.decision,
    })),
  }
}

const isUnread = ({ decision }: StateStep): boolean => 'unread' in decision

/** `undone`: what was seen of the conversations when they were changed, for steps that undo; null for other steps. */
const changesFor = (
  { newKey }: Context,
  system: System,
  steps: readonly StateStep[],
  undone: readonly Seen[] | null,
): Change[] =>
  steps
    .map(({ ids, decision }) => {
      const seen = seenIn(system, ids, undone ?? [])
      return {
        key: newKey(),
        ids: seen.map(({ id }) => id),
        decision,
        seen,
        isUndo: undone !== null,
        hasBegun: false,
        isUnwanted: false,
      }
    })
    .filter(({ ids }) => ids.length > 0)

/** What the session is told when a change begins: the rows show it at once. */
function beginning({ key, ids, decision }: Change, { userId, now }: Context): SessionReport[] {
  const part = expectedPart(decision, { userId, at: new Date(now()).toISOString() })
  const labels = 'labels' in decision ? decision.labels : undefined
  const expected: SessionReport = { type: 'states.expected', ids, expected: { key, part, labels } }
  return isUnread({ ids, decision }) ? [expected, { type: 'conversations.unread', ids }] : [expected]
}

/** The toasts about an answered change. Only a change that is no undo can be undone. */
function toastsAbout(
  change: Change,
  results: readonly ChangeStatesResult[],
  canUndo: boolean,
  system: System,
): ToastText[] {
  const refused = new Map(results.flatMap(({ id, refusal }) => (refusal === null ? [] : [[id, refusal] as const])))
  const known = acceptedIn(results)
  const accepted = change.seen.filter(({ id }) => known.has(id))
  const records = recordsIn(system)
  const refusals = [...new Set(refused.values())].map((refusal) => {
    const ids = [...refused].filter(([, each]) => each === refusal).map(([id]) => id)
    const [only] = ids
    const by = ids.length === 1 && only !== undefined ? memberNameIn(system, stateChangedBy(records, only)) : null
    return refusedToast(refusal, ids.length, by)
  })
  if (accepted.length === 0) return refusals
  const member = 'assigned_to' in change.decision ? memberNameIn(system, change.decision.assigned_to) : null
  const changed = changedToast(
    change.decision,
    accepted.map(({ name }) => name),
    member,
  )
  return [canUndo ? { kind: changed.kind, text: changed.text, undo: change.key } : changed, ...refusals]
}

const acceptedIn = (results: readonly ChangeStatesResult[]): Set<string> =>
  new Set(results.filter(({ refusal }) => refusal === null).map(({ id }) => id))

/** The steps that undo the first change of the queue, as far as it was accepted. */
function undoSteps({ queue, now }: Context, results: readonly ChangeStatesResult[]): StateStep[] {
  const [change] = queue
  if (change === undefined || change.isUndo) return []
  const accepted = acceptedIn(results)
  const seen = change.seen.filter(({ id }) => accepted.has(id))
  return stepsOf(seen.map(({ id, before }) => ({ id, decisions: undoOf(change.decision, before, now()) })))
}

/** A waiting change of a state that this client has just changed: the person saw the changed state. */
function withAnswered(change: Change, results: readonly ChangeStatesResult[]): Change {
  const versions = new Map(
    results.flatMap(({ id, state, refusal }) =>
      refusal === null && state !== null ? [[id, state.version] as const] : [],
    ),
  )
  const seen = change.seen.map((each) => ({ ...each, version: Math.max(each.version, versions.get(each.id) ?? 0) }))
  return { ...change, seen }
}

const reports = ({ system, self }: Sender, all: readonly SessionReport[]) =>
  all.map((event) => ({ to: system.get('session') ?? self, event }))

type Key = string | undefined

/** The change without an answer that an undo takes back: the last one, unless the undo names another by its key. */
const unansweredFor = ({ queue }: Context, key: Key): Change | undefined =>
  key === undefined ? queue.findLast(canBeUndone) : undefined

/** The undo of an answered change: the one with the key, or the last one. */
const undoFor = ({ undos }: Context, key: Key): Undo | undefined =>
  key === undefined ? undos.at(-1) : undos.find((each) => each.key === key)

/** An answered change that is undone needs its toast no more. One without an answer has none yet. */
const hideUndo = createSendAction<{ context: Context; key: Key }>(({ context, key }, sender) => {
  const undo = unansweredFor(context, key) === undefined ? undoFor(context, key) : undefined
  return undo === undefined ? [] : [undone(sender, undo.key)]
})

const tellWhatBegins = createSendAction<{ context: Context }>(({ context }, sender) =>
  reports(
    sender,
    context.queue.filter(({ hasBegun }) => !hasBegun).flatMap((change) => beginning(change, context)),
  ),
)

/** The rows show what the answer says. A refused change also fetches the list again. */
const tellTheAnswer = createSendAction<{ context: Context } & Answered>(({ context, results }, sender) => {
  const [change] = context.queue
  if (change === undefined) return []
  const accepted = acceptedIn(results)
  const told = results.flatMap(({ id, state }) =>
    state === null ? [] : [{ id, state, changedBy: accepted.has(id) ? context.userId : undefined }],
  )
  const canUndo = !change.isUnwanted && undoSteps(context, results).length > 0
  const toasts = toastsAbout(change, results, canUndo, sender.system)
  const settled: SessionReport = { type: 'states.settled', key: change.key, ids: change.ids, told }
  // A result that is refused, or that could not be read.
  const hasRefusal = accepted.size < change.ids.length
  return [
    ...reports(sender, hasRefusal ? [settled, { type: 'inbox.invalidated' }] : [settled]),
    ...toasts.map((text) => toast(sender, text)),
  ]
})

/** Takes the change back. The list is fetched again, because the server may have made the change. */
const tellTheEnd = createSendAction<{ context: Context }>(({ context: { queue } }, sender) => {
  const [change] = queue
  if (change === undefined) return []
  const { key, ids } = change
  return reports(sender, [{ type: 'states.settled', key, ids, told: [] }, { type: 'inbox.invalidated' }])
})

const begun = [
  { type: 'tell what begins' as const, params: ({ context }: { context: Context }) => ({ context }) },
  'mark as begun' as const,
]

/**
 * What staff decide about conversations: done, snoozed, assigned, muted, unread. A change is shown at once. The changes
 * are sent one after the other, so that a later one builds on the answer of the earlier one. A refused or failed change
 * is taken back.
 */
export const stateChangesMachine = setup({
  types: {
    context: {} as Context,
    events: {} as StateChangesEvent,
    input: {} as { userId: string; now: () => number; newKey: () => string },
  },
  actors: {
    changeStates: fromPromise<readonly ChangeStatesResult[], ChangeStatesRequest>(mustBeProvided('changeStates')),
  },
  guards: {
    'a change waits': ({ context }) => context.queue.length > 0,
  },
  actions: {
    'notify failure': notifyFailure,
    'tell what begins': tellWhatBegins,
    'tell the answer': tellTheAnswer,
    'tell the end': tellTheEnd,
    'enqueue the change': assign({
      queue: ({ context, system }, step: StateStep) => [...context.queue, ...changesFor(context, system, [step], null)],
    }),
    'hide the undo': hideUndo,
    'enqueue the undo': assign(({ context, system }, { key }: { key?: string | undefined }) => {
      const unanswered = unansweredFor(context, key)
      if (unanswered !== undefined) return { queue: withUnwanted(context.queue, unanswered) }
      const undo = undoFor(context, key)
      return {
        undos: context.undos.filter((each) => each !== undo),
        queue: [...context.queue, ...changesFor(context, system, undo?.steps ?? [], undo?.seen ?? [])],
      }
    }),
    'mark as begun': assign({
      queue: ({ context }) => context.queue.map((change) => (change.hasBegun ? change : { ...change, hasBegun: true })),
    }),
    'remember how to undo': assign({
      undos: ({ context }, { results }: Answered) => {
        const steps = undoSteps(context, results)
        const [change] = context.queue
        if (change === undefined || change.isUnwanted || steps.length === 0) return context.undos
        return [...context.undos, { key: change.key, steps, seen: withAnswered(change, results).seen }].slice(
          -undoLimit,
        )
      },
    }),
    'undo the unwanted': assign({
      queue: ({ context, system }, { results }: Answered) => {
        const [change] = context.queue
        if (!change?.isUnwanted) return context.queue
        const { seen } = withAnswered(change, results)
        return [...context.queue, ...changesFor(context, system, undoSteps(context, results), seen)]
      },
    }),
    'remove the change': assign({ queue: ({ context }) => context.queue.slice(1) }),
    'build on the answer': assign({
      queue: ({ context }, { results }: Answered) => context.queue.map((change) => withAnswered(change, results)),
    }),
  },
}).createMachine({
  id: 'stateChanges',
  context: ({ input }) => ({ ...input, queue: [], undos: [] }),
  initial: 'idle',
  on: {
    'change.requested': {
      actions: [{ type: 'enqueue the change', params: ({ event }) => event }, ...begun],
    },
    'undo.requested': {
      actions: [
        { type: 'hide the undo', params: ({ context, event: { key } }) => ({ context, key }) },
        { type: 'enqueue the undo', params: ({ event }) => event },
        ...begun,
      ],
    },
  },
  states: {
    idle: { always: { guard: 'a change waits', target: 'sending' } },
    sending: {
      invoke: {
        id: 'changeStates',
        src: 'changeStates',
        input: ({ context }) => requestOf(context),
        onDone: {
          target: 'idle',
          actions: [
            {
              type: 'tell the answer',
              params: ({ context, event }) => ({ context, results: event.output }),
            },
            { type: 'remember how to undo', params: ({ event }) => ({ results: event.output }) },
            { type: 'undo the unwanted', params: ({ event }) => ({ results: event.output }) },
            'remove the change',
            { type: 'build on the answer', params: ({ event }) => ({ results: event.output }) },
            ...begun,
          ],
        },
        onError: {
          target: 'idle',
          actions: [
            reportFailure(stateToasts.failed),
            { type: 'tell the end', params: ({ context }) => ({ context }) },
            'remove the change',
          ],
        },
      },
    },
  },
})

/** There is a change that `undo.requested` without a key takes back. */
export const selectCanUndo = ({ context: { queue, undos } }: SnapshotFrom<typeof stateChangesMachine>): boolean =>
  undos.length > 0 || queue.some(canBeUndone)
