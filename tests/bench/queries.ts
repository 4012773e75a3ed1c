import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { listThreads } from '../../server/database/comments.ts'
import { listConversations } from '../../server/database/conversation-list.ts'
import { viewCounts } from '../../server/database/conversation-states.ts'
import type { Db, OpenDatabase } from '../../server/database/database.ts'
import { openDatabase } from '../../server/database/open-database.ts'
import { listMessages } from '../../server/database/thread.ts'
import { nobody } from '../../src/schemas/conversation.ts'
import { type Fill, fill, fillComments, sameText } from './fill.ts'
import { type BesideWrites, timesBesideWrites } from './writer.ts'

export type QueryFigures = Fill & BesideWrites & { query: string; kind: OpenDatabase['kind'] }

export const fullSize: Fill = { conversations: 100_000, messages: 1_000_000 }
export const quickSize: Fill = { conversations: 10_000, messages: 100_000 }
/** For PostgreSQL alone. */
export const largeSize: Fill = { conversations: 100_000, messages: 10_000_000 }

const rounds = 100

/** Fills a database of each kind and measures the queries of the inbox. */
export async function measureQueries(size: Fill, postgresUrl: string | undefined): Promise<QueryFigures[]> {
  const figures = size === largeSize ? [] : await onEmbedded((database) => measure(database, size))
  if (postgresUrl !== undefined) {
    figures.push(...(await onPostgres(postgresUrl, (database) => measure(database, size))))
  }
  return figures
}

export async function onEmbedded<Result>(work: (database: OpenDatabase) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'staff-inbox-bench-'))
  const database = await openDatabase({ dataDir })
  try {
    return await work(database)
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function onPostgres<Result>(
  server: string,
  work: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const name = `bench_${randomBytes(6).toString('hex')}`
  const maintenance = await openDatabase({ databaseUrl: server })
  await sql`create database ${sql.id(name)}`.execute(maintenance.db)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = await openDatabase({ databaseUrl: url.href })
  try {
    return await work(database)
  } finally {
    await database.close()
    await sql`drop database ${sql.id(name)}`.execute(maintenance.db)
    await maintenance.close()
  }
}

async function measure({ db, kind }: OpenDatabase, size: Fill): Promise<QueryFigures[]> {
  await fill(db, size)
  await fillComments(db, size, { posts: size.conversations / 5, comments: size.conversations * 2 })
  const figures: QueryFigures[] = []
  for (const [query, run] of Object.entries(queries)) {
    const times = await timesBesideWrites(db, size, { text: sameText, rounds, run: (round) => run(db, round, size) })
    figures.push({ query, kind, ...size, ...times })
  }
  return figures
}

type Query = (db: Db, round: number, size: Fill) => Promise<unknown>

const reader = { staffId: 'staff-1', now: Date.now(), country: 'PH', seesAmounts: true }

/** When the newest message had just arrived, so that reply windows are open. */
const inTime = { ...reader, now: Date.UTC(2026, 0, 1) }

const queries: Record<string, Query> = {
  'list, first page': (db) => listConversations(db, { page: 1, limit: 20 }, reader),
  'list, page 50': (db) => listConversations(db, { page: 50, limit: 20 }, reader),
  'list, unread only': (db) => listConversations(db, { page: 1, limit: 20, unreadOnly: true }, reader),
  'list of one page': (db, round) => listConversations(db, { page: 1, limit: 20, pageId: `page-${round % 4}` }, reader),
  'view of those who wait': (db) => listConversations(db, { page: 1, limit: 20, view: 'waiting' }, reader),
  'view of those who wait, by urgency': (db) =>
    listConversations(db, { page: 1, limit: 20, view: 'waiting', order: 'urgent' }, inTime),
  'waiting of an assignee, by urgency': (db, round) =>
    listConversations(
      db,
      { page: 1, limit: 20, view: 'waiting', order: 'urgent', assignedTo: `staff-${round % 6}` },
      inTime,
    ),
  'view of the unassigned': (db) => listConversations(db, { page: 1, limit: 20, view: 'unassigned' }, reader),
  'list of an assignee': (db, round) =>
    listConversations(db, { page: 1, limit: 20, assignedTo: `staff-${round % 6}` }, reader),
  'list of an assignee, one page': (db, round) =>
    listConversations(
      db,
      { page: 1, limit: 20, assignedTo: `staff-${round % 6}`, pageId: `page-${round % 4}` },
      reader,
    ),
  'waiting of an assignee': (db, round) =>
    listConversations(db, { page: 1, limit: 20, view: 'waiting', assignedTo: `staff-${round % 6}` }, reader),
  'waiting, assigned to nobody': (db) =>
    listConversations(db, { page: 1, limit: 20, view: 'waiting', assignedTo: nobody }, reader),
  'done of an assignee': (db, round) =>
    listConversations(db, { page: 1, limit: 20, view: 'done', assignedTo: `staff-${round % 6}` }, reader),
  'counts of the views': (db) => sql`select ${viewCounts({ pageId: undefined, now: reader.now })}`.execute(db),
  'search by name': (db, round, { conversations }) =>
    listConversations(db, { page: 1, limit: 20, search: `Santos${(round * 17 * 61) % conversations}` }, reader),
  'search, common word': (db) => listConversations(db, { page: 1, limit: 20, search: 'santos' }, reader),
  'thread, newest 50': (db, round, { conversations }) =>
    listMessages(db, `user-${(round * 7919) % conversations}`, { page: 1, limit: 50 }),
  'thread of one page': (db, round, { conversations }) =>
    listMessages(db, `user-${(round * 7919) % conversations}`, { page: 1, limit: 50, pageId: `page-${round % 4}` }),
  'comments, without an answer': (db) => listThreads(db, { view: 'waiting', after: null }),
  'comments of one page': (db, round) => listThreads(db, { view: 'all', page: `page-${round % 4}`, after: null }),
  'comments of one post': (db, round) => listThreads(db, { view: 'all', post: `post-${round * 17}`, after: null }),
  'comments of one person': (db, round, { conversations }) =>
    listThreads(db, { view: 'all', conversation: `user-${(round * 7919) % conversations}`, after: null }),
  'comments, rare words': (db, round) => listThreads(db, { view: 'all', search: `magkano ${round * 7}`, after: null }),
  'comments, common word': (db) => listThreads(db, { view: 'all', search: 'magkano', after: null }),
}
