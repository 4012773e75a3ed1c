import type { ListAnswer, ListPageRequest, TopRequest } from '../../../src/domain/list/list-calls.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import { quoteOf } from '../../../src/domain/send/reply-target.ts'
import type { BestPage, PageIdentity, SendAnswer, SendOrder } from '../../../src/domain/send/send-calls.ts'
import { attachmentOf } from '../../../src/domain/send/sent-file.ts'
import type { ChannelName, ChannelReport, MessageChange, UserChange } from '../../../src/domain/shell/changes.ts'
import type { MessagesRequest, ThreadRequest } from '../../../src/domain/thread/thread-calls.ts'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import type { OutgoingFile } from '../../../src/schemas/outgoing-file.ts'
import type { Page } from '../../../src/schemas/page.ts'
import type { Receipt } from '../../../src/schemas/reactions-receipts-replies.ts'
import type { Stats } from '../../../src/schemas/stats.ts'

const pageNames = new Map([
  ['p1', 'Bakery'],
  ['p2', 'Flowers'],
])

/** The pages of each person. The first person has more messages than one result page of the thread. */
const people = new Map([
  ['ana', ['p1', 'p2']],
  ['ben', ['p1']],
  ['cat', ['p2']],
])
export const peopleIds = [...people.keys()]

/** Files that staff have uploaded, one of each kind. */
export const uploads: readonly OutgoingFile[] = (['image', 'audio', 'file'] as const).map((kind) => ({
  id: `upload-${kind}`,
  kind,
  type: `${kind}/any`,
  name: `a ${kind}`,
  size: 10,
  url: `/pictures/${kind}`,
}))

const listPageSize = 20
const threadPageSize = 50
const identityOf = (person: string, pageId: string) => `${person}-${pageId}`
const psidOf = (person: string, pageId: string) => `psid-${person}-${pageId}`

type Frame = { messages: MessageChange } | { users: UserChange }

/** A channel of the session, as the server sees it. */
export type Channel = {
  name: ChannelName
  report: (event: ChannelReport) => void
  isOpen: boolean
  standing: 'joining' | 'subscribed' | 'ready' | 'broken'
  /** In milliseconds of the walk's clock. */
  subscribedAt: number | null
  /** The changes since the channel was subscribed that are not delivered yet. */
  frames: Frame[]
}

/**
 * Everything outside a session: the server with its database, the realtime channels and the network, all without
 * delays or faults. The code that delivers the answers adds delays, losses and refusals.
 */
export function createWorld(now: () => number) {
  const messages = new Map<string, Message>()
  const names = new Map(peopleIds.map((person) => [person, `${person} of old`]))
  const channels: Channel[] = []
  /** The receipts of each identity that has any. They only grow. */
  const receipts = new Map<string, Receipt>()
  let count = 0
  let deletions = 0

  const moment = () => new Date(now()).toISOString()

  const tell = (frame: Frame) => {
    const name: ChannelName = 'messages' in frame ? 'messages' : 'users'
    for (const channel of channels) {
      if (channel.isOpen && channel.name === name && channel.standing === 'ready') channel.frames.push(frame)
    }
  }

  const write = (person: string, pageId: string, rest: Partial<Message>): Message => {
    count += 1
    const row: Message = {
      message_id: `m${String(count).padStart(6, '0')}`,
      fb_user_id: identityOf(person, pageId),
      primary_user_id: person,
      page_id: pageId,
      message_text: 'words',
      direction: 'incoming',
      is_read: false,
      created_at: moment(),
      timestamp_fb: moment(),
      ...rest,
    }
    messages.set(row.message_id, row)
    return row
  }
  const insert = (row: Message) => tell({ messages: { type: 'INSERT', record: row, committedAt: moment() } })
  const update = (row: Message) => {
    messages.set(row.message_id, row)
    tell({ messages: { type: 'UPDATE', record: row, committedAt: moment() } })
  }

  const personOf = (id: string) => peopleIds.find((person) => id === person || id.startsWith(`${person}-`)) ?? null

  /** Newest first. */
  const messagesOf = (person: string, pageId: string | null) =>
    [...messages.values()]
      .filter((row) => row.primary_user_id === person && (pageId === null || row.page_id === pageId))
      .sort((a, b) =>
        a.created_at === b.created_at ? (a.message_id < b.message_id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1,
      )

  const conversationOf = (person: string, pageId: string | null): Conversation => {
    const rows = messagesOf(person, pageId)
    const pages = people.get(person) ?? []
    const own = pageId ?? pages[0] ?? ''
    const last = rows[0]
    return {
      primary_user_id: person,
      fb_user_id: identityOf(person, own),
      fb_user_ids: pages.map((page) => identityOf(person, page)).join(', '),
      page_id: own,
      page_ids: pages.join(', '),
      page_names: pages.map((page) => pageNames.get(page)).join(', '),
      page_count: pages.length,
      unified_name: names.get(person),
      unread_messages: rows.filter((row) => row.direction === 'incoming' && !row.is_read).length,
      total_messages: rows.length,
      last_message_at: last?.timestamp_fb,
      last_message_text: last?.message_text,
      last_message_direction: last?.direction,
      last_message_page_id: last?.page_id,
      last_message_page_name: last && pageNames.get(last.page_id),
      psid: psidOf(person, own),
      receipts: pages.flatMap((page) => receipts.get(identityOf(person, page)) ?? []),
    }
  }

  /** All rows of a query, newest first. */
  const list = ({ search, pageId, unreadOnly }: ListQuery): Conversation[] =>
    peopleIds
      .filter((person) => pageId === null || people.get(person)?.includes(pageId))
      .map((person) => conversationOf(person, pageId))
      .filter((row) => row.unified_name?.includes(search) && (!unreadOnly || row.unread_messages > 0))
      .sort((a, b) => ((a.last_message_at ?? '') < (b.last_message_at ?? '') ? 1 : -1))

  const listAnswer = (rows: readonly Conversation[], from: number, to: number): ListAnswer => ({
    rows: rows.slice(from, to),
    hasNext: rows.length > to,
    total: rows.length,
  })

  for (let index = 0; index < threadPageSize * 2 + 20; index += 1) {
    const at = new Date(now() - (200 - index) * 60_000).toISOString()
    const direction = index % 3 === 0 ? 'outgoing' : 'incoming'
    write('ana', index % 2 ? 'p1' : 'p2', { created_at: at, timestamp_fb: at, is_read: index < 110, direction })
  }
  for (const person of ['ben', 'cat']) {
    const at = new Date(now() - (person === 'ben' ? 300 : 400) * 60_000).toISOString()
    write(person, people.get(person)?.[0] ?? '', { created_at: at, timestamp_fb: at })
  }

  return {
    channels,

    loadTop: (input: TopRequest): ListAnswer => listAnswer(list(input.query), 0, Math.max(input.count, listPageSize)),
    loadPage: (input: ListPageRequest): ListAnswer =>
      listAnswer(list(input.query), (input.page - 1) * listPageSize, input.page * listPageSize),
    findConversation: ({ id }: { id: string }): Conversation | null => {
      const person = personOf(id)
      return person === null ? null : conversationOf(person, null)
    },
    loadMessages: (input: MessagesRequest): FetchedPage => {
      const rows = messagesOf(personOf(input.conversationId) ?? '', input.pageId)
      const end = input.page * threadPageSize
      return { messages: rows.slice(end - threadPageSize, end).reverse(), hasMore: rows.length > end }
    },
    findNewest: (input: ThreadRequest): readonly Message[] =>
      messagesOf(personOf(input.conversationId) ?? '', input.pageId)
        .slice(0, threadPageSize)
        .reverse(),
    markRead: (input: ThreadRequest): void => {
      for (const row of messagesOf(personOf(input.conversationId) ?? '', input.pageId)) {
        if (row.direction === 'incoming' && !row.is_read) update({ ...row, is_read: true })
      }
    },
    findBestPage: ({ userId }: { userId: string }): BestPage => {
      const person = personOf(userId) ?? ''
      const [last] = messagesOf(person, null)
      return { pageId: last?.page_id ?? people.get(person)?.[0] ?? '', reason: null }
    },
    findIdentity: (input: { userId: string; pageId: string }): PageIdentity => ({
      psid: psidOf(personOf(input.userId) ?? '', input.pageId),
      platform: null,
    }),
    /**
     * A key is sent once. The first event of the row may lack the key, like a webhook that is faster than the answer.
     */
    sendMessage: (order: SendOrder, isKeyLate: boolean): SendAnswer => {
      const known = [...messages.values()].find((row) => row.idempotency_key === order.key)
      if (known) return { messageId: known.message_id, createdAt: known.created_at }
      const person = personOf(order.psid.replace('psid-', '')) ?? ''
      const file = uploads.find(({ id }) => id === order.fileId)
      const original = messages.get(order.replyTo ?? '')
      const row = write(person, order.pageId, {
        message_text: file === undefined ? order.text : null,
        attachments: file === undefined ? null : { data: [attachmentOf(file)] },
        reply_to: original && quoteOf(original),
        direction: 'outgoing',
        is_read: true,
        idempotency_key: order.key,
      })
      if (isKeyLate) insert({ ...row, idempotency_key: null })
      if (isKeyLate) update(row)
      else insert(row)
      return { messageId: row.message_id, createdAt: row.created_at }
    },
    loadPages: (): readonly Page[] =>
      [...pageNames].map(([page_id, page_name]) => ({ page_id, page_name, is_active: true })),
    loadStats: (): Stats => {
      const unread = [...messages.values()].filter((row) => row.direction === 'incoming' && !row.is_read).length
      return {
        messages: { total: messages.size, incoming: 0, outgoing: 0, unread },
        conversations: { total: people.size, active24h: 0, active7d: 0 },
        users: { total: people.size, linked: 0, active24h: 0 },
        total_conversations: people.size,
        unread_messages: unread,
      }
    },

    /** A person writes to one of their pages. */
    personWrites: (person: string, which: number) => {
      const pages = people.get(person) ?? []
      insert(write(person, pages[which % pages.length] ?? '', { message_text: `word ${which}` }))
    },
    /** Another staff member sends a text that this session may send too, from an inbox (`key`) or on the network. */
    colleagueSends: (person: string, text: string, key: string | null) => {
      const [page = ''] = people.get(person) ?? []
      insert(
        write(person, page, {
          message_text: text,
          direction: 'outgoing',
          is_read: true,
          idempotency_key: key,
        }),
      )
    },
    /** A person reacts to the newest message, or takes the reaction back. */
    personReacts: (person: string, emoji: string | null) => {
      const [newest] = messagesOf(person, null)
      if (newest) update({ ...newest, reactions: emoji === null ? [] : [{ by: 'person', emoji, at: moment() }] })
    },
    /** A person received, or also read, all messages of a page so far. */
    personReceives: (person: string, which: number) => {
      const pages = people.get(person) ?? []
      const page_id = pages[which % pages.length] ?? ''
      const fb_user_id = identityOf(person, page_id)
      const before = receipts.get(fb_user_id)
      const at = moment()
      const read = which % 2 === 0 ? { read_up_to: at, read_at: at } : {}
      const unread = { fb_user_id, page_id, delivered_up_to: at, read_up_to: null, read_at: null }
      const receipt = { ...unread, ...before, delivered_up_to: at, ...read }
      receipts.set(fb_user_id, receipt)
      const { fb_user_id: id, ...row } = receipt
      tell({ users: { type: 'UPDATE', row: { id, ...row } } })
    },
    /** The message of a private reply to a comment of the person. */
    privateReply: (person: string, text: string) => {
      const [page = ''] = people.get(person) ?? []
      insert(write(person, page, { message_text: text, direction: 'outgoing', is_read: true }))
    },
    isRenamed: (person: string, name: string) => {
      names.set(person, name)
      for (const page of people.get(person) ?? [])
        tell({ users: { type: 'UPDATE', row: { id: identityOf(person, page), name } } })
    },
    isDeleted: (person: string) => {
      const [newest] = messagesOf(person, null).filter(({ direction }) => direction === 'incoming')
      if (!newest) return
      messages.delete(newest.message_id)
      deletions += 1
      tell({ messages: { type: 'DELETE', messageId: newest.message_id } })
    },

    firstPageOf: (person: string): string => people.get(person)?.[0] ?? '',
    psidOf,

    /** How often the network received each key of this session. */
    /** When the network received the key, as a number that grows; null if it did not. */
    placeOf: (key: string): number | null => {
      const place = [...messages.values()].findIndex((row) => row.idempotency_key === key)
      return place < 0 ? null : place
    },
    deliveriesOf: (key: string) => [...messages.values()].filter((row) => row.idempotency_key === key).length,
    /** Result pages are counted from the newest message, so an unnoticed deletion shifts older messages by one. */
    hasDeleted: () => deletions > 0,
    messages: () => [...messages.values()],
    threadOf: (person: string, pageId: string | null) => messagesOf(person, pageId).reverse(),
    list,
  }
}
