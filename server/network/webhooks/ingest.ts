import { sql, type Transaction } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { codeOf, isRetryable } from '../../database/transaction.ts'
import type { OutgoingFiles } from '../../files/outgoing-files.ts'
import type { StoredFiles } from '../../files/stored-files.ts'
import type { ErasedPeople } from '../../people/erased-people.ts'
import type { AutoReply } from '../faq/auto-reply.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import type { ProfileLookups } from '../store/profile-lookups.ts'
import { ensureIdentity, type IdentityKey } from '../store/store.ts'
import { type PlacedEvent, storeEvents } from './store-events.ts'
import { type NetworkEvent, type ReadWebhook, readWebhook } from './webhook-events.ts'

export type Ingest = ReturnType<typeof createIngest>

type Trx = Transaction<Tables>
type Delivery = { id: number; body: string; receivedAt: Date }

/** What became of a delivery. */
export type StoredDelivery = {
  id: number
  /** Describes each event that can never be stored; the other events are stored. */
  problems: string[]
  /** Some events belong to an erased person, so the body must not be kept. */
  mustForget: boolean
  /** An event could not be stored: the delivery is to be retried. */
  error: unknown
}

/** People without an identity, each with the time of their newest event. Their deliveries were not stored. */
export type NewPeople = { person: IdentityKey; newestAt: Date; deliveries: number[] }[]

/** Stores webhooks. Never calls the network, so that a slow network cannot delay a message. */
export function createIngest({
  db,
  lookups,
  files,
  outgoingFiles,
  erasedPeople,
  normalizeUrl,
  appId,
  onComments = () => undefined,
  onIncoming,
}: {
  db: Db
  erasedPeople: ErasedPeople
  lookups: Pick<ProfileLookups, 'enqueue' | 'wake'>
  files: Pick<StoredFiles, 'prepare' | 'enqueue' | 'wake'>
  outgoingFiles: Pick<OutgoingFiles, 'attachmentsOf' | 'moveToMessage'>
  normalizeUrl: NormalizeUrl
  /** Our app's id. */
  appId?: string | undefined
  /** Called after comments were stored. */
  onComments?: () => void
  /** `enqueue` runs in the transaction that stores incoming messages, `wake` after its commit. */
  onIncoming?: Pick<AutoReply, 'enqueue' | 'wake'>
}) {
  const eventStoreParts = { files, outgoingFiles, appId, onIncoming }

  /** The connected page of each account that the deliveries are for, by platform and account. */
  async function pagesOf(
    trx: Trx,
    read: readonly ReadWebhook[],
  ): Promise<(platform: string, id: string) => string | undefined> {
    const accounts = [...new Set(read.flatMap(({ events }) => events.map(({ accountId }) => accountId)))]
    if (accounts.length === 0) return () => undefined
    const pages = await trx
      .selectFrom('pages')
      .select(['page_id', 'instagram_id'])
      .where((is) => is.or([is('page_id', 'in', accounts), is('instagram_id', 'in', accounts)]))
      .where('deletion_started_at', 'is', null)
      .execute()
    const messenger = new Set(pages.map(({ page_id }) => page_id))
    const instagram = new Map(pages.map(({ page_id, instagram_id }) => [instagram_id, page_id]))
    return (platform, id) => (platform === 'instagram' ? instagram.get(id) : messenger.has(id) ? id : undefined)
  }

  /** The identities of people on their pages, and whether they were erased, by `hashOf`. One query. */
  async function peopleOf(trx: Trx, people: ReadonlyMap<string, { pageId: string; psid: string }>) {
    if (people.size === 0) return new Map<string, Known>()
    const { rows } = await sql<Known & { hash: string }>`
      select wanted.hash, fb_users.id, fb_users.name, erased_people.erased_at as "erasedAt",
        erased_people.completed_at as "completedAt"
      from unnest(${[...people.keys()]}::text[], ${[...people.values()].map(({ pageId }) => pageId)}::text[],
        ${[...people.values()].map(({ psid }) => psid)}::text[]) as wanted (hash, page_id, psid)
      left join fb_users on fb_users.page_id = wanted.page_id and fb_users.psid = wanted.psid
      left join erased_people on erased_people.person_hash = wanted.hash`.execute(trx)
    return new Map(rows.map((row): [string, Known] => [row.hash, row]))
  }

  return {
    /**
     * Stores the events of deliveries in their order, in the transaction that marks the deliveries. Idempotent. Throws if
     * any statement fails. With `isolated` a failed event stops no other: it is listed with its delivery, and only errors
     * that end the transaction are thrown. Deliveries of people without an identity are left out (`newPeople`), and
     * later edits and deletions with them. Call
     * `wake` after the commit: it wakes the workers that go on with what was stored.
     */
    async store(
      trx: Trx,
      deliveries: readonly Delivery[],
      { isolated }: { isolated: boolean },
    ): Promise<{ stored: StoredDelivery[]; newPeople: NewPeople; wake: () => void }> {
      const read = deliveries.map(({ body, receivedAt }) => readWebhook(JSON.parse(body), { normalizeUrl, receivedAt }))
      const pageOf = await pagesOf(trx, read)
      const hashes = new Map<string, { pageId: string; psid: string }>()
      const hashByPerson = new Map<string, string>()
      const hashOf = (pageId: string, psid: string): string => {
        const person = `${pageId} ${psid}`
        const known = hashByPerson.get(person)
        if (known !== undefined) return known
        const hash = erasedPeople.hashOf(pageId, psid)
        hashByPerson.set(person, hash)
        hashes.set(hash, { pageId, psid })
        return hash
      }
      for (const { platform, events } of read) {
        for (const event of events) {
          const pageId = pageOf(platform, event.accountId)
          const personId = writerOf(event)
          if (pageId !== undefined && personId !== null) hashOf(pageId, personId)
        }
      }
      const people = await peopleOf(trx, hashes)

      /** An erased person may edit a message that was deleted with the others. */
      const isByErased = (event: NetworkEvent, pageId: string): boolean => {
        const writer = event.kind === 'comment' || event.kind === 'edited' ? writerOf(event) : null
        const person = writer === null ? undefined : people.get(hashOf(pageId, writer))
        if (person?.erasedAt == null || !('at' in event)) return false
        return event.at <= person.erasedAt || (event.kind === 'edited' && person.id === null)
      }

      const stored: StoredDelivery[] = []
      const newPeople = new Map<string, NewPeople[number]>()
      const nameless = new Set<string>()
      const placed: (PlacedEvent & { delivery: StoredDelivery })[] = []
      for (const [index, { id, receivedAt }] of deliveries.entries()) {
        const { platform, events, problems } = read[index] ?? noEvents
        const delivery: StoredDelivery = { id, problems: [...problems], mustForget: false, error: null }
        // The message of an edit or a deletion may be one that waits for an identity.
        if (newPeople.size > 0 && events.some((event) => !('personId' in event || event.kind === 'comment'))) continue
        const own: typeof placed = []
        let isComplete = true
        for (const account of new Set(events.map(({ accountId }) => accountId))) {
          if (pageOf(platform, account) === undefined) delivery.problems.push(`no connected page ${account}`)
        }
        for (const event of events) {
          const pageId = pageOf(platform, event.accountId)
          if (pageId === undefined) continue
          const at = { event, pageId, platform, receivedAt, delivery }
          if (!('personId' in event)) {
            if (isByErased(event, pageId)) delivery.mustForget = true
            else own.push({ ...at, fbUserId: '' })
            continue
          }
          const hash = hashOf(pageId, event.personId)
          const known = people.get(hash)
          const erasedAt = known?.erasedAt ?? null
          if (event.kind === 'other') {
            if (erasedAt !== null) delivery.mustForget = true
          } else if (erasedAt !== null && event.at <= erasedAt) delivery.mustForget = true
          else if (erasedAt !== null && known?.completedAt === null) {
            delivery.error ??= new Error('a person who writes again is still being erased')
          } else if (known?.id == null && (event.kind === 'reaction' || event.kind === 'receipt')) {
            // Only a message makes an identity. If one of this batch does, the next batch stores the event.
            if (newPeople.has(hash)) isComplete = false
          } else if (known?.id == null) {
            isComplete = false
            const person = { pageId, psid: event.personId, platform }
            const waiting = newPeople.get(hash) ?? { person, newestAt: event.at, deliveries: [] }
            if (waiting.newestAt < event.at) waiting.newestAt = event.at
            waiting.deliveries.push(id)
            newPeople.set(hash, waiting)
          } else {
            if (known.name === null) nameless.add(known.id)
            own.push({ ...at, fbUserId: known.id })
          }
        }
        if (!isComplete) continue
        stored.push(delivery)
        placed.push(...own)
      }

      await lookups.enqueue(trx, [...nameless])
      if (!isolated) await storeEvents(trx, placed, eventStoreParts)
      else for (const one of placed) await storeIsolated(trx, one)
      const wake = () => {
        const messages = placed.flatMap(({ event }) => (event.kind === 'message' ? event : []))
        if (nameless.size > 0) lookups.wake()
        if (placed.some(({ event }) => event.kind === 'comment')) onComments()
        if (messages.some(({ attachments }) => attachments !== null)) files.wake()
        if (messages.some(({ direction }) => direction === 'incoming')) onIncoming?.wake()
      }
      return { stored, newPeople: [...newPeople.values()], wake }
    },

    /** Creates the identity of a new person, so that the person's deliveries can be stored. Own transaction. */
    async addPerson({ person, newestAt }: NewPeople[number]): Promise<void> {
      await ensureIdentity({ db, lookups, erasedPeople }, person, newestAt)
    },
  }

  async function storeIsolated(trx: Trx, placed: PlacedEvent & { delivery: StoredDelivery }): Promise<void> {
    const { event, pageId, delivery } = placed
    await sql`savepoint event`.execute(trx)
    try {
      await storeEvents(trx, [placed], eventStoreParts)
    } catch (error) {
      // `inTransaction` runs the whole transaction again.
      if (isRetryable(error)) throw error
      await sql`rollback to savepoint event`.execute(trx)
      if (isDataError(error))
        delivery.problems.push(`a ${event.kind} event of page ${pageId} was refused (${codeOf(error)})`)
      else delivery.error ??= error
    }
  }
}

/** The person whose erasure matters for the event; null if it names nobody. */
const writerOf = (event: NetworkEvent): string | null =>
  event.kind === 'comment'
    ? event.authorId
    : event.kind === 'edited'
      ? event.editorId
      : 'personId' in event
        ? event.personId
        : null

type Known = { id: string | null; name: string | null; erasedAt: Date | null; completedAt: Date | null }

const noEvents: ReadWebhook = { platform: 'messenger', events: [], problems: [] }

/** SQLSTATE classes 22 (data exception) and 23 (constraint violation): a retry cannot help. */
function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error))
}
