import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { emblem, gif, pdf, photo, portrait, voice } from './media-files.ts'

export type MediaKind = 'image' | 'video' | 'audio' | 'file'

/** A file of the sandbox. Its content is generated from the seed in `path`. */
export type SandboxFile = { kind: MediaKind; name: string; size: number; mimeType: string; path: string }

const clip = new URL('./media/clip.webm', import.meta.url)
const clipSize = 10_382

const documents = ['quotation.pdf', 'layout-final.pdf', 'menu.pdf', 'guest-list.txt'] as const

/** Describes a file without storing it. The same seed always gives the same file. */
export function describeFile(kind: MediaKind, seed: number): SandboxFile {
  const number = String(seed)
  if (kind === 'image') {
    return {
      kind,
      name: `photo-${number}.png`,
      size: photoSize(seed),
      mimeType: 'image/png',
      path: `photos/${number}.png`,
    }
  }
  if (kind === 'video') {
    return { kind, name: `clip-${number}.webm`, size: clipSize, mimeType: 'video/webm', path: `clips/${number}.webm` }
  }
  if (kind === 'audio') {
    return { kind, name: `voice-${number}.wav`, size: 16_044, mimeType: 'audio/wav', path: `voices/${number}.wav` }
  }
  const name = documents[seed % documents.length] ?? documents[0]
  const mimeType = name.endsWith('.pdf') ? 'application/pdf' : 'text/plain'
  return { kind, name, size: documentNamed(name).length, mimeType, path: `files/${number}/${name}` }
}

const photoSizes = new Map<number, number>()

function photoSize(seed: number): number {
  const size = photoSizes.get(seed) ?? photo(seed).length
  photoSizes.set(seed, size)
  return size
}

function documentNamed(name: string): Buffer<ArrayBuffer> {
  return name.endsWith('.pdf')
    ? pdf(`Sample document: ${name}`)
    : Buffer.from('Guest list\n1. Tita Baby\n2. Ninong Jun\n3. Mga pinsan (12)\n')
}

const cacheable = { 'cache-control': 'public, max-age=86400', 'cross-origin-resource-policy': 'cross-origin' }

/** Serves the files of the sandbox's messages and profiles. */
export function createMedia(): Hono {
  const app = new Hono()
  const seedIn = (name: string) => Number.parseInt(name, 10) || 0
  const send = (bytes: Uint8Array<ArrayBuffer>, type: string, more: Record<string, string> = {}) =>
    new Response(bytes, { headers: { ...cacheable, 'content-type': type, ...more } })

  app.get('/people/:name', (c) => send(portrait(seedIn(c.req.param('name'))), 'image/png'))
  app.get('/pages/:name', (c) => send(emblem(seedIn(c.req.param('name'))), 'image/png'))
  app.get('/photos/:name', (c) => send(photo(seedIn(c.req.param('name'))), 'image/png'))
  app.get('/gifs/:name', (c) => send(gif(seedIn(c.req.param('name'))), 'image/gif'))
  app.get('/voices/:name', (c) => send(voice(seedIn(c.req.param('name'))), 'audio/wav'))
  app.get('/clips/:name', async () => send(new Uint8Array(await readFile(clip)), 'video/webm'))
  app.get('/files/:seed/:name', (c) => {
    const name = c.req.param('name')
    const type = name.endsWith('.pdf') ? 'application/pdf' : 'text/plain; charset=utf-8'
    const known = documents.find((one) => one === name)
    return known ? send(documentNamed(known), type, { 'content-disposition': 'inline' }) : c.notFound()
  })
  return app
}
