import type { DecidedReply, ReplyOutcome } from '../../../src/domain/thread/thread-calls.ts'
import { replyDecisionMachine } from '../../../src/machines/thread/reply-decision.ts'
import type { Message, ReplyDecision } from '../../../src/schemas/message.ts'
import { modelOf } from '../harness.ts'
import { faults, messageIn } from '../inbox-fixture.ts'

export const replyText = 'We are open from 9 to 6.'

/** A question whose automatic reply was sent `tries` times and is unconfirmed; `tries` is null after the decision. */
export const questionAfter = (tries: number | null): Message =>
  messageIn('c1', 1, {
    message_text: 'When are you open?',
    is_read: true,
    unconfirmed_reply: tries === null ? null : { text: replyText, tries },
  })
const question = questionAfter(1)
export const reply: Message = messageIn('c1', 2, {
  direction: 'outgoing',
  message_text: replyText,
  idempotency_key: `auto-reply:${question.message_id}`,
})

export const decided = (decision: ReplyDecision): DecidedReply => ({
  questionId: question.message_id,
  decision,
  tries: 1,
})

export const outcomes = {
  sent: { state: 'sent', question: questionAfter(null), reply },
  unconfirmed: { state: 'unconfirmed', question: questionAfter(2), reply: null },
  discarded: { state: 'discarded', question: questionAfter(null), reply: null },
  /** The person deleted the question in the meantime. */
  withoutQuestion: { state: 'sent', question: null, reply },
} satisfies Record<string, ReplyOutcome>

export const replyDecisionModel = () =>
  modelOf(replyDecisionMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'reply.decided': [decided('look'), decided('retry'), decided('discard')],
      'xstate.done.actor.decideReply': [{ output: outcomes.unconfirmed }],
      'xstate.error.actor.decideReply': [{ error: faults.noAnswer }],
    },
  })
