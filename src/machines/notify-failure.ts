import { toastFor, toastWithReason } from '../domain/shell/error-texts.ts'
import type { ToastText } from '../domain/toast.ts'
import { createSendAction, toast } from './system.ts'

/**
 * `own` is the toast of spec section 8 for the call, `refused` the toast with a reason. With `isSilent` no toast is
 * shown, because an earlier toast reported the same series of failures.
 */
type FailureParams = {
  error: unknown
  own?: ToastText | undefined
  refused?: (reason: string) => ToastText
  isSilent?: boolean
}

/** The toast text for a failed call; null if no toast is due, '' if the specification has no text for the failure. */
export const failureText = ({ error, own, refused }: FailureParams): string | null =>
  refused === undefined ? toastFor(error, own?.text ?? '') : toastWithReason(error, refused, own?.text ?? '')

/**
 * Shows the toast of spec section 8 for a failed call, if one is due:
 * `{ type: 'notify failure', params: { error, own: listToasts.failed } }`.
 */
export const notifyFailure = createSendAction<FailureParams>((params, sender) => {
  const text = params.isSilent === true ? null : failureText(params)
  return text ? [toast(sender, { kind: 'error', text })] : []
})

/** Shows the toast if `when` is true. */
export const notifyWhen = createSendAction<{ when: boolean } & ToastText>(({ when, kind, text }, sender) =>
  when ? [toast(sender, { kind, text })] : [],
)

/** Shows several toasts at once. */
export const notifyAll = createSendAction<{ toasts: readonly ToastText[] }>(({ toasts }, sender) =>
  toasts.map((news) => toast(sender, news)),
)
