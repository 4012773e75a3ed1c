import { isDeepStrictEqual } from 'node:util'
import { permissionsOf } from '../../server/auth/roles.ts'
import { isOnItsWay } from '../../src/domain/send/outgoing.ts'
import { claimsOf } from '../../src/domain/session/access-token.ts'
import { selectPhase } from '../../src/machines/app.ts'
import { selectIsLoading, selectIsRefreshing, selectOrder, selectQuery } from '../../src/machines/list/conversations.ts'
import { selectLabels } from '../../src/machines/list/labels.ts'
import { selectRow } from '../../src/machines/list/records.ts'
import { selectUnreadMessages, selectViewCounts } from '../../src/machines/list/stats.ts'
import { selectConnection } from '../../src/machines/shell/realtime.ts'
import { selectConversationId, selectMessages } from '../../src/machines/thread/thread.ts'
import { conversation } from '../../src/schemas/conversation.ts'
import type { ViewCounts } from '../../src/schemas/conversation-state.ts'
import { type Message, message } from '../../src/schemas/message.ts'
import type { Receipt } from '../../src/schemas/reactions-receipts-replies.ts'
import { createCommentChecks } from './check-comments.ts'
import { createProgramChecks } from './check-programs.ts'
import { createSendChecks } from './check-sends.ts'
import { busyComments } from './comments.ts'
import { notesOf, partsOf, type StaffMember } from './people.ts'
import { customers, removablePage, staff, staffPassword } from './sandbox.ts'
import type { World } from './world.ts'

/** What must hold, with its source in `docs/spec.md` or `docs/architecture.md`. */
export const invariants = {
  'sends once': 'architecture: "By itself an answer leaves at most once"; the same key is the same message',
  'order is kept': 'spec 4: Sending, one at a time to each person; architecture: "Files that staff send"',
  'files arrive as chosen': 'architecture: "Files that staff send"',
  'an answer leaves once':
    'architecture, "Comments": the key is stored before the call; sent again only if a person decides so',
  'one private reply for a comment': 'architecture, "Comments": the network takes one private reply',
  'a claim makes one order': 'architecture, "Comments": a comment claims once; the last piece is given away once',
  'comments equal the network': 'architecture, "Comments": changes count by their times, in any order of arrival',
  'the shop is stored': 'architecture, "Shops": the newest version of each row counts, in any order of arrival',
  'an event is delivered': 'docs/webhooks.md: each event at least once, with the same id and body',
  'merge then undo restores': 'operations: a merge can be undone; what nobody changed since is as before',
  'one draft is one message': 'architecture: "The outbox accepts a draft once"',
  'counts equal rows': 'spec 3: unread and total messages of a conversation; Stats',
  'who waits is waiting': 'conversation-state: "the person\'s first message that staff have not answered"',
  'the history ends with the state': 'architecture: "every change of a state is an event"',
  'erased stays erased': 'operations: "events up to the erasure are not stored again"',
  'live is live': 'spec 4: Realtime; architecture: "Live is shown when all three are done"',
  'own conversation': 'spec 4: an insert is added to the open thread if it belongs there',
  'one bubble': 'spec 4: an insert is skipped if its message_id already exists and replaces a temp_ message',
  'no note leaves': 'architecture: notes "never enter the outbox"; the network has the text of no note',
  'ended access is ended': 'operations: the sockets of a person who was made inactive close within seconds',
  'files go with messages':
    'architecture, "From an attachment to its copy": what a customer sent is stored or still due, as long as its message',
  'imported is stored': 'operations, "Import by other programs": an order that was answered has what was sent last',
  'no unhandled error': 'a rejection that nobody handles would end the process',
  'the app does not break': 'the page never shows that it broke',
  'comes to rest': 'when faults end, all is quiet within a bounded time',
  'database equals network': 'spec 4: Message events; what the network has, the inbox has',
  'meant is delivered or stands there': 'spec 4: Sending',
  'nobody sees what they may not': 'spec 2: Guards; spec 6: permissions; architecture: "the screen is cleared"',
  'one conversation owns a row': 'spec 3: Conversation; decisions: "A conversation groups such rows"',
  'client equals server': 'spec 4: Message events; every screen shows what a fresh fetch would',
} as const

export type Invariant = keyof typeof invariants

/** These are checked once all is quiet, the others after each step. */
export const isCheckedAtTheEnd: ReadonlySet<Invariant> = new Set([
  'comes to rest',
  'comments equal the network',
  'the shop is stored',
  'an event is delivered',
  'database equals network',
  'erased stays erased',
  'imported is stored',
  'meant is delivered or stands there',
  'client equals server',
])
export type Breach = { invariant: Invariant; detail: string }

/** A client that is Live hears of what was stored after at most this. Milliseconds. */
const hearsWithin = 5_000
/** The same for a client whose socket may have gone silent, which a heartbeat finds out. */
const noticesWithin = 120_000
/** The social network and the servers agree on the time up to this. Milliseconds. */
const timeTolerance = 60_000
/** Another tab's sign-out is followed within this. Milliseconds. */
const followsWithin = 5_000

const sorted = (rows: readonly string[]) => [...rows].sort()

/** Times of the API and of realtime may differ in their form. */
const timesOf = ({ fb_user_id, delivered_up_to, read_up_to, read_at }: Receipt) => [
  fb_user_id,
  ...[delivered_up_to, read_up_to, read_at].map((time) => (time == null ? null : Date.parse(time))),
]

export function createChecks(world: World, members: readonly StaffMember[]) {
  const { kernel, database, clients } = world
  const liveSince = new Map<string, number>()
  /** The newest message of each conversation, and since when it is known to be stored. */
  const newest = new Map<string, { message: string | null; seenAt: number }>()
  /** Since when a tab or a browser shows or keeps what belongs to somebody else. */
  const wrongSince = new Map<string, number>()
  const breaches: Breach[] = []
  const report = (invariant: Invariant, detail: string) => void breaches.push({ invariant, detail })
  const sends = createSendChecks(world, members, report)
  const programs = createProgramChecks(world, report)
  const comments = createCommentChecks(world, members, report)

  async function checkNotes(): Promise<void> {
    const left = await database.read<{ text: string }>(`select text from sandbox.messages where text ~ '^n[0-9]+$'`)
    for (const { text } of left) report('no note leaves', `the network has the note ${text}`)
  }

  /** A client that is Live has a socket, so the server has ended it. */
  async function checkEndedAccess(): Promise<void> {
    const inactive = await database.read<{ email: string }>('select email from staff where not is_active')
    for (const { client } of members) {
      const parts = partsOf(client.app())
      const isWrong =
        parts !== null && liveSince.has(client.name) && inactive.some(({ email }) => email === parts.user.email)
      const mayBeSilent = kernel.now() - world.network.silencedAt(client.name) < 2 * noticesWithin
      if (lasts(`${client.name} has ended`, isWrong, client.machine, mayBeSilent ? noticesWithin : hearsWithin))
        report('ended access is ended', `${client.name} is Live for ${parts?.user.email}`)
    }
  }

  /** Nothing in the simulation is refused for good, and four days are not over. */
  async function checkFiles(): Promise<void> {
    const files = await database.read<{ key: string; state: string; fault: string | null; sha256: string | null }>(
      `select storage_key as key, state, fault, sha256 from stored_files where message_id is not null`,
    )
    for (const { key, state, fault, sha256 } of files) {
      if (state === 'stored' && world.files.hashOf(key) !== sha256) report('files go with messages', `${key} is lost`)
      if (state !== 'stored' && state !== 'waiting') report('files go with messages', `${key} is ${state}: ${fault}`)
    }
    const without = await database.read<{ id: string }>(
      `select m.message_id as id from messages m,
         jsonb_array_elements(m.attachments -> 'data') with ordinality as attached (file, number)
       where m.direction = 'incoming' and not exists (
         select from stored_files f where f.message_id = m.message_id and f.position = number - 1)`,
    )
    for (const { id } of without) report('files go with messages', `a file of ${id} is not due`)
  }

  async function checkCounts(): Promise<void> {
    const rows = await database.read(
      `select c.primary_user_id, c.total_messages, c.incoming_messages, c.unread_messages, c.last_message_id, m.*
       from conversations c cross join lateral (
         select count(*)::integer as total, count(*) filter (where direction = 'incoming')::integer as incoming,
           count(*) filter (where direction = 'incoming' and not is_read)::integer as unread
         from messages where primary_user_id = c.primary_user_id) m
       where (c.total_messages, c.incoming_messages, c.unread_messages) <> (m.total, m.incoming, m.unread)`,
    )
    for (const row of rows) report('counts equal rows', JSON.stringify(row))
    const [totals] = await database.read<{ counted: number; rows: number }>(
      `select (select coalesce(sum(total_messages), 0) from current_page_totals where page_id <> '')::integer as counted,
        (select count(*) from messages)::integer as rows`,
    )
    if (totals?.counted !== totals?.rows) report('counts equal rows', `of pages ${JSON.stringify(totals)}`)
    const [next] = await database.read<{ name: string | null }>(`select to_regclass('simulated_counts')::text as name`)
    if (next?.name == null) return
    const missed = await database.read(
      `select page_id, coalesce(counted.messages, 0) as counted, coalesce(rows.messages, 0) as rows
       from simulated_counts counted
       full join (select page_id, count(*)::integer as messages from messages group by page_id) rows using (page_id)
       where coalesce(counted.messages, 0) <> coalesce(rows.messages, 0)`,
    )
    for (const row of missed) report('counts equal rows', `of the next release ${JSON.stringify(row)}`)
  }

  /** Conversations that were never closed: closing settles messages. */
  async function checkWaiting(): Promise<void> {
    const rows = await database.read(
      `select c.primary_user_id, c.waiting_since, first.unanswered
       from conversations c cross join lateral (
         select min(timestamp_fb) as unanswered from messages
         where primary_user_id = c.primary_user_id and direction = 'incoming' and timestamp_fb >= coalesce((
           select max(timestamp_fb) from messages
           where primary_user_id = c.primary_user_id and direction = 'outgoing'
             and (idempotency_key is null or idempotency_key not like 'auto-reply:%')), '-infinity')) first
       where c.settled_up_to is null and c.waiting_since is distinct from first.unanswered`,
    )
    for (const row of rows) report('who waits is waiting', JSON.stringify(row))
    const closed = await database.read(
      `select c.primary_user_id, m.message_id from conversations c
       join messages m on m.primary_user_id = c.primary_user_id and m.direction = 'incoming' and not m.is_historical
         and m.id > c.settled_up_to
       where c.done_at is not null`,
    )
    for (const row of closed) report('who waits is waiting', `is done: ${JSON.stringify(row)}`)
  }

  async function checkHistory(): Promise<void> {
    const rows = await database.read(
      `select c.primary_user_id, conversation_state(c) as state, c.state_version as version, e.*
       from conversations c left join lateral (
         select to_jsonb(e) as event, e.id from conversation_events e where e.primary_user_id = c.primary_user_id
         order by e.id desc limit 1) e on true
       where c.state_version <> coalesce(e.id, 0) or not coalesce(e.event @> conversation_state(c), c.state_version = 0)`,
    )
    for (const row of rows) report('the history ends with the state', JSON.stringify(row))
  }

  async function checkClients(): Promise<void> {
    for (const client of clients) {
      for (const fault of client.faults.splice(0)) {
        report(fault.startsWith('one draft') ? 'one draft is one message' : 'the app does not break', fault)
      }
      const app = client.app()
      if (app && selectPhase(app.getSnapshot()) === 'broken') report('the app does not break', client.name)
      const parts = partsOf(app)
      const name = client.name
      if (parts === null || selectConnection(parts.realtime.getSnapshot()) !== 'live') liveSince.delete(name)
      else if (!liveSince.has(name)) liveSince.set(name, kernel.now())
      if (parts === null) continue
      const thread = parts.thread?.getSnapshot()
      if (thread) {
        const id = selectConversationId(thread)
        const shown = selectMessages(thread)
        const row = selectRow(id)(parts.records.getSnapshot())
        const others = shown.filter((one) => row && one.primary_user_id && one.primary_user_id !== row.primary_user_id)
        if (others.length > 0) report('own conversation', `${name} shows ${others[0]?.message_id} in ${id}`)
        const keys = shown.flatMap((one) => one.idempotency_key ?? [])
        const ids = shown.map((one) => one.message_id)
        if (new Set(ids).size !== ids.length || new Set(keys).size !== keys.length)
          report('one bubble', `${name}: ${ids}`)
      }
    }
  }

  /** A client that has been Live for long knows what was stored long ago. */
  async function checkLive(): Promise<void> {
    const rows = await database.read<{ id: string; message: string | null; last: Date | null; text: string | null }>(
      `select primary_user_id as id, last_message_id as message, last_message_at as last, last_message_text as text
       from conversations`,
    )
    for (const { id, message } of rows) {
      if (newest.get(id)?.message !== message) newest.set(id, { message, seenAt: kernel.now() })
    }
    for (const { client } of members) {
      const since = liveSince.get(client.name)
      const parts = partsOf(client.app())
      if (since === undefined || parts === null || parts.session.getSnapshot().context.pageId !== null) continue
      const records = parts.records.getSnapshot()
      const ids = new Set(selectOrder(parts.conversations.getSnapshot()))
      for (const { id, last, text } of rows) {
        const knownSince = Math.max(since, client.machine.sleepsUntil, newest.get(id)?.seenAt ?? 0)
        const shown = ids.has(id) ? selectRow(id)(records) : null
        const mayBeSilent = kernel.now() - world.network.silencedAt(client.name) < 2 * noticesWithin
        const within =
          mayBeSilent || kernel.now() < client.machine.sleepsUntil + noticesWithin ? noticesWithin : hearsWithin
        if (!shown || last === null || kernel.now() - knownSince < within) continue
        if (Date.parse(shown.last_message_at ?? '') < last.getTime()) {
          report('live is live', `${client.name} shows "${shown.last_message_text}" and not "${text}"`)
        }
      }
    }
  }

  /** Rights are those of the database; the person is the one whose token the browser keeps. */
  function checkWhatIsSeen(): void {
    for (const client of clients) {
      const parts = partsOf(client.app())
      const { name, browser } = client
      if (parts === null) {
        wrongSince.delete(name)
        continue
      }
      const { user, records, thread } = parts
      const role = staff.find(({ email }) => email === user.email)?.role ?? ''
      const isReader = permissionsOf(role, []).includes('conversations.read')
      const shown =
        records.getSnapshot().context.records.size + (thread ? selectMessages(thread.getSnapshot()).length : 0)
      if (!isReader && shown > 0) report('nobody sees what they may not', `${name} shows rows to ${user.email}`)
      const token = browser.stored.get('token')
      // A full storage keeps the tokens of no new session.
      const isOthers = token !== undefined && claimsOf(token)?.subject !== user.id && !browser.hasBeenFull()
      if (lasts(name, isOthers, client.machine)) {
        report('nobody sees what they may not', `${name} shows the inbox of ${user.email} to another person`)
      }
      const authors = new Map(members.flatMap((member) => member.meantHere()).map(({ key, author }) => [key, author]))
      for (const { key } of parts.outbox.getSnapshot().context.outgoing) {
        if ((authors.get(key) ?? user.email) !== user.email)
          report('nobody sees what they may not', `${name} has a message of ${authors.get(key)} for ${user.email}`)
      }
    }
    for (const browser of world.browsers) {
      const tabs = clients.filter((client) => client.browser === browser && client.isOpen())
      const phases = tabs.flatMap((tab) => tab.app()?.getSnapshot() ?? []).map(selectPhase)
      const isLeft = phases.length > 0 && phases.every((phase) => phase === 'signedOut')
      const isKept = browser.saved('staff-inbox', 'saved').has('inbox')
      if (lasts(browser.machine.name, isLeft && isKept, browser.machine)) {
        report('nobody sees what they may not', `${browser.machine.name} keeps a copy although nobody is signed in`)
      }
    }
  }

  /** Whether something is wrong for longer than a browser that is awake may take to notice. */
  function lasts(
    name: string,
    isWrong: boolean,
    { sleepsUntil }: { sleepsUntil: number },
    within = followsWithin,
  ): boolean {
    if (!isWrong) wrongSince.delete(name)
    else if (!wrongSince.has(name)) wrongSince.set(name, kernel.now())
    const since = Math.max(wrongSince.get(name) ?? kernel.now(), sleepsUntil)
    return kernel.now() - since > within
  }

  async function checkOwners(): Promise<void> {
    const rows = await database.read<{ problem: string }>(
      `select 'message ' || m.message_id || ' is in ' || m.primary_user_id || ', its writer in ' || f.primary_user_id as problem
         from messages m join fb_users f on f.id = m.fb_user_id
         where (m.primary_user_id, m.page_id) <> (f.primary_user_id, f.page_id)
       union all
       select 'conversation ' || primary_user_id || ' has no person' from conversations c
         where not exists (select from fb_users f where f.primary_user_id = c.primary_user_id)
       union all
       select 'person ' || f.id || ' is of client ' || coalesce(f.client_id, 'none') || ', the conversation of ' ||
           coalesce(c.client_id, 'none')
         from fb_users f join conversations c using (primary_user_id) where f.client_id is distinct from c.client_id
       union all
       select 'conversation ' || primary_user_id || ' is wrong about its pages' from conversations c
         where (select array_agg(distinct page_id order by page_id) from fb_users f
             where f.primary_user_id = c.primary_user_id)
           is distinct from
           (select array_agg(page_id order by page_id) from conversation_pages p
             where p.primary_user_id = c.primary_user_id)`,
    )
    for (const { problem } of rows) report('one conversation owns a row', problem)
    for (const client of clients) {
      const parts = partsOf(client.app())
      const order = parts === null ? [] : selectOrder(parts.conversations.getSnapshot())
      if (new Set(order).size !== order.length) report('one conversation owns a row', `${client.name} lists ${order}`)
    }
  }

  async function checkSenders(): Promise<void> {
    const rows = await database.read<{ key: string; email: string }>(
      'select idempotency_key as key, email from sends join staff on staff.id = staff_id',
    )
    const emails = new Map(rows.map(({ key, email }) => [key, email]))
    for (const { key, author, text } of members.flatMap((member) => member.meantHere())) {
      const email = emails.get(key) ?? author
      if (email !== author) report('nobody sees what they may not', `${text} of ${author} was sent by ${email}`)
    }
  }

  return {
    breaches,

    /** What must hold after each step. */
    async afterStep(): Promise<void> {
      for (const fault of world.faults.splice(0)) report('no unhandled error', fault)
      await checkClients()
      checkWhatIsSeen()
      if (!database.isBetweenTransactions()) return
      await sends.check()
      await comments.check()
      await programs.check()
      await checkNotes()
      await checkEndedAccess()
      await checkFiles()
      await checkCounts()
      await checkWaiting()
      await checkHistory()
      await checkOwners()
      await checkSenders()
      await checkLive()
    },

    /** What is still under way; an empty list once all is quiet. */
    async underWay(): Promise<string[]> {
      const found: string[] = []
      const [rows] = await database.read<Record<string, number>>(
        // A send whose process died stays 'sending' until somebody asks for it.
        `select (select count(*) from sandbox.webhooks)::integer as webhooks,
          (select count(*) from webhook_inbox where processed_at is null)::integer as inbox,
          (select count(*) from auto_replies where state = 'due')::integer as replies,
          (select count(*) from sandbox.shop_posts)::integer as posts_of_shops,
          (select count(*) from shop_deliveries)::integer as shop_deliveries,
          (select count(*) from shops where run_state <> 'idle')::integer as shop_runs,
          (select count(*) from due_webhook_events)::integer as events,
          (select count(*) from webhook_deliveries where state = 'waiting')::integer as deliveries,
          (select count(*) from stored_files where message_id is null)::integer as files_to_delete,
          (select count(*) from erasures where state = 'running')::integer as erasures,
          (select count(*) from sends where state = 'sending' and updated_at > now() - interval '1 minute')::integer as sends`,
      )
      for (const [name, number] of Object.entries(rows ?? {})) if (number > 0) found.push(`${number} ${name}`)
      const claims = await comments.dueClaims()
      if (claims > 0) found.push(`${claims} claims to order`)
      for (const { machine, isReady } of world.servers) if (!isReady()) found.push(`${machine.name} is down`)
      for (const { client, outgoing } of members) {
        const { name } = client
        const parts = partsOf(client.app())
        if (parts === null) {
          found.push(`${name} has no session`)
          continue
        }
        const connection = selectConnection(parts.realtime.getSnapshot())
        if (connection !== 'live') found.push(`${name} is ${connection}`)
        const isSilent = kernel.now() - world.network.silencedAt(name) < noticesWithin
        if (isSilent) found.push(`${name} may not have noticed that its sockets are silent`)
        const list = parts.conversations.getSnapshot()
        if (selectIsLoading(list) || selectIsRefreshing(list)) found.push(`${name} loads its list`)
        const onTheirWay = (outgoing() ?? []).filter(isOnItsWay)
        if (parts.session.system.get('stateChanges')?.getSnapshot().matches('sending'))
          found.push(`${name} changes states`)
        if (parts.session.system.get('reactions')?.getSnapshot().matches('sending')) found.push(`${name} reacts`)
        const busy = busyComments(parts)
        if (busy.length > 0) found.push(`${name} works on the comments ${busy.join()}`)
        if (onTheirWay.length > 0) found.push(`${name} sends ${onTheirWay.map(({ text }) => text).join()}`)
      }
      return found
    },

    notAtRest: (what: readonly string[]) => report('comes to rest', what.join('; ')),

    /** What must hold once all is quiet. */
    async atRest(): Promise<void> {
      const [stored, real] = [
        await database.read<{ id: string }>(
          // Without a text on the network the inbox says what the message is, in its own words.
          `select m.message_id || ' ' || case when s.thing is null and s.text is not null then coalesce(m.message_text, '')
             else '' end || ' ' || m.direction as id
           from messages m left join sandbox.messages s on s.mid = m.message_id
           where m.message_id !~ '^(call|referral|optin):'`,
        ),
        await database.read<{ id: string }>(
          `select mid || ' ' || case when thing is null then coalesce(text, '') else '' end || ' '
             || case when from_page then 'outgoing' else 'incoming' end as id
           from sandbox.messages`,
        ),
      ].map((rows) => new Set(rows.map(({ id }) => id)))
      const mayBeMissing = new Set(
        (
          await database.read<{ mid: string }>(
            'select mid from sandbox.messages where page_id = $1 or psid = any($2::text[])',
            [removablePage.page_id, world.erasures.flatMap(({ psids }) => psids)],
          )
        ).map(({ mid }) => mid),
      )
      const missing = sorted(
        [...(real ?? [])].filter((id) => !stored?.has(id) && !mayBeMissing.has(id.split(' ')[0] ?? '')),
      )
      const extra = sorted([...(stored ?? [])].filter((id) => !real?.has(id)))
      if (missing.length > 0) report('database equals network', `missing ${missing.slice(0, 3).join(', ')}`)
      if (extra.length > 0) report('database equals network', `not on the network ${extra.slice(0, 3).join(', ')}`)

      await compareEvents()
      await programs.checkAtRest()
      await comments.checkNetwork()
      for (const { psids, at, isCertain } of world.erasures) {
        if (!isCertain) continue
        const kept = await database.read<{ id: string }>(
          `select m.message_id as id from messages m join sandbox.messages s on s.mid = m.message_id
           where s.psid = any($1::text[]) and s.created_at < $2`,
          [psids, new Date(at - timeTolerance)],
        )
        if (kept.length > 0) report('erased stays erased', kept.map(({ id }) => id).join())
      }

      const known = await database.read<{ key: string }>(`select storage_key as key from stored_files
         union all select storage_key from outgoing_files`)
      const keys = new Set(known.map(({ key }) => key))
      for (const key of world.files.keys())
        if (!keys.has(key)) report('files go with messages', `${key} is kept without its message`)

      const orders = await database.read<{ id: string; total: number }>(
        'select external_id as id, total_amount::float as total from orders where external_id is not null',
      )
      const totals = new Map(orders.map(({ id, total }) => [id, total]))
      for (const id of new Set(world.imports.map((order) => order.id))) {
        const sent = world.imports.filter((order) => order.id === id)
        const last = sent.findLastIndex(({ isCertain }) => isCertain)
        // An import without an answer may be stored or not.
        const possible: (number | undefined)[] = sent.slice(Math.max(last, 0)).map(({ total }) => total)
        if (last === -1) possible.push(undefined)
        if (!possible.includes(totals.get(id)))
          report('imported is stored', `${id} has the total ${totals.get(id)} and not one of ${possible}`)
      }

      const erasedIds = new Set(world.erasures.flatMap(({ ids }) => ids))
      const arrived = await sends.arrived()
      for (const { client, meantHere } of members) {
        const neighbours = members.filter((other) => other.client.browser === client.browser)
        const standing = new Set(neighbours.flatMap((other) => other.outgoing() ?? []).map(({ key }) => key))
        for (const { key, text, conversationId, isGivenUp, client: writer } of meantHere()) {
          if (writer !== client) continue
          const isDelivered = arrived.has(key) || arrived.has(text)
          if (isGivenUp || erasedIds.has(conversationId)) continue
          if (!isDelivered && !standing.has(key))
            report('meant is delivered or stands there', `${text} of ${client.name} is lost`)
          if (isDelivered && standing.has(key))
            report('meant is delivered or stands there', `${text} of ${client.name} was delivered and still waits`)
        }
      }
      for (const member of members) await compareWithServer(member)
    },
  }

  /** What customers did that the network lists no message for. */
  async function compareEvents(): Promise<void> {
    const rows = await database.read<{ psid: string; kind: string; count: number }>(
      `select f.psid, split_part(m.message_id, ':', 1) as kind, count(*)::integer as count
       from messages m join fb_users f on f.id = m.fb_user_id
       where m.message_id ~ '^(call|referral|optin):' group by 1, 2`,
    )
    const kindOf = (kind: string) => (kind === 'opt_in' ? 'optin' : kind)
    const stored = new Map(rows.map(({ psid, kind, count }) => [`${psid} ${kind}`, count]))
    const sent = new Map<string, number>()
    for (const { psid, kind } of world.events) {
      const name = `${psid} ${kindOf(kind)}`
      sent.set(name, (sent.get(name) ?? 0) + 1)
    }
    const erased = world.erasures.flatMap(({ psids }) => psids)
    for (const name of new Set([...stored.keys(), ...sent.keys()])) {
      const [psid = ''] = name.split(' ')
      const mayBeMissing =
        erased.includes(psid) ||
        customers.some((customer) => customer.psid === psid && customer.pageId === removablePage.page_id)
      const [has, had] = [stored.get(name) ?? 0, sent.get(name) ?? 0]
      if (has > had || (has < had && !mayBeMissing))
        report('database equals network', `has ${has} and not ${had} events of ${name}`)
    }
  }

  async function compareWithServer({ client, email }: StaffMember): Promise<void> {
    const parts = partsOf(client.app())
    if (parts === null) return
    const { name } = client
    const token = await world.signIn(email, staffPassword)
    const { view } = selectQuery(parts.conversations.getSnapshot())
    const list = await world.ask<{ data: unknown[] }>(
      token,
      `/facebook/conversations?page=1&limit=20&view=${view ?? 'all'}`,
    )
    const describe = (row: ReturnType<typeof conversation.parse> | null) =>
      row &&
      [
        row.primary_user_id,
        row.unified_name,
        `${row.unread_messages} of ${row.total_messages}`,
        row.last_message_text,
        row.last_message_direction,
        row.client_id ?? '',
        JSON.stringify((row.receipts ?? []).map(timesOf)),
        row.state && JSON.stringify(row.state, Object.keys(row.state).sort()),
      ].join(' | ')
    const fresh = list.data.map((row) => describe(conversation.parse(row)))
    const records = parts.records.getSnapshot()
    const shown = selectOrder(parts.conversations.getSnapshot()).map((id) => describe(selectRow(id)(records)))
    if (JSON.stringify(fresh) !== JSON.stringify(shown)) {
      report('client equals server', `${name} lists ${JSON.stringify(shown)} and not ${JSON.stringify(fresh)}`)
    }
    const stats = await world.ask<{ data: { unread_messages: number; views: ViewCounts } }>(token, '/facebook/stats')
    const unread = selectUnreadMessages(parts.stats.getSnapshot())
    if (unread !== stats.data.unread_messages) {
      report('client equals server', `${name} counts ${unread} unread and not ${stats.data.unread_messages}`)
    }
    const views = selectViewCounts(parts.stats.getSnapshot())
    if (!isDeepStrictEqual(views, stats.data.views))
      report(
        'client equals server',
        `${name} counts ${JSON.stringify(views)} and not ${JSON.stringify(stats.data.views)}`,
      )
    const labels = await world.ask<{ data: { labels: { id: string }[] } }>(token, '/labels')
    const shownLabels = selectLabels(parts.session.system.get('labels').getSnapshot())
    if (!isDeepStrictEqual(labels.data.labels, shownLabels))
      report('client equals server', `${name} has the labels ${JSON.stringify(shownLabels)}`)
    await comments.compare(name, parts, token)
    const thread = parts.thread?.getSnapshot()
    const id = thread && selectConversationId(thread)
    if (!thread || !id) return
    const notes = await world.ask<{ data: { notes: { id: string }[] } }>(token, `/facebook/conversations/${id}/notes`)
    const shownNotes = notesOf(parts)?.getSnapshot().context.notes ?? []
    if (notes.data.notes.map((note) => note.id).join() !== shownNotes.map((note) => note.id).join())
      report('client equals server', `${name} shows ${shownNotes.length} notes and not ${notes.data.notes.length}`)
    const answer = await world.ask<{ data: { messages: unknown[] } }>(
      token,
      `/facebook/conversations/${id}/messages?page=1&limit=50`,
    )
    const reactionsAndQuote = ({ message_id, reactions, reply_to }: Message) =>
      [message_id, ...(reactions ?? []).map(({ by, emoji, at }) => `${by} ${emoji} ${at}`), reply_to?.state ?? ''].join(
        ' ',
      )
    const expected = answer.data.messages.map((one) => reactionsAndQuote(message.parse(one)))
    const ids = selectMessages(thread).map(reactionsAndQuote)
    if (expected.join() !== ids.slice(-expected.length).join()) {
      report('client equals server', `${name} shows the thread ${ids.slice(-5)} and not ${expected.slice(-5)}`)
    }
  }
}
