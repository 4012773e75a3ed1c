import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import { type AuditActor, forgetAuditEntries, networkActor, recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { announceChanges } from '../database/announcements.ts'
import { deletedClientsOf, mergedInto } from '../database/client-removals.ts'
import type { Db } from '../database/database.ts'
import { forgetFormerIdentities, forgetFormerPeople, rememberIdentities } from '../database/former-identities.ts'
import type { Row, Tables } from '../database/tables.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import type { RemoveFiles } from '../files/file-removal.ts'
import type { Logger } from '../logger.ts'
import { createWorkLoop } from '../work-loop.ts'
import { forgetDeliveriesOf } from './deliveries.ts'
import { isClientOfOthers } from './erasable.ts'
import { deleteCommentsOfPage, eraseComments, eraseCommentsOf } from './erased-comments.ts'
import type { ErasedPeople } from './erased-people.ts'
import {
  accountIdsOf,
  deleteClient,
  deleteEarlyEdits,
  deleteLargeChanges,
  deleteMessagesOf,
  removeTextsOfSends,
} from './erased-rows.ts'

/** The server stops, so the erasure is left for another process. */
class Stopped extends Error {}

/** The client cannot be erased with the person, because another person is linked to it. The message is for staff. */
export class ClientShared extends Error {
  constructor() {
    super('Another person is linked to the same client, so the client record cannot be erased.')
  }
}

export type Erasures = ReturnType<typeof createErasures>

/** The state of an erasure, for staff and for the status page. Does not identify the person. */
export type ErasureState = Pick<Row<'erasures'>, 'id' | 'state'>

const identity = z.object({ id: z.string(), pageId: z.string(), psid: z.string() })
type Identity = z.infer<typeof identity>
const personSubject = z.object({
  identities: z.array(identity),
  conversationIds: z.array(z.string()),
  clientId: z.nullable(z.string()),
})
const pageSubject = z.object({ pageId: z.string() })

/** The subject of a request of a person who is not known. */
const nobody: z.infer<typeof personSubject> = { identities: [], conversationIds: [], clientId: null }

/** People of a deleted page in one transaction. */
const peopleAtOnce = 50
const pollInterval = 5_000
/** Longer than a batch takes. After a crash another process resumes this much later. */
const leaseDuration = 60_000
/** Until a message that is being sent to the person is sent or has failed. */
const sendPollInterval = 1_000
/** Until the files of deleted messages are deleted. */
const filePollInterval = 5_000

/**
 * Erases people and deletes pages. An erasure is stored first; then its rows are deleted in batches, each in its own
 * transaction. Every step can be repeated, so another process resumes after a crash.
 *
 * Removed of a person: the identities, comments with the answers to them, messages with their files, notes and drafts of staff, profile lookups, automatic
 * replies, texts of sends, stored webhook bodies, large realtime changes, and a client that staff had deleted; on
 * request also the client with orders and payments. Kept: the keys and message ids of sends, without text and psid, so
 * that a late retry sends nothing; and a keyed hash, so that a late webhook, a sync or an import stores nothing again.
 */
export function createErasures({
  db,
  erasedPeople,
  removeFiles,
  sendTimeout,
  clock,
  logger,
}: {
  db: Db
  erasedPeople: ErasedPeople
  removeFiles: RemoveFiles
  /** Milliseconds after which a send without a result has lost its process. */
  sendTimeout: number
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}) {
  const inFlight = new Map<string, Promise<void>>()
  let isStopping = false

  /**
   * Stores an erasure and returns its id. `subjectOf` runs in the same transaction. It returns the subject, the id of an
   * erasure that is already running, or null if there is nothing to erase.
   */
  async function begin(
    kind: 'person' | 'page',
    { id = randomBytes(16).toString('hex'), by }: { id?: string; by: AuditActor },
    subjectOf: (trx: Transaction<Tables>, now: Date) => Promise<object | string | null>,
  ): Promise<string | null> {
    const now = new Date(clock.now())
    const begun = await inTransaction(db, async (trx) => {
      const subject = await subjectOf(trx, now)
      if (subject === null || typeof subject === 'string') return subject
      const stored = await trx
        .insertInto('erasures')
        .values({
          id,
          kind,
          subject: JSON.stringify(subject),
          requested_by: by.staffId ?? by.name ?? '',
          due_at: now,
          created_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      // The same request arrived twice at the same time.
      if (stored === undefined) return id
      // Does not identify the person, because the entry stays after the erasure.
      if (kind === 'person') {
        await recordAudit(trx, { at: now.getTime(), by, action: 'person.erased', details: { erasure: id } })
      }
      return id
    })
    loop.wake()
    return begun
  }

  /** Locks the identities of conversations and remembers them as erased. Null if there are none. */
  async function subjectOfPeople(
    trx: Transaction<Tables>,
    now: Date,
    { primaryUserIds, withClient }: { primaryUserIds: string[]; withClient: boolean },
  ): Promise<z.infer<typeof personSubject> | string | null> {
    if (primaryUserIds.length === 0) return null
    const all = await trx
      .selectFrom('fb_users')
      .select(['id', 'page_id as pageId', 'psid', 'client_id as clientId'])
      .where('primary_user_id', 'in', primaryUserIds)
      .orderBy('id')
      .forUpdate()
      .execute()
    const running = await findRunning(trx, all)
    const identities = all.filter(({ id }) => !running.has(id))
    if (identities.length === 0) return [...running.values()][0] ?? null
    const clientId = withClient ? (identities.find((one) => one.clientId !== null)?.clientId ?? null) : null
    if (clientId !== null && (await isClientOfOthers(trx, clientId, primaryUserIds))) throw new ClientShared()
    await trx
      .insertInto('erased_people')
      .values(
        identities.map(({ pageId, psid }) => ({
          person_hash: erasedPeople.hashOf(pageId, psid),
          erased_at: now,
          completed_at: null,
        })),
      )
      .onConflict((conflict) => conflict.column('person_hash').doUpdateSet({ erased_at: now, completed_at: null }))
      .execute()
    return {
      identities: identities.map(({ id, pageId, psid }) => ({ id, pageId, psid })),
      conversationIds: primaryUserIds,
      clientId,
    }
  }

  /** The running erasures of these identities, by the identity's id. */
  async function findRunning(trx: Transaction<Tables>, identities: { id: string }[]): Promise<Map<string, string>> {
    const running = await trx
      .selectFrom('erasures')
      .select(['id', 'subject'])
      .where('kind', '=', 'person')
      .where('state', '=', 'running')
      .execute()
    const asked = new Set(identities.map(({ id }) => id))
    return new Map(
      running.flatMap(({ id, subject }) =>
        personSubject.parse(subject).identities.flatMap((one) => (asked.has(one.id) ? [[one.id, id] as const] : [])),
      ),
    )
  }

  /** Runs an erasure in this process; a call while it runs joins it. */
  function run(id: string): Promise<void> {
    const running = inFlight.get(id)
    if (running !== undefined) return running
    const work = process(id).finally(() => inFlight.delete(id))
    inFlight.set(id, work)
    return work
  }

  async function process(id: string): Promise<void> {
    if (isStopping) return
    try {
      const erasure = await claim(id)
      if (erasure === undefined) return
      const renew = async () => {
        if (isStopping) throw new Stopped()
        await postpone(id, leaseDuration)
      }
      if (erasure.kind === 'person')
        await erasePerson(id, personSubject.parse(erasure.subject), erasure.created_at, renew)
      else await erasePage(id, pageSubject.parse(erasure.subject), renew)
    } catch (error) {
      if (error instanceof Stopped) return postpone(id, 0)
      // Retried when the lease expires.
      logger.error({ erasure: id, reason: codeOf(error) }, 'a batch of an erasure failed')
    }
  }

  /** Undefined if another process holds it or has completed it. */
  async function claim(id: string) {
    const now = clock.now()
    return db
      .updateTable('erasures')
      .set({ due_at: new Date(now + leaseDuration) })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('due_at', '<=', new Date(now))
      .returning(['kind', 'subject', 'created_at'])
      .executeTakeFirst()
  }

  async function postpone(id: string, milliseconds: number): Promise<void> {
    await db
      .updateTable('erasures')
      .set({ due_at: new Date(clock.now() + milliseconds) })
      .where('id', '=', id)
      .execute()
  }

  async function erasePerson(
    id: string,
    { identities, conversationIds, clientId }: z.infer<typeof personSubject>,
    until: Date,
    renew: () => Promise<void>,
  ): Promise<void> {
    if (identities.length > 0 && (await isBeingSentTo(identities))) return postpone(id, sendPollInterval)
    for (const person of identities) {
      await deleteMessagesOf(db, [person.id], renew)
      await inTransaction(db, (trx) =>
        trx.deleteFrom('fb_users').where('page_id', '=', person.pageId).where('psid', '=', person.psid).execute(),
      )
      await removeTextsOfSends({ db, erasedPeople }, person.pageId, person.psid, renew)
      await eraseComments(db, person)
      await deleteEarlyEdits(db, person.pageId, person.psid)
      const accountIds = await accountIdsOf(db, person.pageId)
      await forgetDeliveriesOf(db, { accountIds, psid: person.psid, until }, renew)
      await renew()
      await deleteLargeChanges(db, [person.id, person.psid])
    }
    const identityIds = identities.map((person) => person.id)
    const ids = [...conversationIds, ...identityIds]
    const personHashes = identities.map(({ pageId, psid }) => erasedPeople.hashOf(pageId, psid))
    await forgetFormerIdentities(db, { hashes: personHashes, identities: identityIds, conversations: conversationIds })
    await forgetAuditEntries(db, { erased: { kind: 'conversation', ids } })
    // Somebody else may have been linked to the client since the erasure began.
    const isOwn = clientId !== null && !(await isClientOfOthers(db, clientId, conversationIds))
    for (const one of [...(isOwn ? [clientId] : []), ...(await deletedClientsOf(db, conversationIds))]) {
      const merged = await mergedInto(db, one)
      await deleteClient({ db, erasedPeople }, one, new Date(clock.now()))
      await forgetAuditEntries(db, { erased: { kind: 'client', ids: [one, ...merged] } })
    }
    if (!(await removeFiles())) return postpone(id, filePollInterval)
    await inTransaction(db, async (trx) => {
      if (personHashes.length > 0)
        await trx
          .updateTable('erased_people')
          .set({ completed_at: new Date(clock.now()) })
          .where('person_hash', 'in', personHashes)
          .execute()
      await complete(trx, id)
    })
    logger.info({ erasure: id }, 'a person was erased')
  }

  async function erasePage(id: string, { pageId }: { pageId: string }, renew: () => Promise<void>): Promise<void> {
    for (;;) {
      const people = await db
        .selectFrom('fb_users')
        .select('id')
        .where('page_id', '=', pageId)
        .limit(peopleAtOnce)
        .execute()
      const [first, ...others] = people.map((person) => person.id)
      if (first === undefined) break
      await deleteMessagesOf(db, [first, ...others], renew)
      await inTransaction(db, async (trx) => {
        await rememberIdentities(trx, [first, ...others], erasedPeople.hashOf)
        if (others.length > 0) {
          await announceChanges(trx, false)
          await trx.deleteFrom('fb_users').where('id', 'in', others).execute()
          await announceChanges(trx, true)
        }
        await trx.deleteFrom('fb_users').where('id', '=', first).execute()
      })
      await renew()
    }
    await deleteCommentsOfPage(db, pageId, renew)
    await removeTextsOfSends({ db, erasedPeople }, pageId, null, renew)
    await deleteEarlyEdits(db, pageId, null)
    const accountIds = await accountIdsOf(db, pageId)
    await forgetDeliveriesOf(db, { accountIds, psid: null, until: null }, renew)
    await deleteLargeChanges(db, [pageId])
    if (!(await removeFiles())) return postpone(id, filePollInterval)
    await inTransaction(db, async (trx) => {
      await trx.deleteFrom('pages').where('page_id', '=', pageId).execute()
      await complete(trx, id)
    })
    logger.info({ pageId }, 'a page was removed')
  }

  async function find(id: string): Promise<ErasureState | null> {
    const found = await db.selectFrom('erasures').select(['id', 'state']).where('id', '=', id).executeTakeFirst()
    return found ?? null
  }

  const complete = (trx: Transaction<Tables>, id: string) =>
    trx
      .updateTable('erasures')
      .set({ state: 'completed', subject: '{}', completed_at: new Date(clock.now()) })
      .where('id', '=', id)
      .execute()

  async function isBeingSentTo(identities: Identity[]): Promise<boolean> {
    const sending = await db
      .selectFrom('sends')
      .select('idempotency_key')
      .where((is) => is.or(identities.map(({ pageId, psid }) => is.and({ page_id: pageId, psid }))))
      .where('state', '=', 'sending')
      .where('updated_at', '>', new Date(clock.now() - sendTimeout))
      .limit(1)
      .executeTakeFirst()
    return sending !== undefined
  }

  async function processDue(isRunning: () => boolean): Promise<void> {
    const due = await db
      .selectFrom('erasures')
      .select('id')
      .where('state', '=', 'running')
      .where('due_at', '<=', new Date(clock.now()))
      .orderBy('created_at')
      .execute()
    for (const { id } of due) {
      if (!isRunning()) return
      await run(id)
    }
  }

  const loop = createWorkLoop({
    work: processDue,
    sweep: async () => undefined,
    pollInterval,
    failureMessage: 'reading the due erasures failed',
    clock,
    logger,
  })

  return {
    /**
     * Begins to erase a person with all identities of the conversation. Returns the id of the erasure, null if the
     * conversation is unknown. `withClient` also deletes the linked client; throws ClientShared if the client is linked to
     * another person. If the person is being erased already, returns the id of that erasure. From now on nothing is sent
     * to the person, and no event up to now is stored.
     */
    async beginPerson(
      primaryUserId: string,
      { by, withClient = false }: { by: AuditActor; withClient?: boolean },
    ): Promise<string | null> {
      return begin('person', { by }, (trx, now) =>
        subjectOfPeople(trx, now, { primaryUserIds: [primaryUserId], withClient }),
      )
    },

    /**
     * Begins to erase the person whom the network knows by these ids, and returns the confirmation code. The same signed
     * request has the same code and begins nothing again. A person who is not known has a completed erasure.
     */
    async beginNetworkUser(ids: string[], signedRequest: string): Promise<string> {
      const id = erasedPeople.hashOf('signed request', signedRequest).slice(0, 32)
      if ((await find(id)) !== null) return id
      const begun = await begin('person', { id, by: networkActor }, async (trx, now) => {
        const known = await trx.selectFrom('fb_users').select('primary_user_id').where('psid', 'in', ids).execute()
        const primaryUserIds = known.map((one) => one.primary_user_id)
        // A person who only commented has no conversation.
        await eraseCommentsOf(trx, ids)
        await forgetFormerPeople(trx, ids, erasedPeople.hashOf)
        return (await subjectOfPeople(trx, now, { primaryUserIds, withClient: false })) ?? nobody
      })
      return begun ?? id
    },

    /**
     * Begins to delete a page with all that belongs to it alone. `check` runs first in the same transaction, with the page
     * locked; its errors are rethrown. Returns the id of the erasure, null if the page is not connected.
     */
    async beginPage(
      pageId: string,
      { by, check }: { by: AuditActor; check: (trx: Transaction<Tables>) => Promise<void> },
    ): Promise<string | null> {
      return begin('page', { by }, async (trx, now) => {
        const page = await trx
          .selectFrom('pages')
          .select('page_name')
          .where('page_id', '=', pageId)
          .where('deletion_started_at', 'is', null)
          .forUpdate()
          .executeTakeFirst()
        if (page === undefined) return null
        await check(trx)
        await trx
          .updateTable('pages')
          .set({ deletion_started_at: now, is_active: false })
          .where('page_id', '=', pageId)
          .execute()
        await recordAudit(trx, {
          at: now.getTime(),
          by,
          action: 'page.removed',
          row: { kind: 'page', id: pageId },
          details: { name: page.page_name },
        })
        return { pageId } satisfies z.infer<typeof pageSubject>
      })
    },

    /** Works on an erasure in this process until it is completed or has to wait. Never throws. */
    run,

    /** Null if the id is unknown. */
    find,

    start(): void {
      isStopping = false
      loop.start()
    },
    settled: loop.settled,

    /** Stops after the current batches. Other processes, and the next start, resume the erasures at once. */
    async stop(): Promise<void> {
      isStopping = true
      await loop.stop()
      await Promise.all(inFlight.values())
    },
  }
}
