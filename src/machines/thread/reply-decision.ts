import { type AnyActorRef, assign, fromPromise, type SnapshotFrom, sendTo, setup } from 'xstate'
import { sendToasts } from '../../domain/send/toasts.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import type { DecidedReply, ReplyOutcome } from '../../domain/thread/thread-calls.ts'
import { replyToasts } from '../../domain/thread/toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { ReplyDecision } from '../../schemas/message.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyAll, notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'

export type ReplyDecisionEvent = { type: 'reply.decided' } & DecidedReply

/** The thread. Without a parent the machine sends events to itself and ignores them. */
const owner = ({ self }: { self: AnyActorRef }): AnyActorRef => self._parent ?? self

/**
 * Carries out a person's decision about an unconfirmed automatic reply: check again, send again or discard. One
 * decision at a time.
 */
export const replyDecisionMachine = setup({
  types: { context: {} as { decided: DecidedReply | null }, events: {} as ReplyDecisionEvent },
  actors: { decideReply: fromPromise<ReplyOutcome, DecidedReply>(mustBeProvided('decideReply')) },
  actions: {
    'notify failure': notifyFailure,
    'notify all': notifyAll,
    'keep the decision': assign({
      decided: (_, { questionId, decision, tries }: DecidedReply) => ({ questionId, decision, tries }),
    }),
    'forget the decision': assign({ decided: null }),
    'forward to the thread': sendTo(owner, (_, { outcome }: { outcome: ReplyOutcome }) => ({
      type: 'messages.changed',
      changes: changesOf(outcome),
    })),
  },
}).createMachine({
  id: 'replyDecision',
  context: { decided: null },
  initial: 'idle',
  states: {
    idle: {
      entry: 'forget the decision',
      on: {
        'reply.decided': { target: 'deciding', actions: { type: 'keep the decision', params: ({ event }) => event } },
      },
    },
    deciding: {
      invoke: {
        id: 'decideReply',
        src: 'decideReply',
        input: ({ context }) => known(context.decided),
        onDone: {
          target: 'idle',
          actions: [
            { type: 'forward to the thread', params: ({ event }) => ({ outcome: event.output }) },
            {
              type: 'notify all',
              params: ({ context, event }) => ({
                toasts: toastsOf(known(context.decided).decision, event.output.state),
              }),
            },
          ],
        },
        onError: {
          target: 'idle',
          actions: reportFailure(replyToasts.failed),
        },
      },
    },
  },
})

const known = (decided: DecidedReply | null): DecidedReply => {
  if (decided === null) throw new Error('a call requires a decision')
  return decided
}

const changesOf = ({ question, reply }: ReplyOutcome): MessageChange[] => [
  ...(question === null ? [] : [{ type: 'UPDATE' as const, record: question }]),
  ...(reply === null ? [] : [{ type: 'INSERT' as const, record: reply }]),
]

/** The toasts for an outcome; none if the screen shows the outcome already. */
function toastsOf(decision: ReplyDecision, state: ReplyOutcome['state']): readonly ToastText[] {
  if (state === 'sent') return [sendToasts.sent]
  if (state === 'unconfirmed') return [decision === 'look' ? replyToasts.notFound : replyToasts.unconfirmed]
  return decision === 'discard' ? [] : [replyToasts.discarded]
}

type Snapshot = SnapshotFrom<typeof replyDecisionMachine>

/** The decision in progress; null if there is none. */
export const selectDecided = ({ context }: Snapshot): DecidedReply | null => context.decided
