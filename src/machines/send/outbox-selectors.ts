import type { ActorRefFrom } from 'xstate'
import { isNotSent, isOnItsWay, mayHaveArrived, type Outgoing, outgoingIn } from '../../domain/send/outgoing.ts'
import type { System } from '../system.ts'
import type { OutboxSnapshot, outboxMachine } from './outbox.ts'

/** True once the outbox has accepted the draft. The composer then clears its input and creates a new draft id. */
export const isAccepted = (snapshot: OutboxSnapshot, draftId: string): boolean =>
  snapshot.context.acceptedDrafts.includes(draftId)

/** A selector for some of the sends. The array stays the same until one of its sends changes. */
export function selectSends(
  choose: (outgoing: readonly Outgoing[]) => readonly Outgoing[],
): (snapshot: OutboxSnapshot) => readonly Outgoing[] {
  let last: readonly Outgoing[] = []
  return ({ context }) => {
    const next = choose(context.outgoing)
    if (next.length !== last.length || next.some((send, index) => send !== last[index])) last = next
    return last
  }
}

/**
 * Returns a selector for the sends below a conversation's confirmed messages, oldest first. Create one selector per
 * conversation.
 */
export const selectOutgoingIn = (conversationId: string) =>
  selectSends((outgoing) => outgoingIn(outgoing, conversationId))

/** The number of messages that are not confirmed as sent. */
export function countSendsIn(system: System): number {
  const outbox: ActorRefFrom<typeof outboxMachine> | undefined = system.get('outbox')
  return outbox?.getSnapshot().context.outgoing.length ?? 0
}

export type SendProblem = 'notSent' | 'unconfirmed'

/** Returns a selector for the worst problem of a conversation's sends that staff must decide on; null if none. */
export const selectSendProblem =
  (conversationId: string) =>
  ({ context }: OutboxSnapshot): SendProblem | null => {
    let problem: SendProblem | null = null
    for (const send of context.outgoing) {
      if (send.recipient.conversationId !== conversationId || isOnItsWay(send)) continue
      if (!mayHaveArrived(send)) return 'notSent'
      problem = 'unconfirmed'
    }
    return problem
  }

/** Returns a selector for the newest message of the conversation that was certainly not sent, as text; null if none. */
export const selectNotSentText =
  (conversationId: string) =>
  ({ context }: OutboxSnapshot): string | null => {
    const send = context.outgoing.findLast((one) => one.recipient.conversationId === conversationId && isNotSent(one))
    return send === undefined ? null : (send.file?.name ?? send.text)
  }

/** A send of the conversation is in progress (spec section 2: the send button is disabled during a send). */
export const selectIsSending =
  (conversationId: string) =>
  ({ context }: OutboxSnapshot): boolean =>
    context.outgoing.some((send) => send.recipient.conversationId === conversationId && isOnItsWay(send))
