import type { ActorRef, AnyActorRef, EventObject, Snapshot } from 'xstate'
import { enqueueActions } from 'xstate'
import type { ToastText } from '../domain/toast.ts'

export type ToastRequested = { type: 'toast.requested' } & ToastText

/** The change of a toast with an undo was undone. `key`: that of the change. */
export type ChangeUndone = { type: 'change.undone'; key: string }

type Reachable<Event extends EventObject> = ActorRef<Snapshot<unknown>, Event>

/** The actors that every other actor can address by system id, with the events that they accept. */
type ActorsById = {
  notifier: Reachable<ToastRequested | ChangeUndone>
  auth: Reachable<{ type: 'signOut.requested' }>
}

/** The running actor with the system id; undefined if none runs. */
function actorIn<Id extends keyof ActorsById>(system: AnyActorRef['system'], id: Id): ActorsById[Id] | undefined {
  return system.get(id)
}

export type System = AnyActorRef['system']
/** The actor that sends an event, and its actor system. */
export type Sender = { system: System; self: AnyActorRef }
/** An event with the actor that receives it. */
export type AddressedEvent = { to: AnyActorRef; event: EventObject }

/**
 * Creates an action that sends events to other actors and works in any machine. XState types an action by its machine;
 * this action reads only the system and its params.
 */
export function createSendAction<Params>(
  eventsFor: (params: Params, sender: Sender) => readonly AddressedEvent[],
): (args: { system: System }, params: Params) => void {
  const action = enqueueActions(({ enqueue, system, self }, params: Params) => {
    for (const { to, event } of eventsFor(params, { system, self })) enqueue.sendTo(to, event)
  })
  return action as unknown as (args: { system: System }, params: Params) => void
}

/** A request for a toast. If no notifier runs, the machine sends the event to itself and ignores it. */
export function toast({ system, self }: Sender, { kind, text, undo, news }: ToastText): AddressedEvent {
  const event: ToastRequested = {
    type: 'toast.requested',
    kind,
    text,
    ...(undo !== undefined && { undo }),
    ...(news !== undefined && { news }),
  }
  return { to: actorIn(system, 'notifier') ?? self, event }
}

/** Tells the notifier that the change with this key was undone. */
export function undone({ system, self }: Sender, key: string): AddressedEvent {
  const event: ChangeUndone = { type: 'change.undone', key }
  return { to: actorIn(system, 'notifier') ?? self, event }
}

/** Requests a toast: `{ type: 'notify', params: sendToasts.sent }`. */
export const notify = createSendAction<ToastText>((params, sender) => [toast(sender, params)])
