import type { CommentAnswer } from '../../../src/domain/comments/answers.ts'
import type {
  CommentList,
  CommentThread,
  OpenSend,
  Post,
  PostComment,
  ThreadRow,
} from '../../../src/schemas/comment.ts'

export const now = Date.parse('2026-11-23T08:00:00Z')

export const postOf = (change: Partial<Post> = {}): Post => ({
  id: 'post-1',
  page_id: 'p1',
  platform: 'messenger',
  kind: 'post',
  is_live: false,
  message: 'Tarpaulin promo',
  picture_url: '/pictures/post',
  permalink: 'https://www.facebook.com/post-1',
  ...change,
})

export const commentOf = (change: Partial<PostComment> = {}): PostComment => ({
  id: 'c1',
  parent_id: null,
  by_page: false,
  author_name: 'Ana Reyes',
  message: 'Magkano po?',
  picture_url: null,
  created_at: '2026-11-20T08:00:00Z',
  edited_at: null,
  is_hidden: false,
  removed_by: null,
  is_liked: false,
  staff_name: null,
  private_reply: null,
  sends: [],
  ...change,
})

/** A typed or unsent answer, as the browser stores it. */
export const answerOf = (change: Partial<CommentAnswer> = {}): CommentAnswer => ({
  key: 'k1',
  comment: { id: 'c1', threadId: 't1', postId: 'post-1', pageId: 'p1', author: 'Ana Reyes' },
  kind: 'public',
  text: 'P250 po',
  createdAt: '2026-11-23T08:00:00.000Z',
  status: 'queued',
  failure: null,
  ...change,
})

export const openSend = (kind: OpenSend['kind'], change: Partial<OpenSend> = {}): OpenSend => ({
  key: 'k1',
  kind,
  message: 'P250 po',
  state: 'unknown',
  tries: 1,
  ...change,
})

export const usedPrivately: PostComment['private_reply'] = {
  at: '2026-11-21T08:00:00Z',
  message: 'Hi po',
  conversation_id: 'ana',
}

const rowOf = (id: string, change: Partial<ThreadRow> = {}): ThreadRow => ({
  id,
  post: postOf(),
  author_name: 'Ana Reyes',
  last_at: '2026-11-20T08:00:00Z',
  waiting_since: '2026-11-20T08:00:00Z',
  last_text: 'Magkano po?',
  ...change,
})

export const listOf = (ids: readonly string[], next: string | null = null): CommentList => ({
  threads: ids.map((id) => rowOf(id)),
  next,
})

export const threadOf = (
  comments: PostComment[] = [commentOf()],
  change: Partial<CommentThread> = {},
): CommentThread => ({
  id: 't1',
  post: postOf(),
  author_name: 'Ana Reyes',
  waiting_since: '2026-11-20T08:00:00Z',
  last_at: '2026-11-20T08:00:00Z',
  conversation_id: null,
  client_id: null,
  comments,
  ...change,
})
