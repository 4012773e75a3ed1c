import type { Platform } from '../../schemas/conversation.ts'

/** Messenger takes fewer than 2,000 characters, Instagram 1,000 bytes. */
const longest = { messengerCharacters: 1_999, instagramBytes: 1_000 }

const encoder = new TextEncoder()

/** How much of a platform's limit a text takes, and what the limit is: characters on Messenger, bytes on Instagram. */
export const textSize = (text: string, platform: Platform): { size: number; limit: number } =>
  platform === 'instagram'
    ? { size: encoder.encode(text).length, limit: longest.instagramBytes }
    : { size: [...text].length, limit: longest.messengerCharacters }

/** Whether so much of the limit is taken that the person is to see how much is left: four fifths. */
export const isNearLimit = ({ size, limit }: { size: number; limit: number }): boolean => size * 5 >= limit * 4

/** Whether a text can be sent as one message: it is not blank, and the platform takes it. Null is Messenger. */
export const isSendable = (text: string, platform: Platform | null): boolean =>
  text.trim() !== '' && fitsInMessage(text.trim(), platform ?? 'messenger')

/** Whether one message holds a text; without a platform it must fit on each. */
export const fitsInMessage = (text: string, platform: Platform | null): boolean => {
  const platforms: Platform[] = platform === null ? ['messenger', 'instagram'] : [platform]
  return platforms.every((one) => {
    const { size, limit } = textSize(text, one)
    return size <= limit
  })
}
