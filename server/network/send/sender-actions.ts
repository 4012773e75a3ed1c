import { sql } from 'kysely'
import PQueue from 'p-queue'
import { limits } from '../../../src/domain/limits.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { type Logger, traceOf } from '../../logger.ts'
import type { Graph, SenderAction } from '../graph/graph.ts'
import type { PageCalls } from '../graph/page-calls.ts'

export type SenderActions = ReturnType<typeof createSenderActions>

/** The network shows typing for 20 s, so a person who keeps writing is shown without a gap. Milliseconds. */
const typingInterval = 10_000
const maxConcurrent = 4
/** What waits beyond this is dropped: a late action would be wrong. */
const maxWaiting = 100
/** Tabs that this process knows to be writing. */
const maxTabs = 1_000

type Identity = { fbUserId: string; pageId: string; psid: string }

/**
 * Shows customers that staff write and that staff have read, if the settings of the page say so and the person wrote
 * within the standard reply window. No method waits for the network or throws; a failure is logged.
 */
export function createSenderActions({
  db,
  graph,
  calls,
  clock,
  logger,
}: {
  db: Db
  graph: Pick<Graph, 'act'>
  calls: Pick<PageCalls, 'call'>
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'info'>
}) {
  const queue = new PQueue({ concurrency: maxConcurrent })
  /** Whom the writer of each tab is shown to. */
  const writing = new Map<string, Identity>()

  function later(work: () => Promise<void>): void {
    if (queue.size >= maxWaiting) return
    queue.add(work).catch((error: unknown) => logger.info(traceOf(error), 'a sender action failed'))
  }

  const act = ({ pageId, psid }: Identity, action: Exclude<SenderAction['action'], 'react'>): Promise<void> =>
    calls.call(pageId, { paced: false }, (token) => graph.act(token, { pageId, psid }, { action }))

  /** The person's identities on pages with the setting, that of the newest message first. */
  async function identitiesOf(
    primaryUserId: string,
    setting: 'shows_typing' | 'shows_seen',
    pageId: string | null,
  ): Promise<Identity[]> {
    const rows = await db
      .selectFrom('conversation_pages')
      .innerJoin('pages', 'pages.page_id', 'conversation_pages.page_id')
      .innerJoin('fb_users', 'fb_users.id', 'conversation_pages.fb_user_id')
      .select(['fb_users.id as fbUserId', 'pages.page_id as pageId', 'fb_users.psid'])
      .where('conversation_pages.primary_user_id', '=', primaryUserId)
      .where(`pages.${setting}`, '=', true)
      .where('pages.is_active', '=', true)
      .where('pages.token_invalid_since', 'is', null)
      .where('conversation_pages.last_incoming_at', '>', new Date(clock.now() - limits.replyWindows.standard))
      .$if(pageId !== null, (query) => query.where('pages.page_id', '=', pageId ?? ''))
      .orderBy('conversation_pages.last_incoming_at', 'desc')
      .execute()
    return rows
  }

  /** Whether this call may show it now: one in `typingInterval`, of all processes. */
  async function claimTyping(fbUserId: string): Promise<boolean> {
    const now = clock.now()
    const { rows } = await sql`
      insert into shown_typing as known (fb_user_id, at) values (${fbUserId}, ${new Date(now)})
      on conflict (fb_user_id) do update set at = excluded.at
        where known.at <= ${new Date(now - typingInterval)}
      returning fb_user_id`.execute(db)
    return rows.length > 0
  }

  async function beginTyping(tab: string, primaryUserId: string): Promise<void> {
    const [identity] = await identitiesOf(primaryUserId, 'shows_typing', null)
    if (identity === undefined) return
    if (writing.size >= maxTabs) writing.clear()
    writing.set(tab, identity)
    if (await claimTyping(identity.fbUserId)) await act(identity, 'typing_on')
  }

  function endTyping(tab: string): void {
    const identity = writing.get(tab)
    if (identity === undefined) return
    writing.delete(tab)
    const isStillWritten = [...writing.values()].some(({ fbUserId }) => fbUserId === identity.fbUserId)
    if (!isStillWritten) later(() => act(identity, 'typing_off'))
  }

  return {
    /** A tab of staff says that its person writes a reply to the conversation, or does not. */
    typing(tab: string, primaryUserId: string, isTyping: boolean): void {
      if (isTyping) later(() => beginTyping(tab, primaryUserId))
      else endTyping(tab)
    },

    /** The tab was closed or shows another conversation. */
    left: endTyping,

    /** Staff marked the messages of a conversation as read, of one page or of all. */
    seen(primaryUserId: string, pageId: string | null): void {
      later(async () => {
        for (const identity of await identitiesOf(primaryUserId, 'shows_seen', pageId)) {
          await act(identity, 'mark_seen')
        }
      })
    },

    settled: (): Promise<void> => queue.onIdle(),

    async stop(): Promise<void> {
      queue.clear()
      await queue.onIdle()
    },
  }
}
