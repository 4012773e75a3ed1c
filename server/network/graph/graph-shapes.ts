import * as z from 'zod/mini'
import { id, moment } from '../../../src/schemas/primitives.ts'

/** The network's responses, with the fields that are used. Unknown fields are dropped. */

const count = z.nullish(z.number())
const text = z.nullish(z.string())

export const pageResponse = z.object({
  id,
  name: z.string(),
  username: text,
  category: text,
  instagram_business_account: z.nullish(z.object({ id })),
})
export type PageResponse = z.infer<typeof pageResponse>

export const tokenResponse = z.object({
  data: z.object({
    app_id: z.nullish(id),
    is_valid: z.boolean(),
    expires_at: count,
    scopes: z.nullish(z.array(z.string())),
    type: text,
  }),
})

/** `expires_in` in seconds; absent if the token does not expire. */
export const accessTokenResponse = z.object({ access_token: z.string(), expires_in: count })
export type AccessTokenResponse = z.infer<typeof accessTokenResponse>

/** A page that a person manages, with its own token. */
export const managedPage = z.object({
  id,
  name: z.string(),
  username: text,
  category: text,
  access_token: z.string(),
  instagram_business_account: z.nullish(z.object({ id, username: text })),
})
export type ManagedPage = z.infer<typeof managedPage>

export const pictureResponse = z.object({
  data: z.object({ url: z.string(), is_silhouette: z.nullish(z.boolean()), width: count, height: count }),
})

/** Empty without access to the person's profile. */
export const personResponse = z.object({
  id: z.nullish(id),
  name: text,
  first_name: text,
  last_name: text,
  username: text,
  profile_pic: text,
})
export type PersonResponse = z.infer<typeof personResponse>

const participant = z.object({ id, name: text, username: text, email: text })

const graphAttachment = z.object({
  id: z.nullish(id),
  mime_type: text,
  name: text,
  size: count,
  image_data: z.nullish(
    z.object({
      url: text,
      preview_url: text,
      width: count,
      height: count,
      render_as_sticker: z.catch(z.nullish(z.boolean()), null),
      animated_gif_url: z.catch(text, null),
    }),
  ),
  video_data: z.nullish(z.object({ url: text, preview_url: text })),
  file_url: text,
  generic_template: z.optional(z.unknown()),
})
export type GraphAttachment = z.infer<typeof graphAttachment>

const share = z.object({ link: text, name: text, description: text })
const storyLink = z.nullish(z.object({ id: z.nullish(id), link: text }))

export const graphMessage = z.object({
  id,
  created_time: moment,
  from: z.nullish(participant),
  to: z.nullish(z.object({ data: z.array(participant) })),
  message: text,
  sticker: text,
  attachments: z.nullish(z.object({ data: z.array(graphAttachment) })),
  shares: z.catch(z.nullish(z.object({ data: z.array(share) })), null),
  story: z.catch(z.nullish(z.object({ mention: storyLink, reply_to: storyLink })), null),
})
export type GraphMessage = z.infer<typeof graphMessage>

const paging = z.nullish(z.object({ cursors: z.nullish(z.object({ before: text, after: text })), next: text }))

export const graphConversation = z.object({
  id,
  updated_time: z.nullish(moment),
  participants: z.nullish(z.object({ data: z.array(participant) })),
  /** Parsed one by one later, so that one invalid message does not lose the others. */
  messages: z.nullish(z.object({ data: z.array(z.unknown()), paging })),
})
export type GraphConversation = z.infer<typeof graphConversation>

export const conversationsResponse = z.object({ data: z.array(z.unknown()), paging })

export const managedPagesResponse = z.object({ data: z.array(z.unknown()), paging })

export const templatesResponse = z.object({ data: z.array(z.unknown()), paging })

const templateComponent = z.object({
  type: z.string(),
  format: text,
  text: text,
  buttons: z.nullish(z.array(z.object({ type: z.string(), text: text, url: text, payload: text }))),
})

/** A message template of a page. */
export const graphTemplate = z.object({
  id,
  name: z.string(),
  language: z.string(),
  category: text,
  status: text,
  components: z.array(templateComponent),
})
export type GraphTemplate = z.infer<typeof graphTemplate>

export const idsResponse = z.object({ data: z.array(z.object({ id })) })

export const sentResponse = z.object({ recipient_id: z.nullish(id), message_id: id })
export type SentMessage = z.infer<typeof sentResponse>

/** Of a sender action. */
export const actedResponse = z.object({ recipient_id: z.nullish(id) })

export const errorResponse = z.object({
  error: z.object({ code: z.number(), error_subcode: count }),
})

export const successResponse = z.object({ success: z.nullish(z.boolean()) })

/** The header X-Business-Use-Case-Usage, by business and use case. Times in minutes. */
export const usageHeader = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: count })))
