import { automaticKeyOf } from '../../../src/domain/faq/automatic.ts'
import type { ReplyDecision } from '../../../src/schemas/message.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { SendRefused, stillSending } from '../send/send-refusals.ts'
import type { Sending } from '../send/sending.ts'
import type { SendOrder } from '../send/stored-sends.ts'

export type UnconfirmedReplies = ReturnType<typeof createUnconfirmedReplies>

/** The state of an automatic reply; `messageId` is the id of the delivered reply. */
export type ReplyState = { state: 'sent'; messageId: string } | { state: 'unconfirmed' | 'discarded' }

/** Carries out what staff decide about an unconfirmed automatic reply. */
export function createUnconfirmedReplies({
  db,
  sending,
  clock,
}: {
  db: Db
  sending: Pick<Sending, 'look' | 'sendOnce' | 'retry'>
  clock: Clock
}) {
  const sendOf = (questionId: string) =>
    db.selectFrom('sends').selectAll().where('idempotency_key', '=', automaticKeyOf(questionId)).executeTakeFirst()

  async function discard(key: string, tries: number): Promise<void> {
    await db
      .updateTable('sends')
      .set({ state: 'discarded', updated_at: new Date(clock.now()) })
      .where('idempotency_key', '=', key)
      .where('state', '=', 'unknown')
      .where('tries', '=', tries)
      .execute()
  }

  return {
    /**
     * Applies a decision and returns the new state of the reply to `questionId`, null if there is no such reply. `tries` is
     * the number of requests that staff saw: a decision based on an outdated number changes nothing. Throws
     * SendRefused if the retry is refused, or if another lookup or retry is in progress.
     */
    async decide(questionId: string, decision: ReplyDecision, tries: number): Promise<ReplyState | null> {
      const send = await sendOf(questionId)
      if (send === undefined || send.state === 'failed' || send.message_text === null) return null
      const order: SendOrder = {
        key: send.idempotency_key,
        staffId: send.staff_id,
        pageId: send.page_id,
        psid: send.psid,
        text: send.message_text,
      }
      // A retry whose process died stays 'sending'. Waits for a process that is still sending; otherwise marks the reply as unconfirmed again.
      if (send.state === 'sending') await ignoreUnconfirmed(sending.sendOnce(order))
      if (decision === 'look') await ignoreUnconfirmed(sending.look(order))
      if (decision === 'retry') await ignoreUnconfirmed(sending.retry(order, tries))
      if (decision === 'discard') await discard(order.key, tries)
      const now = await sendOf(questionId)
      if (now?.state === 'sent' && now.message_id !== null) return { state: 'sent', messageId: now.message_id }
      if (now?.state === 'sending') throw stillSending()
      return { state: now?.state === 'discarded' ? 'discarded' : 'unconfirmed' }
    },
  }
}

/** Awaits `work`; ignores refusals that only say that the reply is unconfirmed. */
async function ignoreUnconfirmed(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof SendRefused && leavesUnconfirmed(error))) throw error
  }
}

/** Whether the refusal adds nothing to the send's state, which `decide` returns. */
const leavesUnconfirmed = ({ status, code }: SendRefused): boolean =>
  code === 'DECIDED_MEANWHILE' || ((status === 503 || status === 504) && code !== 'STILL_SENDING')
