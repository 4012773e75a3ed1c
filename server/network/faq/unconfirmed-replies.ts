import { automaticKeyOf } from '../../../src/domain/faq/automatic.ts'
import type { ReplyDecision } from '../../../src/schemas/message.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { beingSent, SendRefused } from '../send/send-refusals.ts'
import type { Sending, SendOrder } from '../send/sending.ts'

export type UnconfirmedReplies = ReturnType<typeof createUnconfirmedReplies>

/** How an automatic answer stands; the message id of the answer where it is known to have arrived. */
export type ReplyState = { state: 'sent'; messageId: string } | { state: 'unconfirmed' | 'discarded' }

/** What staff decide of an automatic answer of which nobody knows whether it arrived. */
export function createUnconfirmedReplies({
  db,
  sending,
  clock,
}: {
  db: Db
  sending: Pick<Sending, 'sendOnce' | 'retry'>
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
     * Carries a decision out and returns how the answer to `questionId` stands then; null where there is no such answer.
     * `tries` is the number of requests that the person saw: a decision that comes after another one's changes nothing.
     * Throws SendRefused where the retry is refused, or another look or retry is still under way.
     */
    async decide(questionId: string, decision: ReplyDecision, tries: number): Promise<ReplyState | null> {
      const send = await sendOf(questionId)
      if (send === undefined || send.state === 'failed') return null
      const order: SendOrder = {
        key: send.idempotency_key,
        staffId: send.staff_id,
        pageId: send.page_id,
        psid: send.psid,
        text: send.message_text,
      }
      // A look or a retry whose process was killed leaves 'sending'; looking makes it unconfirmed again.
      if (decision === 'look' || send.state === 'sending') await unlessUnconfirmed(sending.sendOnce(order))
      if (decision === 'retry') await unlessUnconfirmed(sending.retry(order, tries))
      if (decision === 'discard') await discard(order.key, tries)
      const now = await sendOf(questionId)
      if (now?.state === 'sent' && now.message_id !== null) return { state: 'sent', messageId: now.message_id }
      if (now?.state === 'sending') throw beingSent()
      return { state: now?.state === 'discarded' ? 'discarded' : 'unconfirmed' }
    },
  }
}

/** Throws what the work is refused with, unless the answer is only unconfirmed after it. */
async function unlessUnconfirmed(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof SendRefused && leavesUnconfirmed(error))) throw error
  }
}

/** Whether the refusal says no more than the state of the send does, which is returned. */
const leavesUnconfirmed = ({ status, code }: SendRefused): boolean =>
  code === 'DECIDED_MEANWHILE' || ((status === 503 || status === 504) && code !== 'STILL_SENDING')
