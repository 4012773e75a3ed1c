/** Words that other programs write for a status, without case, hyphens and underscores. */
const orderStatusWords: Readonly<Record<string, string>> = {
  canceled: 'cancelled',
  void: 'cancelled',
  voided: 'cancelled',
  refunded: 'cancelled',
  declined: 'rejected',
  failed: 'rejected',
  complete: 'completed',
  closed: 'completed',
  delivered: 'completed',
  done: 'completed',
  finished: 'completed',
  fulfilled: 'completed',
}
const paymentStatusWords: Readonly<Record<string, string>> = {
  complete: 'completed',
  confirmed: 'completed',
  paid: 'completed',
  received: 'completed',
  settled: 'completed',
  succeeded: 'completed',
  success: 'completed',
  successful: 'completed',
  verified: 'approved',
  'for approval': 'pending',
  'for verification': 'pending',
  unpaid: 'pending',
  unverified: 'pending',
  waiting: 'pending',
  canceled: 'cancelled',
  declined: 'rejected',
  refused: 'rejected',
  void: 'cancelled',
  voided: 'cancelled',
}
/** Only approved and completed payments count. The others are kept as they are. */
const paymentStatusesOfFiles = [
  'pending',
  'approved',
  'completed',
  'rejected',
  'cancelled',
  'expired',
  'failed',
  'refunded',
]

const wordsOf = (status: string): string => status.toLowerCase().replaceAll(/[\s_-]+/g, ' ')

export const paymentStatusReason = `The status is not known. Write ${paymentStatusesOfFiles.slice(0, -1).join(', ')} or ${paymentStatusesOfFiles.at(-1)}.`

/** A status with the product's word if there is one. Any other status of an order counts as open. */
export const orderStatusOf = (status: string): string => orderStatusWords[wordsOf(status)] ?? status

/** Null for an unknown status, because whether the money counts would be a guess. */
export function paymentStatusOf(status: string): string | null {
  const words = wordsOf(status)
  const known = paymentStatusWords[words] ?? words
  return paymentStatusesOfFiles.includes(known) ? known : null
}
