import type { AnyActorRef } from 'xstate'
import { enqueueActions } from 'xstate'
import { toastFor } from '../domain/error-texts.ts'
import { actorIn, type ToastKind } from './system.ts'

/** `text` is the call's own text; with `quietly` nothing is said, because the series of failures was told before. */
type FailureParams = { error: unknown; text: string; quietly?: boolean }

const sendFailure = enqueueActions(({ enqueue, system, self }, { error, text, quietly }: FailureParams) => {
  const shown = quietly === true ? null : toastFor(error, text)
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
