import type { Clock } from '../../clock.ts'
import type { SandboxNetwork, SandboxPerson } from './network.ts'
import { createRandom } from './random.ts'
import type { SandboxDb } from './tables.ts'
import { inventTopic, say } from './texts.ts'
import { inventThing } from './things.ts'
import { inventFile } from './world.ts'

export type Liveliness = 'still' | 'calm' | 'lively'

/** Times in milliseconds. */
type Behaviour = { replyProbability: number; replyDelay: [number, number]; visitInterval: [number, number] }

const behaviours: Record<Exclude<Liveliness, 'still'>, Behaviour> = {
  calm: { replyProbability: 0.8, replyDelay: [3_000, 8_000], visitInterval: [25_000, 60_000] },
  lively: { replyProbability: 0.95, replyDelay: [1_500, 4_000], visitInterval: [2_000, 6_000] },
}

const reactions: [string, ...string[]] = ['❤', '👍', '😆', '😮']

/** Simulates the people of the sandbox: they reply to staff and write from time to time. Planned replies survive a restart. */
export function createLife({
  db,
  network,
  clock,
  liveliness,
  seed,
}: {
  db: SandboxDb
  network: SandboxNetwork
  clock: Clock
  liveliness: Liveliness
  seed: number
}) {
  const behaviour = liveliness === 'still' ? null : behaviours[liveliness]
  const random = createRandom(seed)

  async function newestOfPage(psid: string): Promise<string | null> {
    const newest = await db
      .selectFrom('sandbox.messages')
      .select('mid')
      .where('psid', '=', psid)
      .where('from_page', '=', true)
      .orderBy('created_at', 'desc')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    return newest?.mid ?? null
  }

  /** Writes as a person. Sometimes they send no text, react to the newest message of the page, reply to it, or edit. */
  async function speak(psid: string): Promise<void> {
    const person = await db.selectFrom('sandbox.people').selectAll().where('psid', '=', psid).executeTakeFirst()
    if (!person?.reachable) return
    if (random.chance(0.12)) return void (await network.sendsThing(person, inventThing(random, person.platform)))
    const topic = inventTopic(random, (await network.pageOf(person)).trade)
    const files = random.chance(0.12) ? [inventFile(random)] : []
    const words = random.chance(0.25) ? say.question(random, topic) : say.followUp(random, topic)
    const newest = random.chance(0.25) ? await newestOfPage(psid) : null
    if (newest !== null && random.chance(0.5)) await network.reacts(person, newest, 'person', random.pick(reactions))
    const replyTo = newest !== null && random.chance(0.5) ? newest : null
    const text = files.length > 0 ? say.caption(random) || null : words
    const message = await network.personWrites(person, { text, files, replyTo })
    if (files.length === 0 && random.chance(0.05)) await network.personEdits(person, message.mid, `${words} po`)
  }

  async function runPlans(): Promise<void> {
    const due = await db
      .deleteFrom('sandbox.plans')
      .where('due_at', '<=', new Date(clock.now()))
      .returning('psid')
      .execute()
    for (const { psid } of due) {
      const person = await db.selectFrom('sandbox.people').selectAll().where('psid', '=', psid).executeTakeFirst()
      if (person) await network.personReads(person)
      await speak(psid)
    }
  }

  async function visit({ visitInterval }: Behaviour): Promise<void> {
    if (!(await claimTurn(db, 'next_visit_at', clock, random.between(...visitInterval)))) return
    const people = await db
      .selectFrom('sandbox.people')
      .innerJoin('sandbox.pages', 'sandbox.pages.page_id', 'sandbox.people.page_id')
      .select('psid')
      .where('sandbox.pages.subscribed', '=', true)
      .orderBy('psid')
      .execute()
    const [first, ...rest] = people
    if (first) await speak(random.pick([first, ...rest]).psid)
  }

  return {
    /** Plans a reply to a message from staff, with some probability. */
    async onMessageSent(person: SandboxPerson): Promise<void> {
      if (!behaviour || !random.chance(behaviour.replyProbability)) return
      const due = new Date(clock.now() + random.between(...behaviour.replyDelay))
      await db.insertInto('sandbox.plans').values({ psid: person.psid, due_at: due }).execute()
    },

    /** Writes all due messages. */
    async work(): Promise<void> {
      if (!behaviour) return
      await runPlans()
      await visit(behaviour)
    },
  }
}

/** Several processes share the sandbox: only the one that moves the stored time takes the turn. `wait` in milliseconds. */
export async function claimTurn(
  db: SandboxDb,
  time: 'next_visit_at' | 'next_comment_at',
  clock: Pick<Clock, 'now'>,
  wait: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable('sandbox.state')
    .set({ [time]: new Date(clock.now() + wait) })
    .where((row) => row.or([row(time, 'is', null), row(time, '<=', new Date(clock.now()))]))
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}
