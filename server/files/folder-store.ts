import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { assertKey, type FileStore } from './file-store.ts'

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

  return {
    async put(key, content, signal) {
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
        await rename(unfinished, pathOf(key))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      await syncFolder(folderOf(key))
    },

    async open(key, range) {
      const file = await open(pathOf(key)).catch(nullIfMissing)
      if (file === null) return null
      // The stream closes the file.
      return Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>
    },

    async delete(key) {
      const names = (await readdir(folderOf(key)).catch(nullIfMissing)) ?? []
      for (const name of names) {
        if (name.startsWith(key)) await rm(join(folderOf(key), name), { force: true })
      }
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
