import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToastKind } from '../../../src/domain/toast.ts'
import type { SendDecision } from '../../../src/schemas/comment.ts'
import { authRows, chosenPassword, migrating, signIn, submit } from '../auth-rows.ts'
import { faults, json, said } from '../matrix-faults.ts'
import {
  commentThreadOf,
  conversationFixture,
  dataOf,
  type Fault,
  firstClient,
  type Harness,
  messageFixture,
  openHarness,
  type Stored,
  savingReport,
} from '../matrix-fixture.ts'
import {
  commentThread,
  firstComment,
  historySync,
  inDialog,
  onDemand,
  open,
  openWith,
  pageForm,
  replyDecision,
  rows,
  searched,
  session,
  snapshotOf,
  to,
  writing,
} from '../matrix-rows.ts'

const catalogue = import.meta.glob(
  ['../../../src/domain/toasts.ts', '../../../src/domain/*/{toasts,dialog-toasts}.ts'],
  {
    eager: true,
  },
)

/** The durations of spec section 9, copied by hand, in milliseconds. */
const durations: Readonly<Record<ToastKind, number>> = { success: 3_000, info: 3_000, warning: 4_000, error: 5_000 }

type Case = {
  kind: ToastKind
  text: string
  stored?: Stored
  prepare?: ((harness: Harness) => unknown) | undefined
  /** The fault, if the case has one. */
  failing?: readonly [call: string, fault: Fault]
  act: (harness: Harness) => unknown
}

const failed = json(503)
const refused = json(400, { error: said })
const rowAt = (call: string, at?: string) => {
  const row = rows.find((one) => one.call === call && one.at === at)
  if (!row) throw new Error(`the matrix has no row for ${call}`)
  return row
}

/** The own text of each call of the matrix after a failure, without and with a reason. */
const failures = rows.flatMap(({ call, text, withReason, prepare, act }): Case[] => {
  if (text === null) return []
  const plain: Case = { kind: 'error', text, prepare, failing: [call, failed], act }
  return withReason ? [plain, { ...plain, text: withReason(said), failing: [call, refused] }] : [plain]
})

/** The general texts of all calls. */
const general = Object.entries(faults).flatMap(([name, { fault, text }]): Case[] => {
  const row = rowAt('GET /facebook/conversations')
  const told = text(row)
  if (told === null || told === row.text || name === '400 with an error') return []
  return [{ kind: 'error', text: told, failing: [row.call, fault], act: row.act }]
})

const successes = (
  [
    ['POST /facebook/send-message', undefined, 'Message sent successfully'],
    ['POST /facebook/link-client', undefined, 'Client linked successfully'],
    ['POST /facebook/link-client', 'Create & Link', 'Client created and linked successfully'],
    ['PUT /clients/k1/language', undefined, 'Language of summaries saved'],
    ['POST /facebook/unlink-client', undefined, 'The link was removed'],
    ['POST /facebook/split-chat', undefined, 'The chat has a conversation of its own now'],
    ['POST /facebook/join-chats', undefined, 'The chats are one conversation now'],
    ['POST /facebook/logins/connect', undefined, '1 page connected'],
    ['POST /facebook/pages/verify-token', undefined, 'Token verified successfully'],
    ['POST /facebook/pages', undefined, 'Facebook page added successfully'],
    ['PUT /facebook/pages/p1', undefined, 'Facebook page updated successfully'],
    ['DELETE /facebook/pages/p1', undefined, 'Page deleted'],
    ['POST /facebook/pages/refresh-profile-pictures', undefined, 'Page pictures refreshed'],
    ['POST /facebook/pages/p1/sync-conversation', undefined, 'Synced 3 recent messages'],
    ['POST /facebook/pages/p1/sync-recent', undefined, 'Synced 3 recent messages'],
    ['POST /facebook/sync-all-recent', undefined, 'Synced 3 messages across 2 pages'],
    ['PUT /facebook/auto-sync/config', undefined, 'Settings updated'],
    ['POST /facebook/auto-sync/force-sync', undefined, 'Force sync completed'],
    ['GET /faq/entries', 'Refresh', 'FAQs refreshed'],
    ['POST /faq/entries', undefined, 'FAQ created successfully'],
    ['PUT /faq/entries/f1', undefined, 'FAQ updated successfully'],
    ['DELETE /faq/entries/f1', undefined, 'FAQ deleted successfully'],
    ['PUT /webhooks/w1', undefined, 'Webhook saved'],
    ['DELETE /webhooks/w1', undefined, 'Webhook deleted'],
    ['POST /webhooks/w1/deliveries/2/resend', undefined, 'The event is sent again'],
    ['POST /webhooks/w1/test', undefined, 'The test event is on its way'],
    ['POST /comments/c1/replies', undefined, 'The answer was sent'],
    ['POST /comments/sends/k1', undefined, 'The answer has arrived'],
    ['PUT /staff/s2', undefined, 'Changes saved'],
    ['POST /staff/s2/remove-second-factor', undefined, 'Two-step sign-in is off. The person is signed out.'],
  ] as const
).map(([call, at, text]): Case => {
  const { prepare, act } = rowAt(call, at)
  return { kind: 'success', text, prepare, act }
})

/** With a hosted identity provider there is no one-time password to show. */
const addedStaff: Case = {
  kind: 'success',
  text: 'Added. They can sign in with an account under this email.',
  prepare: async (harness) => {
    await rowAt('POST /staff').prepare?.(harness)
    harness.answers('POST /staff', dataOf({ id: 's3', password: null }))
  },
  act: rowAt('POST /staff').act,
}

const moment = '2026-03-01T07:00:00.000Z'
const run = (state: string) =>
  dataOf({ id: 'r1', state, trigger: 'forced', started_at: moment, messages: 0, pages: [] })
const force = (harness: Harness) => to(harness, 'autoSync', 'force.requested')

/** People in the list who have just written. */
const people = ['Ana', 'Ben', 'Cleo', 'Dan']
const listed = async (harness: Harness) => {
  harness.answers('GET /facebook/conversations', {
    success: true,
    data: people.map((name) => conversationFixture(name.toLowerCase(), name)),
    pagination: { page: 1, limit: 20, total: 4, totalPages: 1, hasNext: false, hasPrev: false },
  })
  session(harness, 'refetch.requested')
  await harness.passes(500)
}
const written = (names: readonly string[]) => (harness: Harness) =>
  to(harness, 'realtime', 'messages.received', {
    changes: names.map((name) => {
      const id = name.toLowerCase()
      const unread = { ...messageFixture(`m-${id}`, 'incoming'), is_read: false }
      const record = { ...unread, fb_user_id: `${id}-p1`, primary_user_id: id }
      return { type: 'INSERT', record, committedAt: moment }
    }),
  })

const sendTo = (change: object) => (harness: Harness) => {
  const rows = [conversationFixture('ana', 'Ana Cruz', change)]
  to(harness, 'records', 'conversations.fetched', { rows, asOf: 0 })
  to(harness, 'outbox', 'send.requested', { draftId: 'd1', conversationId: 'ana', pageId: null, text: 'Good morning' })
}

/** A decision about an unconfirmed automatic reply, and the state that the server returns. */
const decided = (decision: string, state: string) => ({
  prepare: async (harness: Harness) => {
    await rowAt(replyCall).prepare?.(harness)
    harness.answers(replyCall, dataOf({ state, question: messageFixture('m1', 'incoming'), reply: null }))
  },
  act: (harness: Harness) => {
    replyDecision(harness).send({ type: 'reply.decided', questionId: 'm1', decision, tries: 1 })
  },
})
const replyCall = 'POST /facebook/messages/m1/unconfirmed-reply'

/** Staff send an unconfirmed answer to a comment again, or discard it. */
const decidedAnswer = (decision: SendDecision, text: string): Case => ({
  kind: 'success',
  text,
  prepare: rowAt('POST /comments/sends/k1').prepare,
  act: (harness) => firstComment(harness).send({ type: 'send.decided', decided: { key: 'k1', decision, tries: 1 } }),
})

/** A private reply is possible for seven days. */
const answeredInPrivate: Case = {
  kind: 'success',
  text: 'The private reply was sent',
  prepare: async (harness) => {
    const thread = commentThreadOf()
    const created_at = new Date().toISOString()
    const comments = thread.comments.map((comment) => ({ ...comment, created_at }))
    harness.answers('GET /comments/threads/t1', dataOf({ ...thread, comments }))
    await openWith(harness, ['comments'])
    await commentThread(harness)
    firstComment(harness).send({ type: 'reply.begun', kind: 'private' })
  },
  act: (harness) => firstComment(harness).send({ type: 'reply.submitted', message: 'P250 po' }),
}

const others: readonly Case[] = [
  decidedAnswer('retry', 'The answer was sent again'),
  decidedAnswer('discard', 'The answer was discarded'),
  answeredInPrivate,
  {
    kind: 'info',
    text: 'Nothing proves yet that the automatic reply arrived. Look for it in the conversation, or check again later. If you send it again, it may arrive twice.',
    ...decided('look', 'unconfirmed'),
  },
  {
    kind: 'warning',
    text: 'The automatic reply may not have arrived. Check again, send it again or discard it.',
    ...decided('retry', 'unconfirmed'),
  },
  { kind: 'info', text: 'A colleague has already discarded the automatic reply', ...decided('retry', 'discarded') },
  {
    kind: 'error',
    text: 'No refresh token available',
    stored: 'an access token',
    act: (harness) => harness.auth.send({ type: 'refresh.requested' }),
  },
  {
    kind: 'warning',
    text: 'This browser cannot keep you signed in. After you close this tab, you will have to sign in again.',
    stored: 'nothing',
    act: (harness) => {
      harness.area.setItem = () => {
        throw new DOMException('no room', 'QuotaExceededError')
      }
      signIn({ email: 'ana@example.com', password: 'ana' })(harness)
    },
  },
  {
    kind: 'error',
    text: 'Real-time messaging connection error',
    act: (harness) => to(harness, 'realtime', 'channel.failed', { channel: 'messages' }),
  },
  {
    kind: 'error',
    text: 'Real-time messaging connection timed out',
    act: (harness) => to(harness, 'realtime', 'channel.timedOut', { channel: 'users' }),
  },
  { kind: 'info', text: 'New message from Cleo', prepare: listed, act: written(['Cleo']) },
  { kind: 'info', text: '4 new messages from 4 people', prepare: listed, act: written(people) },
  {
    kind: 'warning',
    text: 'No linked client found',
    prepare: (harness) => open(harness, 'ben'),
    act: (harness) => to(harness, 'thread', 'summary.requested', { kind: 'orders' }),
  },
  {
    kind: 'error',
    text: 'Unable to determine which page to send from',
    failing: ['GET /facebook/users/ana/best-page', failed],
    act: sendTo({ page_id: null, page_ids: '', page_names: '' }),
  },
  {
    kind: 'error',
    text: 'Unable to find user identity for the selected page',
    failing: ['GET /facebook/users/ana/identity/p1', failed],
    act: sendTo({ psid: null }),
  },
  {
    kind: 'warning',
    text: 'This client is already linked to another Facebook user',
    prepare: searched,
    act: (harness) =>
      onDemand(harness).send({ type: 'client.chosen', client: { ...firstClient, fb_user_id: 'somebody' } }),
  },
  {
    kind: 'success',
    text: 'Facebook user linked to client successfully',
    prepare: async (harness) => {
      await writing(harness)
      harness.fail('POST /facebook/link-client', failed)
      onDemand(harness).send({ type: 'form.submitted' })
      await harness.passes(6_000)
      harness.mend()
    },
    act: (harness) => onDemand(harness).send({ type: 'link.requested' }),
  },
  {
    kind: 'error',
    text: 'Please enter a page access token',
    prepare: pageForm(null),
    act: (harness) => inDialog(harness, 'pageForm').send({ type: 'verification.requested' }),
  },
  {
    kind: 'error',
    text: 'Please select a page first',
    prepare: historySync(null),
    act: (harness) => onDemand(harness).send({ type: 'sync.requested' }),
  },
  {
    kind: 'info',
    text: 'The sync needs more time. It continues by itself.',
    prepare: (harness) => harness.answers('POST /facebook/auto-sync/force-sync', run('running')),
    act: force,
  },
  {
    kind: 'info',
    text: 'The sync was stopped',
    prepare: (harness) => harness.answers('POST /facebook/auto-sync/force-sync', run('stopped')),
    act: force,
  },
  {
    kind: 'success',
    text: 'Report saved as staff-inbox-report.json in your downloads. Give it to your administrator.',
    act: (harness) => to(harness, 'problemReport', 'report.requested'),
  },
  {
    kind: 'error',
    text: 'Failed to save the report',
    failing: [savingReport, failed],
    act: (harness) => to(harness, 'problemReport', 'report.requested'),
  },
]

/** Each entry of the catalogue as a pattern. A placeholder matches any text. */
type Entry = { name: string; kind: string; pattern: RegExp }
const patternOf = (text: string) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('{}', '.+')}$`)
function entriesIn(value: unknown, name: string): Entry[] {
  if (typeof value === 'function') return entriesIn(value('{}', '{}'), name)
  if (typeof value === 'string') return [{ name, kind: 'words', pattern: patternOf(value) }]
  if (typeof value !== 'object' || value === null) return []
  if ('kind' in value && 'text' in value)
    return [{ name, kind: String(value.kind), pattern: patternOf(String(value.text)) }]
  return Object.entries(value).flatMap(([key, inner]) => entriesIn(inner, name === '' ? key : `${name}.${key}`))
}
const entries = entriesIn({ ...catalogue }, '')
const raised = new Set<string>()
const note = (kind: string, text: string) => {
  for (const entry of entries) if (entry.kind === kind && entry.pattern.test(text)) raised.add(entry.name)
}

const harnesses: Harness[] = []
async function begin(stored: Stored = 'tokens'): Promise<Harness> {
  const harness = await openHarness(stored)
  harnesses.push(harness)
  await harness.until(() => harness.phase() === 'signedOut' || harness.has('conversations'), 5_000, 1)
  await harness.passes(2_000)
  return harness
}

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => {
  for (const harness of harnesses.splice(0)) harness.leave()
  vi.useRealTimers()
})

const cases = [...failures, ...general, ...successes, addedStaff, ...others]

describe('Each toast appears once, in its kind and for its duration', () => {
  it.each(cases.map((one, index) => [`${index + 1}: ${one.text}`, one] as const))('%s', async (_, one) => {
    const harness = await begin(one.stored)
    await one.prepare?.(harness)
    harness.toasts.length = 0
    if (one.failing) harness.fail(...one.failing)
    await one.act(harness)
    await harness.until(() => harness.toasts.length > 0, 66_000)
    harness.mend()
    await harness.passes(durations[one.kind] + 1_000)
    const shown = harness.toasts.filter(({ text }) => text === one.text)
    for (const { kind, text } of shown) note(kind, text)
    expect(shown.map(({ kind, at, until }) => [kind, until === null ? null : until - at])).toEqual([
      [one.kind, durations[one.kind]],
    ])
  })
})

const wordsOf = (harness: Harness): (string | null | undefined)[] => {
  const failure = harness.migration()?.getSnapshot().context.failure
  return [harness.form(), failure?.text, failure?.advice]
}
/** Storage that drops every write without an error. */
const forgetful = (harness: Harness) => {
  harness.area.setItem = () => {}
}

const words: readonly [text: string, lead: (harness: Harness) => unknown][] = [
  [
    'Please check your email to confirm your account before logging in.',
    signIn({ email: 'new@example.com', password: 'new' }),
  ],
  [
    'Invalid credentials',
    (harness) => {
      forgetful(harness)
      signIn({ email: 'ana@example.com', password: 'ana' })(harness)
    },
  ],
  ['Please set a new password to continue', migrating],
  [
    'No migration in progress',
    async (harness) => {
      await migrating(harness)
      forgetful(harness)
      submit(harness)
    },
  ],
  [
    'Your old password was not correct. Press Cancel and sign in again.',
    async (harness) => {
      harness.fail('POST /auth/complete-migration', json(403, { error: 'Migration failed', code: 'WRONG_PASSWORD' }))
      await migrating(harness)
      submit(harness)
    },
  ],
  [
    'You already set a different new password. Please enter that one.',
    async (harness) => {
      harness.fail('POST /auth/complete-migration', refused)
      await migrating(harness)
      submit(harness)
      await harness.passes(100)
      submit(harness, `not ${chosenPassword}`)
    },
  ],
]

describe('Each sign-in text appears in the form that it belongs to', () => {
  it.each(words)('%s', async (text, lead) => {
    const harness = await begin('nothing')
    await lead(harness)
    await harness.passes(500)
    expect(wordsOf(harness)).toContain(text)
    note('words', text)
    expect(harness.toasts).toEqual([])
  })

  it.each([
    ['POST /auth/check-migration', '400 with an error', 'Invalid email or password. Please try again.'],
    ['POST /auth/check-migration', '404', 'API endpoint not found: POST /auth/check-migration'],
    ['POST /auth/login', 'code INACTIVE_ACCOUNT', 'Your account is inactive. Please contact an administrator.'],
    ['POST /auth/login', '500', 'Internal server error. Please try again later.'],
    ['POST /auth/login', 'refused without a word', 'Invalid email or password'],
    ['POST /auth/login', 'HTML', 'Invalid token response'],
    [
      'POST /auth/login',
      'code USE_NEW_LOGIN',
      "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
    ],
    ['POST /auth/complete-migration', 'HTML', 'Migration failed'],
  ])('%s, %s', async (call, name, text) => {
    const row = authRows.find((one) => one.call === call)
    const fault = row?.codes?.[name] ?? faults[name]?.fault
    if (!row || !fault) throw new Error('the matrix has no such cell')
    const harness = await begin('nothing')
    harness.fail(call, fault)
    await row.prepare?.(harness)
    row.act(harness)
    await harness.passes(500)
    expect(wordsOf(harness)).toContain(text)
    note('words', text)
  })
})

describe('Each text about an unknown outcome appears in its form', () => {
  it.each([
    [
      'We do not know whether the client was created. Search for the name before you try again.',
      rowAt('POST /clients'),
      onDemand,
    ],
    [
      'We do not know whether the FAQ was created. Look for it in the list before you try again.',
      rowAt('POST /faq/entries'),
      (harness: Harness) => inDialog(harness, 'faqForm'),
    ],
    [
      'We do not know whether the person was added. Look in the list before you try again.',
      rowAt('POST /staff'),
      (harness: Harness) => inDialog(harness, 'staffForm'),
    ],
    [
      'We do not know whether the key was made. Look in the list: revoke a key whose secret you do not have, then try again.',
      rowAt('POST /api-keys'),
      (harness: Harness) => onDemand(harness),
    ],
    [
      'We do not know whether the webhook was saved. Look in the list: delete a webhook whose secret you do not have, then try again.',
      rowAt('POST /webhooks'),
      (harness: Harness) => inDialog(harness, 'webhookForm'),
    ],
  ])('%s', async (text, { call, prepare, act }, form) => {
    const harness = await begin()
    await prepare?.(harness)
    harness.fail(call, failed)
    act(harness)
    await harness.passes(500)
    expect(snapshotOf(form(harness)).context.error).toBe(text)
    note('words', text)
  })
})

it('every toast of the catalogue is raised by a test', () => {
  // The shortcut U raises these toasts if nothing is unread, or nobody waits. View tests press the key.
  const raisedInViews = ['noneUnread', 'noneWaits'].map(
    (name) => `../../../src/domain/list/toasts.ts.listToasts.${name}`,
  )
  // These two follow a download, which needs a browser. The tests of their machines raise them.
  const raisedAfterDownloads = [
    '../../../src/domain/client/dialog-toasts.ts.personToasts.exported',
    '../../../src/domain/session/dialog-toasts.ts.auditToasts.exported',
    '../../../src/domain/reports/toasts.ts.reportToasts.exported',
  ]
  // These need several answers in a row. The walks in session/account.test.ts raise them.
  const raisedInWalks = [
    ...['codeNotChecked', 'codesCopied', 'codesNotCopied', 'codesReplaced'],
    ...['factorRemoved', 'factorSetUp', 'linkNotSent', 'passwordChanged'],
  ].map((name) => `../../../src/domain/session/dialog-toasts.ts.accountToasts.${name}`)
  // The walk in session/api-keys.test.ts raises this toast.
  const raisedInKeyWalk = '../../../src/domain/session/dialog-toasts.ts.apiKeyToasts.revoked'
  // The walk in client/shops.test.ts raises these.
  const raisedInShopWalk = ['connected', 'disconnected', 'disconnectedHere'].map(
    (name) => `../../../src/domain/client/dialog-toasts.ts.shopToasts.${name}`,
  )
  // The walks in client/client-changes.test.ts and faq/ raise these.
  const raisedInOtherWalks = [
    ...['editToasts.changed', 'editToasts.saved'].map((name) => `client/dialog-toasts.ts.${name}`),
    ...['merged', 'removed', 'restored'].map((name) => `client/dialog-toasts.ts.removalToasts.${name}`),
    ...['matchingSaved', 'resolved'].map((name) => `faq/dialog-toasts.ts.faqToasts.${name}`),
  ].map((name) => `../../../src/domain/${name}`)
  expect(
    entries
      .map(({ name }) => name)
      .filter((name) => !raised.has(name))
      .toSorted(),
  ).toEqual(
    [
      ...raisedInViews,
      ...raisedAfterDownloads,
      ...raisedInWalks,
      ...raisedInShopWalk,
      ...raisedInOtherWalks,
      raisedInKeyWalk,
    ].toSorted(),
  )
})

afterAll(
  () =>
    void process.stdout.write(`catalogue: ${raised.size} of ${entries.length} texts raised by ${cases.length} cases\n`),
)
