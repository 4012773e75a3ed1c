import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import type { OpenDatabase } from '../../server/database/database.ts'
import { createFileRemoval } from '../../server/files/file-removal.ts'
import type { FileStore } from '../../server/files/file-store.ts'
import { createFolderStore } from '../../server/files/folder-store.ts'
import { createOutgoingFiles, isOutgoingSource } from '../../server/files/outgoing-files.ts'
import { createReplyPictures } from '../../server/files/reply-pictures.ts'
import { createServeCopy } from '../../server/files/serve-copy.ts'
import { createStoredFiles } from '../../server/files/stored-files.ts'
import { createAutoReply } from '../../server/network/faq/auto-reply.ts'
import { createGraph, type Graph } from '../../server/network/graph/graph.ts'
import { createNormalizeUrl } from '../../server/network/graph/normalize-url.ts'
import { createPace, unpaced } from '../../server/network/graph/pace.ts'
import { createPageCalls } from '../../server/network/graph/page-calls.ts'
import { createPageTokens } from '../../server/network/graph/page-tokens.ts'
import { connectPage } from '../../server/network/pages/connect-page.ts'
import { createMessageTemplates } from '../../server/network/send/message-templates.ts'
import { createSending, type Sending } from '../../server/network/send/sending.ts'
import { sendTimeout } from '../../server/network/send/stored-sends.ts'
import { createProfileLookups } from '../../server/network/store/profile-lookups.ts'
import { createSync } from '../../server/network/sync/sync.ts'
import { createIngest } from '../../server/network/webhooks/ingest.ts'
import { signatureOf } from '../../server/network/webhooks/signature.ts'
import { createWebhookWorker } from '../../server/network/webhooks/webhook-worker.ts'
import { createWebhooks } from '../../server/network/webhooks/webhooks.ts'
import { type ErasedPeople, openErasedPeople } from '../../server/people/erased-people.ts'
import { createErasures } from '../../server/people/erasures.ts'
import { createOpenSource } from '../../server/pictures/open-source.ts'
import { createPictureAddresses } from '../../server/pictures/picture-addresses.ts'
import type { Keyring } from '../../server/secrets.ts'
import type { Faults } from '../../server/stand-ins/sandbox/faults.ts'
import type { Liveliness } from '../../server/stand-ins/sandbox/sandbox.ts'
import { createSandbox } from '../../server/stand-ins/sandbox/sandbox.ts'
import { sandboxToken } from '../../server/stand-ins/sandbox/world.ts'
import { defaultBusiness } from '../../src/schemas/business.ts'
import { keysOf } from './derived-keys.ts'
import { manualClock } from './manual-clock.ts'

export const appSecret = 'app-secret-of-a-test'
export const verifyToken = 'verify-token-of-a-test'
export const appId = '104200000000001'
/** Of the stored keys. */
export const keyring: Keyring = { secrets: ['the secret key of the harness, long'], hasIds: false }
const tokenKey = new Uint8Array(32).fill(7)

export const prints = '104200000000101'
export const printsInstagram = '17841400000000101'

/** Makes each statement after the first `count` fail, as if the process had died. */
export const breakingAfter = (count: number): KyselyPlugin => {
  let left = count
  return {
    transformQuery({ node }) {
      left -= 1
      if (left < 0) throw new Error('the process died')
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/** The network's parts on one database over real HTTP, with a manual clock. */
export async function openHarness(
  database: OpenDatabase,
  {
    liveliness = 'still' as Liveliness,
    start = Date.now(),
    paced = false,
    /** Origins that files may be fetched from besides the network's hosts. */
    trustedOrigins = [] as string[],
    maxBytes = 1024 * 1024,
  } = {},
) {
  const { db } = database
  const clock = manualClock(start)
  const logger = pino({ level: 'silent' })
  const app = new Hono()
  app.onError(() => new Response(null, { status: 500 }))
  const server = createServer((request, response) => void getRequestListener(app.fetch)(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const sandbox = await createSandbox({
    db,
    clock,
    address: () => `${address}/sandbox`,
    webhookUrl: () => `${address}/webhooks/meta`,
    appId,
    appSecret,
    tokenKey,
    liveliness,
    logger,
  })
  const graph = createGraph({ baseUrl: `${address}/sandbox`, version: 'v26.0', appSecret })
  const pageTokens = createPageTokens(keysOf(9))
  const addresses = createPictureAddresses({ keyring, trustedOrigins })
  const normalizeUrl = createNormalizeUrl(address)
  const pace = createPace({ db, clock })
  // No pacing: with the manual clock a paced call would wait forever.
  const calls = createPageCalls({
    db,
    pageTokens,
    pace: paced ? pace : { ...pace, ...unpaced },
    clock,
    logger,
    onTokenAccepted: () => undefined,
  })
  const erasedPeople = await openErasedPeople(db, keyring, 'PH')
  const folder = await mkdtemp(join(tmpdir(), 'staff-inbox-files-'))
  const folderStore = createFolderStore(folder)
  const newFileRemoval = (store: Pick<FileStore, 'delete'> = folderStore) =>
    createFileRemoval({ db, store, clock, logger })
  const removeFiles = newFileRemoval()
  const newFiles = (replaced: Partial<Parameters<typeof createStoredFiles>[0]> = {}) => {
    const openSource = createOpenSource({ trustedOrigins, accept: '*/*' })
    const parts = { db, store: folderStore, addresses, openSource, removeFiles, maxBytes, clock, logger }
    return createStoredFiles({ ...parts, ...replaced })
  }
  /** Started by tests of files only. */
  const files = newFiles()
  /** The erasures of another process on the same database. Its connection breaks after `failsAfter` statements. */
  const newErasures = ({ failsAfter = Number.POSITIVE_INFINITY } = {}) =>
    createErasures({
      db: db.withPlugin(breakingAfter(failsAfter)),
      erasedPeople,
      removeFiles,
      sendTimeout,
      clock,
      logger,
    })
  const erasures = newErasures()
  const newOutgoingFiles = (database = db) =>
    createOutgoingFiles({
      db: database,
      store: folderStore,
      addresses,
      storedFiles: files,
      publicOrigin: address,
      clock,
    })
  const outgoingFiles = newOutgoingFiles()
  /** The pictures of saved replies as another process stores them. Its connection breaks after `failsAfter` statements. */
  const newReplyPictures = ({ failsAfter = Number.POSITIVE_INFINITY } = {}) => {
    const breaking = db.withPlugin(breakingAfter(failsAfter))
    return createReplyPictures({ db: breaking, store: folderStore, files: newOutgoingFiles(breaking), clock })
  }
  /** The sending service of another process on the same database. */
  const newSending = (network: Graph = graph) =>
    createSending({
      db,
      graph: network,
      calls,
      erasedPeople,
      files: outgoingFiles,
      templates: createMessageTemplates({ graph: network, calls, clock }),
      normalizeUrl,
      clock,
      logger,
    })
  const newAutoReply = (sending: Pick<Sending, 'sendOnce'> = newSending()) =>
    createAutoReply({ db, sending, timeZone: defaultBusiness.time_zone, clock, logger })
  const autoReply = newAutoReply()
  /** The webhook worker and profile lookups of another process. */
  const newInbox = (network: Pick<Graph, 'person'> = graph, erased: ErasedPeople = erasedPeople) => {
    const onFirstLookup = autoReply.stopWaitingForName
    const lookups = createProfileLookups({ db, graph: network, calls, normalizeUrl, clock, logger, onFirstLookup })
    const ingest = createIngest({
      db,
      lookups,
      files,
      outgoingFiles,
      erasedPeople: erased,
      normalizeUrl,
      appId,
      onIncoming: autoReply,
    })
    return { lookups, ingest, worker: createWebhookWorker({ db, ingest, clock, logger }) }
  }
  const { lookups, ingest, worker } = newInbox()
  const sync = createSync({ db, graph, lookups, files, erasedPeople, calls, normalizeUrl, clock, logger })
  const webhooks = createWebhooks({ db, appSecret, verifyToken, clock, logger, onDelivery: worker.wake })
  app.route('/webhooks/meta', webhooks)
  app.route('/sandbox', sandbox.app)
  app.get('/pictures/:encrypted', async (c) => {
    const source = addresses.sourceOf(c.req.param('encrypted'))
    const find = (known: string) => (isOutgoingSource(known) ? outgoingFiles.findBySource(known) : files.find(known))
    const served = source && (await createServeCopy({ files: { find }, store: folderStore, logger })(c, source))
    return served || c.body(null, 404)
  })
  worker.start()
  lookups.start()
  autoReply.start()

  async function control<Data = unknown>(method: string, path: string, body?: unknown): Promise<Data> {
    const response = await fetch(`${address}/sandbox/control${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const answer = (await response.json()) as { success: boolean; data: Data }
    if (!answer.success) throw new Error(`${method} ${path} was refused`)
    return answer.data
  }

  const settle = async () => {
    await sandbox.settle()
    await worker.settled()
    await lookups.settled()
    await autoReply.settled()
  }

  return {
    db,
    clock,
    address,
    sandbox,
    graph,
    pageTokens,
    ingest,
    calls,
    normalizeUrl,
    logger,
    lookups,
    addresses,
    folder,
    folderStore,
    files,
    newFiles,
    outgoingFiles,
    newReplyPictures,
    removeFiles,
    newFileRemoval,
    erasedPeople,
    erasures,
    newErasures,
    worker,
    newInbox,
    sync,
    webhooks,
    control,
    settle,
    tokenOf: (pageId: string) => sandboxToken(tokenKey, pageId),
    connect: (pageId: string) => connectPage({ db, graph, pageTokens, normalizeUrl }, sandboxToken(tokenKey, pageId)),

    newSending,
    autoReply,
    newAutoReply,

    faults: (faults: Faults) => control('PUT', '/faults', faults),

    /** Creates a person who writes to a page. */
    async createPerson(platform: 'messenger' | 'instagram' = 'messenger', text = 'Hello po'): Promise<string> {
      const { psid } = await control<{ psid: string }>('POST', '/people', {
        pageId: prints,
        platform,
        firstName: 'Amihan',
        lastName: 'Dalisay',
      })
      await control('POST', `/people/${psid}/messages`, { text })
      await settle()
      return psid
    },

    deliveries: async (psid: string) =>
      (await control<{ mid: string; text: string }[]>('GET', `/people/${psid}/deliveries`)).map(({ text }) => text),

    /** The stored messages of a person, oldest first. */
    thread: (psid: string) =>
      db
        .selectFrom('messages')
        .innerJoin('fb_users', 'fb_users.id', 'messages.fb_user_id')
        .select(['direction', 'message_text', 'is_read', 'attachments', 'content', 'idempotency_key', 'message_id'])
        .where('psid', '=', psid)
        .orderBy('timestamp_fb')
        .orderBy('messages.id')
        .execute(),

    /** Posts a signed webhook. */
    async post(body: unknown, signature?: string): Promise<number> {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
      const response = await fetch(`${address}/webhooks/meta`, {
        method: 'POST',
        headers: { 'x-hub-signature-256': signature ?? signatureOf(appSecret, bytes) },
        body: bytes,
      })
      await response.text()
      await worker.settled()
      return response.status
    },

    async close() {
      await sandbox.stop()
      await worker.stop()
      await lookups.stop()
      await autoReply.stop()
      await files.stop()
      await rm(folder, { recursive: true })
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>
