import * as z from 'zod/mini'
import type { Platform } from '../../../src/schemas/conversation.ts'
import { id, moment } from '../../../src/schemas/primitives.ts'
import type { GraphCall } from './graph-call.ts'
import { type SentMessage, sentResponse, successResponse } from './graph-shapes.ts'

const text = z.nullish(z.string())

const postResponse = z.object({
  id,
  message: text,
  permalink_url: text,
  full_picture: text,
  created_time: z.nullish(moment),
  attachments: z.nullish(
    z.object({
      data: z.array(z.object({ media_type: text, target: z.nullish(z.object({ id: z.nullish(id) })) })),
    }),
  ),
})
const videoResponse = z.object({ id, live_status: text })
const mediaResponse = z.object({
  id,
  caption: text,
  permalink: text,
  media_url: text,
  thumbnail_url: text,
  timestamp: z.nullish(moment),
  media_product_type: text,
})
const createdResponse = z.object({ id })

const replyResponse = z.object({
  id,
  message: text,
  text,
  created_time: z.nullish(moment),
  timestamp: z.nullish(moment),
  from: z.nullish(z.object({ id: z.nullish(id) })),
})
const repliesResponse = z.object({ data: z.array(z.unknown()) })
const privateReplyResponse = z.object({ id, can_reply_privately: z.nullish(z.boolean()) })

/** `createdAt` is ISO text. */
export type GraphPost = {
  message: string | null
  picture: string | null
  permalink: string | null
  createdAt: string | null
  isLiveVideo: boolean
  isBroadcast: boolean
}
export type GraphReply = { id: string; message: string; createdAt: string | null; authorId: string | null }

const inPath = (part: string) => encodeURIComponent(part)
const postFields = 'id,message,permalink_url,full_picture,created_time,attachments{media_type,target}'
const mediaFields = 'id,caption,permalink,media_url,thumbnail_url,timestamp,media_product_type'

/** Values of `live_status` of a video that was or will be broadcast; 'VOD' is also the recording of one. */
const liveStatuses = ['LIVE', 'LIVE_STOPPED', 'VOD']

/** The calls for posts and their comments. Facebook and Instagram differ in paths, fields and parameters. */
export const commentCalls = (call: GraphCall) => {
  const success = async (...request: Parameters<GraphCall>) => {
    await call(...request)
  }
  return {
    /** A post, or a media object of Instagram. */
    post: async (token: string, postId: string, platform: Platform): Promise<GraphPost> => {
      if (platform === 'instagram') {
        const media = await call('post', token, 'GET', inPath(postId), { fields: mediaFields }, mediaResponse)
        const isLiveVideo = media.media_product_type === 'LIVE'
        return {
          message: media.caption ?? null,
          picture: media.thumbnail_url ?? media.media_url ?? null,
          permalink: media.permalink ?? null,
          createdAt: media.timestamp ?? null,
          isLiveVideo,
          // The network lists a live media object only while it is broadcast.
          isBroadcast: isLiveVideo,
        }
      }
      const found = await call('post', token, 'GET', inPath(postId), { fields: postFields }, postResponse)
      const video = found.attachments?.data.find(({ media_type }) => media_type === 'video')?.target?.id
      const status =
        video == null
          ? null
          : (await call('video', token, 'GET', inPath(video), { fields: 'id,live_status' }, videoResponse)).live_status
      return {
        message: found.message ?? null,
        picture: found.full_picture ?? null,
        permalink: found.permalink_url ?? null,
        createdAt: found.created_time ?? null,
        isLiveVideo: status != null && liveStatuses.includes(status),
        isBroadcast: status === 'LIVE',
      }
    },

    /** Answers a comment in public and returns the id of the new comment. */
    replyToComment: async (
      token: string,
      { commentId, platform, message }: { commentId: string; platform: Platform; message: string },
    ): Promise<string> => {
      const edge = platform === 'instagram' ? 'replies' : 'comments'
      const path = `${inPath(commentId)}/${edge}`
      return (await call('comment_reply', token, 'POST', path, {}, createdResponse, { body: { message } })).id
    },

    /** Answers a comment in private. Messenger returns `metadata` in the echo. */
    replyPrivately: (
      token: string,
      { pageId, commentId, text, metadata }: { pageId: string; commentId: string; text: string; metadata?: string },
    ): Promise<SentMessage> => {
      const body = {
        recipient: { comment_id: commentId },
        message: { text, ...(metadata === undefined ? {} : { metadata }) },
      }
      return call('private_reply', token, 'POST', `${inPath(pageId)}/messages`, {}, sentResponse, { body })
    },

    /** The newest answers under a comment. */
    replies: async (token: string, commentId: string, platform: Platform): Promise<GraphReply[]> => {
      const [edge, fields] =
        platform === 'instagram' ? ['replies', 'id,text,timestamp,from'] : ['comments', 'id,message,created_time,from']
      const parameters = { fields, limit: '50', ...(platform === 'messenger' && { order: 'reverse_chronological' }) }
      const path = `${inPath(commentId)}/${edge}`
      const { data } = await call('comment_replies', token, 'GET', path, parameters, repliesResponse)
      return data.flatMap((row) => {
        const reply = replyResponse.safeParse(row)
        if (!reply.success) return []
        const { id: replyId, message, text: words, created_time, timestamp, from } = reply.data
        const createdAt = created_time ?? timestamp ?? null
        return [{ id: replyId, message: message ?? words ?? '', createdAt, authorId: from?.id ?? null }]
      })
    },

    /** Whether the network still takes a private reply to a comment on Facebook; null if it does not tell. */
    mayReplyPrivately: async (token: string, commentId: string): Promise<boolean | null> => {
      const parameters = { fields: 'id,can_reply_privately' }
      const answer = await call('comment', token, 'GET', inPath(commentId), parameters, privateReplyResponse)
      return answer.can_reply_privately ?? null
    },

    hideComment: (token: string, commentId: string, platform: Platform, hidden: boolean): Promise<void> => {
      const name = platform === 'instagram' ? 'hide' : 'is_hidden'
      return success('hide_comment', token, 'POST', inPath(commentId), { [name]: String(hidden) }, successResponse)
    },

    deleteComment: (token: string, commentId: string): Promise<void> =>
      success('delete_comment', token, 'DELETE', inPath(commentId), {}, successResponse),

    /** Only on Facebook. */
    likeComment: (token: string, commentId: string, liked: boolean): Promise<void> =>
      success('like_comment', token, liked ? 'POST' : 'DELETE', `${inPath(commentId)}/likes`, {}, successResponse),
  }
}
