import { assign } from 'xstate'
import { noRetries, type Retries, retriesAfter } from '../domain/retries.ts'
import type { ToastText } from '../domain/toast.ts'
import { notifyFailure } from './notify-failure.ts'
import { ifTemporary, isTemporary, reportFailure, reportOnce } from './on-failure.ts'

/**
 * A read with retries, as parts of a machine's `setup` and states. The context contains `Retries`; the action that keeps
 * the answer also assigns `noRetries`.
 */

type Args = { context: Retries }

export const readingDelays = { retryDelay: ({ context }: Args) => context.retryDelay }

export const readingGuards = { 'is temporary': isTemporary }

/** XState types an action by its machine. These read and assign only `Retries`. */
export const readingActions = {
  'notify failure': notifyFailure,
  'count the failure': assign(({ context }: Args, { error }: { error: unknown }) =>
    retriesAfter(context, error),
  ) as unknown as (args: Args, params: { error: unknown }) => void,
  'reset the failure count': assign(noRetries) as unknown as (args: Args) => void,
}

/** `onError` of the loading state. A temporary failure is retried. A series of failures shows one toast. */
export const afterFailedRead = <Context extends Retries>(
  own: ToastText | ((context: Context) => ToastText | undefined),
) => [
  { guard: ifTemporary, target: 'failed.waiting' as const, actions: reportOnce(own) },
  { target: 'failed.refused' as const, actions: reportFailure(own) },
]

/** The states of 'failed'. `loading`: the loading state, as '#machine.state'. */
export const waitingOrRefused = <Loading extends string>(loading: Loading) => ({
  initial: 'waiting' as const,
  states: { waiting: { after: { retryDelay: loading } }, refused: {} },
})

/** A person requested the refetch, so a failure is shown again. */
export const refetchTo = <Loading extends string>(target: Loading) => ({
  'refetch.requested': { target, actions: 'reset the failure count' as const },
})

/** The state 'failed'. The answer of an earlier read stays. `refetched`: the state after a person's request. */
export const failedRead = <Loading extends string>(
  loading: Loading,
  refetched: 'loading' | 'refreshing' = 'loading',
) => ({
  ...waitingOrRefused(loading),
  on: refetchTo(refetched),
})
