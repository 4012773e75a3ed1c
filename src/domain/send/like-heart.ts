import type { StructuredContent } from '../../schemas/structured-message.ts'

/** The network's name of the heart, the only sticker that a page can send (Instagram). */
export const likeHeartId = 'like_heart'

export const likeHeart = { kind: 'sticker', sticker: likeHeartId } satisfies StructuredContent

/** The text of the message in lists, in the search and where the heart itself is not shown. */
export const textOfHeart = '❤️ Heart'
