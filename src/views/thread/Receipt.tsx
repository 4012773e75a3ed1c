import { Check, CheckCheck } from 'lucide-react'
import { timeOfDay } from '../../domain/moments.ts'
import type { ShownReceipt } from '../../domain/thread/receipts.ts'
import { t } from '../../texts/thread-on-demand.ts'

/** Under a message of ours: sent, delivered, or when the person saw it. */
export function Receipt({ receipt }: { receipt: ShownReceipt | undefined }) {
  if (receipt === undefined)
    return <Check size={12} role="img" aria-label={t('thread.sent')} className="ml-1 shrink-0" />
  const isSeen = receipt.state === 'seen'
  return (
    <span className={isSeen ? 'flex shrink-0 items-center text-accent' : 'flex shrink-0 items-center'}>
      <CheckCheck size={12} aria-hidden="true" className="mx-1 shrink-0" />
      {receipt.state === 'seen' ? t('thread.seen', { time: timeOfDay(receipt.at) }) : t('thread.delivered')}
    </span>
  )
}
