import type { Transaction } from 'kysely'
import { forgetAuditEntries } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { announceChanges } from '../database/announcements.ts'
import { deletedClientsOf, mergedInto } from '../database/client-removals.ts'
import type { Db } from '../database/database.ts'
import { forgetFormerIdentities, rememberIdentities } from '../database/former-identities.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import type { RemoveFiles } from '../files/file-removal.ts'
import type { Logger } from '../logger.ts'
import { forgetDeliveriesOf } from './deliveries.ts'
import { isClientOfOthers } from './erasable.ts'
import { deleteCommentsOfPage, eraseComments } from './erased-comments.ts'
import type { ErasedPeople } from './erased-people.ts'
import {
  accountIdsOf,
  deleteClient,
  deleteEarlyEdits,
  deleteLargeChanges,
  deleteMessagesOf,
  removeTextsOfSends,
} from './erased-rows.ts'
import type { PageSubject, PersonSubject } from './erasure-subjects.ts'

/** People of a deleted page in one transaction. */
const peopleAtOnce = 50
/** Until a message that is being sent to the person is sent or has failed. */
const sendPollInterval = 1_000
/** Until the files of deleted messages are deleted. */
const filePollInterval = 5_000

type Parts = {
  db: Db
  erasedPeople: ErasedPeople
  removeFiles: RemoveFiles
  /** Milliseconds after which a send without a result has lost its process. */
  sendTimeout: number
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'info'>
}

/** `renew` runs between two batches. */
type Erasure<Subject> = { id: string; subject: Subject; renew: () => Promise<void> }

/**
 * The steps of erasing a person, each in its own transactions. Of the stored webhook bodies, only events up to `until` are
 * removed: the person may have written again since. Returns the milliseconds after which the erasure has to go on, null
 * when it is completed.
 */
export async function erasePerson(
  parts: Parts,
  { id, subject: { identities, conversationIds, clientId }, until, renew }: Erasure<PersonSubject> & { until: Date },
): Promise<number | null> {
  const { db, erasedPeople, removeFiles, clock, logger } = parts
  if (identities.length > 0 && (await isBeingSentTo(parts, identities))) return sendPollInterval
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
  if (!(await removeFiles())) return filePollInterval
  await inTransaction(db, async (trx) => {
    if (personHashes.length > 0)
      await trx
        .updateTable('erased_people')
        .set({ completed_at: new Date(clock.now()) })
        .where('person_hash', 'in', personHashes)
        .execute()
    await complete(trx, id, clock.now())
  })
  logger.info({ erasure: id }, 'a person was erased')
  return null
}

/**
 * The steps of deleting a page, each in its own transactions. Returns the milliseconds after which the erasure has to go
 * on, null when it is completed.
 */
export async function erasePage(
  { db, erasedPeople, removeFiles, clock, logger }: Parts,
  { id, subject: { pageId }, renew }: Erasure<PageSubject>,
): Promise<number | null> {
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
  if (!(await removeFiles())) return filePollInterval
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('pages').where('page_id', '=', pageId).execute()
    await complete(trx, id, clock.now())
  })
  logger.info({ pageId }, 'a page was removed')
  return null
}

async function isBeingSentTo(
  { db, sendTimeout, clock }: Parts,
  identities: PersonSubject['identities'],
): Promise<boolean> {
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

const complete = (trx: Transaction<Tables>, id: string, now: number) =>
  trx
    .updateTable('erasures')
    .set({ state: 'completed', subject: '{}', completed_at: new Date(now) })
    .where('id', '=', id)
    .execute()
