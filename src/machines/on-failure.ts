import { mayBeTemporary } from '../domain/retries.ts'
import type { ToastText } from '../domain/toast.ts'

/**
 * Parts of `onError` transitions. They refer to guards and actions by name; each machine defines them in its `setup`.
 * The machine and its diagram therefore show every target.
 */

type Failed = { event: { error: unknown } }
type FailedIn<Context> = Failed & { context: Context }

/** The toast of spec section 8 for the call. */
type Own<Context> = ToastText | ((context: Context) => ToastText | undefined)

type Report<Context> = {
  /** The toast with the reason of a refusal. */
  refused?: (reason: string) => ToastText
  /** True suppresses the toast. */
  isSilent?: (context: Context, error: unknown) => boolean
}

const errorOf = ({ event }: Failed) => ({ error: event.error })

/** Shows a toast for a failed call (see `notifyFailure`). Needs the action 'notify failure'. */
export const reportFailure = <Context>(own?: Own<Context>, { refused, isSilent }: Report<Context> = {}) => ({
  type: 'notify failure' as const,
  params: ({ context, event: { error } }: FailedIn<Context>) => ({
    error,
    own: typeof own === 'function' ? own(context) : own,
    ...(refused && { refused }),
    ...(isSilent && { isSilent: isSilent(context, error) }),
  }),
})

/** Matches a temporary failure, after which a read is retried. Needs the guard 'is temporary'. */
export const ifTemporary = { type: 'is temporary' as const, params: errorOf }

/** The guard 'is temporary'. */
export const isTemporary = (_: unknown, { error }: { error: unknown }): boolean => mayBeTemporary(error)

/**
 * Counts the failure of a read, and shows a toast for the first failure of a series. Needs the actions 'notify failure'
 * and 'count the failure', which keeps `retriesAfter` in the context.
 */
export const reportOnce = <Context extends { failures: number }>(
  own?: Own<Context>,
  wasReported: (context: Context) => boolean = ({ failures }) => failures > 0,
) => [reportFailure(own, { isSilent: wasReported }), { type: 'count the failure' as const, params: errorOf }]

/** Shows a failure in the form and as a toast. Needs the actions 'show the failure' and 'notify failure'. */
export const showFailure = (own: ToastText) => [
  { type: 'show the failure' as const, params: ({ event }: Failed) => ({ error: event.error, own }) },
  reportFailure(own),
]

/**
 * Returns to the form in `target` after a failed creation. If no answer came, the item may exist, so the form warns
 * against creating a second one. Needs the guard 'may have been created' and the action 'show that the result is
 * unknown'.
 */
export const afterFailedCreation = <Target extends string>(target: Target, own: ToastText) => [
  {
    guard: { type: 'may have been created' as const, params: errorOf },
    target,
    actions: ['show that the result is unknown' as const, reportFailure(own)],
  },
  { target, actions: showFailure(own) },
]
