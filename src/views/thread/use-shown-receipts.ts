import { useMemo, useRef } from 'react'
import { offers } from '../../domain/session/features.ts'
import { type ShownReceipt, sameReceipt, shownReceipts } from '../../domain/thread/receipts.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { useUser } from '../use-inbox.ts'

/** What stands under each message of ours. A receipt without a change stays the same object, so that no bubble renders again. */
export function useShownReceipts(
  messages: readonly Message[],
  receipts: Conversation['receipts'],
): (message: Message) => ShownReceipt | undefined {
  const offered = offers(useUser(), 'receipts')
  const before = useRef<ReadonlyMap<string, ShownReceipt>>(new Map())
  const shown = useMemo(() => {
    const now = offered ? shownReceipts(messages, receipts) : new Map<string, ShownReceipt>()
    const kept = new Map(
      [...now].map(([id, receipt]) => {
        const known = before.current.get(id)
        return [id, known !== undefined && sameReceipt(known, receipt) ? known : receipt] as const
      }),
    )
    before.current = kept
    return kept
  }, [offered, messages, receipts])
  return (message) => shown.get(message.message_id)
}
