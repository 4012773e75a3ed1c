import type { Client } from '../../schemas/client.ts'
import type { ClientLabels } from '../../schemas/labels-of-row.ts'
import { hasSameFields } from '../same-fields.ts'

type Known = {
  client: Client
  /** The number of the last link that this browser made of the client; 0 if it made none. */
  linkedAt: number
}

/**
 * The clients that the browser knows, each stored once under its id. Immutable. A client without a change stays the
 * same object.
 */
export type Clients = {
  /** The client that was written last comes last. */
  readonly byId: ReadonlyMap<string, Known>
  /** The number of links made. A request notes this number as `asOf`. */
  readonly sequence: number
  /** The ids of the clients that each holder shows. */
  readonly held: ReadonlyMap<string, readonly string[]>
}

/** The maximum number of clients that are kept although nothing holds them. */
export const unheldLimit = 100

export const noClients: Clients = { byId: new Map(), sequence: 0, held: new Map() }

export const clientById = ({ byId }: Clients, id: string): Client | undefined => byId.get(id)?.client

/** Deletes the clients that were written first, if nothing holds them and more than `unheldLimit` are left. */
function withinLimit(clients: Clients): Clients {
  const held = new Set([...clients.held.values()].flat())
  const unheld = [...clients.byId.keys()].filter((id) => !held.has(id))
  if (unheld.length <= unheldLimit) return clients
  const dropped = new Set(unheld.slice(0, unheld.length - unheldLimit))
  return { ...clients, byId: new Map([...clients.byId].filter(([id]) => !dropped.has(id))) }
}

/** The labels with the higher version; the same object if nothing changed. */
const newerLabels = (known: Client['labels'], told: Client['labels']): Client['labels'] =>
  told == null || (known != null && known.version >= told.version) ? known : told

/**
 * The client after an answer. A field that the answer does not contain keeps the known value. An answer that was
 * requested before this browser linked the client does not undo the link.
 */
function merged({ client, linkedAt }: Known, answer: Client, asOf: number): Client {
  const next: Client = {
    ...client,
    ...answer,
    ...(asOf < linkedAt && { fb_user_id: client.fb_user_id }),
    labels: newerLabels(client.labels, answer.labels),
  }
  return hasSameFields(client, next) ? client : next
}

/** The clients with a server answer that was requested when the last link had the number `asOf`. */
export function withAnswer(clients: Clients, answer: readonly Client[], asOf: number): Clients {
  const byId = new Map(clients.byId)
  for (const client of answer) {
    const known = byId.get(client.id) ?? { client, linkedAt: 0 }
    byId.delete(client.id)
    byId.set(client.id, { ...known, client: merged(known, client, asOf) })
  }
  return withinLimit({ ...clients, byId })
}

/** The clients after this browser linked one of them to a chat user, or to none. An unknown client stays unknown. */
export function withLink(clients: Clients, { clientId, userId }: { clientId: string; userId: string | null }): Clients {
  const known = clients.byId.get(clientId)
  if (known === undefined) return clients
  const sequence = clients.sequence + 1
  const linked = { client: { ...known.client, fb_user_id: userId }, linkedAt: sequence }
  return { ...clients, sequence, byId: new Map(clients.byId).set(clientId, linked) }
}

/** The clients after the server told the labels of one. An unknown client stays unknown. */
export function withClientLabels(clients: Clients, clientId: string, labels: ClientLabels): Clients {
  const known = clients.byId.get(clientId)
  if (known === undefined) return clients
  const client = { ...known.client, labels: newerLabels(known.client.labels, labels) }
  return { ...clients, byId: new Map(clients.byId).set(clientId, { ...known, client }) }
}

/** The clients after a holder reported which clients it shows. A holder without clients is removed. */
export function withHeld(clients: Clients, holder: string, ids: readonly string[]): Clients {
  const held = new Map(clients.held)
  if (ids.length === 0) held.delete(holder)
  else held.set(holder, ids)
  return withinLimit({ ...clients, held })
}
