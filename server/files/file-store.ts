/** The first and the last byte, both included. */
export type ByteRange = { start: number; end: number }

/** Keeps files under keys that the server made. Both implementations behave alike. */
export type FileStore = {
  /**
   * Stores a file; replaces one with the same key. If `content` or the store throws, no file can be read under the key.
   * Gives up when the signal aborts.
   */
  put(key: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  /** Null if there is no file. */
  open(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** Also removes what an unfinished `put` left. Does nothing if there is no file. */
  delete(key: string): Promise<void>
}

const keyForm = /^[0-9a-f]{32}$/

/** Throws if a key was not made by the server. */
export function assertKey(key: string): void {
  if (!keyForm.test(key)) throw new Error('the key of a stored file has a wrong form')
}
