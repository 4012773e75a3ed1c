import type { AnyActorRef } from 'xstate'
import { enqueueActions } from 'xstate'
import { toastFor, toastWithReason } from '../domain/error-texts.ts'
import { actorIn, type ToastKind } from './system.ts'

/**
 * `text` is the call's own text, and `prefix` what stands before the reason where there is one. With `quietly` nothing is
 * said, because the series of failures was told before.
 */
type FailureParams = { error: unknown; text: string; prefix?: string; quietly?: boolean }

/** What a failed call is told with; null where nobody is to be told. */
export const failureText = ({ error, text, prefix }: FailureParams): string | null =>
  prefix === undefined ? toastFor(error, text) : toastWithReason(error, prefix, text)

const sendFailure = enqueueActions(({ enqueue, system, self }, params: FailureParams) => {
  const shown = params.quietly === true ? null : failureText(params)
  if (shown)
    enqueue.sendTo(actorIn(system, 'notifier') ?? self, { type: 'toast.requested', kind: 'error', text: shown })
})

/**
 * Says that a call failed, in the words of spec section 8, or nothing where nobody is to be told:
 * `{ type: 'notify failure', params: { error, text: 'Failed to load conversations' } }`.
 *
 * xstate types an action by the machine it runs in; this one reads nothing but the system and serves them all.
 */
export const notifyFailure: (args: { system: AnyActorRef['system'] }, params: FailureParams) => void =
  sendFailure as unknown as (args: object, params: FailureParams) => void

type ConditionalToast = { when: boolean; kind: ToastKind; text: string }

const sendToastWhen = enqueueActions(({ enqueue, system, self }, { when, kind, text }: ConditionalToast) => {
  if (when) enqueue.sendTo(actorIn(system, 'notifier') ?? self, { type: 'toast.requested', kind, text })
})

/** `notify` where `when` holds. */
export const notifyWhen: (args: { system: AnyActorRef['system'] }, params: ConditionalToast) => void =
  sendToastWhen as unknown as (args: object, params: ConditionalToast) => void

const sendToasts = enqueueActions(({ enqueue, system, self }, { texts }: { texts: readonly string[] }) => {
  for (const text of texts)
    enqueue.sendTo(actorIn(system, 'notifier') ?? self, { type: 'toast.requested', kind: 'info', text })
})

/** Several pieces of news at once. */
export const notifyAll: (args: { system: AnyActorRef['system'] }, params: { texts: readonly string[] }) => void =
  sendToasts as unknown as (args: object, params: { texts: readonly string[] }) => void
