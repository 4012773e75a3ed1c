import { likeHeartId, textOfHeart } from '../../../src/domain/send/like-heart.ts'
import type { MessagePart } from '../../../src/schemas/message-part.ts'

/**
 * The line of `message_text` that stands for a part: what previews, notifications, the search, exports and other programs
 * read. Null for a part whose text or file says it already.
 */
export function fallbackLine(part: MessagePart): string | null {
  switch (part.kind) {
    case 'story_reply':
      return '↩️ Replied to your story'
    case 'story_mention':
      return '📣 Mentioned you in a story'
    case 'share':
      return `🔗 ${joined([part.title, part.text, part.link]) || shareNames[part.what]}`
    case 'product':
      return `🛍️ ${joined([joined([part.title, part.price], ' · ') || 'Product', part.link])}`
    case 'referral':
      return `📢 ${referralLine(part)}`
    case 'location':
      return `📍 Location: ${joined([part.title, `${part.latitude}, ${part.longitude}`], ' · ')}`
    case 'sticker':
      return part.sticker_id === likeHeartId ? textOfHeart : '🙂 Sticker'
    case 'gif':
      return '🎞️ GIF'
    case 'template': {
      const lines = [
        part.text,
        ...part.cards.map(({ title, text }) => joined([title, text], ' · ')),
        part.receipt && joined(['🧾 Receipt', part.receipt.number, part.receipt.total], ' · '),
        joined([...part.buttons, ...part.cards.flatMap(({ buttons }) => buttons)].map(({ title }) => `[${title}]`)),
      ]
      return joined(lines, '\n') || '📋 Message with buttons'
    }
    case 'postback':
    case 'quick_reply':
      return null
    case 'call':
      return part.is_missed ? '📞 Missed call' : '📞 Call'
    case 'opt_in':
      return `🔔 ${joined([part.has_stopped ? 'Stopped messages' : 'Agreed to get messages', part.title], ': ')}`
    case 'unknown':
      return `❔ ${part.type ? `Something this inbox cannot show (${part.type.replaceAll('_', ' ')})` : 'Something this inbox cannot show'}`
  }
}

const joined = (texts: readonly (string | null | undefined)[], separator = ' ') =>
  texts.filter((text) => text).join(separator)

const shareNames = { post: 'Shared post', reel: 'Shared reel', story: 'Shared story', link: 'Shared link' } as const

function referralLine({ source, title, ref }: Extract<MessagePart, { kind: 'referral' }>): string {
  const name = { ad: 'From an ad', link: 'From a link', shop: 'From a product', other: 'From outside the chat' }[source]
  return joined([name, title ?? ref], ': ')
}
