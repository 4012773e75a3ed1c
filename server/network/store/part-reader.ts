import * as z from 'zod/mini'
import type { Attachment } from '../../../src/schemas/message.ts'
import type { MessagePart } from '../../../src/schemas/message-part.ts'
import type { FileKind } from '../../../src/schemas/outgoing-file.ts'
import { id } from '../../../src/schemas/primitives.ts'
import { cleanText } from '../../clean-text.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'

/** In characters, except the counts. A message of the network stays far below them. */
const partLimits = { title: 500, text: 2_000, link: 2_000, raw: 4_000, parts: 20, content: 16_000 } as const

/** A value of another type counts as missing: a part must not be lost over one of its fields. */
export const looseText = z.catch(z.nullish(z.string()), null)
const maxId = 200
export const looseId = z.catch(
  z.nullish(
    z.pipe(
      id,
      z.transform((value) => cleanText(value.slice(0, maxId))),
    ),
  ),
  null,
)
export const looseNumber = z.catch(z.nullish(z.number()), null)

export type PartReader = ReturnType<typeof createPartReader>

/** Collects the files of a message. The parts name them by their index. */
export function createPartReader(messageId: string, normalizeUrl: NormalizeUrl) {
  const files: Attachment[] = []

  const words = (value: string | null | undefined, length: number): string | null => {
    const text = cleanText(value ?? '').trim()
    return text === '' ? null : text.slice(0, length).toWellFormed()
  }

  const link = (value: string | null | undefined): string | null => {
    const url = normalizeUrl(value)
    return url === null || url.length > partLimits.link ? null : url
  }

  /** Adds a file and returns its index; null if its address may not be opened. */
  function file(
    kind: FileKind,
    address: string | null | undefined,
    about: { id?: string | null; name?: string | null; size?: number | null; preview?: string | null } = {},
  ): number | null {
    const url = kind === 'image' ? normalizeUrl.picture(address) : normalizeUrl(address)
    if (url === null) return null
    const { id = null, name = null, size = null } = about
    const common = { id: id === null ? `${messageId}:${files.length}` : cleanText(id), name, size }
    if (kind === 'image') {
      files.push({ ...common, image_data: { url, preview_url: normalizeUrl.picture(about.preview) ?? url } })
    } else files.push({ ...common, [`${kind}_data`]: { url } })
    return files.length - 1
  }

  return {
    files,
    title: (value: string | null | undefined) => words(value, partLimits.title),
    text: (value: string | null | undefined) => words(value, partLimits.text),
    link,
    file,
    /** A picture on the network's hosts, which this server fetches. Other addresses lead to pages. */
    media(address: string | null | undefined, kind: FileKind = 'image'): number | null {
      return normalizeUrl.picture(address)?.startsWith('/') ? file(kind, address) : null
    },
    unknown: (type: string | null | undefined, value: unknown): MessagePart => ({
      kind: 'unknown',
      type: words(type, partLimits.title),
      raw: rawOf(value),
    }),
  }
}

function rawOf(value: unknown): string | null {
  if (value == null) return null
  const raw = cleanText(JSON.stringify(value) ?? '')
  return raw === '' || raw.length > partLimits.raw ? null : raw
}

/** What is beyond the limits keeps its kind only. */
export function withinLimits(parts: readonly MessagePart[]): MessagePart[] {
  let characters = 0
  return parts.slice(0, partLimits.parts).map((part) => {
    const { length } = JSON.stringify(part)
    if (characters + length > partLimits.content) return { kind: 'unknown', type: part.kind, raw: null }
    characters += length
    return part
  })
}
