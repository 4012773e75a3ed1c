import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { assertKey, type FileStore, PartsGone, type PartUpload } from './file-store.ts'

/**
 * Files in a folder, in up to 256 subfolders. A file is written under another name, synced to the disk and renamed, so
 * that a reader never sees a part of it.
 */
export function createFolderStore(folder: string): FileStore {
  const folderOf = (key: string) => {
    assertKey(key)
    return join(folder, key.slice(0, 2))
  }
  const pathOf = (key: string) => join(folderOf(key), key)
  const pathOfPart = ({ key, uploadId }: PartUpload, number: number) => `${pathOf(key)}.${uploadId}.${number}`

  async function write(key: string, path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    await mkdir(folderOf(key), { recursive: true, mode: 0o700 })
    const unfinished = `${pathOf(key)}.${randomBytes(4).toString('hex')}`
    try {
      const file = await open(unfinished, 'wx', 0o600)
      try {
        for await (const chunk of content) {
          signal.throwIfAborted()
          await file.writeFile(chunk)
        }
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await syncFolder(folderOf(key))
  }

  async function removeAll(key: string, prefix: string) {
    const names = (await readdir(folderOf(key)).catch(nullIfMissing)) ?? []
    for (const name of names) {
      if (name.startsWith(prefix)) await rm(join(folderOf(key), name), { force: true })
    }
  }

  return {
    async put(key, content, signal) {
      await write(key, pathOf(key), content, signal)
    },

    async beginParts(key) {
      assertKey(key)
      return randomBytes(8).toString('hex')
    },

    async putPart(upload, number, content, signal) {
      await write(upload.key, pathOfPart(upload, number), content, signal)
      return ''
    },

    async joinParts(upload, parts, signal) {
      async function* all() {
        for (const { number } of parts) {
          const part = await open(pathOfPart(upload, number)).catch(nullIfMissing)
          if (part === null) throw new PartsGone()
          yield* part.createReadStream() as AsyncIterable<Uint8Array>
        }
      }
      await write(upload.key, pathOf(upload.key), all(), signal)
      for (const { number } of parts) await rm(pathOfPart(upload, number), { force: true })
    },

    async open(key, range) {
      const file = await open(pathOf(key)).catch(nullIfMissing)
      if (file === null) return null
      // The stream closes the file.
      return Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>
    },

    abortParts: ({ key, uploadId }) => removeAll(key, `${key}.${uploadId}.`),

    async delete(key) {
      await removeAll(key, key)
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
