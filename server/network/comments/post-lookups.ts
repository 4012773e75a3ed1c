import { sql, type Transaction } from 'kysely'
import type { Clock } from '../../clock.ts'
import { lockPosts } from '../../database/comments.ts'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { codeOf, inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { createWorkLoop } from '../../work-loop.ts'
import type { GraphPost } from '../graph/comment-graph.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { takeClaims } from './live-sales.ts'
import { refreshThreadsOf } from './store-comments.ts'

const pollInterval = 5_000
/** Longer than the two calls of a lookup take. Milliseconds. */
const leaseDuration = 60_000
/** A live video is read again, because no webhook tells its end. */
const livePause = 60_000
const initialBackoff = 60_000
const maxFailures = 8

type Due = { id: string; page_id: string; platform: 'messenger' | 'instagram'; kind: 'post' | 'live'; failures: number }

/** Reads the details of posts with comments from the network, one post at a time, and whether a live video is broadcast. */
export function createPostLookups({
  db,
  graph,
  calls,
  normalizeUrl,
  clock,
  logger,
}: {
  db: Db
  graph: Pick<Graph, 'post'>
  calls: Pick<PageCalls, 'call'>
  normalizeUrl: NormalizeUrl
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  async function lookUpDue(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      const due = await claim()
      if (due === undefined) return
      await lookUp(due)
    }
  }

  async function claim(): Promise<Due | undefined> {
    const { rows } = await sql<Due>`
      update posts set lookup_at = ${new Date(clock.now() + leaseDuration)}
      where id = (select id from posts where lookup_at <= ${new Date(clock.now())} order by lookup_at
        limit 1 for no key update skip locked)
      returning id, page_id, platform, kind, lookup_failures as failures`.execute(db)
    return rows[0]
  }

  async function lookUp(due: Due): Promise<void> {
    try {
      const found = await calls.call(due.page_id, { paced: false }, (token) => graph.post(token, due.id, due.platform))
      await store(due, found)
    } catch (error) {
      if (!(error instanceof GraphError || error instanceof PageUnusable)) throw error
      if (due.kind === 'live' && error instanceof GraphError && error.code === 100) return endLive(due)
      const failures = due.failures + 1
      logger.warn({ pageId: due.page_id, code: codeOf(error) }, 'reading a post failed')
      await db
        .updateTable('posts')
        .set({
          lookup_failures: failures,
          lookup_at: failures >= maxFailures ? null : new Date(clock.now() + initialBackoff * 4 ** (failures - 1)),
        })
        .where('id', '=', due.id)
        .execute()
    }
  }

  async function store(due: Due, found: GraphPost): Promise<void> {
    const { message, picture, permalink, createdAt, isLiveVideo, isBroadcast } = found
    await change(due, {
      message,
      picture_url: normalizeUrl.picture(picture),
      permalink: normalizeUrl(permalink),
      created_at: createdAt,
      ...(isLiveVideo ? { kind: 'live' as const } : {}),
      is_live: isBroadcast,
      lookup_at: isBroadcast ? new Date(clock.now() + livePause) : null,
      lookup_failures: 0,
    })
  }

  /** Instagram does not list a live video that has ended. */
  const endLive = (due: Due) => change(due, { is_live: false, lookup_at: null })

  /** Announces the post by its newest thread, if what is shown of the post has changed. */
  async function change({ id }: Due, set: Partial<PostDetails> & Partial<Lookup>): Promise<void> {
    await inTransaction(db, async (trx) => {
      await lockPosts(trx, [id])
      const shown = () =>
        trx
          .selectFrom('posts')
          .select(['kind', 'is_live', 'message', 'picture_url', 'permalink', 'created_at'])
          .where('id', '=', id)
          .executeTakeFirst()
      const before = await shown()
      await trx.updateTable('posts').set(set).where('id', '=', id).execute()
      // The first comments came before anybody knew that this is a live video.
      if (set.is_live === true && before?.created_at === null) await takeEarlierClaims(trx, id)
      if (JSON.stringify(before) === JSON.stringify(await shown())) return
      await sql`
        update comment_threads set version = version + 1
        where id = (select id from comment_threads where post_id = ${id} order by last_at desc limit 1)`.execute(trx)
    })
  }

  async function takeEarlierClaims(trx: Transaction<Tables>, postId: string): Promise<void> {
    const comments = await trx.selectFrom('comments').select('id').where('post_id', '=', postId).execute()
    const ids = comments.map((comment) => comment.id)
    await takeClaims(trx, ids, new Date(clock.now()))
    await refreshThreadsOf(trx, ids)
  }

  return createWorkLoop({
    work: lookUpDue,
    sweep: async () => undefined,
    pollInterval,
    failureMessage: 'reading posts failed',
    clock,
    logger,
  })
}

type PostDetails = {
  kind: 'post' | 'live'
  is_live: boolean
  message: string | null
  picture_url: string | null
  permalink: string | null
  created_at: string | null
}
type Lookup = { lookup_at: Date | null; lookup_failures: number }
