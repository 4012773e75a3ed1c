import type { Conversation } from '../../src/schemas/conversation.ts'
import { test as base, expect } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { connectionHistoryOf, duplicatesOf, linesIn, linesOf, missingIn, recordConnection, tagOf } from './lines.ts'
import { psidOf } from './network.ts'
import { RealtimeProxy } from './realtime-proxy.ts'

type OfTest = {
  realtime: RealtimeProxy
  /** A person whose conversation is not open. */
  other: Conversation
  lines: ReturnType<typeof linesOf>
  /** Sends `count` lines from the person of the open conversation, and waits until they are stored. */
  write: (count: number) => Promise<void>
}

const test = base.extend<OfTest>({
  realtime: async ({ page }, use) => {
    await recordConnection(page)
    await use(await RealtimeProxy.install(page))
  },
  other: async ({ people }, use) => {
    const other = people.shift()
    if (!other) throw new Error('There are not enough people in the sandbox')
    await use(other)
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  lines: async ({}, use) => use(linesOf()),
  write: async ({ api, lines, person, sandbox }, use) =>
    use(async (count) => {
      for (let written = 0; written < count; written++) await sandbox.write(psidOf(person), lines.take())
      const stored = async () => {
        const messages = await api.messages(person.primary_user_id ?? person.fb_user_id)
        return missingIn(
          messages.map(({ message_text }) => message_text ?? ''),
          lines.taken,
        )
      }
      await expect.poll(stored).toEqual([])
    }),
})

const connectionFailed = 'Real-time messaging connection error'
const connectionTimedOut = 'Real-time messaging connection timed out'
const connection = ({ page }: Harness) => page.getByRole('status').filter({ hasText: 'Connection: ' })
const toasts = ({ page }: Harness, text: string) => page.getByRole('listitem').filter({ hasText: text })

const inThread = (harness: Harness) => linesIn(harness.thread.getByRole('article'))
/** The previews of the list with the tags of these lines. */
const inList = async (harness: Harness, lines: string[]) => {
  const tags = lines.map(tagOf)
  return (await linesIn(harness.list.getByRole('option'))).filter((line) => tags.includes(tagOf(line)))
}

async function openHarness(harness: Harness, person: Conversation) {
  await harness.signInAt(person)
  await harness.isLive()
}

/** Asserts that thread and list show the lines once and in order. */
async function expectLines(harness: Harness, thread: string[], list: string[]) {
  await expect.poll(() => inThread(harness)).toEqual(thread)
  await expect.poll(() => inList(harness, list)).toEqual(list)
  expect(await duplicatesOf(harness.page)).toEqual([])
}

/** Advances the clock of the browser page until the condition holds. */
async function passUntil(harness: Harness, condition: () => Promise<boolean>, step: number, limit: number) {
  let passed = 0
  await expect
    .poll(
      async () => {
        if (passed >= limit) throw new Error(`The condition did not hold within ${limit} ms of the page clock`)
        await harness.page.clock.runFor(step)
        passed += step
        return condition()
      },
      { intervals: [50], timeout: 30_000 },
    )
    .toBe(true)
}

test('changes that arrive late, twice and out of order are shown once and in order', async ({
  harness,
  lines,
  other,
  page,
  person,
  sandbox,
  realtime,
  write,
}) => {
  await openHarness(harness, person)
  const held: { text: string; pass: () => void }[] = []
  realtime.interceptChanges(({ text }, pass) => held.push({ text, pass }))
  await write(3)
  const ours = lines.take()
  await harness.answer(ours)
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([ours])
  await write(3)
  const elsewhere = linesOf()
  for (let count = 0; count < 3; count++) await sandbox.write(psidOf(other), elsewhere.take())
  const written = [...lines.taken, ...elsewhere.taken]
  await expect
    .poll(() =>
      missingIn(
        held.map(({ text }) => text),
        written,
      ),
    )
    .toEqual([])
  await expect.poll(() => inThread(harness)).toEqual([ours])

  for (const { pass } of [...held.toReversed(), ...held, ...held]) pass()
  realtime.reset()
  const previews = [...elsewhere.taken.slice(-1), ...lines.taken.slice(-1)]
  await expectLines(harness, lines.taken, previews)
  await page.reload()
  await expectLines(harness, lines.taken, previews)
})

test('a reconnect fetches the changes that the earlier connection lost or mixed up, and a refresh shows lost changes before later ones', async ({
  harness,
  lines,
  person,
  page,
  realtime,
  write,
}) => {
  await openHarness(harness, person)
  const late: (() => void)[] = []
  const rules: ((pass: () => void) => void)[] = [
    (pass) => pass(),
    (pass) => late.push(pass),
    (pass) => {
      pass()
      pass()
      for (const one of late.splice(0)) one()
    },
    () => {},
  ]
  const intercepted: string[] = []
  realtime.interceptChanges(({ text }, pass) => rules[intercepted.push(text) % rules.length]?.(pass))
  await write(8)
  await expect.poll(() => missingIn(intercepted, lines.taken)).toEqual([])
  await realtime.disconnect()
  await expect(harness.live).toBeHidden()
  await write(2)
  realtime.reset()
  realtime.resume()
  await harness.isLive()
  const [, again] = (await connectionHistoryOf(page)).filter(({ status }) => status === 'Live')
  expect(again?.lines).toEqual(lines.taken)
  await write(1)
  await expectLines(harness, lines.taken, lines.taken.slice(-1))

  const lost: string[] = []
  realtime.interceptChanges(({ text }) => lost.push(text))
  await write(2)
  await expect.poll(() => missingIn(lost, lines.taken.slice(-2))).toEqual([])
  realtime.reset()
  await write(1)
  // Another fetch of the thread may show the lost lines earlier.
  await expect.poll(() => inThread(harness)).toEqual(expect.arrayContaining(lines.taken.slice(-1)))
  await page.getByRole('button', { name: 'Refresh conversations' }).click()
  await expectLines(harness, lines.taken, lines.taken.slice(-1))
})

test('a half-open connection is shown as Offline within a minute, and as Live only after the missed changes are fetched', async ({
  harness,
  lines,
  page,
  person,
  realtime,
  write,
}) => {
  await page.clock.install()
  await openHarness(harness, person)
  realtime.freeze()
  await write(2)
  await passUntil(
    harness,
    async () => (await connection(harness).textContent())?.includes('Offline') === true,
    5_000,
    60_000,
  )
  expect(await inThread(harness)).toEqual([])
  // Without a live connection the thread is fetched every 30 s.
  await passUntil(harness, async () => (await inThread(harness)).length === 2, 1_000, 40_000)
  await write(2)
  await expect(connection(harness)).toContainText('Offline')

  realtime.resume()
  await passUntil(harness, () => harness.live.isVisible(), 1_000, 60_000)
  const [, ...later] = (await connectionHistoryOf(page)).filter(({ status }) => status === 'Live')
  expect(later.map((live) => live.lines)).toEqual([lines.taken])
  await write(1)
  await expectLines(harness, lines.taken, lines.taken.slice(-1))
})

test('a rejected messages channel prevents Live, does not affect the other channel, and changes are still fetched', async ({
  harness,
  lines,
  page,
  person,
  realtime,
  write,
}) => {
  await page.clock.install()
  realtime.rejectJoins(/inbox-messages-/)
  await harness.signInAt(person)
  await expect(toasts(harness, connectionFailed)).toHaveCount(1)
  await expect(connection(harness)).toContainText('Offline')
  await write(2)
  await passUntil(harness, async () => (await inThread(harness)).length === 2, 1_000, 40_000)
  const joinsOf = (channel: string) => realtime.joins.filter((topic) => topic.includes(`inbox-${channel}-`))
  await passUntil(harness, async () => joinsOf('messages').length > 2, 1_000, 60_000)
  expect((await connectionHistoryOf(page)).map(({ status }) => status)).not.toContain('Live')

  realtime.reset()
  await passUntil(harness, () => harness.live.isVisible(), 1_000, 60_000)
  expect(joinsOf('users')).toHaveLength(1)
  await write(1)
  await expectLines(harness, lines.taken, lines.taken.slice(-1))
})

test('an unanswered join times out with a toast, and Live is shown only after all changes are fetched', async ({
  harness,
  lines,
  page,
  person,
  realtime,
  write,
}) => {
  await page.clock.install()
  realtime.interceptAll(() => {})
  await harness.signInAt(person)
  await expect.poll(() => realtime.joins.length).toBeGreaterThanOrEqual(2)
  await expect(connection(harness)).toContainText('Connecting')
  await passUntil(harness, async () => (await toasts(harness, connectionTimedOut).count()) === 1, 1_000, 20_000)
  await expect(connection(harness)).toContainText('Offline')
  await write(2)
  realtime.reset()
  await passUntil(harness, () => harness.live.isVisible(), 1_000, 60_000)
  const history = await connectionHistoryOf(page)
  expect(history.filter(({ status }) => status === 'Live').map((live) => live.lines)).toEqual([lines.taken])
  await expectLines(harness, lines.taken, lines.taken.slice(-1))
})

test('a subscribed channel is not Live before it is ready, and earlier changes are fetched', async ({
  harness,
  lines,
  page,
  person,
  realtime,
  write,
}) => {
  const ready: (() => void)[] = []
  realtime.interceptAll(({ topic, event }, pass) => {
    if (!topic.includes('messages') || (event !== 'system' && event !== 'postgres_changes')) return pass()
    if (event === 'system') ready.push(pass)
  })
  await harness.signInAt(person)
  await expect.poll(() => ready.length).toBe(1)
  await write(2)
  expect((await connectionHistoryOf(page)).map(({ status }) => status)).toEqual(['Connecting'])
  for (const pass of ready) pass()
  realtime.reset()
  await harness.isLive()
  expect((await connectionHistoryOf(page)).at(-1)?.lines).toEqual(lines.taken)
  await expectLines(harness, lines.taken, lines.taken.slice(-1))
})
