import { isDeepStrictEqual } from 'node:util'
import { selectThread } from '../../src/machines/comments/comment-thread.ts'
import { selectOpenThread, selectThreads, selectView } from '../../src/machines/comments/comments.ts'
import { commentThread, threadRow } from '../../src/schemas/comment.ts'
import { commentsOf } from './comments.ts'
import type { Invariant } from './invariants.ts'
import type { Session, StaffMember } from './people.ts'
import type { World } from './world.ts'

/** Comments, their answers, and the orders of live sales. */
export function createCommentChecks(
  world: World,
  members: readonly StaffMember[],
  report: (invariant: Invariant, detail: string) => void,
) {
  const { database } = world
  /** The orders that have had their claim. */
  const claimed = new Set<string>()

  async function checkAnswers(): Promise<void> {
    const rows = await database.read<{ text: string; sent: number }>(
      `select text, count(*)::integer as sent from (
         select message as text from sandbox.comments where psid is null
         union all select text from sandbox.messages where delivered) answers
       where text ~ '^a[0-9]+$' group by text having count(*) > 1`,
    )
    const answers = members.flatMap((member) => member.answers)
    for (const { text, sent } of rows) {
      const retries = answers.find((answer) => answer.text === text)?.retries ?? 0
      if (sent > 1 + retries) report('an answer leaves once', `${text} was delivered ${sent} times`)
    }
    const privately = await database.read<{ id: string; sends: number }>(
      `select comment_id as id, count(*)::integer as sends from comment_sends
       where kind = 'private' and state in ('sending', 'unknown', 'sent') group by 1 having count(*) > 1`,
    )
    for (const { id, sends } of privately)
      report('one private reply for a comment', `${id} has ${sends} private replies that were or may be sent`)
  }

  async function checkClaims(): Promise<void> {
    const wrong = await database.read<{ problem: string }>(
      `select 'the claim of ' || c.comment_id || ' is ' || c.state || ' with ' || count(o.id) || ' orders' as problem
         from live_sale_claims c left join orders o on o.id = c.order_id
         group by c.comment_id, c.state having count(o.id) <> case when c.state = 'ordered' then 1 else 0 end
       union all
       select sum(quantity) || ' of 4 pieces were given away under ' || post_id
         from live_sale_claims where number = 2 and state <> 'soldOut' group by post_id having sum(quantity) > 4`,
    )
    for (const { problem } of wrong) report('a claim makes one order', problem)
    const orders = await database.read<{ id: string; claims: number }>(
      `select o.id, count(c.comment_id)::integer as claims
       from orders o left join live_sale_claims c on c.order_id = o.id
       where o.items -> 0 ->> 'name' like 'Sale %' group by o.id`,
    )
    for (const { id, claims } of orders) {
      // The claims of an erased person are deleted, and the orders of the client stay.
      const wasErased = claims === 0 && claimed.has(id) && world.erasures.length > 0
      if (claims === 1) claimed.add(id)
      else if (!wasErased) report('a claim makes one order', `order ${id} has ${claims} claims`)
    }
  }

  /** Instagram tells new comments alone, so what happened to them there may be missing. */
  async function checkNetwork(): Promise<void> {
    const rows = await database.read<{ problem: string }>(
      `with erased as (select unnest($1::text[]) as psid),
       known as (
         select s.*, p.platform from sandbox.comments s join sandbox.posts p on p.id = s.post_id
         where coalesce(s.psid, '') not in (select psid from erased)
           and not exists (select from sandbox.comments parent join erased using (psid) where parent.id = s.parent_id)
       )
       select 'missing ' || k.id || ' ' || k.message as problem from known k left join comments c on c.id = k.id
         where c.id is null
       union all
       select k.id || ' is "' || coalesce(c.message, 'removed') || '", hidden: ' || (c.hidden_at is not null)
           || ' and not "' || k.message || '", hidden: ' || k.is_hidden
         from known k join comments c on c.id = k.id
         where k.platform = 'messenger'
           and (c.message is distinct from k.message or (c.hidden_at is not null) <> k.is_hidden)
       union all
       select c.id || ' is not on the network' from comments c join posts p on p.id = c.post_id
         where p.platform = 'messenger' and c.removed_at is null
           and not exists (select from sandbox.comments s where s.id = c.id)`,
      [world.erasures.flatMap(({ psids }) => psids)],
    )
    for (const { problem } of rows) report('comments equal the network', problem)
  }

  return {
    async check(): Promise<void> {
      await checkAnswers()
      await checkClaims()
    },
    checkNetwork,

    /** Claims whose person has a client, and which are not ordered yet. */
    dueClaims: async (): Promise<number> => {
      const [row] = await database.read<{ due: number }>(
        `select count(*)::integer as due from live_sale_claims claims
         join comments on comments.id = claims.comment_id
         join comment_threads threads on threads.post_id = comments.post_id and threads.author_id = comments.author_id
         join fb_users on fb_users.page_id = comments.page_id
           and fb_users.psid = coalesce(threads.psid, comments.author_id)
         join clients on clients.id = fb_users.client_id and clients.removed_at is null
         where claims.state = 'open'`,
      )
      return row?.due ?? 0
    },

    /** The open dialog shows what a fresh fetch does. */
    async compare(name: string, parts: Session, token: string): Promise<void> {
      const dialog = commentsOf(parts)?.getSnapshot()
      if (dialog === undefined) return
      const view = selectView(dialog)
      const list = await world.ask<{ data: { threads: unknown[] } }>(token, `/comments/threads?view=${view}`)
      const fresh = list.data.threads.map((row) => threadRow.parse(row))
      const shown = (selectThreads(dialog) ?? []).slice(0, fresh.length)
      if (!isDeepStrictEqual(shown, fresh))
        report(
          'client equals server',
          `${name} lists the comments ${JSON.stringify(shown)} and not ${JSON.stringify(fresh)}`,
        )
      const open = selectOpenThread(dialog)
      const thread = open && selectThread(open.getSnapshot())
      if (!thread) return
      const answer = await world.ask<{ data?: unknown }>(token, `/comments/threads/${thread.id}`)
      const expected = answer.data === undefined ? null : commentThread.parse(answer.data)
      if (!isDeepStrictEqual(thread, expected))
        report('client equals server', `${name} shows ${JSON.stringify(thread)} and not ${JSON.stringify(expected)}`)
    },
  }
}
