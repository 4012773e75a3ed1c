import type { Fault } from './matrix-fixture.ts'

const tooMany = 'Too many requests. Please try again later.'
/** The reason that the API gives for a refusal. */
export const said = 'The network said no'
export const json = (status: number, rest: object = {}) => ({
  kind: 'status' as const,
  status,
  body: { success: false, ...rest },
})

/** The call's own text of spec section 8, null if it has none, and the text with a reason if the spec defines one. */
export type Own = { text: string | null; withReason?: (reason: string) => string }
type Told = { call: string } & Own

const forbidden = (details: object): Fault => json(403, { error: 'Forbidden', details })

/** Every fault with its toast, copied by hand from spec section 8. */
export const faults: Record<string, { fault: Fault; text: (told: Told) => string | null }> = {
  'no answer': { fault: { kind: 'noAnswer' }, text: () => 'Network error. Please check your connection.' },
  'no answer in 30 s': { fault: { kind: 'timeout' }, text: () => 'Network error. Please check your connection.' },
  '400 with an error': { fault: json(400, { error: said }), text: ({ withReason }) => withReason?.(said) ?? said },
  '401': { fault: json(401, { error: 'Token expired' }), text: () => 'Session expired. Please log in again.' },
  '403': {
    fault: json(403, { error: 'Forbidden' }),
    text: () => 'Access denied. You do not have permission to perform this action.',
  },
  '403 with requiredPermission': {
    fault: forbidden({ requiredPermission: 'a.b' }),
    text: () => 'Access denied. Missing permission: a.b',
  },
  '403 with requiresAny': {
    fault: forbidden({ missingPermissions: ['a.b', 'c.d'], requiresAny: true }),
    text: () => 'Access denied. You need at least one of these permissions: a.b, c.d',
  },
  '403 with requireAll': {
    fault: forbidden({ missingPermissions: ['a.b', 'c.d'], requireAll: true }),
    text: () => 'Access denied. Missing required permissions: a.b, c.d',
  },
  '403 with missingPermissions': {
    fault: forbidden({ missingPermissions: ['a.b', 'c.d'] }),
    text: () => 'Access denied. Missing permissions: a.b, c.d',
  },
  '403 with requiredPermissions': {
    fault: forbidden({ requiredPermissions: ['a.b', 'c.d'] }),
    text: () => 'Access denied. Required permissions: a.b, c.d',
  },
  '404': { fault: json(404, { error: 'Not found' }), text: ({ call }) => `API endpoint not found: ${call}` },
  '429': { fault: json(429), text: () => tooMany },
  // A read is retried after so short a delay. The toast appears after the third refusal.
  '429 with Retry-After in seconds': {
    fault: { ...json(429), headers: () => ({ 'retry-after': '1' }) },
    text: () => tooMany,
  },
  '429 with Retry-After as a date': {
    fault: { ...json(429), headers: () => ({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() }) },
    text: () => tooMany,
  },
  '500': { fault: json(500, { error: 'Stack trace' }), text: () => 'Server error. Please try again later.' },
  '503': { fault: json(503), text: ({ text }) => text },
  '503 with an error': { fault: json(503, { error: said }), text: ({ withReason }) => withReason?.(said) ?? said },
  HTML: { fault: { kind: 'text', text: '<!doctype html><title>Bad gateway</title>' }, text: ({ text }) => text },
  'truncated JSON': { fault: { kind: 'text', text: '{"success":true,"data":[{"id' }, text: ({ text }) => text },
  'wrong shape': { fault: { kind: 'text', text: '{"surprise":7}' }, text: ({ text }) => text },
  'an empty body': { fault: { kind: 'text', text: '' }, text: ({ text }) => text },
}

/**
 * Faults that one function turns into a failure or a text, before the code of a call sees them. A row meets one fault of
 * each group in turn, so all rows together meet all of them, and every row meets all other faults.
 */
const alike = [
  ['403', ...Object.keys(faults).filter((name) => name.startsWith('403 with'))],
  ['429', '429 with Retry-After in seconds', '429 with Retry-After as a date'],
  ['400 with an error', '503 with an error'],
  ['HTML', 'truncated JSON', 'an empty body'],
]

/** The faults that the row with this number meets. */
export const faultsOfRow = (index: number) =>
  Object.entries(faults).filter(([name]) => {
    const group = alike.find((names) => names.includes(name))
    return group === undefined || group[index % group.length] === name
  })

/**
 * The duration of a call that meets the fault, in milliseconds. No toast appears before. A read with a short
 * Retry-After is retried twice.
 */
export function timeOf(name: string, call: string): number {
  if (name === 'no answer in 30 s') return 30_000
  return call.startsWith('GET ') && name === '429 with Retry-After in seconds' ? 2_000 : 0
}

/** The maximum delay between a failed call and its toast, in milliseconds. */
export const toldWithin = 3_000
