import type { ActorRef, AnyActorRef, EventObject, MachineContext, Snapshot } from 'xstate'
import { sendTo } from 'xstate'

export type ToastKind = 'success' | 'info' | 'warning' | 'error'
export type ToastRequested = { type: 'toast.requested'; kind: ToastKind; text: string }

type Reachable<Event extends EventObject> = ActorRef<Snapshot<unknown>, Event>

/** The actors that any other may address by its system id, with the events it may send them. */
export type ActorsById = {
  notifier: Reachable<ToastRequested>
  auth: Reachable<{ type: 'signOut.requested' }>
}

/** The running actor with that system id, or undefined where it does not run. */
export function actorIn<Id extends keyof ActorsById>(
  system: AnyActorRef['system'],
  id: Id,
): ActorsById[Id] | undefined {
  return system.get(id)
}

type ToastParams = { kind: ToastKind; text: string }

const sendToNotifier = sendTo<MachineContext, EventObject, ToastParams, AnyActorRef, EventObject>(
  ({ system, self }) => actorIn(system, 'notifier') ?? self,
  (_: unknown, { kind, text }: ToastParams) => ({ type: 'toast.requested', kind, text }),
)

/**
 * Asks for a toast: `{ type: 'notify', params: { kind: 'error', text } }`.
 * Where no notifier runs the event goes to the machine itself, which ignores it.
 *
 * xstate types an action by the machine it runs in; this one reads nothing but the system and serves them all.
 */
export const notify: (args: { system: AnyActorRef['system'] }, params: ToastParams) => void =
  sendToNotifier as unknown as (args: object, params: ToastParams) => void
