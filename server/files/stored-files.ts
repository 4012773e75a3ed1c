import { createHash, randomBytes } from 'node:crypto'
import { sql, type Transaction, type Updateable } from 'kysely'
import { kindOfAttachment } from '../../src/domain/attachment-kind.ts'
import type { Attachment } from '../../src/schemas/message.ts'
import type { FileKind } from '../../src/schemas/outgoing-file.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import { type FetchFault, FetchRefused, type OpenSource } from '../pictures/open-source.ts'
import { type PictureAddresses, picturesPath } from '../pictures/picture-addresses.ts'
import { createWorkLoop } from '../work-loop.ts'
import type { RemoveFiles } from './file-removal.ts'
import type { FileStore } from './file-store.ts'
import { detectFileType, typeLength } from './file-type.ts'

/** Times in milliseconds. */
export const fileLimits = {
  /** Concurrent downloads in one process. */
  maxDownloads: 4,
  /** Of one download with its storing. */
  timeout: 2 * 60_000,
  /** The backoff after the first failure; it grows fourfold with each failure. */
  initialBackoff: 60_000,
  maxBackoff: 6 * 60 * 60_000,
  /** The network deletes most files within days. */
  giveUpAfter: 4 * 24 * 60 * 60_000,
  /** Longer than `timeout`, so that two processes never download one file at the same time. */
  lease: 5 * 60_000,
} as const

const pollInterval = 5_000

/** Faults that no retry can change. */
const permanentFaults: ReadonlySet<FetchFault> = new Set([
  'source not allowed',
  'private address',
  'too many redirects',
  'too large',
  'a program',
])

/** A file that an incoming message has: the index of its attachment, and the network's address. */
type Source = { position: number; address: string }

/** The copy of a file. `kind` and `name` are those of the attachment. */
export type StoredFile = {
  kind: FileKind
  name: string | null
  /** Null: not copied (yet). */
  copy: { storageKey: string; contentType: string; bytes: number; sha256: string } | null
}

export type StoredFiles = ReturnType<typeof createStoredFiles>

/**
 * Copies the files that customers send, because the network's addresses expire. The table `stored_files` is the queue.
 * `openSource` decides what may be fetched.
 */
export function createStoredFiles({
  db,
  store,
  addresses,
  openSource,
  removeFiles,
  maxBytes,
  timeout = fileLimits.timeout,
  clock,
  logger,
}: {
  db: Db
  store: Pick<FileStore, 'put'>
  addresses: Pick<PictureAddresses, 'addressOf' | 'sourceOf'>
  openSource: OpenSource
  /** Called in every run, so that deleted messages lose their files. */
  removeFiles: RemoveFiles
  /** Larger files are not copied. */
  maxBytes: number
  /** Milliseconds of one download with its storing. */
  timeout?: number
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()

  /** The network's address of an attachment; null if it is a file of this server (the sandbox). */
  function sourceOf(attachment: Attachment): string | null {
    const address = mediaOf(attachment)?.url
    if (address === undefined) return null
    if (address.startsWith(`${picturesPath}/`)) return addresses.sourceOf(address.slice(picturesPath.length + 1))
    return URL.canParse(address) ? address : null
  }

  /** Starts due downloads up to the limit. Does not wait for them. */
  async function startDownloads(isRunning: () => boolean): Promise<void> {
    await removeFiles()
    while (isRunning() && inFlight.size < fileLimits.maxDownloads) {
      const file = await claim()
      if (file === undefined) return
      const copying = copy(file)
        // Retried when the lease expires.
        .catch((error: unknown) => logger.error({ file: file.id, reason: codeOf(error) }, 'copying a file failed'))
        .finally(() => {
          inFlight.delete(copying)
          loop.wake()
        })
      inFlight.add(copying)
    }
  }

  /** Claims the file that became due last: new messages come before a long historical sync. */
  async function claim() {
    const now = new Date(clock.now())
    return db
      .updateTable('stored_files as file')
      .from('messages as message')
      .set((set) => ({
        leased_until: new Date(clock.now() + fileLimits.lease),
        attempts: set('file.attempts', '+', 1),
      }))
      .where('file.id', '=', (due) =>
        due
          .selectFrom('stored_files')
          .select('id')
          .where('state', '=', 'waiting')
          .where('message_id', 'is not', null)
          .where('due_at', '<=', now)
          .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<=', now)]))
          .orderBy('due_at', 'desc')
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .whereRef('message.message_id', '=', 'file.message_id')
      .returning([
        'file.id',
        'file.message_id',
        'file.position',
        'file.storage_key',
        'file.attempts',
        'message.page_id',
        attachmentAt.as('attachment'),
      ])
      .executeTakeFirst()
  }

  async function copy(file: Claimed): Promise<void> {
    try {
      await finish(file, await download(file))
    } catch (error) {
      if (stopping.signal.aborted) return release(db, file, {})
      const fault = error instanceof FetchRefused ? error.fault : null
      if (fault !== null && permanentFaults.has(fault)) {
        logger.warn({ file: file.id, pageId: file.page_id, fault }, 'a file of a customer is not copied')
        return release(db, file, { state: 'refused', fault })
      }
      if (fault === null) logger.error({ file: file.id, reason: codeOf(error) }, 'storing a file failed')
      const backoff = Math.min(fileLimits.initialBackoff * 4 ** (file.attempts - 1), fileLimits.maxBackoff)
      await release(db, file, { fault: fault ?? 'not stored', due_at: new Date(clock.now() + backoff) })
    }
  }

  /** Throws FetchRefused for the network, any other error for the store. */
  async function download({ storage_key, attachment }: Claimed) {
    const source = attachment === null ? null : sourceOf(attachment)
    // Also an address that no key of the ring reads.
    if (attachment === null || source === null) throw new FetchRefused('source not allowed')
    const signal = AbortSignal.any([AbortSignal.timeout(timeout), stopping.signal])
    const response = await openSource(source, signal).catch(asNoAnswer)
    try {
      const sha256 = createHash('sha256')
      let bytes = 0
      let contentType: string | null = null
      async function* content() {
        let head = Buffer.alloc(0)
        const decide = () => {
          contentType = detectFileType(head, attachment?.audio_data != null)
          if (contentType === null) throw new FetchRefused('a program')
        }
        try {
          for await (const chunk of response as AsyncIterable<Buffer>) {
            bytes += chunk.length
            if (bytes > maxBytes) throw new FetchRefused('too large')
            sha256.update(chunk)
            if (contentType === null) {
              head = Buffer.concat([head, chunk.subarray(0, typeLength)])
              if (head.length >= typeLength) decide()
            }
            yield chunk
          }
        } catch (error) {
          asNoAnswer(error)
        }
        if (bytes === 0) throw new FetchRefused('no answer')
        if (contentType === null) decide()
      }
      await store.put(storage_key, content(), signal)
      return { content_type: contentType ?? '', bytes, sha256: sha256.digest('hex') }
    } finally {
      response.destroy()
    }
  }

  /** A bubble shows the size of a file, which webhooks do not tell: the message gets that of the copy. */
  async function finish(file: Claimed, copied: { content_type: string; bytes: number; sha256: string }): Promise<void> {
    const { message_id, position, attachment } = file
    await inTransaction(db, async (trx) => {
      // The message is locked first, as by its deletion.
      if (attachment?.file_data != null && attachment.size == null) {
        await sql`
          update messages
          set attachments = jsonb_set(attachments, array['data', ${String(position)}, 'size'], to_jsonb(${copied.bytes}::bigint))
          where message_id = ${message_id} and attachments -> 'data' -> ${position}::integer is not null`.execute(trx)
      }
      await release(trx, file, { state: 'stored', fault: null, stored_at: new Date(clock.now()), ...copied })
    })
  }

  /** Changes nothing if another process has claimed the file since. */
  async function release(
    database: Db | Transaction<Tables>,
    { id, attempts }: Claimed,
    changes: Updateable<Tables['stored_files']>,
  ): Promise<void> {
    await database
      .updateTable('stored_files')
      .set({ leased_until: null, ...changes })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('state', '=', 'waiting')
      .execute()
  }

  async function giveUp(): Promise<void> {
    const now = clock.now()
    const given = await db
      .updateTable('stored_files')
      .set({ state: 'failed' })
      .where('state', '=', 'waiting')
      .where('created_at', '<=', new Date(now - fileLimits.giveUpAfter))
      .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<=', new Date(now))]))
      .returning('id')
      .execute()
    if (given.length > 0) logger.warn({ files: given.length }, 'files of customers could not be copied for days')
  }

  const loop = createWorkLoop({
    work: startDownloads,
    sweep: giveUp,
    pollInterval,
    failureMessage: 'reading the due files failed',
    clock,
    logger,
  })

  return {
    /**
     * The attachments of an incoming message with addresses of this server, and the files to copy. An address that the
     * server would not fetch stays as it is.
     */
    prepare(attachments: readonly Attachment[]): { attachments: Attachment[]; sources: Source[] } {
      const sources: Source[] = []
      const prepared = attachments.map((attachment, position) => {
        const address = sourceOf(attachment)
        if (address === null) return attachment
        sources.push({ position, address })
        const url = addresses.addressOf(new URL(address))
        return url === null ? attachment : withAddress(attachment, url)
      })
      return { attachments: prepared, sources }
    },

    /** Queues the files of a message. Call it in the transaction that stores the message, and `wake` after the commit. */
    async enqueue(trx: Db | Transaction<Tables>, files: (Source & { messageId: string })[]): Promise<void> {
      if (files.length === 0) return
      const now = new Date(clock.now())
      await trx
        .insertInto('stored_files')
        .values(
          files.map(({ messageId, position, address }) => ({
            message_id: messageId,
            position,
            source_hash: hashOfSource(address),
            storage_key: randomBytes(16).toString('hex'),
            due_at: now,
            created_at: now,
          })),
        )
        .execute()
    },

    /** The file that a message has from the network's address; null if no message has one. */
    async find(address: string): Promise<StoredFile | null> {
      const found = await db
        .selectFrom('stored_files as file')
        .innerJoin('messages as message', 'message.message_id', 'file.message_id')
        .select(['state', 'storage_key', 'content_type', 'bytes', 'sha256', attachmentAt.as('attachment')])
        .where('source_hash', '=', hashOfSource(address))
        .orderBy((order) => order('state', '=', 'stored'), 'desc')
        .limit(1)
        .executeTakeFirst()
      if (found === undefined) return null
      const { attachment, storage_key: storageKey, content_type: contentType, bytes, sha256 } = found
      const isStored = found.state === 'stored' && contentType !== null && bytes !== null && sha256 !== null
      return {
        kind: kindOfAttachment(attachment ?? {}),
        name: attachment?.name ?? null,
        copy: isStored ? { storageKey, contentType, bytes: Number(bytes), sha256 } : null,
      }
    },

    start: loop.start,
    wake: loop.wake,

    /** Resolves when no download is due or running. */
    async settled(): Promise<void> {
      do {
        await Promise.all(inFlight)
        await loop.settled()
      } while (inFlight.size > 0)
    },

    /** Ends the running downloads. They are due again at once. */
    async stop(): Promise<void> {
      stopping.abort()
      await loop.stop()
      await Promise.all(inFlight)
    },
  }
}

/** The attachment of a row of `stored_files`, joined with its message. */
const attachmentAt = sql<Attachment | null>`message.attachments -> 'data' -> file.position`

type Claimed = {
  id: number
  message_id: string | null
  position: number
  storage_key: string
  attempts: number
  page_id: string
  attachment: Attachment | null
}

/** Finds the copy for an address. */
export const hashOfSource = (address: string) => createHash('sha256').update(address).digest('hex')

function asNoAnswer(error: unknown): never {
  throw error instanceof FetchRefused ? error : new FetchRefused('no answer')
}

const mediaOf = ({ image_data, video_data, audio_data, file_data }: Attachment) =>
  image_data ?? video_data ?? audio_data ?? file_data

/** The preview has the address of the picture, because one copy is kept. */
function withAddress(attachment: Attachment, url: string): Attachment {
  const kind = kindOfAttachment(attachment)
  if (kind === 'image') return { ...attachment, image_data: { url, preview_url: url } }
  return { ...attachment, [`${kind}_data`]: { url } }
}
