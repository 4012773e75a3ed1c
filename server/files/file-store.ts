/** The first and the last byte, both included. */
export type ByteRange = { start: number; end: number }

/** Keeps files under keys that the server made. Both implementations behave alike. */
export type FileStore = {
  /**
   * Stores a file; replaces one with the same key. If `content` or the store throws, no file can be read under the key.
   * Gives up when the signal aborts.
   */
  put(key: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  /** Begins a file that arrives in parts. Returns the store's name of the upload, which the next two need. */
  beginParts(key: string, signal: AbortSignal): Promise<string>
  /**
   * Stores a part, numbered from 1; replaces one with the same number. Each but the last has at least 5 MiB, and all fit into
   * memory. Returns what `joinParts` needs.
   */
  putPart(upload: PartUpload, number: number, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string>
  /** Makes the parts one file. Throws PartsGone if one is gone: perhaps an earlier call joined them. */
  joinParts(upload: PartUpload, parts: readonly { number: number; etag: string }[], signal: AbortSignal): Promise<void>
  /** Deletes the parts that were not joined. Never the joined file. */
  abortParts(upload: PartUpload): Promise<void>
  /** Null if there is no file. */
  open(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** Also removes what an unfinished `put` or upload in parts left. Does nothing if there is no file. */
  delete(key: string, uploadId?: string | null): Promise<void>
}

export type PartUpload = { key: string; uploadId: string }

/** The store no longer has the upload or one of its parts, for example after a restore or because it was joined before. */
export class PartsGone extends Error {
  override readonly name = 'PartsGone'

  constructor() {
    super('parts of a stored file are gone')
  }
}

const keyForm = /^[0-9a-f]{32}$/

/** Throws if a key was not made by the server. */
export function assertKey(key: string): void {
  if (!keyForm.test(key)) throw new Error('the key of a stored file has a wrong form')
}
