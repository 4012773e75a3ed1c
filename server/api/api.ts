import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { openAPIRouteHandler } from 'hono-openapi'
import type { Business } from '../../src/schemas/business.ts'
import { createStaffManagement, type StaffAccounts } from '../auth/staff-management.ts'
import type { ProductTokens } from '../auth/tokens.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { OutgoingFiles } from '../files/outgoing-files.ts'
import type { ReplyPictures } from '../files/reply-pictures.ts'
import type { CsvImports } from '../imports/csv-imports.ts'
import type { Logger } from '../logger.ts'
import type { UnconfirmedReplies } from '../network/faq/unconfirmed-replies.ts'
import type { FacebookLogin } from '../network/pages/facebook-login.ts'
import type { PageManagement } from '../network/pages/page-management.ts'
import type { PagePictures } from '../network/pictures/page-pictures.ts'
import type { Pictures } from '../network/pictures/pictures.ts'
import type { MessageTemplates } from '../network/send/message-templates.ts'
import type { Reacting } from '../network/send/reacting.ts'
import type { SenderActions } from '../network/send/sender-actions.ts'
import type { Sending } from '../network/send/sending.ts'
import type { AutoSync } from '../network/sync/auto-sync.ts'
import type { HistorySyncs } from '../network/sync/history-syncs.ts'
import type { RecentSync } from '../network/sync/recent-sync.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import type { Erasures } from '../people/erasures.ts'
import type { Shops } from '../shops/shops.ts'
import { createAlarmRoutes } from './alarms.ts'
import { refuse } from './answers.ts'
import { createApiKeyRoutes } from './api-keys.ts'
import { createAssignmentRuleRoutes } from './assignment-rules.ts'
import { createAuditRoutes } from './audit.ts'
import { authenticate } from './authentication.ts'
import { createAutoSyncRoutes } from './auto-sync.ts'
import { createBusinessHoursRoutes } from './business-hours.ts'
import { createChatOrderRoutes } from './chat-orders.ts'
import { createChatRoutes } from './chats.ts'
import { createClientChangeRoutes, createClientRemovalRoutes } from './client-changes.ts'
import { createClientSuggestionRoutes } from './client-suggestions.ts'
import { createClientRoutes, createLinkingRoutes, createOrderRoutes } from './clients.ts'
import { type CommentParts, createCommentRoutes } from './comments.ts'
import { createConversationRoutes } from './conversations.ts'
import { createCsvImportRoutes } from './csv-imports.ts'
import { createDraftRoutes } from './drafts.ts'
import { unexpectedError } from './errors.ts'
import { createExportStreams } from './export-streams.ts'
import { createBeginDownload, createDownloadRoutes, createExportRoutes } from './exports.ts'
import { createFacebookLoginRoutes } from './facebook-login.ts'
import { createFaqRoutes } from './faq.ts'
import { createFaqMatchingRoutes } from './faq-matching.ts'
import { createImportRoutes } from './imports.ts'
import { createClientLabelRoutes, createLabelRoutes } from './labels.ts'
import { createMessageTemplateRoutes } from './message-templates.ts'
import { createNoteRoutes } from './notes.ts'
import { createNotificationSettingsRoutes } from './notification-settings.ts'
import { createOutgoingFileRoutes, isUpload } from './outgoing-files.ts'
import { createPageRoutes } from './pages.ts'
import { createErasureRoutes, createPersonRoutes } from './persons.ts'
import { createPresenceRoutes } from './presence.ts'
import { createProductRoutes } from './products.ts'
import { createProfileRoutes } from './profiles.ts'
import { createReactionRoutes } from './reactions.ts'
import { createReportRoutes } from './reports.ts'
import { createSavedFilterRoutes } from './saved-filters.ts'
import { createSavedReplyRoutes } from './saved-replies.ts'
import { createSearchRoutes } from './search.ts'
import { createSendingRoutes } from './sending.ts'
import { createShopRoutes } from './shops.ts'
import { createStaffRoutes } from './staff.ts'
import { createStatsRoutes } from './stats.ts'
import { createSyncRoutes } from './sync.ts'
import { createUnconfirmedReplyRoutes } from './unconfirmed-replies.ts'
import { createWebPushRoutes, type WebPushParts } from './web-push.ts'
import { createWebhookRoutes, type WebhookParts } from './webhooks.ts'
import { createWrongAnswerRoutes } from './wrong-answers.ts'

const maxBodyBytes = 1024 * 1024

/** The services behind the routes for pages and syncs. */
export type PageWork = {
  management: PageManagement
  /** Null if the server does not offer it. */
  facebookLogin: FacebookLogin | null
  pagePictures: Pick<PagePictures, 'refreshAll'>
  historySyncs: HistorySyncs
  recent: RecentSync
  autoSync: AutoSync
}

export type ApiParts = {
  db: Db
  tokens: ProductTokens
  /** Mounted at /auth. */
  auth: Hono
  sending: Pick<Sending, 'send'>
  senderActions: Pick<SenderActions, 'typing' | 'left' | 'seen'>
  reacting: Reacting
  templates: Pick<MessageTemplates, 'list'>
  outgoingFiles: Pick<OutgoingFiles, 'receive' | 'discard' | 'parts'>
  replyPictures: ReplyPictures
  unconfirmedReplies: UnconfirmedReplies
  comments: CommentParts
  pictures: Pick<Pictures, 'refreshPerson'>
  erasures: Pick<Erasures, 'beginPerson' | 'find'>
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  csvImports: CsvImports
  shops: Shops
  pageWork: PageWork
  webPush: WebPushParts
  webhooks: WebhookParts
  /** Null with a hosted identity provider. */
  staffAccounts: StaffAccounts | null
  clock: Clock
  logger: Logger
  /** The client's IP address. */
  addressOf: (c: Context) => string
  allowedOrigins: string[]
  business: Business
}

/** The JSON API (spec section 7), to be mounted at /api. Every error response is `{success: false, error}`. */
export function createApi({
  db,
  tokens,
  auth,
  sending,
  senderActions,
  reacting,
  templates,
  outgoingFiles,
  replyPictures,
  unconfirmedReplies,
  comments,
  pictures,
  erasures,
  erasedPeople,
  csvImports,
  shops,
  pageWork,
  webPush,
  webhooks,
  staffAccounts,
  clock,
  logger,
  addressOf,
  allowedOrigins,
  business,
}: ApiParts): Hono {
  const streams = createExportStreams(clock)
  const beginDownload = createBeginDownload({ db, clock, streams })
  const staffOnly = authenticate({ db, tokens, addressOf })
  const staffRoutes = new Hono()
    .use(staffOnly)
    .route('/', createConversationRoutes({ db, senderActions, clock, country: business.country }))
    .route('/', createDraftRoutes({ db, clock }))
    .route('/', createPresenceRoutes({ db, senderActions }))
    .route('/', createNoteRoutes({ db, clock }))
    .route('/', createNotificationSettingsRoutes({ db, clock }))
    .route('/', createWebPushRoutes({ db, webPush, clock }))
    .route('/', createSavedFilterRoutes({ db, clock }))
    .route('/', createPageRoutes({ db, ...pageWork }))
    .route('/', createFacebookLoginRoutes({ db, clock, ...pageWork }))
    .route('/', createStatsRoutes({ db, clock }))
    .route('/', createSendingRoutes({ sending }))
    .route('/', createMessageTemplateRoutes({ templates }))
    .route('/', createOutgoingFileRoutes({ files: outgoingFiles }))
    .route('/', createUnconfirmedReplyRoutes({ db, unconfirmedReplies }))
    .route('/', createWrongAnswerRoutes({ db, clock }))
    .route('/', createReactionRoutes({ db, reacting }))
    .route('/', createLinkingRoutes({ db, clock, country: business.country }))
    .route('/', createChatRoutes({ db, clock }))
    .route('/', createClientSuggestionRoutes({ db, clock, country: business.country }))
    .route('/', createProfileRoutes({ pictures }))
    .route('/', createSyncRoutes(pageWork))
    .route('/', createAutoSyncRoutes(pageWork))

  const api = new Hono()
  if (allowedOrigins.length > 0) {
    api.use(
      cors({
        origin: allowedOrigins,
        allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
        exposeHeaders: ['Retry-After'],
        maxAge: 600,
      }),
    )
  }
  api.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })
  const limitBody = bodyLimit({ maxSize: maxBodyBytes, onError: (c) => refuse(c, 413, 'The request is too large') })
  // The route of uploads counts their bytes itself.
  api.use((c, next) => (isUpload(c) ? next() : limitBody(c, next)))

  // The process answers. Whether it can do its work is asked at /api/ready.
  api.get('/health', (c) => c.json({ success: true, data: { status: 'ok' } }))
  api.get(
    '/openapi.json',
    openAPIRouteHandler(api, {
      documentation: {
        info: { title: 'Staff Inbox', version: '1', description: 'The calls the inbox makes.' },
        servers: [{ url: '/api' }],
        components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      },
      defaultValidationErrorResponse: false,
    }),
  )
  api.route('/auth', auth)
  api.route('/facebook', staffRoutes)
  api.route(
    '/clients',
    new Hono()
      .use(staffOnly)
      .route('/', createClientRoutes({ db, clock, country: business.country }))
      .route('/', createClientLabelRoutes({ db, clock }))
      .route('/', createClientChangeRoutes({ db, clock, country: business.country })),
  )
  api.route(
    '/client-removals',
    new Hono().use(staffOnly).route('/', createClientRemovalRoutes({ db, clock, country: business.country })),
  )
  api.route('/labels', new Hono().use(staffOnly).route('/', createLabelRoutes({ db, clock })))
  api.route(
    '/orders',
    new Hono().use(staffOnly).route('/', createOrderRoutes({ db })).route('/', createChatOrderRoutes({ db, clock })),
  )
  api.route('/comments', new Hono().use(staffOnly).route('/', createCommentRoutes({ db, clock, comments })))
  api.route('/products', new Hono().use(staffOnly).route('/', createProductRoutes({ db, clock })))
  api.route('/persons', new Hono().use(staffOnly).route('/', createPersonRoutes({ db, erasures, streams, clock })))
  api.route('/erasures', new Hono().use(staffOnly).route('/', createErasureRoutes({ erasures })))
  api.route('/search', new Hono().use(staffOnly).route('/', createSearchRoutes({ db, country: business.country })))
  const savedReplies = createSavedReplyRoutes({ db, pictures: replyPictures, clock })
  api.route('/saved-replies', new Hono().use(staffOnly).route('/', savedReplies))
  api.route(
    '/faq',
    new Hono()
      .use(staffOnly)
      .route('/', createFaqRoutes({ db, clock }))
      .route('/', createFaqMatchingRoutes({ db, clock })),
  )
  api.route('/assignment-rules', new Hono().use(staffOnly).route('/', createAssignmentRuleRoutes({ db, clock })))
  api.route(
    '/business-hours',
    new Hono().use(staffOnly).route('/', createBusinessHoursRoutes({ db, clock, timeZone: business.time_zone })),
  )

  const staff = createStaffManagement({ db, accounts: staffAccounts, clock })
  api.route('/staff', new Hono().use(staffOnly).route('/', createStaffRoutes({ staff })))
  api.route('/api-keys', new Hono().use(staffOnly).route('/', createApiKeyRoutes({ db, clock })))
  api.route('/webhooks', new Hono().use(staffOnly).route('/', createWebhookRoutes({ db, webhooks, clock })))
  api.route('/import', createImportRoutes({ db, erasedPeople, clock, addressOf }))
  api.route(
    '/imports',
    new Hono().use(staffOnly).route('/', createCsvImportRoutes({ db, csvImports, beginDownload, clock })),
  )
  api.route('/shops', new Hono().use(staffOnly).route('/', createShopRoutes({ db, shops, clock })))
  api.route('/exports', createDownloadRoutes({ db, clock, csvImports, streams, business }))
  api.route('/exports', new Hono().use(staffOnly).route('/', createExportRoutes({ beginDownload })))
  api.route('/audit', new Hono().use(staffOnly).route('/', createAuditRoutes({ db, clock })))

  api.route(
    '/reports',
    new Hono().use(staffOnly).route('/', createReportRoutes({ db, clock, timeZone: business.time_zone })),
  )

  api.route('/alarms', new Hono().use(staffOnly).route('/', createAlarmRoutes({ db })))

  api.all('*', (c) => refuse(c, 404, `API endpoint not found: ${c.req.method} ${c.req.path}`))
  api.onError(unexpectedError(logger))
  return api
}
