import type { ToastText } from '../domain/toast.ts'

/**
 * Parts of `onError` transitions. They name guards and actions that each machine has in its `setup`, so the machine and
 * its diagram show every target.
 */

type Failed = { event: { error: unknown } }

const errorOf = ({ event }: Failed) => ({ error: event.error })

/** Shows why a call failed; `own` and `refused` are as in `notifyFailure`. Needs the action 'notify failure'. */
export const reportFailure = (own: ToastText, refused?: (reason: string) => ToastText) => ({
  type: 'notify failure' as const,
  params: ({ event }: Failed) => ({ error: event.error, own, ...(refused && { refused }) }),
})

/** Shows why a call of a form failed, in the form too. Needs the actions 'show the failure' and 'notify failure'. */
export const showFailure = (own: ToastText) => [
  { type: 'show the failure' as const, params: ({ event }: Failed) => ({ error: event.error, own }) },
  reportFailure(own),
]

/**
 * After a creation that failed, back to the form in `target`. Without an answer the item may exist: the form warns of
 * creating a second one. Needs the guard 'may have been created' and the action 'show that the result is unknown'.
 */
export const afterFailedCreation = <Target extends string>(target: Target, own: ToastText) => [
  {
    guard: { type: 'may have been created' as const, params: errorOf },
    target,
    actions: ['show that the result is unknown' as const, reportFailure(own)],
  },
  { target, actions: showFailure(own) },
]
