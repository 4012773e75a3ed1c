import fs from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import * as z from 'zod/mini'

/** The parts of an open file of Emscripten's NODEFS that we use. Directories have no `nfd`. */
const streamSchema = z.object({ nfd: z.optional(z.number()), node: z.unknown() })

type Initialisation = Awaited<ReturnType<NodeFS['init']>>

/**
 * PGlite's files in a directory, with a working fsync. PGlite starts PostgreSQL with fsync off (`-F`), and the file
 * system of Emscripten ignores fsync; so without this class a power failure may lose committed transactions.
 */
class DurableFiles extends NodeFS {
  override async init(...parameters: Parameters<NodeFS['init']>): Promise<Initialisation> {
    const { emscriptenOpts } = await super.init(...parameters)
    const preRun = [emscriptenOpts.preRun ?? []].flat()
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [
          ...preRun,
          // biome-ignore lint/suspicious/noExplicitAny: PGlite does not export the type of Emscripten's NODEFS.
          ({ NODEFS }: any) => {
            NODEFS.stream_ops.fsync = (stream: unknown): number => {
              const { nfd, node } = z.parse(streamSchema, stream)
              if (nfd === undefined) syncPath(NODEFS.realPath(node))
              else fs.fsyncSync(nfd)
              return 0
            }
          },
        ],
      },
    }
  }
}

/** The options that make PGlite keep its data in `directory` and write each commit to the disk before it answers. */
export function durableFiles(directory: string): Pick<PGliteOptions, 'fs' | 'startParams'> {
  return {
    fs: new DurableFiles(directory),
    // Emscripten's fdatasync, the default method, does nothing.
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...['-c', 'wal_sync_method=fsync'],
    ],
  }
}

/** Writes a new database directory to the disk: PGlite creates its files before the server with fsync starts. */
export function syncNewDirectory(directory: string): void {
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    syncPath(join(entry.parentPath, entry.name))
  }
  syncPath(directory)
}

function syncPath(path: string): void {
  const file = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}
