import { randomInt } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { SandboxNetwork, SandboxPage, SandboxPerson } from './network.ts'
import { refusals, SandboxRefusal } from './refusals.ts'
import type { SandboxDb, SandboxTables } from './tables.ts'
import { seededPages } from './world.ts'

export type SandboxPost = Selectable<SandboxTables['sandbox.posts']>
export type SandboxComment = Selectable<SandboxTables['sandbox.comments']>
export type SandboxComments = ReturnType<typeof createSandboxComments>

const day = 24 * 60 * 60_000
const privateReplyWindow = 7 * day

const texts: Record<'prints' | 'catering', readonly [string, string, string]> = {
  prints: [
    'Tarpaulin promo this week: 3x5 ft at 20% off. Comment your event date!',
    'New lanyard designs are here. Minimum order of 50 pieces.',
    'LIVE: mug and T-shirt sale. Comment MINE and the number to order!',
  ],
  catering: [
    'Fiesta trays: order three bilao of pancit and the fourth is free.',
    'Now accepting orders for graduation parties.',
    'LIVE: party trays for this weekend. Comment MINE and the number to order!',
  ],
}

/** Two posts and a live video for each page and Instagram account of the sandbox, with ids that stay the same. */
export async function seedPosts(db: SandboxDb, now: number): Promise<void> {
  const pages = await db.selectFrom('sandbox.pages').select('page_id').execute()
  const known = seededPages.filter(({ page_id }) => pages.some((page) => page.page_id === page_id))
  if (known.length === 0) return
  const posts = known.flatMap((page) => {
    const platforms = page.instagram_id === null ? (['messenger'] as const) : (['messenger', 'instagram'] as const)
    return platforms.flatMap((platform) =>
      texts[page.trade].map((message, index) => ({
        id:
          platform === 'messenger'
            ? `${page.page_id}_12210000000000${index}`
            : `1790000000${page.page_id.slice(-5)}${index}`,
        page_id: page.page_id,
        platform,
        message,
        picture_seed: page.picture_seed + index,
        is_live_video: index === 2,
        is_broadcast: index === 2,
        created_at: new Date(now - index * 3 * 60 * 60_000),
      })),
    )
  })
  await db
    .insertInto('sandbox.posts')
    .values(posts)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The comments of the sandbox: people write under posts, and the app answers, hides, deletes and likes. */
export function createSandboxComments({
  db,
  network,
  clock,
}: {
  db: SandboxDb
  network: SandboxNetwork
  clock: Clock
}) {
  const seconds = (at: Date) => Math.floor(at.getTime() / 1_000)

  const postOf = (id: string) => db.selectFrom('sandbox.posts').selectAll().where('id', '=', id).executeTakeFirst()
  const pageOf = ({ page_id }: SandboxPost): Promise<SandboxPage> =>
    db.selectFrom('sandbox.pages').selectAll().where('page_id', '=', page_id).executeTakeFirstOrThrow()
  const personOf = (psid: string): Promise<SandboxPerson> =>
    db.selectFrom('sandbox.people').selectAll().where('psid', '=', psid).executeTakeFirstOrThrow()

  async function queueChange(
    post: SandboxPost,
    comment: SandboxComment,
    verb: 'add' | 'edited' | 'remove' | 'hide' | 'unhide',
  ): Promise<void> {
    const page = await pageOf(post)
    if (!page.subscribed) return
    const person = comment.psid === null ? null : await personOf(comment.psid)
    const account = network.accountOf(page, post.platform)
    const time = Math.floor(clock.now() / 1_000)
    if (post.platform === 'instagram') {
      // Instagram tells new comments only.
      if (verb !== 'add') return
      const from =
        person === null ? { id: account, username: page.username } : { id: person.psid, username: person.username }
      const value = {
        from,
        media: { id: post.id, media_product_type: post.is_live_video ? 'LIVE' : 'FEED' },
        id: comment.id,
        ...(comment.parent_id === null ? {} : { parent_id: comment.parent_id }),
        text: comment.message,
      }
      const field = post.is_live_video ? 'live_comments' : 'comments'
      await network.queue(
        JSON.stringify({ object: 'instagram', entry: [{ id: account, time, changes: [{ field, value }] }] }),
      )
      return
    }
    const from =
      person === null
        ? { id: account, name: page.name }
        : { id: person.psid, name: `${person.first_name} ${person.last_name}` }
    const value = {
      from,
      post: { status_type: 'added_photos', is_published: true, permalink_url: permalinkOf(post), id: post.id },
      ...(verb === 'remove' ? {} : { message: comment.message }),
      post_id: post.id,
      comment_id: comment.id,
      created_time: seconds(comment.created_at),
      item: 'comment',
      parent_id: comment.parent_id ?? post.id,
      verb,
    }
    await network.queue(
      JSON.stringify({ object: 'page', entry: [{ id: account, time, changes: [{ field: 'feed', value }] }] }),
    )
  }

  const permalinkOf = ({ id, platform }: SandboxPost) =>
    platform === 'instagram' ? `https://www.instagram.com/p/${id}/` : `https://www.facebook.com/${id}`

  async function write(
    post: SandboxPost,
    { psid, parentId, message, at }: { psid: string | null; parentId: string | null; message: string; at?: Date },
  ): Promise<SandboxComment> {
    const number = `${randomInt(1, 2 ** 47)}`.padStart(15, '7')
    const id = post.platform === 'instagram' ? `18${number}` : `${post.id.split('_')[1]}_${number}`
    const created_at = at ?? new Date(clock.now())
    const row = { id, post_id: post.id, parent_id: parentId, psid, message, created_at }
    const comment = await db.insertInto('sandbox.comments').values(row).returningAll().executeTakeFirstOrThrow()
    await queueChange(post, comment, 'add')
    return comment
  }

  async function find(id: string): Promise<{ comment: SandboxComment; post: SandboxPost } | null> {
    const comment = await db.selectFrom('sandbox.comments').selectAll().where('id', '=', id).executeTakeFirst()
    const post = comment && (await postOf(comment.post_id))
    return comment && post ? { comment, post } : null
  }

  return {
    permalinkOf,
    find,
    postOf,

    /** A person writes under a post. `at` dates the comment, to test what depends on its age. */
    async personComments(
      person: SandboxPerson,
      {
        postId,
        parentId = null,
        message,
        at,
      }: { postId: string; parentId?: string | null; message: string; at?: Date },
    ): Promise<SandboxComment | null> {
      const post = await postOf(postId)
      if (post === undefined || post.page_id !== person.page_id || post.platform !== person.platform) return null
      return write(post, { psid: person.psid, parentId, message, ...(at === undefined ? {} : { at }) })
    },

    async personEdits(id: string, message: string): Promise<boolean> {
      const found = await find(id)
      if (found === null) return false
      const changed = { ...found.comment, message }
      await db.updateTable('sandbox.comments').set({ message }).where('id', '=', id).execute()
      await queueChange(found.post, changed, 'edited')
      return true
    },

    async personRemoves(id: string): Promise<boolean> {
      const found = await find(id)
      if (found === null) return false
      await db.deleteFrom('sandbox.comments').where('id', '=', id).execute()
      await queueChange(found.post, found.comment, 'remove')
      return true
    },

    setBroadcast: async (postId: string, isBroadcast: boolean): Promise<void> => {
      await db.updateTable('sandbox.posts').set({ is_broadcast: isBroadcast }).where('id', '=', postId).execute()
    },

    /** The app answers in public. */
    async pageReplies(
      { comment, post }: { comment: SandboxComment; post: SandboxPost },
      message: string,
    ): Promise<SandboxComment> {
      if (post.platform === 'instagram' && (post.is_live_video || comment.is_hidden)) {
        throw refusals.badParameter('Replies to this comment are not allowed')
      }
      // A reply to a reply stands under the first comment.
      return write(post, { psid: null, parentId: comment.parent_id ?? comment.id, message })
    },

    /** The person of a comment that may be answered in private. Throws the network's refusals. */
    async privateRecipient(page: SandboxPage, commentId: string): Promise<SandboxPerson> {
      const found = await find(commentId)
      if (found === null || found.post.page_id !== page.page_id) throw refusals.unknownObject(commentId)
      const { comment, post } = found
      if (comment.psid === null) throw new SandboxRefusal(10903, null, "This user can't reply to this activity")
      if (comment.private_reply_mid !== null) throw new SandboxRefusal(10900, null, 'Activity already replied to')
      const isLate = clock.now() - comment.created_at.getTime() >= privateReplyWindow
      const isAfterLive = post.platform === 'instagram' && post.is_live_video && !post.is_broadcast
      if (isLate || isAfterLive) throw new SandboxRefusal(10901, null, 'The time to reply has passed')
      return personOf(comment.psid)
    },

    async recordPrivateReply(commentId: string, mid: string): Promise<void> {
      await db.updateTable('sandbox.comments').set({ private_reply_mid: mid }).where('id', '=', commentId).execute()
    },

    async hide({ comment, post }: { comment: SandboxComment; post: SandboxPost }, isHidden: boolean): Promise<void> {
      await db.updateTable('sandbox.comments').set({ is_hidden: isHidden }).where('id', '=', comment.id).execute()
      await queueChange(post, comment, isHidden ? 'hide' : 'unhide')
    },

    async like({ comment }: { comment: SandboxComment }, isLiked: boolean): Promise<void> {
      await db.updateTable('sandbox.comments').set({ is_liked: isLiked }).where('id', '=', comment.id).execute()
    },

    async remove({ comment, post }: { comment: SandboxComment; post: SandboxPost }): Promise<void> {
      await db.deleteFrom('sandbox.comments').where('id', '=', comment.id).execute()
      await queueChange(post, comment, 'remove')
    },

    replies: (commentId: string): Promise<SandboxComment[]> =>
      db
        .selectFrom('sandbox.comments')
        .selectAll()
        .where('parent_id', '=', commentId)
        .orderBy('created_at', 'desc')
        .limit(50)
        .execute(),
  }
}
