import type { Platform } from '../../schemas/conversation.ts'
import { placeholdersIn } from './placeholders.ts'

/** Messenger accepts fewer than 2,000 characters, Instagram 1,000 bytes. */
const longest = { messengerCharacters: 1_999, instagramBytes: 1_000 }

const encoder = new TextEncoder()

/** The size of a text and the limit of the platform: in characters on Messenger, in bytes on Instagram. */
export const textSize = (text: string, platform: Platform): { size: number; limit: number } =>
  platform === 'instagram'
    ? { size: encoder.encode(text).length, limit: longest.instagramBytes }
    : { size: [...text].length, limit: longest.messengerCharacters }

/** Whether at least four fifths of the limit are used, so that the counter is shown. */
export const isNearLimit = ({ size, limit }: { size: number; limit: number }): boolean => size * 5 >= limit * 4

/**
 * Whether a text can be sent as one message: it is not blank, has no placeholder of a saved reply, and is within the
 * platform's limit. A null platform means Messenger.
 */
export const isSendable = (text: string, platform: Platform | null): boolean =>
  text.trim() !== '' && placeholdersIn(text).length === 0 && fitsInMessage(text.trim(), platform ?? 'messenger')

/** Whether a text fits in one message. Without a platform, it must fit on all platforms. */
export const fitsInMessage = (text: string, platform: Platform | null): boolean => {
  const platforms: Platform[] = platform === null ? ['messenger', 'instagram'] : [platform]
  return platforms.every((one) => {
    const { size, limit } = textSize(text, one)
    return size <= limit
  })
}
