import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Clock } from '../../clock.ts'
import { readFaults } from './faults.ts'
import type { SandboxFile } from './media.ts'
import type { SandboxDb, SandboxTables } from './tables.ts'
import { isSentSticker, type SentStructure, tapOn } from './templates.ts'
import { describeThing, isOfPage, type Thing } from './things.ts'

export type SandboxPage = Selectable<SandboxTables['sandbox.pages']>
export type SandboxPerson = Selectable<SandboxTables['sandbox.people']>
export type SandboxMessage = Selectable<SandboxTables['sandbox.messages']>

/** The id of the other app that answers for a page. */
const otherApp = '263902037430900'

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
      thing?: Thing
      metadata?: string | null
      appId?: string | null
      structure?: SentStructure | null
      delivered?: boolean
      mid?: string
      replyTo?: string | null
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
        thing: message.thing === undefined ? null : JSON.stringify(message.thing),
        created_at: new Date(clock.now()),
        metadata: message.metadata ?? null,
        app_id: message.appId ?? null,
        structure: message.structure == null ? null : JSON.stringify(message.structure),
        delivered: message.delivered ?? false,
        reply_to: message.replyTo ?? null,
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

  /** A call that nobody answered. */
  async function queueCall(page: SandboxPage, person: SandboxPerson, id: string, at: Date): Promise<void> {
    if (!page.subscribed) return
    const account = accountOf(page, person.platform)
    const timestamp = Math.floor(at.getTime() / 1_000)
    const call = { id, to: account, from: person.psid, event: 'terminate', timestamp, call_direction: 'user_initiated' }
    const object = person.platform === 'instagram' ? 'instagram' : 'page'
    await queue(JSON.stringify({ object, entry: [{ id: account, time: clock.now(), calls: [call] }] }))
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
    const described = message.thing && describeThing(message.thing, message.mid, urlOf)
    if (described?.event) return queueEvent(page, person, described.event, message.from_page, message.created_at)
    const content = {
      mid: message.mid,
      ...described?.message,
      ...(message.text === null ? {} : { text: message.text }),
      ...(message.files.length === 0
        ? {}
        : { attachments: message.files.map(({ kind, path }) => ({ type: kind, payload: { url: urlOf(path) } })) }),
      ...(isSentSticker(message.structure) ? { attachments: [message.structure] } : {}),
      ...(message.reply_to === null ? {} : { reply_to: { mid: message.reply_to } }),
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
      {
        text,
        files = [],
        mid,
        replyTo = null,
      }: { text: string | null; files?: SandboxFile[]; mid?: string; replyTo?: string | null },
    ): Promise<SandboxMessage> {
      const named = mid === undefined ? {} : { mid }
      const message = await write(person, { fromPage: false, text, files, replyTo, ...named })
      await queueMessageEvent(await pageOf(person), person, message)
      return message
    },

    /**
     * A person sends something else than a text or a file, or another app of the page sends a template. Null if the network
     * lists no message for it.
     */
    async sendsThing(
      person: SandboxPerson,
      thing: Thing,
      { text, mid = newMessageId(person.platform) }: { text?: string; mid?: string } = {},
    ): Promise<SandboxMessage | null> {
      const page = await pageOf(person)
      const now = new Date(clock.now())
      const described = describeThing(thing, mid, urlOf)
      if (thing.kind === 'call') await queueCall(page, person, mid, now)
      else if (!described.isStored) await queueEvent(page, person, described.event ?? {}, false, now)
      else {
        const fromPage = isOfPage(thing.kind)
        const app = fromPage ? { appId: otherApp } : {}
        const message = await write(person, { fromPage, text: text ?? described.text, thing, mid, ...app })
        await queueMessageEvent(page, person, message)
        return message
      }
      return null
    },

    /** A person edits a message. False if there is none. `at`: when, now if absent. */
    async personEdits(person: SandboxPerson, mid: string, text: string, at = new Date(clock.now())): Promise<boolean> {
      const edited = await db
        .updateTable('sandbox.messages')
        .set({ text })
        .where('mid', '=', mid)
        .where('psid', '=', person.psid)
        .where('from_page', '=', false)
        .executeTakeFirst()
      if (edited.numUpdatedRows === 0n) return false
      await queueEvent(await pageOf(person), person, { message_edit: { mid, text, num_edit: 1 } }, false, at)
      return true
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
        replyTo,
      }: {
        text: string | null
        files: SandboxFile[]
        metadata: string | null
        structure: SentStructure | null
        replyTo: string | null
      },
    ): Promise<SandboxMessage> {
      const sent = { fromPage: true, text, files, metadata, structure, appId, delivered: true, replyTo }
      const message = await write(person, sent)
      await queueMessageEvent(page, person, message)
      if (person.platform === 'messenger') {
        const delivery = { mids: [message.mid], watermark: message.created_at.getTime() }
        await queueEvent(page, person, { delivery }, false, message.created_at)
      }
      return message
    },

    /** Another app replies for the page. */
    async pageWritesElsewhere(person: SandboxPerson, text: string): Promise<SandboxMessage> {
      const message = await write(person, { fromPage: true, text, appId: otherApp })
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

    /** A person reads all messages of the page: queues the receipt, if there are any. */
    async personReads(person: SandboxPerson): Promise<void> {
      const newest = await db
        .selectFrom('sandbox.messages')
        .select('mid')
        .where('psid', '=', person.psid)
        .where('from_page', '=', true)
        .orderBy('created_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (newest === undefined) return
      const read = person.platform === 'instagram' ? { mid: newest.mid } : { watermark: clock.now() }
      await queueEvent(await pageOf(person), person, { read }, false, new Date(clock.now()))
    },

    /** A person reacts to a message, or the page does. Null takes the reaction back. False if there is no such message. */
    async reacts(person: SandboxPerson, mid: string, side: 'person' | 'page', emoji: string | null): Promise<boolean> {
      const changed = await db
        .updateTable('sandbox.messages')
        .set(side === 'person' ? { person_reaction: emoji } : { page_reaction: emoji })
        .where('mid', '=', mid)
        .where('psid', '=', person.psid)
        .returning('mid')
        .executeTakeFirst()
      if (changed === undefined) return false
      const reaction = { mid, ...(emoji === null ? { action: 'unreact' } : { action: 'react', emoji }) }
      await queueEvent(await pageOf(person), person, { reaction }, side === 'page', new Date(clock.now()))
      return true
    },

    /** Stores what the app showed to a person without a message. */
    async recordAction(
      person: SandboxPerson,
      { action, mid = null, reaction = null }: { action: string; mid?: string | null; reaction?: string | null },
    ): Promise<void> {
      const at = new Date(clock.now())
      await db.insertInto('sandbox.actions').values({ psid: person.psid, action, mid, reaction, at }).execute()
    },
  }
}
