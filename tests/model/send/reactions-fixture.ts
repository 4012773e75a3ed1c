import type { SnapshotFrom } from 'xstate'
import type { Reacted } from '../../../src/domain/thread/reaction-calls.ts'
import { reactionsMachine } from '../../../src/machines/send/reactions.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { modelOf } from '../harness.ts'
import { faults, messageIn } from '../inbox-fixture.ts'

const wishes: readonly Reacted[] = [
  { messageId: 'm-c1-1', emoji: '❤' },
  { messageId: 'm-c1-1', emoji: null },
  { messageId: 'm-c1-2', emoji: '👍' },
]

/** The answer to a wish. Its time counts the answers, so that each is later than the one before. */
export const reactedTo = ({ messageId, emoji }: Reacted, count = 1): Message =>
  messageIn('c1', Number(messageId.at(-1)), {
    is_read: true,
    reactions: [{ by: 'page', emoji, at: new Date(Date.UTC(2026, 6, 1, 10, 0, count)).toISOString() }],
  })

export const reactionsModel = () =>
  modelOf(reactionsMachine, {
    input: undefined,
    // A wish that is repeated while it is sent is sent again.
    vertex: ({ context: { wished, sent } }: SnapshotFrom<typeof reactionsMachine>) => [
      wished,
      sent,
      sent !== null && wished.includes(sent),
    ],
    cases: {
      'reaction.chosen': [...wishes],
      'xstate.done.actor.react': [{ output: reactedTo({ messageId: 'm-c1-1', emoji: '❤' }) }],
      'xstate.error.actor.react': [{ error: faults.noAnswer }],
    },
  })
