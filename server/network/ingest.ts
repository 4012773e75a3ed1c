import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { KeepAddress } from './addresses.ts'
import type { Graph } from './graph.ts'
import { GraphError } from './graph-error.ts'
import type { PageTokens } from './page-tokens.ts'
import {
  type Database,
  ensureIdentities,
  knownIdentities,
  noProfile,
  type Profile,
  profileOf,
  settleSend,
  storeMessages,
} from './store.ts'
import { type NetworkEvent, readWebhook } from './webhook-events.ts'

export type Ingest = ReturnType<typeof createIngest>

/** A delivery that was read and whose unknown people were looked up: ready to be stored in one transaction. */
export type PreparedWebhook = {
  platform: 'messenger' | 'instagram'
  events: { event: NetworkEvent; pageId: string; profile: Profile }[]
  problems: string[]
}

/** An unnamed person is asked for again only after this. */
const profileRetryAfter = 60 * 60 * 1000
/** How far apart an echo without our key may be from the send that it settles. */
const echoWindowSeconds = 120

/**
 * The one path by which webhooks enter the database. `prepare` may call the network and holds no transaction; `store`
 * only writes.
 */
export function createIngest({
  db,
  graph,
  pageTokens,
  keep,
  appId,
  clock,
  logger,
}: {
  db: Db
  graph: Graph
  pageTokens: PageTokens
  keep: KeepAddress
  /** Ours: tells our own echoes from those of other apps. */
  appId?: string | undefined
  clock: Clock
  logger: Logger
}) {
  const askedWithoutAnswer = new Map<string, number>()

  async function lookUp(pageId: string, encryptedToken: string, psid: string, platform: 'messenger' | 'instagram') {
    const who = `${pageId}:${psid}`
    const asked = askedWithoutAnswer.get(who)
    if (asked !== undefined && clock.now() - asked < profileRetryAfter) return noProfile
    try {
      const profile = profileOf(await graph.person(pageTokens.decrypt(pageId, encryptedToken), psid, platform), keep)
      if (profile.name === null) askedWithoutAnswer.set(who, clock.now())
      return profile
    } catch (error) {
      // A message is worth more than a name: it is stored without one, and the next message asks again.
      logger.warn({ pageId, code: error instanceof GraphError ? error.code : null }, 'a profile could not be read')
      return noProfile
    }
  }

  async function prepare(body: unknown): Promise<PreparedWebhook> {
    const { platform, events, problems } = readWebhook(body, keep)
    const accounts = [...new Set(events.map(({ accountId }) => accountId))]
    if (accounts.length === 0) return { platform, events: [], problems }
    const pages = await db
      .selectFrom('pages')
      .select(['page_id', 'instagram_id', 'page_access_token_encrypted'])
      .where(platform === 'instagram' ? 'instagram_id' : 'page_id', 'in', accounts)
      .execute()
    const prepared: PreparedWebhook = { platform, events: [], problems: [...problems] }
    for (const accountId of accounts) {
      const page = pages.find((one) => (platform === 'instagram' ? one.instagram_id : one.page_id) === accountId)
      if (!page) {
        prepared.problems.push(`no connected page ${accountId}`)
        continue
      }
      const own = events.filter((event) => event.accountId === accountId)
      const people = [...new Set(own.flatMap((event) => (event.kind === 'message' ? [event.personId] : [])))]
      const named = new Set(
        (await knownIdentities(db, page.page_id, people)).flatMap(({ psid, name }) => (name === null ? [] : [psid])),
      )
      const profiles = new Map<string, Profile>()
      for (const psid of people) {
        if (named.has(psid)) continue
        profiles.set(psid, await lookUp(page.page_id, page.page_access_token_encrypted, psid, platform))
      }
      for (const event of own) {
        const profile = (event.kind === 'message' ? profiles.get(event.personId) : undefined) ?? noProfile
        prepared.events.push({ event, pageId: page.page_id, profile })
      }
    }
    return prepared
  }

  /** Which of our sends an echo settles: the one whose key it carries, else an open one of the same text. */
  async function keyOf(
    trx: Database,
    pageId: string,
    event: Extract<NetworkEvent, { kind: 'message' }>,
    platform: string,
  ): Promise<string | null> {
    const sends = trx
      .selectFrom('sends')
      .select('idempotency_key')
      .where('page_id', '=', pageId)
      .where('psid', '=', event.personId)
    if (event.metadata !== null) {
      const ours = await sends.where('idempotency_key', '=', event.metadata).executeTakeFirst()
      return ours?.idempotency_key ?? null
    }
    const mayBeOurs = event.appId === null ? platform === 'instagram' : event.appId === appId
    if (!mayBeOurs || event.text === null) return null
    const known = await trx
      .selectFrom('messages')
      .select('message_id')
      .where('message_id', '=', event.messageId)
      .executeTakeFirst()
    if (known) return null
    const open = await sends
      .where('state', 'in', ['sending', 'unknown'])
      .where('message_text', '=', event.text)
      .where(sql<boolean>`abs(extract(epoch from created_at - ${event.at}::timestamptz)) < ${echoWindowSeconds}`)
      .orderBy('created_at')
      .executeTakeFirst()
    return open?.idempotency_key ?? null
  }

  async function storeEvent(
    trx: Database,
    platform: 'messenger' | 'instagram',
    { event, pageId, profile }: PreparedWebhook['events'][number],
  ): Promise<void> {
    if (event.kind === 'deleted') {
      await trx
        .insertInto('deleted_messages')
        .values({ message_id: event.messageId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await trx.deleteFrom('messages').where('message_id', '=', event.messageId).where('page_id', '=', pageId).execute()
      return
    }
    if (event.kind === 'edited') {
      await editMessage(trx, pageId, event.messageId, event.text)
      return
    }
    const ids = await ensureIdentities(trx, pageId, platform, new Map([[event.personId, profile]]))
    const fbUserId = ids.get(event.personId)
    if (fbUserId === undefined) throw new Error('an identity vanished while its message was stored')
    const found = event.direction === 'outgoing' ? await keyOf(trx, pageId, event, platform) : null
    const key = found === null ? null : await settleSend(trx, found, event.messageId)
    await storeMessages(trx, [
      {
        fbUserId,
        message: {
          messageId: event.messageId,
          direction: event.direction,
          text: event.text,
          attachments: event.attachments,
          at: event.at,
          isRead: event.direction === 'outgoing',
          key,
        },
      },
    ])
  }

  return {
    prepare,

    /** Stores what was prepared. One bad event does not stop its neighbours; returns what went wrong with it. */
    async store(trx: Database, prepared: PreparedWebhook): Promise<string[]> {
      const problems = [...prepared.problems]
      for (const item of prepared.events) {
        await sql`savepoint network_event`.execute(trx)
        try {
          await storeEvent(trx, prepared.platform, item)
          await sql`release savepoint network_event`.execute(trx)
        } catch (error) {
          await sql`rollback to savepoint network_event`.execute(trx)
          if (isPassing(error)) throw error
          problems.push(`a ${item.event.kind} event of page ${item.pageId} was refused (${databaseCode(error)})`)
        }
      }
      return problems
    },
  }
}

async function editMessage(trx: Database, pageId: string, messageId: string, text: string): Promise<void> {
  const edited = await trx
    .updateTable('messages')
    .set({ message_text: text })
    .where('message_id', '=', messageId)
    .where('page_id', '=', pageId)
    .returning('message_id')
    .execute()
  if (edited.length === 0) return
  await trx
    .updateTable('conversations')
    .set({ last_message_text: text })
    .where('last_message_id', '=', messageId)
    .execute()
  await trx
    .updateTable('conversation_pages')
    .set({ last_message_text: text })
    .where('last_message_id', '=', messageId)
    .execute()
}

function databaseCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** What the data cannot be blamed for: a deadlock, a lost connection, a full disk. Data errors are classes 22 and 23. */
function isPassing(error: unknown): boolean {
  return !/^2[23]/.test(databaseCode(error))
}
