import type { Clock } from '../../clock.ts'
import type { SandboxMessage, SandboxNetwork, SandboxPerson } from './network.ts'
import { createRandom } from './random.ts'
import type { SandboxDb } from './tables.ts'
import { inventTopic, say } from './texts.ts'
import { inventFile } from './world.ts'

export type Liveliness = 'still' | 'calm' | 'lively'

type Manner = { answers: number; answerAfter: [number, number]; visitEvery: [number, number] }

/** Shares and milliseconds. */
const manners: Record<Exclude<Liveliness, 'still'>, Manner> = {
  calm: { answers: 0.8, answerAfter: [3_000, 8_000], visitEvery: [25_000, 60_000] },
  lively: { answers: 0.95, answerAfter: [1_500, 4_000], visitEvery: [2_000, 6_000] },
}

/** The people of the sandbox: they answer staff after a while and write now and then. What they plan survives a restart. */
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
  const manner = liveliness === 'still' ? null : manners[liveliness]
  const random = createRandom(seed)

  async function speak(psid: string): Promise<void> {
    const person = await db.selectFrom('sandbox.people').selectAll().where('psid', '=', psid).executeTakeFirst()
    if (!person?.reachable) return
    const topic = inventTopic(random, (await network.pageOf(person)).trade)
    const files = random.chance(0.12) ? [inventFile(random)] : []
    const words = random.chance(0.25) ? say.question(random, topic) : say.followUp(random, topic)
    await network.personWrites(person, { text: files.length > 0 ? say.caption(random) || null : words, files })
  }

  async function carryOutPlans(): Promise<void> {
    const due = await db
      .deleteFrom('sandbox.plans')
      .where('due_at', '<=', new Date(clock.now()))
      .returning('psid')
      .execute()
    for (const { psid } of due) {
      const person = await db.selectFrom('sandbox.people').selectAll().where('psid', '=', psid).executeTakeFirst()
      if (person) await network.personReads(person, null)
      await speak(psid)
    }
  }

  async function visit({ visitEvery }: Manner): Promise<void> {
    const now = new Date(clock.now())
    const next = new Date(clock.now() + random.between(...visitEvery))
    // Several processes share one world: whoever moves the date on is the one whose visitor comes.
    const mine = await db
      .updateTable('sandbox.state')
      .set({ next_visit_at: next })
      .where((row) => row.or([row('next_visit_at', 'is', null), row('next_visit_at', '<=', now)]))
      .returning('id')
      .executeTakeFirst()
    if (!mine) return
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
    /** A person was sent something: most answer. */
    async heard(person: SandboxPerson, _message: SandboxMessage): Promise<void> {
      if (!manner || !random.chance(manner.answers)) return
      const due = new Date(clock.now() + random.between(...manner.answerAfter))
      await db.insertInto('sandbox.plans').values({ psid: person.psid, due_at: due }).execute()
    },

    /** Does what is due now. */
    async work(): Promise<void> {
      if (!manner) return
      await carryOutPlans()
      await visit(manner)
    },
  }
}
