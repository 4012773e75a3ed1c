import { toastFor, toastWithReason } from '../domain/shell/error-texts.ts'
import type { ToastText } from '../domain/toast.ts'
import { telling, toast } from './system.ts'

/**
 * `own` is what section 8 has for the call, `refused` the same with a reason. With `isSilent` no toast is shown, because the
 * series of failures was told before.
 */
type FailureParams = {
  error: unknown
  own?: ToastText | undefined
  refused?: (reason: string) => ToastText
  isSilent?: boolean
}

/** What a failed call is told with; null where nobody is to be told, '' where there are no words for it. */
export const failureText = ({ error, own, refused }: FailureParams): string | null =>
  refused === undefined ? toastFor(error, own?.text ?? '') : toastWithReason(error, refused, own?.text ?? '')

/**
 * Says that a call failed, in the words of spec section 8, or nothing where nobody is to be told:
 * `{ type: 'notify failure', params: { error, own: listToasts.failed } }`.
 */
export const notifyFailure = telling<FailureParams>((params, teller) => {
  const text = params.isSilent === true ? null : failureText(params)
  return text ? [toast(teller, { kind: 'error', text })] : []
})

/** `notify` where `when` holds. */
export const notifyWhen = telling<{ when: boolean } & ToastText>(({ when, kind, text }, teller) =>
  when ? [toast(teller, { kind, text })] : [],
)

/** Several pieces of news at once. */
export const notifyAll = telling<{ toasts: readonly ToastText[] }>(({ toasts }, teller) =>
  toasts.map((news) => toast(teller, news)),
)
