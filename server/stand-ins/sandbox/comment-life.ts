import type { Clock } from '../../clock.ts'
import type { SandboxComments } from './comments.ts'
import { claimTurn, type Liveliness } from './life.ts'
import { createRandom } from './random.ts'
import type { SandboxDb } from './tables.ts'
import { say } from './texts.ts'

const remarks = ['Ang ganda po!', 'Avail pa po?', 'How much po?', 'PM sent', 'Interested', 'Location po?'] as const

/** Between two comments, in milliseconds. */
const intervals = { calm: [60_000, 150_000], lively: [4_000, 12_000] } as const

/** Comments of the sandbox's people from time to time, some of them edited or removed. */
export function createCommentLife({
  db,
  comments,
  clock,
  liveliness,
  seed,
}: {
  db: SandboxDb
  comments: SandboxComments
  clock: Clock
  liveliness: Liveliness
  seed: number
}) {
  const random = createRandom(seed)

  return async (): Promise<void> => {
    if (liveliness === 'still') return
    const [least, most] = intervals[liveliness]
    if (!(await claimTurn(db, 'next_comment_at', clock, random.between(least, most)))) return
    const last = await db
      .selectFrom('sandbox.comments')
      .select('id')
      .where('psid', 'is not', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    if (last !== undefined && random.chance(0.1))
      await comments.personEdits(last.id, `${random.pick(remarks)} (edited)`)
    else if (last !== undefined && random.chance(0.05)) await comments.personRemoves(last.id)
    const people = await db
      .selectFrom('sandbox.people')
      .innerJoin('sandbox.pages', 'sandbox.pages.page_id', 'sandbox.people.page_id')
      .selectAll('sandbox.people')
      .where('sandbox.pages.subscribed', '=', true)
      .orderBy('psid')
      .execute()
    const [first, ...rest] = people
    if (first === undefined) return
    const person = random.pick([first, ...rest])
    const posts = await db
      .selectFrom('sandbox.posts')
      .selectAll()
      .where('page_id', '=', person.page_id)
      .where('platform', '=', person.platform)
      .orderBy('id')
      .execute()
    const [newest, ...older] = posts
    if (newest === undefined) return
    const post = random.pick([newest, ...older])
    const message = post.is_live_video && random.chance(0.7) ? `mine ${random.between(1, 5)}` : random.pick(remarks)
    await comments.personComments(person, {
      postId: post.id,
      message: random.chance(0.2) ? say.caption(random) || message : message,
    })
  }
}
