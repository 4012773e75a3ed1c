import type { Hono } from 'hono'
import type { PageWork } from './api/api.ts'
import type { CommentParts } from './api/comments.ts'
import { createAssignments } from './assignments.ts'
import { type DeliveryShares, wholeShare } from './changes/delivery-shares.ts'
import type { Clock } from './clock.ts'
import type { OpenDatabase } from './database/database.ts'
import { createFileRemoval } from './files/file-removal.ts'
import type { FileStore } from './files/file-store.ts'
import { openFileStore } from './files/open-file-store.ts'
import { createOutgoingFiles, isOutgoingSource, type OutgoingFiles } from './files/outgoing-files.ts'
import { createReplyPictures, type ReplyPictures } from './files/reply-pictures.ts'
import { createServeCopy } from './files/serve-copy.ts'
import { createStoredFiles } from './files/stored-files.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { type Logger, traceOf } from './logger.ts'
import { createCommentChanges } from './network/comments/comment-changes.ts'
import { createCommentSends } from './network/comments/comment-sends.ts'
import { createLiveSales } from './network/comments/live-sales.ts'
import { createPostLookups } from './network/comments/post-lookups.ts'
import { createAutoReply } from './network/faq/auto-reply.ts'
import { createUnconfirmedReplies, type UnconfirmedReplies } from './network/faq/unconfirmed-replies.ts'
import { createGraph } from './network/graph/graph.ts'
import { createNormalizeUrl } from './network/graph/normalize-url.ts'
import { createPace, unpaced } from './network/graph/pace.ts'
import { createPageCalls } from './network/graph/page-calls.ts'
import { createPageTokens } from './network/graph/page-tokens.ts'
import { createFacebookLogin } from './network/pages/facebook-login.ts'
import { createPageManagement } from './network/pages/page-management.ts'
import { renewSubscriptions } from './network/pages/renew-subscriptions.ts'
import { createPagePictures } from './network/pictures/page-pictures.ts'
import { createPictures, type Pictures } from './network/pictures/pictures.ts'
import { createMessageTemplates, type MessageTemplates } from './network/send/message-templates.ts'
import { createReacting, type Reacting } from './network/send/reacting.ts'
import { createSenderActions, type SenderActions } from './network/send/sender-actions.ts'
import { createSending, type Sending } from './network/send/sending.ts'
import { sendTimeout } from './network/send/stored-sends.ts'
import { createProfileLookups } from './network/store/profile-lookups.ts'
import { createAutoSync } from './network/sync/auto-sync.ts'
import { fillFromNetwork } from './network/sync/fill.ts'
import { createHistorySyncs } from './network/sync/history-syncs.ts'
import { createRecentSync } from './network/sync/recent-sync.ts'
import { createSync } from './network/sync/sync.ts'
import { createDataCallbacks } from './network/webhooks/data-callbacks.ts'
import { createIngest } from './network/webhooks/ingest.ts'
import { createWebhookWorker } from './network/webhooks/webhook-worker.ts'
import { createWebhooks } from './network/webhooks/webhooks.ts'
import type { Metrics } from './operations/metrics.ts'
import { type ErasedPeople, openErasedPeople } from './people/erased-people.ts'
import { createErasures, type Erasures } from './people/erasures.ts'
import { createFetchPicture } from './pictures/fetch-picture.ts'
import { createOpenSource, type OpenSource } from './pictures/open-source.ts'
import { createPictureAddresses } from './pictures/picture-addresses.ts'
import { createPictureRoutes } from './pictures/routes.ts'
import { deriveKey, deriveKeys, type Keyring } from './secrets.ts'
import type { Settings } from './settings.ts'
import { seedBusiness } from './stand-ins/sandbox/business.ts'
import { createSandbox, type Sandbox } from './stand-ins/sandbox/sandbox.ts'
import { throttle } from './throttle.ts'

export type Network = {
  /** To be mounted at /webhooks/meta. */
  webhooks: Hono
  sending: Sending
  reacting: Reacting
  senderActions: SenderActions
  templates: MessageTemplates
  outgoingFiles: OutgoingFiles
  replyPictures: ReplyPictures
  unconfirmedReplies: UnconfirmedReplies
  comments: CommentParts
  pictures: Pictures
  erasures: Erasures
  erasedPeople: ErasedPeople
  pageWork: PageWork
  /** To be mounted at /pictures. */
  pictureFiles: Hono
  /** To be mounted at /sandbox; undefined with the real network. */
  sandbox: Hono | undefined
  /** The job queue, for work that is not the network's. Queues can be created after `start`. */
  jobs: Jobs
  /** Creates the job queues. To be called before routes are served. */
  createQueues(): Promise<void>
  /** Starts the workers. The HTTP server must be serving: the sandbox is called over HTTP too. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds between the starts of two batches of webhooks. One message costs nearly as much as a batch of ten. */
const batchInterval = 20
/**
 * Milliseconds. Every batch of stored messages wakes the workers of automatic replies, assignments, notifications and
 * events for other programs. Each asks the database what is due: without a limit these queries cost more than the messages.
 */
const followUpInterval = 200

/** Composes the network's parts for the real network, or for the sandbox if GRAPH_API_URL is not set. */
export async function createNetwork({
  database,
  settings,
  keyring,
  address,
  clock,
  logger,
  countSends,
  openSource,
  fileStore,
  shares = wholeShare,
  onIncoming,
  onTokenAccepted,
}: {
  database: OpenDatabase
  settings: Settings
  keyring: Keyring
  /** This server's base URL; the sandbox is part of it. */
  address: string
  clock: Clock
  logger: Logger
  /** Adds the count of results to the sending service. */
  countSends: Metrics['countSends']
  /** Which deliveries of webhooks this process takes first. */
  shares?: DeliveryShares | undefined
  /** Where files of customers come from. Undefined: the network's hosts. */
  openSource?: OpenSource | undefined
  /** Where files of customers are kept. Undefined: the place of the settings. */
  fileStore?: FileStore | undefined
  /** Called after new messages were stored. */
  onIncoming: () => void
  /** Called after the network accepted the token of a page again. */
  onTokenAccepted: () => void
}): Promise<Network> {
  const { db } = database
  const [secretKey] = keyring.secrets
  const account = settings.graph ?? {
    url: `${address}/sandbox`,
    appId: sandboxAppId,
    appSecret: settings.sandboxAppSecret ?? hex(deriveKey(secretKey, 'sandbox app secret')),
    verifyToken: settings.sandboxVerifyToken ?? hex(deriveKey(secretKey, 'sandbox verify token')),
  }
  const appToken = `${account.appId}|${account.appSecret}`
  const graph = createGraph({ baseUrl: account.url, version: settings.graphApiVersion, appSecret: account.appSecret })
  const pageTokens = createPageTokens(deriveKeys(keyring, 'page tokens'))
  // The pictures of a sandbox on another server are on that server.
  const trustedOrigins = settings.graph === undefined ? [] : [new URL(settings.graph.url).origin]
  const pictureAddresses = createPictureAddresses({ keyring, trustedOrigins })
  const normalizeUrl = createNormalizeUrl(address, pictureAddresses.addressOf)
  const pace = createPace({ db, clock })
  const calls = createPageCalls({ db, pageTokens, pace, clock, logger, onTokenAccepted })
  const erasedPeople = await openErasedPeople(db, keyring, settings.business.country)
  const store = fileStore ?? openFileStore(settings)
  const removeFiles = createFileRemoval({ db, store, clock, logger })
  const files = createStoredFiles({
    db,
    store,
    addresses: pictureAddresses,
    openSource: openSource ?? createOpenSource({ trustedOrigins, accept: '*/*' }),
    removeFiles,
    maxBytes: settings.files.maxBytes,
    clock,
    logger,
  })
  const outgoingFiles = createOutgoingFiles({
    db,
    store,
    addresses: pictureAddresses,
    storedFiles: files,
    // The sandbox is part of this server.
    publicOrigin: settings.graph === undefined ? address : (settings.publicUrl ?? null),
    clock,
  })
  const replyPictures = createReplyPictures({ db, store, files: outgoingFiles, clock })
  const erasures = createErasures({ db, erasedPeople, removeFiles, sendTimeout, clock, logger })
  const pictures = createPictures({ db, graph, calls, normalizeUrl, clock, logger })
  const templates = createMessageTemplates({ graph, calls, clock })
  const sending = countSends(
    createSending({ db, graph, calls, erasedPeople, files: outgoingFiles, templates, normalizeUrl, clock, logger }),
  )
  const senderActions = createSenderActions({ db, graph, calls, clock, logger })
  const autoReply = createAutoReply({ db, sending, timeZone: settings.business.time_zone, clock, logger })
  const assignments = createAssignments({ db, clock, logger })
  const onFirstLookup = autoReply.stopWaitingForName
  const lookups = createProfileLookups({ db, graph, calls, normalizeUrl, clock, logger, onFirstLookup })
  const ingest = createIngest({
    db,
    lookups,
    files,
    outgoingFiles,
    erasedPeople,
    normalizeUrl,
    appId: account.appId,
    onComments: () => {
      postLookups.wake()
      liveSales.wake()
    },
    onIncoming: {
      enqueue: autoReply.enqueue,
      wake: throttle(
        () => {
          autoReply.wake()
          assignments.wake()
          onIncoming()
        },
        followUpInterval,
        clock,
      ),
    },
  })
  const postLookups = createPostLookups({ db, graph, calls, normalizeUrl, clock, logger })
  const liveSales = createLiveSales({ db, clock, logger })
  const retainedDays = settings.retention.bodies
  const worker = createWebhookWorker({ db, ingest, shares, retainedDays, batchInterval, clock, logger })
  const syncWith = (pageCalls: typeof calls) =>
    createSync({ db, graph, lookups, files, erasedPeople, calls: pageCalls, normalizeUrl, clock, logger })
  const sync = syncWith(calls)
  const recent = createRecentSync({ db, sync, clock, logger })
  const jobs = createJobs(database, { logger })
  const historySyncs = createHistorySyncs({ db, jobs, sync, clock, logger })
  const autoSync = createAutoSync({ db, jobs, recent, clock, logger })
  const pagePictures = createPagePictures({ db, jobs, pictures, timeZone: settings.business.time_zone, logger })
  const management = createPageManagement({
    db,
    graph,
    pageTokens,
    normalizeUrl,
    erasures,
    calls,
    appToken,
    clock,
    logger,
  })

  // The sandbox is its own dialog, at the address where the person opened the inbox.
  const loginOf = settings.facebookLogin
  const pagesUrl = (origin: string) => settings.publicUrl ?? origin
  const facebookLogin =
    settings.graph !== undefined && loginOf === undefined
      ? null
      : createFacebookLogin({
          db,
          graph,
          management,
          keys: deriveKeys(keyring, 'facebook logins'),
          account: {
            appId: account.appId,
            appToken,
            configId: loginOf?.configId ?? 'sandbox',
            version: settings.graphApiVersion,
            dialogUrl: (origin) => loginOf?.url ?? `${pagesUrl(origin)}/sandbox`,
            pagesUrl,
          },
          clock,
        })

  let sandbox: Sandbox | undefined
  if (settings.graph === undefined) {
    sandbox = await createSandbox({
      db,
      clock,
      address: () => account.url,
      webhookUrl: () => `${address}/webhooks/meta`,
      appId: account.appId,
      appSecret: account.appSecret,
      tokenKey: deriveKey(secretKey, 'sandbox page tokens'),
      liveliness: settings.sandboxLiveliness,
      people: settings.sandboxPeople,
      logger,
    })
  }

  async function fill({ tokens, fillOnce }: Sandbox): Promise<void> {
    const fillSync = syncWith(
      createPageCalls({ db, pageTokens, pace: { ...pace, ...unpaced }, clock, logger, onTokenAccepted }),
    )
    await database.exclusively('first fill', () =>
      fillOnce(async () => {
        await fillFromNetwork({ db, graph, pageTokens, normalizeUrl, sync: fillSync, lookups, tokens, logger })
        await seedBusiness(db, clock.now())
      }),
    )
  }

  return {
    webhooks: createWebhooks({
      db: database.deliveries,
      appSecret: account.appSecret,
      verifyToken: account.verifyToken,
      clock,
      logger,
      onDelivery: (lanes) => shares.wakeFor(lanes, worker.wake),
    }).route(
      '/',
      createDataCallbacks({
        appSecret: account.appSecret,
        appToken,
        graph,
        erasures,
        checkTokens: () => void management.checkTokens(),
        isBehindProxy: settings.trustedProxies > 0,
        clock,
        logger,
      }),
    ),
    sending,
    reacting: createReacting({ db, graph, calls, clock }),
    senderActions,
    templates,
    outgoingFiles,
    replyPictures,
    unconfirmedReplies: createUnconfirmedReplies({ db, sending, clock }),
    comments: {
      sends: createCommentSends({ db, graph, calls, erasedPeople, lookups, clock, logger }),
      changes: createCommentChanges({ db, graph, calls, clock }),
    },
    pictures,
    erasures,
    erasedPeople,
    pageWork: { management, facebookLogin, pagePictures, historySyncs, recent, autoSync },
    pictureFiles: createPictureRoutes({
      addresses: pictureAddresses,
      serveCopy: createServeCopy({
        files: {
          find: async (source) => (isOutgoingSource(source) ? outgoingFiles.findBySource(source) : files.find(source)),
        },
        store,
        logger,
      }),
      fetchPicture: createFetchPicture({ trustedOrigins }),
      refresh: pictures.refreshAddress,
      clock,
      logger,
    }),
    sandbox: sandbox?.app,
    jobs,
    async createQueues() {
      await jobs.start()
      for (const { createQueue } of [historySyncs, autoSync, pagePictures]) await createQueue()
    },
    async start() {
      worker.start()
      void renewSubscriptions({ db, graph, calls, logger }).catch((error: unknown) =>
        logger.warn(traceOf(error), 'the webhooks of the pages could not be renewed'),
      )
      erasures.start()
      lookups.start()
      postLookups.start()
      liveSales.start()
      files.start()
      autoReply.start()
      assignments.start()
      await historySyncs.work()
      await autoSync.work()
      await pagePictures.work()
      if (sandbox !== undefined) await fill(sandbox)
      sandbox?.start()
    },
    async stop() {
      await jobs.stop({ timeout: gracePeriod })
      await senderActions.stop()
      await sandbox?.stop()
      await worker.stop()
      await erasures.stop()
      await lookups.stop()
      await postLookups.stop()
      await liveSales.stop()
      await files.stop()
      await autoReply.stop()
      await assignments.stop()
    },
  }
}

/** Milliseconds that active jobs get at shutdown; after that another process retries them. */
const gracePeriod = 3_000

const sandboxAppId = '104200000000001'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
