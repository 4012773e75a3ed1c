import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { type AuditActor, networkActor, recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { forgetFormerPeople } from '../database/former-identities.ts'
import type { Row, Tables } from '../database/tables.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import type { RemoveFiles } from '../files/file-removal.ts'
import type { Logger } from '../logger.ts'
import { createWorkLoop } from '../work-loop.ts'
import { erasePage, erasePerson } from './erase-subject.ts'
import { eraseCommentsOf } from './erased-comments.ts'
import type { ErasedPeople } from './erased-people.ts'
import { nobody, type PageSubject, pageSubject, personSubject, subjectOfPeople } from './erasure-subjects.ts'

/** The server stops, so the erasure is left for another process. */
class Stopped extends Error {}

export type Erasures = ReturnType<typeof createErasures>

/** The state of an erasure, for staff and for the status page. Does not identify the person. */
export type ErasureState = Pick<Row<'erasures'>, 'id' | 'state'>

const pollInterval = 5_000
/** Longer than a batch takes. After a crash another process resumes this much later. */
const leaseDuration = 60_000

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
  const parts = { db, erasedPeople, removeFiles, sendTimeout, clock, logger }
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
      const { subject, created_at: until } = erasure
      const wait =
        erasure.kind === 'person'
          ? await erasePerson(parts, { id, subject: personSubject.parse(subject), until, renew })
          : await erasePage(parts, { id, subject: pageSubject.parse(subject), renew })
      if (wait !== null) await postpone(id, wait)
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

  async function find(id: string): Promise<ErasureState | null> {
    const found = await db.selectFrom('erasures').select(['id', 'state']).where('id', '=', id).executeTakeFirst()
    return found ?? null
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
        subjectOfPeople(trx, { primaryUserIds: [primaryUserId], withClient, erasedPeople, now }),
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
        return (await subjectOfPeople(trx, { primaryUserIds, withClient: false, erasedPeople, now })) ?? nobody
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
        return { pageId } satisfies PageSubject
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
