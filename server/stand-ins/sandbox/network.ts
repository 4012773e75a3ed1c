import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Clock } from '../../clock.ts'
import { readFaults } from './faults.ts'
import type { SandboxFile } from './media.ts'
import type { SandboxDb, SandboxTables } from './tables.ts'
import { type SentStructure, tapOn } from './templates.ts'

export type SandboxPage = Selectable<SandboxTables['sandbox.pages']>
export type SandboxPerson = Selectable<SandboxTables['sandbox.people']>
export type SandboxMessage = Selectable<SandboxTables['sandbox.messages']>

export type SandboxNetwork = ReturnType<typeof createSandboxNetwork>

/**
 * The events of the sandbox: stores messages and queues their webhooks in the database, so that none is lost when the
 * server stops.
 */
export function createSandboxNetwork({
  db,
  clock,
  appId,
  address,
  onQueued,
}: {
  db: SandboxDb
  clock: Clock
  appId: string
  /** The sandbox's base URL, for the URLs of its files. */
  address: () => string
  onQueued: () => void
}) {
  const urlOf = (path: string) => `${address()}/media/${path}`

  const accountOf = (page: SandboxPage, platform: SandboxPerson['platform']) =>
    platform === 'instagram' ? (page.instagram_id ?? page.page_id) : page.page_id

  const newMessageId = (platform: SandboxPerson['platform']) =>
    platform === 'instagram'
      ? `aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlE${randomBytes(36).toString('base64url')}`
      : `m_${randomBytes(45).toString('base64url')}`

  async function pageOf(person: SandboxPerson): Promise<SandboxPage> {
    return db.selectFrom('sandbox.pages').selectAll().where('page_id', '=', person.page_id).executeTakeFirstOrThrow()
  }

  async function write(
    person: SandboxPerson,
    message: {
      fromPage: boolean
      text: string | null
      files?: SandboxFile[]
      metadata?: string | null
      appId?: string | null
      structure?: SentStructure | null
      delivered?: boolean
      mid?: string
    },
  ): Promise<SandboxMessage> {
    return db
      .insertInto('sandbox.messages')
      .values({
        mid: message.mid ?? newMessageId(person.platform),
        page_id: person.page_id,
        psid: person.psid,
        from_page: message.fromPage,
        text: message.text,
        files: JSON.stringify(message.files ?? []),
        created_at: new Date(clock.now()),
        metadata: message.metadata ?? null,
        app_id: message.appId ?? null,
        structure: message.structure == null ? null : JSON.stringify(message.structure),
        delivered: message.delivered ?? false,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /** Queues one event for the page's webhook, if the page is subscribed. */
  async function queueEvent(page: SandboxPage, person: SandboxPerson, event: object, fromPage: boolean, at: Date) {
    if (!page.subscribed) return
    const account = accountOf(page, person.platform)
    const [sender, recipient] = fromPage ? [account, person.psid] : [person.psid, account]
    const body = {
      object: person.platform === 'instagram' ? 'instagram' : 'page',
      entry: [
        {
          id: account,
          time: clock.now(),
          messaging: [{ sender: { id: sender }, recipient: { id: recipient }, timestamp: at.getTime(), ...event }],
        },
      ],
    }
    await queue(JSON.stringify(body))
  }

  async function queue(body: string): Promise<void> {
    const copies = (await readFaults(db)).duplicateWebhooks ? 2 : 1
    const row = { body, due_at: new Date(clock.now()) }
    await db
      .insertInto('sandbox.webhooks')
      .values(Array.from({ length: copies }, () => row))
      .execute()
    onQueued()
  }

  async function queueMessageEvent(page: SandboxPage, person: SandboxPerson, message: SandboxMessage): Promise<void> {
    const content = {
      mid: message.mid,
      ...(message.text === null ? {} : { text: message.text }),
      ...(message.files.length === 0
        ? {}
        : { attachments: message.files.map(({ kind, path }) => ({ type: kind, payload: { url: urlOf(path) } })) }),
      ...(message.from_page ? { is_echo: true } : {}),
      ...(message.from_page && message.app_id !== null ? { app_id: Number(message.app_id) } : {}),
      ...(message.metadata === null || person.platform === 'instagram' ? {} : { metadata: message.metadata }),
    }
    await queueEvent(page, person, { message: content }, message.from_page, message.created_at)
  }

  return {
    urlOf,
    accountOf,
    pageOf,
    queue,

    /** A person writes to their page. */
    async personWrites(
      person: SandboxPerson,
      { text, files = [], mid }: { text: string | null; files?: SandboxFile[]; mid?: string },
    ): Promise<SandboxMessage> {
      const message = await write(person, { fromPage: false, text, files, ...(mid === undefined ? {} : { mid }) })
      await queueMessageEvent(await pageOf(person), person, message)
      return message
    },

    /** The app sends for a page: queues the echo and, on Messenger, the delivery receipt. */
    async appSends(
      page: SandboxPage,
      person: SandboxPerson,
      {
        text,
        files,
        metadata,
        structure,
      }: { text: string | null; files: SandboxFile[]; metadata: string | null; structure: SentStructure | null },
    ): Promise<SandboxMessage> {
      const message = await write(person, { fromPage: true, text, files, metadata, structure, appId, delivered: true })
      await queueMessageEvent(page, person, message)
      if (person.platform === 'messenger') {
        const delivery = { mids: [message.mid], watermark: message.created_at.getTime() }
        await queueEvent(page, person, { delivery }, false, message.created_at)
      }
      return message
    },

    /** Another app replies for the page. */
    async pageWritesElsewhere(person: SandboxPerson, text: string): Promise<SandboxMessage> {
      const message = await write(person, { fromPage: true, text, appId: '263902037430900' })
      await queueMessageEvent(await pageOf(person), person, message)
      return message
    },

    /** A person taps a quick reply, or a button without a link, of the last message that has some. False if none has it. */
    async personTaps(person: SandboxPerson, title: string): Promise<boolean> {
      const last = await db
        .selectFrom('sandbox.messages')
        .select('structure')
        .where('psid', '=', person.psid)
        .where('structure', 'is not', null)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      const tap = last?.structure ? tapOn(last.structure, title) : null
      if (tap === null) return false
      const { mid, created_at } = await write(person, { fromPage: false, text: title })
      const { payload } = tap
      const event =
        tap.kind === 'postback'
          ? { postback: { mid, title, payload } }
          : { message: { mid, text: title, quick_reply: { payload } } }
      await queueEvent(await pageOf(person), person, event, false, created_at)
      return true
    },

    /** A person deletes a message. False if there is none. */
    async personDeletes(person: SandboxPerson, mid: string): Promise<boolean> {
      const deleted = await db
        .deleteFrom('sandbox.messages')
        .where('mid', '=', mid)
        .where('psid', '=', person.psid)
        .where('from_page', '=', false)
        .returningAll()
        .executeTakeFirst()
      if (!deleted) return false
      const event = { message: { mid, is_deleted: true } }
      await queueEvent(await pageOf(person), person, event, false, new Date(clock.now()))
      return true
    },

    /** Queues a read receipt. */
    async personReads(person: SandboxPerson, lastMid: string | null): Promise<void> {
      const read = person.platform === 'instagram' ? { mid: lastMid } : { watermark: clock.now() }
      await queueEvent(await pageOf(person), person, { read }, false, new Date(clock.now()))
    },
  }
}
