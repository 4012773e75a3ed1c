/** Words of other programs for the status of an order, as `wordsOf` writes them, and the product's. */
const orderStatuses = new Map(
  Object.entries({
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
  }),
)

/** The same for payments. */
const paymentStatuses = new Map(
  Object.entries({
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
  }),
)

/** Only approved and completed payments count. The others are kept as they are. */
const knownPaymentStatuses = [
  'pending',
  'approved',
  'completed',
  'rejected',
  'cancelled',
  'expired',
  'failed',
  'refunded',
]

/** In lower case, with spaces for hyphens and underscores. */
const wordsOf = (status: string): string => status.toLowerCase().replaceAll(/[\s_-]+/g, ' ')

export const paymentStatusReason = `The status is not known. Write ${knownPaymentStatuses.slice(0, -1).join(', ')} or ${knownPaymentStatuses.at(-1)}.`

/** A status with the product's word if there is one. Any other status of an order counts as open. */
export const orderStatusOf = (status: string): string => orderStatuses.get(wordsOf(status)) ?? status

/** Null for an unknown status, because whether the money counts would be a guess. */
export function paymentStatusOf(status: string): string | null {
  const words = wordsOf(status)
  const known = paymentStatuses.get(words) ?? words
  return knownPaymentStatuses.includes(known) ? known : null
}
