import { crc32 } from 'node:zlib'
import * as z from 'zod/mini'

const party = z.catch(z.nullish(z.object({ id: z.nullish(z.union([z.string(), z.number()])) })), null)
/** A call names its parties by their ids alone. */
const caller = z.catch(z.nullish(z.union([z.string(), z.number()])), null)
const noParties = { sender: null, recipient: null, from: null, to: null }
const eventParties = z.catch(z.object({ sender: party, recipient: party, from: caller, to: caller }), noParties)
const eventLists = ['messaging', 'standby', 'calls'] as const

type Part = { body: string; lane: number | null }

/**
 * Splits a delivery by person, so that the deliveries of each person are stored in their order while processes share the
 * work. A lane is a hash of the person's id; null if the delivery names nobody. What has no person stays with the first.
 */
export function splitByPerson(text: string, delivery: unknown): Part[] {
  const entries = isRecord(delivery) && Array.isArray(delivery['entry']) ? delivery['entry'] : []
  const lanes = new Set<number>()
  for (const entry of entries) for (const event of eventsOf(entry)) addTo(lanes, laneOf(entry, event))
  const [first = null, ...others] = lanes
  if (others.length === 0) return [{ body: text, lane: first }]
  return [...lanes].map((lane) => {
    const own = entries.flatMap((entry: unknown) => {
      if (!isRecord(entry)) return lane === first ? [entry] : []
      const isOwn = (event: unknown) => (laneOf(entry, event) ?? first) === lane
      const lists = eventLists.flatMap((name) => {
        const events = entry[name]
        return Array.isArray(events) ? [[name, events.filter(isOwn)] as const] : []
      })
      const isEmpty = lists.every(([, events]) => events.length === 0)
      return isEmpty && lane !== first ? [] : [{ ...entry, ...Object.fromEntries(lists) }]
    })
    return { body: JSON.stringify({ ...Object(delivery), entry: own }), lane }
  })
}

const eventsOf = (entry: unknown): unknown[] =>
  isRecord(entry) ? eventLists.flatMap((name) => (Array.isArray(entry[name]) ? entry[name] : [])) : []

function laneOf(entry: unknown, event: unknown): number | null {
  const account = isRecord(entry) ? String(entry['id']) : null
  const { sender, recipient, from, to } = eventParties.parse(event)
  const person = [sender?.id, recipient?.id, from, to].find((id) => id != null && String(id) !== account)
  // As a signed integer of the database.
  return person == null ? null : crc32(String(person)) | 0
}

function addTo(lanes: Set<number>, lane: number | null): void {
  if (lane !== null) lanes.add(lane)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
