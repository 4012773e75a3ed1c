import { describe, expect, it } from 'vitest'

const catalogue = import.meta.glob(
  ['../../../src/domain/toasts.ts', '../../../src/domain/*/{toasts,dialog-toasts}.ts'],
  {
    eager: true,
  },
)

const generic = [
  'Network error. Please check your connection.',
  'Session expired. Please log in again.',
  'Access denied. You do not have permission to perform this action.',
  'Access denied. Missing permission: {}',
  'Access denied. You need at least one of these permissions: {}',
  'Access denied. Missing required permissions: {}',
  'Access denied. Missing permissions: {}',
  'Access denied. Required permissions: {}',
  'API endpoint not found: {} {}',
  'Too many requests. Please try again later.',
  'Server error. Please try again later.',
]

const failures = [
  'Failed to load conversations',
  'Failed to load messages',
  'Failed to send message',
  'Failed to link user to client',
  'Failed to search clients',
  'Failed to load more conversations',
  'Failed to load Facebook pages',
  'Failed to load sync status',
  'Failed to sync historical conversations',
  'Failed to sync conversation',
  'Real-time messaging connection error',
  'Real-time messaging connection timed out',
  'Failed to fetch orders information',
  'Failed to fetch payment information',
  'Please select a page first',
  'Failed to sync recent messages: {}',
  'Error syncing recent messages',
  'Failed to update settings',
  'Failed to toggle auto-sync',
  'Failed to force sync',
  'Failed to create client',
  'Failed to link client',
  'Please enter a page access token',
  'Token verification failed: {}',
  'Failed to verify token',
  'Failed to add page: {}',
  'Failed to add Facebook page',
  'Failed to update page: {}',
  'Failed to update Facebook page',
  'Failed to delete page: {}',
  'Failed to delete Facebook page',
  'Failed to refresh profile pictures',
  'Failed to refresh all profile pictures',
  'Failed to load categories',
  'Failed to load FAQs',
  'Failed to save FAQ',
  'Failed to delete FAQ',
  'Failed to test FAQ match',
  'Unable to determine which page to send from',
  'Unable to find user identity for the selected page',
  'No refresh token available',
]

const successes = [
  'Message sent successfully',
  'Facebook user linked to client successfully',
  'Synced {} recent messages',
  'Synced {} messages across {} pages',
  'Settings updated',
  'Force sync completed',
  'Client linked successfully',
  'Client created and linked successfully',
  'Token verified successfully',
  'Facebook page added successfully',
  'Facebook page updated successfully',
  'FAQs refreshed',
  'FAQ updated successfully',
  'FAQ created successfully',
  'FAQ deleted successfully',
]

const signIn = [
  'Please set a new password to continue',
  'Your account is inactive. Please contact an administrator.',
  "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
  'Internal server error. Please try again later.',
  'Invalid email or password',
  'Invalid credentials',
  'No migration in progress',
  'Migration failed',
  'Invalid token response',
  'Please check your email to confirm your account before logging in.',
  'Invalid email or password. Please try again.',
]

/** Each text with its kind. {} is a placeholder. */
function said(entry: unknown): { kind: unknown; text: unknown }[] {
  if (typeof entry === 'function') return said(entry('{}', '{}'))
  if (typeof entry === 'string') return [{ kind: 'words', text: entry }]
  if (typeof entry !== 'object' || entry === null) return []
  if ('kind' in entry && 'text' in entry) return [{ kind: entry.kind, text: entry.text }]
  return Object.values(entry).flatMap(said)
}

const all = said({ ...catalogue })
const textsOf = (kind: string) => all.filter((toast) => toast.kind === kind).map(({ text }) => text)

describe('The toast catalogue', () => {
  it('holds every failure of spec section 8 as an error', () =>
    expect(textsOf('error')).toEqual(expect.arrayContaining([...generic, ...failures])))
  it('holds every success of spec section 8', () =>
    expect(textsOf('success')).toEqual(expect.arrayContaining(successes)))
  it('holds the new message toast and the warnings', () => {
    expect(textsOf('info')).toContain('New message from {}')
    expect(textsOf('warning')).toEqual(
      expect.arrayContaining(['No linked client found', 'This client is already linked to another Facebook user']),
    )
  })
  it('holds every text of the sign-in', () => expect(textsOf('words')).toEqual(expect.arrayContaining(signIn)))
  it('holds each text once', () => expect(all.length).toBe(new Set(all.map(({ text }) => text)).size))
})
