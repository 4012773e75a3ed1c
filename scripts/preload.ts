import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Chunk = { file: string; name?: string; imports?: string[] }

/**
 * Writes links into index.html that load the code of the inbox together with the code of the entry, because most starts
 * are those of a signed-in person. login.html, which the server sends for /login, is the page without these links.
 */
export async function writePreloads(directory: string): Promise<void> {
  const page = join(directory, 'index.html')
  const html = await readFile(page, 'utf8')
  const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(directory, '.vite/manifest.json'), 'utf8'))
  const links = chunksOf(manifest, 'inbox')
    .filter((chunk) => !html.includes(chunk.file))
    .map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`)
  await writeFile(join(directory, 'login.html'), html)
  await writeFile(page, html.replace('</head>', `  ${links.join('\n    ')}\n  </head>`))
}

/** The chunk with the name, and those that it imports statically. */
function chunksOf(manifest: Record<string, Chunk>, name: string): Chunk[] {
  const found = new Set<Chunk>()
  const add = (chunk: Chunk | undefined) => {
    if (chunk === undefined) throw new Error(`The build has no chunk ${name}, or not all that it imports`)
    if (found.has(chunk)) return
    found.add(chunk)
    for (const key of chunk.imports ?? []) add(manifest[key])
  }
  add(Object.values(manifest).find((chunk) => chunk.name === name))
  return [...found]
}
