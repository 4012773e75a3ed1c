import { detectPictureType } from '../pictures/picture-type.ts'

/** Bytes that `detectFileType` needs. */
export const typeLength = 64

/** The MIME type of a file that is none of the known ones. */
const unknownType = 'application/octet-stream'

const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/**
 * The MIME type by the file signature, never by what the sender declares: so a page of HTML or an SVG is
 * application/octet-stream. `isAudio` decides for containers that hold sound or pictures. Null: a program.
 */
export function detectFileType(bytes: Uint8Array, isAudio: boolean): string | null {
  const picture = detectPictureType(bytes)
  if (picture !== null) return picture
  const medium = isAudio ? 'audio' : 'video'
  const start = text(bytes, 0, 4)
  const [first = 0, second = 0] = bytes
  if (start.startsWith('MZ') || start === '\x7fELF' || machO.has(start)) return null
  if (start === 'RIFF' && text(bytes, 8, 12) === 'WAVE') return 'audio/wav'
  if (start === 'OggS') return `${medium}/ogg`
  if (start === '\x1a\x45\xdf\xa3') return `${medium}/webm`
  if (start === 'fLaC') return 'audio/flac'
  if (text(bytes, 0, 5) === '#!AMR') return 'audio/amr'
  if (text(bytes, 4, 8) === 'ftyp') return typeOfBrand(text(bytes, 8, 12), medium)
  if (start.startsWith('ID3') || (first === 0xff && mp3Headers.has(second))) return 'audio/mpeg'
  if (first === 0xff && (second === 0xf1 || second === 0xf9)) return 'audio/aac'
  if (text(bytes, 0, 5) === '%PDF-') return 'application/pdf'
  return unknownType
}

const machO = new Set([
  '\xfe\xed\xfa\xce',
  '\xfe\xed\xfa\xcf',
  '\xce\xfa\xed\xfe',
  '\xcf\xfa\xed\xfe',
  '\xca\xfe\xba\xbe',
])
const mp3Headers = new Set([0xe2, 0xe3, 0xf2, 0xf3, 0xfa, 0xfb])

function typeOfBrand(brand: string, medium: string): string {
  if (brand === 'qt  ') return 'video/quicktime'
  if (/^(hei|hev|mif1|msf1)/.test(brand)) return 'image/heic'
  return brand === 'M4A ' ? 'audio/mp4' : `${medium}/mp4`
}

/** Whether a browser may show a file of a detected type in place. Scripts in any other file would run. */
export const isSafeInline = (type: string): boolean => /^(image|audio|video)\//.test(type)
