import { reportFileName } from './report-file-name.ts'

/** How a toast looks and how long it stays (spec section 9). */
export type ToastKind = 'success' | 'info' | 'warning' | 'error'

/** What a toast says. */
export type ToastText = { readonly kind: ToastKind; readonly text: string }

const success = (text: string) => ({ kind: 'success', text }) as const
const info = (text: string) => ({ kind: 'info', text }) as const
const warning = (text: string) => ({ kind: 'warning', text }) as const
const error = (text: string) => ({ kind: 'error', text }) as const

/** The catalogue of spec section 8, by area, with what the product says beside it. For a call of any area: */
export const generalToasts = {
  network: error('Network error. Please check your connection.'),
  denied: error('Access denied. You do not have permission to perform this action.'),
  missingPermission: (name: string) => error(`Access denied. Missing permission: ${name}`),
  anyMissing: (names: string) => error(`Access denied. You need at least one of these permissions: ${names}`),
  allMissing: (names: string) => error(`Access denied. Missing required permissions: ${names}`),
  missingPermissions: (names: string) => error(`Access denied. Missing permissions: ${names}`),
  requiredPermissions: (names: string) => error(`Access denied. Required permissions: ${names}`),
  /** Without the query, which can hold a client's name. */
  noEndpoint: (method: string, path: string) => error(`API endpoint not found: ${method} ${path}`),
  tooManyRequests: error('Too many requests. Please try again later.'),
  server: error('Server error. Please try again later.'),
} as const

export const sessionToasts = {
  expired: error('Session expired. Please log in again.'),
  noRefreshToken: error('No refresh token available'),
  storageFailed: warning('This browser does not keep your sign-in. It lasts until this tab is closed.'),
} as const

/** What the forms of signing in and of a new password say. */
export const signInTexts = {
  emailNotConfirmed: 'Please check your email to confirm your account before logging in.',
  providerRefused: 'Invalid email or password. Please try again.',
  inactiveAccount: 'Your account is inactive. Please contact an administrator.',
  useNewLogin:
    "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
  loginServer: 'Internal server error. Please try again later.',
  loginRefused: 'Invalid email or password',
  loginFailed: 'Invalid credentials',
  badTokenAnswer: 'Invalid token response',
  migrationNeeded: 'Please set a new password to continue',
  noMigration: 'No migration in progress',
  migrationFailed: 'Migration failed',
  oldPasswordWasWrong: 'The old password was not right. Cancel, and sign in with it once more.',
  newPasswordIsAnother: 'You have chosen a new password before. Please enter that one.',
} as const

export const realtimeToasts = {
  failed: error('Real-time messaging connection error'),
  timedOut: error('Real-time messaging connection timed out'),
} as const

export const listToasts = {
  failed: error('Failed to load conversations'),
  moreFailed: error('Failed to load more conversations'),
  news: (name: string) => info(`New message from ${name}`),
  manyNews: (messages: number, people: number) => info(`${messages} new messages from ${people} people`),
  noneUnread: info('Nothing else is unread in this list'),
} as const

export const threadToasts = {
  failed: error('Failed to load messages'),
  readFailed: error('Failed to mark as read'),
  ordersFailed: error('Failed to fetch orders information'),
  paymentsFailed: error('Failed to fetch payment information'),
  noClient: warning('No linked client found'),
} as const

export const sendToasts = {
  sent: success('Message sent successfully'),
  failed: error('Failed to send message'),
  noPage: error('Unable to determine which page to send from'),
  noIdentity: error('Unable to find user identity for the selected page'),
} as const

/** Of automatic answers that are unconfirmed. */
export const replyToasts = {
  notFound: info('The page does not have the automatic answer so far'),
  unconfirmed: warning('It is not certain whether the automatic answer arrived'),
  discarded: info('Somebody else has discarded the automatic answer'),
  failed: error('Failed to update the automatic answer'),
} as const

export const linkToasts = {
  linked: success('Client linked successfully'),
  createdAndLinked: success('Client created and linked successfully'),
  createdLinkedLater: success('Facebook user linked to client successfully'),
  searchFailed: error('Failed to search clients'),
  linkFailed: error('Failed to link client'),
  createFailed: error('Failed to create client'),
  createdNotLinked: error('Failed to link user to client'),
  alreadyLinked: warning('This client is already linked to another Facebook user'),
} as const

/** What the form for a new client says. */
export const newClientTexts = {
  perhapsCreated: 'It is not known whether the client was created. Search for the name before you create it again.',
} as const

export const pageToasts = {
  failed: error('Failed to load Facebook pages'),
  tokenMissing: error('Please enter a page access token'),
  verified: success('Token verified successfully'),
  verifyRefused: (reason: string) => error(`Token verification failed: ${reason}`),
  verifyFailed: error('Failed to verify token'),
  add: {
    done: success('Facebook page added successfully'),
    refused: (reason: string) => error(`Failed to add page: ${reason}`),
    failed: error('Failed to add Facebook page'),
  },
  update: {
    done: success('Facebook page updated successfully'),
    refused: (reason: string) => error(`Failed to update page: ${reason}`),
    failed: error('Failed to update Facebook page'),
  },
  deleted: success('Page deleted'),
  deleteRefused: (reason: string) => error(`Failed to delete page: ${reason}`),
  deleteFailed: error('Failed to delete Facebook page'),
  pictures: success('Page pictures refreshed'),
  picturesFailed: {
    pages: error('Failed to refresh profile pictures'),
    all: error('Failed to refresh all profile pictures'),
  },
} as const

export const syncToasts = {
  pageMissing: error('Please select a page first'),
  statusFailed: error('Failed to load sync status'),
  historyFailed: error('Failed to sync historical conversations'),
  cancelFailed: error('Failed to cancel the sync'),
  conversationFailed: error('Failed to sync conversation'),
  recent: (messages: number) => success(`Synced ${messages} recent messages`),
  allRecent: (messages: number, pages: number) => success(`Synced ${messages} messages across ${pages} pages`),
  recentRefused: (reason: string) => error(`Failed to sync recent messages: ${reason}`),
  recentFailed: error('Error syncing recent messages'),
} as const

export const autoSyncToasts = {
  saved: success('Settings updated'),
  saveFailed: error('Failed to update settings'),
  toggleFailed: error('Failed to toggle auto-sync'),
  forced: success('Force sync completed'),
  goesOn: info('The sync takes longer and goes on by itself'),
  stopped: info('The sync was stopped'),
  forceFailed: error('Failed to force sync'),
} as const

export const faqToasts = {
  categoriesFailed: error('Failed to load categories'),
  failed: error('Failed to load FAQs'),
  refreshed: success('FAQs refreshed'),
  created: success('FAQ created successfully'),
  updated: success('FAQ updated successfully'),
  saveFailed: error('Failed to save FAQ'),
  deleted: success('FAQ deleted successfully'),
  deleteFailed: error('Failed to delete FAQ'),
  testFailed: error('Failed to test FAQ match'),
} as const

/** What the form for an entry says. */
export const faqFormTexts = {
  perhapsCreated: 'It is not known whether the FAQ was created. Look for it in the list before you create it again.',
} as const

export const reportToasts = {
  saved: success(`Report saved. Look for ${reportFileName} among your downloads.`),
  failed: error('Failed to save the report'),
} as const
