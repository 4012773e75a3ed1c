import type { Platform } from '../../schemas/conversation.ts'
import type { FileKind } from '../../schemas/outgoing-file.ts'

/** What the network accepts, in bytes (Send API and "Upload Media for Instagram Messaging" of its documentation). */
export const fileLimits = {
  image: 8_000_000,
  /** Of every other kind, and of an upload. */
  other: 25_000_000,
} as const

/** The size of an uploaded part in bytes, the least that S3 takes. A file that is larger arrives in parts. */
export const partBytes = 5 * 1024 * 1024

/** The number of parts of a file of this size. */
export const partCount = (size: number): number => Math.ceil(size / partBytes)

/** The size of a part, numbered from 1. */
export const sizeOfPart = (number: number, size: number): number => Math.min(partBytes, size - (number - 1) * partBytes)

/** The types that the network shows as a picture. Another picture is sent as a file. */
const pictures = new Set(['image/jpeg', 'image/png', 'image/gif'])

/** Instagram accepts nothing else. */
const onInstagram: ReadonlySet<string> = new Set([
  ...pictures,
  'audio/aac',
  'audio/mp4',
  'audio/wav',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
  'application/pdf',
])

/** Other names of the same types, as browsers give them. */
const sameTypes: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-aac': 'audio/aac',
  'image/jpg': 'image/jpeg',
}

/** How a file of this MIME type is sent. */
export function kindOfType(type: string): FileKind {
  const known = sameTypes[type] ?? type
  if (pictures.has(known)) return 'image'
  if (known.startsWith('video/')) return 'video'
  return known.startsWith('audio/') ? 'audio' : 'file'
}

/** The limits in megabytes, for texts. */
export const fileLimitsShown = { image: fileLimits.image / 1_000_000, other: fileLimits.other / 1_000_000 }

const maxBytesOf = (kind: FileKind): number => (kind === 'image' ? fileLimits.image : fileLimits.other)

export type FileProblem = 'tooLarge' | 'wrongType'

/** Why the network would refuse the file; null if it accepts the file. Without a platform nothing is known of the type. */
export function fileProblem(
  { type, size }: { type: string; size: number },
  platform: Platform | null,
): FileProblem | null {
  if (platform === 'instagram' && !onInstagram.has(sameTypes[type] ?? type)) return 'wrongType'
  return size > maxBytesOf(kindOfType(type)) ? 'tooLarge' : null
}
