import { toastFor, toastWithReason } from '../domain/error-texts.ts'
import { type ToastKind, telling, toast } from './system.ts'

/**
 * `text` is the call's own text, and `prefix` what stands before the reason where there is one. With `quietly` nothing is
 * said, because the series of failures was told before.
 */
type FailureParams = { error: unknown; text: string; prefix?: string; quietly?: boolean }

/** What a failed call is told with; null where nobody is to be told. */
export const failureText = ({ error, text, prefix }: FailureParams): string | null =>
  prefix === undefined ? toastFor(error, text) : toastWithReason(error, prefix, text)

/**
 * Says that a call failed, in the words of spec section 8, or nothing where nobody is to be told:
 * `{ type: 'notify failure', params: { error, text: 'Failed to load conversations' } }`.
 */
export const notifyFailure = telling<FailureParams>((params, teller) => {
  const text = params.quietly === true ? null : failureText(params)
  return text ? [toast(teller, 'error', text)] : []
})

/** `notify` where `when` holds. */
export const notifyWhen = telling<{ when: boolean; kind: ToastKind; text: string }>(({ when, kind, text }, teller) =>
  when ? [toast(teller, kind, text)] : [],
)

/** Several pieces of news at once. */
export const notifyAll = telling<{ texts: readonly string[] }>(({ texts }, teller) =>
  texts.map((text) => toast(teller, 'info', text)),
)
