import type { Generated } from 'kysely'
import type { Moment, NullableMoment } from './columns.ts'

export type CommentsTables = {
  posts: {
    id: string
    page_id: string
    platform: 'messenger' | 'instagram'
    kind: Generated<'post' | 'live'>
    is_live: Generated<boolean>
    message: string | null
    picture_url: string | null
    permalink: string | null
    created_at: NullableMoment
    lookup_at: NullableMoment
    lookup_failures: Generated<number>
  }
  comments: {
    id: string
    post_id: string
    page_id: string
    parent_id: string | null
    author_id: string
    author_name: string | null
    by_page: boolean
    message: string | null
    picture_url: string | null
    created_at: Moment
    text_at: Moment
    edited_at: NullableMoment
    hidden_at: NullableMoment
    visibility_at: NullableMoment
    removed_at: NullableMoment
    removed_by: 'person' | 'staff' | null
    liked_at: NullableMoment
    private_reply_at: NullableMoment
    staff_id: string | null
  }
  comment_threads: {
    id: Generated<string>
    post_id: string
    page_id: string
    author_id: string
    author_name: string | null
    psid: string | null
    last_at: Moment
    waiting_since: NullableMoment
    done_until: NullableMoment
    version: Generated<number>
    news_version: number | null
    news_at: NullableMoment
    waiting_text: string | null
  }
  live_sale_claims: {
    comment_id: string
    post_id: string
    number: number
    name: string
    quantity: number
    price: number
    state: 'open' | 'ordered' | 'soldOut'
    order_id: string | null
    created_at: Moment
  }
  comment_sends: {
    key: string
    comment_id: string
    kind: 'public' | 'private'
    staff_id: string | null
    message: string
    state: 'sending' | 'sent' | 'failed' | 'unknown' | 'discarded'
    tries: Generated<number>
    result_id: string | null
    created_at: Moment
    updated_at: Moment
  }
}
