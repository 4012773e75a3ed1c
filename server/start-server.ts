import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createAlarms } from './alarms/alarms.ts'
import { createAnnounce } from './alarms/announce.ts'
import { readDisk } from './alarms/conditions.ts'
import { createAuthRoutes } from './api/auth.ts'
import { createApp } from './app.ts'
import { hostedProvider } from './auth/identity-provider.ts'
import { createRefreshTokens } from './auth/refresh-tokens.ts'
import { createSecondFactors, secondFactorPurpose } from './auth/second-factors.ts'
import { createProductTokens } from './auth/tokens.ts'
import { clientAddress, clientAddressOfRequest } from './client-address.ts'
import { type Clock, steadyClock, systemClock } from './clock.ts'
import type { OpenDatabase } from './database/database.ts'
import { databaseClock } from './database/database-clock.ts'
import {
  startEndingSnoozes,
  startFoldingTotals,
  startRemovingLabels,
  startSweepingAttempts,
  startSweepingOutbox,
  startSweepingSessions,
  startVacuuming,
} from './database/maintenance.ts'
import { openDatabase, placeOf } from './database/open-database.ts'
import { startIndexingMessages } from './database/search-index.ts'
import type { FileStore } from './files/file-store.ts'
import { listen } from './http-server.ts'
import { createCsvImports, startMaintainingImports } from './imports/csv-imports.ts'
import type { Logger } from './logger.ts'
import { createMail } from './mail/mail.ts'
import { createMetrics } from './operations/metrics.ts'
import { createReadiness } from './operations/readiness.ts'
import { createOperationsRoutes } from './operations/routes.ts'
import { startReadingPhones } from './people/read-phones.ts'
import { startRetention } from './people/retention.ts'
import type { OpenSource } from './pictures/open-source.ts'
import { createPost } from './push/push-services.ts'
import { createPushes } from './push/pushes.ts'
import { deleteForeignSubscriptions } from './push/subscriptions.ts'
import { openVapid } from './push/vapid.ts'
import { assertTokensReadable, countUnreadableFactors, countUnreadableWebhooks } from './rekey.ts'
import { startCollectingReports } from './reports/collect.ts'
import { deriveKeys, keyringOf, secretKeyWarning } from './secrets.ts'
import { assertSandboxIsPrivate, type Settings, sandboxWarning } from './settings.ts'
import type { ShopFetch } from './shops/shop-http.ts'
import { composeShops } from './shops/start-shops.ts'
import { createShopStandIns, standInAddresses } from './stand-ins/shops/shop-stand-ins.ts'
import { createDemoStaff, deactivateDemoStaff } from './stand-ins/supabase/demo-staff.ts'
import { createEmbeddedSupabase } from './stand-ins/supabase/embedded.ts'
import { createPasswordReset } from './stand-ins/supabase/password-reset.ts'
import { staffAccounts } from './stand-ins/supabase/staff-accounts.ts'
import { createNetwork } from './start-network.ts'
import { createPostWebhook, type PostWebhook } from './webhooks-out/addresses.ts'
import { createWebhookEndpoints, webhookSecretPurpose } from './webhooks-out/endpoints.ts'
import { createWebhooksOut } from './webhooks-out/webhooks-out.ts'

const spaDirectory = fileURLToPath(new URL('../dist', import.meta.url))

/** Milliseconds that open requests get at shutdown. */
const gracePeriod = 5_000
/** A larger difference between this machine's clock and the database's is logged. Milliseconds. */
const clockSkewWarning = 2_000

export type RunningServer = {
  address: string
  /** Whether the demo staff may sign in. */
  isDemo: boolean
  close(): Promise<void>
}

/**
 * Composes and starts the server. Throws StartupError for problems that the operator can fix: a port in use, a locked data
 * directory, an unreachable database, an exposed sandbox.
 */
export async function startServer(
  settings: Settings,
  {
    logger,
    openDatabase: open = openDatabase,
    listen: startListening = listen,
    openSource,
    fileStore,
    postWebhook = createPostWebhook({ origins: settings.webhookOrigins }),
    shopFetch,
    readDisk: readFreeDisk = readDisk,
  }: {
    logger: Logger
    /** The outside of the process: database, HTTP server, files, other programs, shops, disk. A simulation has its own. */
    openDatabase?: typeof openDatabase
    listen?: typeof listen
    openSource?: OpenSource
    fileStore?: FileStore
    postWebhook?: PostWebhook
    shopFetch?: ShopFetch
    readDisk?: typeof readDisk
  },
): Promise<RunningServer> {
  assertSandboxIsPrivate(settings)
  const closers: (() => Promise<void> | void)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const database = await open(placeOf(settings))
    closers.push(() => database.close())
    const { clock, stop } = await openClock(database, logger)
    closers.push(stop)
    closers.push(startRetention({ db: database.db, clock, logger }, settings.retention))
    for (const start of [
      startFoldingTotals,
      startSweepingSessions,
      startSweepingAttempts,
      startSweepingOutbox,
      startEndingSnoozes,
      startRemovingLabels,
      startCollectingReports,
      startIndexingMessages,
    ]) {
      closers.push(start({ db: database.db, clock, logger }))
    }
    closers.push(startReadingPhones({ db: database.db, clock, logger, country: settings.business.country }))
    if (database.kind === 'pglite') closers.push(startVacuuming({ db: database.db, clock, logger }))
    const http = await startListening({ port: settings.port, host: settings.host })
    closers.push(() => http.close(gracePeriod))

    const { db } = database
    const keyring = keyringOf(settings)
    await assertTokensReadable(db, keyring)
    const people = await countUnreadableFactors(db, keyring)
    if (people > 0) logger.warn({ people }, 'second factors cannot be read with the secret keys: add the missing key')
    const endpoints = await countUnreadableWebhooks(db, keyring)
    if (endpoints > 0) logger.warn({ endpoints }, 'webhook secrets cannot be read with the secret keys: replace them')
    const tokenKeys = (purpose: string): [Uint8Array, ...Uint8Array[]] => {
      const [newest, ...older] = deriveKeys(keyring, purpose).all
      return [newest.key, ...older.map(({ key }) => key)]
    }
    for (const warning of [secretKeyWarning(settings), sandboxWarning(settings)]) {
      if (warning !== null) logger.warn(warning)
    }
    const addressOf = clientAddress(settings.trustedProxies)
    const tokens = createProductTokens({ keys: tokenKeys('product tokens'), clock })
    const refreshTokens = createRefreshTokens({ db, issuer: 'product', clock })

    const nats =
      settings.nats === undefined
        ? undefined
        : (await import('./changes/nats.ts')).createNatsTransport({ database, ...settings.nats, clock, logger })
    const embedded =
      settings.supabase === undefined
        ? createEmbeddedSupabase({
            database,
            transport: nats,
            keys: tokenKeys('provider tokens'),
            logger,
            clock,
            addressOf,
            requireSecondFactor: settings.requireSecondFactor,
            addressOfRequest: clientAddressOfRequest(settings.trustedProxies),
            socketLimits: settings.socketLimits,
            allowedOrigins: settings.allowedOrigins,
          })
        : undefined
    const provider =
      settings.supabase === undefined ? embedded?.provider : hostedProvider({ ...settings.supabase, clock })
    if (provider === undefined) throw new Error('no identity provider is configured')
    if (embedded !== undefined) {
      embedded.realtime.attach(http.server)
      nats?.start()
      closers.push(() => nats?.stop())
      await embedded.realtime.start()
      closers.push(() => embedded.realtime.close())
    }

    const metrics = createMetrics({
      db,
      clock,
      sockets: () => embedded?.realtime.connections() ?? 0,
      isNatsConnected: nats?.isConnected,
    })
    const { countSends, measure, registry } = metrics
    const vapid = await openVapid(db, keyring, settings)
    await deleteForeignSubscriptions(db, vapid.publicKey)
    const pushes = createPushes({
      db,
      vapid,
      post: createPost({ origins: settings.push.origins }),
      showsNames: settings.push.showsNames,
      clock,
      logger,
    })
    const mail = settings.mail === undefined ? undefined : createMail(settings.mail)
    const alarms = createAlarms({
      db,
      clock,
      logger,
      machine: hostname(),
      readLocal: () => readFreeDisk(settings.dataDir, hostname()),
      announce: createAnnounce({ mail, ...settings.alarms }),
    })
    const webhookKeys = deriveKeys(keyring, webhookSecretPurpose)
    const webhooksOut = createWebhooksOut({
      db,
      keys: webhookKeys,
      post: postWebhook,
      currency: settings.business.currency,
      retainedDays: settings.retention.events,
      onSwitchedOff: alarms.wake,
      clock,
      logger,
    })
    const network = await createNetwork({
      database,
      settings,
      keyring,
      address: http.address,
      clock,
      logger,
      countSends,
      openSource,
      fileStore,
      shares: nats?.shares,
      onIncoming: () => {
        pushes.wake()
        webhooksOut.wake()
      },
      onTokenAccepted: alarms.wake,
    })
    const csvImports = createCsvImports({
      db,
      jobs: network.jobs,
      erasedPeople: network.erasedPeople,
      business: settings.business,
      clock,
      logger,
    })
    const shopStandIns =
      settings.graph === undefined
        ? await createShopStandIns({
            db,
            clock,
            currency: settings.business.currency,
            customers: Math.min(settings.sandboxPeople ?? 40, 40),
            logger,
          })
        : undefined
    const shops = composeShops({
      db,
      keyring,
      jobs: network.jobs,
      erasedPeople: network.erasedPeople,
      business: settings.business,
      retainedDays: settings.retention.bodies,
      publicUrl: settings.publicUrl,
      address: http.address,
      ...(shopStandIns === undefined ? {} : { standIns: standInAddresses(http.address) }),
      ...(shopFetch === undefined ? {} : { fetch: shopFetch }),
      clock,
      logger,
    })
    const passwordReset =
      embedded === undefined || mail === undefined || settings.publicUrl === undefined
        ? undefined
        : createPasswordReset({ db, jobs: network.jobs, mail, publicUrl: settings.publicUrl, clock })
    const app = createApp({
      api: {
        db,
        tokens,
        auth: createAuthRoutes({
          db,
          provider,
          tokens,
          refreshTokens,
          secondFactors: createSecondFactors({
            db,
            keys: deriveKeys(keyring, secondFactorPurpose),
            required: settings.requireSecondFactor,
            clock,
          }),
          passwordReset,
          clock,
          addressOf,
          deviceCache: settings.deviceCache,
          offersFacebookLogin: network.pageWork.facebookLogin !== null,
          offersFiles: network.outgoingFiles.isOffered,
          business: settings.business,
        }),
        sending: network.sending,
        templates: network.templates,
        outgoingFiles: network.outgoingFiles,
        replyPictures: network.replyPictures,
        unconfirmedReplies: network.unconfirmedReplies,
        comments: network.comments,
        reacting: network.reacting,
        senderActions: network.senderActions,
        pictures: network.pictures,
        erasures: network.erasures,
        erasedPeople: network.erasedPeople,
        csvImports,
        shops: shops.shops,
        pageWork: network.pageWork,
        webPush: { publicKey: vapid.publicKey, origins: settings.push.origins },
        webhooks: {
          endpoints: createWebhookEndpoints({ db, keys: webhookKeys, origins: settings.webhookOrigins }),
          wake: webhooksOut.wake,
        },
        staffAccounts: embedded === undefined ? null : staffAccounts,
        clock,
        logger,
        addressOf,
        allowedOrigins: settings.allowedOrigins,
        business: settings.business,
      },
      supabaseAuth: embedded?.auth,
      webhooks: network.webhooks,
      shopWebhooks: shops.webhooks,
      pictures: network.pictureFiles,
      sandbox: network.sandbox,
      shopStandIns: shopStandIns?.app,
      spaDirectory,
      sourceMaps: settings.sourceMaps,
      operations: {
        measure,
        routes: createOperationsRoutes({
          readiness: createReadiness({ db, clock, isListening: () => embedded?.realtime.isListening() ?? true }),
          registry,
          metricsToken: settings.metricsToken,
          trustedProxies: settings.trustedProxies,
        }),
      },
      connectTo: settings.supabase === undefined ? [] : [settings.supabase.url],
    })
    if (settings.graph !== undefined) {
      const deactivated = await deactivateDemoStaff(db)
      if (deactivated > 0) logger.warn({ accounts: deactivated }, 'the sandbox accounts were deactivated')
    }
    closers.push(() => network.stop())
    await network.createQueues()
    await passwordReset?.createQueue()
    await csvImports.createQueue()
    await shops.createQueues()
    closers.push(startMaintainingImports({ db, clock, logger }, csvImports))
    http.serve(app)

    const isDemo = settings.graph === undefined && embedded !== undefined
    if (isDemo) await database.exclusively('first fill', () => createDemoStaff({ db, clock }))
    closers.push(() => pushes.stop())
    pushes.start()
    closers.push(() => webhooksOut.stop())
    webhooksOut.start()
    closers.push(() => alarms.stop())
    alarms.start()
    await network.start()
    await passwordReset?.work()
    await csvImports.start()
    closers.push(() => shops.stop())
    await shops.start()
    if (shopStandIns !== undefined) {
      await database.exclusively('first fill', () => shopStandIns.seed())
      closers.push(() => shopStandIns.stop())
      shopStandIns.start()
    }
    return { address: http.address, isDemo, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The database's clock; for the embedded database the machine's own. */
async function openClock(database: OpenDatabase, logger: Logger): Promise<{ clock: Clock; stop: () => void }> {
  if (database.kind === 'pglite') return { clock: systemClock, stop: () => undefined }
  // Between two measurements a machine whose clock is set would write due times and leases that are hours off.
  const clock = await databaseClock(database.db, steadyClock)
  if (Math.abs(clock.offset()) > clockSkewWarning) {
    logger.warn({ milliseconds: clock.offset() }, 'the clocks of this machine and the database differ')
  }
  return { clock, stop: clock.stop }
}
