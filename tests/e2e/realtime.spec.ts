import type { Conversation } from '../../src/schemas/conversation.ts'
import { test as base, expect } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { doubledOf, linesIn, linesOf, missingIn, noteSigns, signsOf, tagOf } from './lines.ts'
import { psidOf } from './network.ts'
import { Wire } from './wire.ts'

type OfTest = {
  wire: Wire
  /** Somebody who writes while another conversation is open. */
  other: Conversation
  lines: ReturnType<typeof linesOf>
  /** The person of the open conversation writes so many lines. */
  write: (count: number) => Promise<void>
}

const test = base.extend<OfTest>({
  wire: async ({ page }, use) => {
    await noteSigns(page)
    await use(await Wire.into(page))
  },
  other: async ({ people }, use) => {
    const other = people.shift()
    if (!other) throw new Error('There are not enough people in the sandbox')
    await use(other)
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  lines: async ({}, use) => use(linesOf()),
  write: async ({ lines, person, sandbox }, use) =>
    use(async (count) => {
      for (let written = 0; written < count; written++) await sandbox.write(psidOf(person), lines.take())
    }),
})

const connectionFailed = 'Real-time messaging connection error'
const connectionTimedOut = 'Real-time messaging connection timed out'
const sign = ({ page }: Harness) => page.getByRole('status').filter({ hasText: 'Connection: ' })
const toasts = ({ page }: Harness, text: string) => page.getByRole('listitem').filter({ hasText: text })

const inThread = (harness: Harness) => linesIn(harness.thread.getByRole('article'))
/** Which of these the list shows as the last ones of somebody, and all that is written like them. */
const inList = async (harness: Harness, lines: string[]) => {
  const tags = lines.map(tagOf)
  return (await linesIn(harness.list.getByRole('option'))).filter((line) => tags.includes(tagOf(line)))
}

async function openHarness(harness: Harness, person: Conversation) {
  await harness.signIn()
  await harness.open(person)
  await harness.isLive()
}

/** What is on the screen is what was written, once and in its order, and a page that is loaded anew says the same. */
async function standsAsWritten(harness: Harness, thread: string[], list: string[]) {
  await expect.poll(() => inThread(harness)).toEqual(thread)
  await expect.poll(() => inList(harness, list)).toEqual(list)
  expect(await doubledOf(harness.page)).toEqual([])
  await harness.page.reload()
  await expect.poll(() => inThread(harness)).toEqual(thread)
  expect(await inList(harness, list)).toEqual(list)
}

/** Lets the page's time pass until it is so. */
async function passUntil(harness: Harness, isSo: () => Promise<boolean>, step: number, limit: number) {
  let passed = 0
  await expect
    .poll(
      async () => {
        if (passed >= limit) throw new Error(`It did not come within ${limit} ms of the page's time`)
        await harness.page.clock.runFor(step)
        passed += step
        return isSo()
      },
      { intervals: [50], timeout: 30_000 },
    )
    .toBe(true)
}

test('changes that come late, twice and in the wrong order stand once and in the order they were written', async ({
  harness,
  lines,
  other,
  person,
  sandbox,
  wire,
  write,
}) => {
  await openHarness(harness, person)
  const held: { text: string; pass: () => void }[] = []
  wire.meddle(({ text }, pass) => held.push({ text, pass }))
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
  wire.mend()
  await standsAsWritten(harness, lines.taken, [...elsewhere.taken.slice(-1), ...lines.taken.slice(-1)])
})

test('after a connection that lost, doubled and mixed up changes broke, all that was written is fetched', async ({
  harness,
  lines,
  person,
  page,
  wire,
  write,
}) => {
  await openHarness(harness, person)
  const late: (() => void)[] = []
  const fates: ((pass: () => void) => void)[] = [
    (pass) => pass(),
    (pass) => late.push(pass),
    (pass) => {
      pass()
      pass()
      for (const one of late.splice(0)) one()
    },
    () => {},
  ]
  const met: string[] = []
  wire.meddle(({ text }, pass) => fates[met.push(text) % fates.length]?.(pass))
  await write(8)
  await expect.poll(() => missingIn(met, lines.taken)).toEqual([])
  await wire.cut()
  await expect(harness.live).toBeHidden()
  await write(2)
  wire.mend()
  wire.restore()
  await harness.isLive()
  const [, again] = (await signsOf(page)).filter(({ word }) => word === 'Live')
  expect(again?.lines).toEqual(lines.taken)
  await write(1)
  await standsAsWritten(harness, lines.taken, lines.taken.slice(-1))
})

test('changes that were lost without a word are found by a refresh, and stand before what came after them', async ({
  harness,
  lines,
  page,
  person,
  wire,
  write,
}) => {
  await openHarness(harness, person)
  const lost: string[] = []
  wire.meddle(({ text }) => lost.push(text))
  await write(2)
  await expect.poll(() => missingIn(lost, lines.taken)).toEqual([])
  wire.mend()
  await write(1)
  // Whatever else has the thread fetched may find them before.
  await expect.poll(() => inThread(harness)).toEqual(expect.arrayContaining(lines.taken.slice(-1)))
  await page.getByRole('button', { name: 'Refresh conversations' }).click()
  await standsAsWritten(harness, lines.taken, lines.taken.slice(-1))
})

test('a half-open connection is Offline within a minute, and Live again only with what was missed', async ({
  harness,
  lines,
  page,
  person,
  wire,
  write,
}) => {
  await page.clock.install()
  await openHarness(harness, person)
  wire.goDeaf()
  await write(2)
  await passUntil(harness, async () => (await sign(harness).textContent())?.includes('Offline') === true, 1_000, 60_000)
  expect(await inThread(harness)).toEqual([])
  // Without a live connection changes are looked for every 30 s.
  await passUntil(harness, async () => (await inThread(harness)).length === 2, 1_000, 40_000)
  await write(2)
  await expect(sign(harness)).toContainText('Offline')

  wire.restore()
  await passUntil(harness, () => harness.live.isVisible(), 1_000, 60_000)
  const [, ...later] = (await signsOf(page)).filter(({ word }) => word === 'Live')
  expect(later.map((live) => live.lines)).toEqual([lines.taken])
  await write(1)
  await standsAsWritten(harness, lines.taken, lines.taken.slice(-1))
})

for (const refused of ['messages', 'users'] as const) {
  test(`while the channel of the ${refused} is refused it is not Live, the other is left alone, and changes come`, async ({
    harness,
    lines,
    page,
    person,
    wire,
    write,
  }) => {
    await page.clock.install()
    await harness.signIn()
    await harness.isLive()
    wire.refuse(new RegExp(`inbox-${refused}-`))
    wire.joins.length = 0
    await harness.open(person)
    await expect(toasts(harness, connectionFailed)).toHaveCount(1)
    await expect(sign(harness)).toContainText('Offline')
    await write(2)
    const isThere = async () => (await inThread(harness)).length === 2
    if (refused === 'users') await expect.poll(isThere).toBe(true)
    else await passUntil(harness, isThere, 1_000, 40_000)
    await passUntil(
      harness,
      async () => wire.joins.filter((topic) => topic.includes(refused)).length > 2,
      1_000,
      60_000,
    )
    expect((await signsOf(page)).map(({ word }) => word)).not.toContain('Live')

    wire.mend()
    await passUntil(harness, () => harness.live.isVisible(), 1_000, 60_000)
    const other = refused === 'users' ? 'messages' : 'users'
    expect(wire.joins.filter((topic) => topic.includes(other))).toHaveLength(1)
    await write(1)
    await standsAsWritten(harness, lines.taken, lines.taken.slice(-1))
  })
}

test('a join that is never answered times out, is told, and is not Live before all is fetched', async ({
  harness,
  lines,
  page,
  person,
  wire,
  write,
}) => {
  await page.clock.install()
  await harness.signIn()
  await harness.isLive()
  wire.meddleWithAll(() => {})
  await harness.open(person)
  await expect.poll(() => wire.joins.length).toBeGreaterThanOrEqual(4)
  await expect(sign(harness)).toContainText('Connecting')
  await passUntil(harness, async () => (await toasts(harness, connectionTimedOut).count()) === 1, 1_000, 20_000)
  await expect(sign(harness)).toContainText('Offline')
  await write(2)
  wire.mend()
  await passUntil(harness, () => harness.live.isVisible(), 1_000, 60_000)
  const signs = await signsOf(page)
  expect(signs.filter(({ word }) => word === 'Live').map((live) => live.lines)).toEqual([lines.taken])
  await standsAsWritten(harness, lines.taken, lines.taken.slice(-1))
})

test('subscribed before changes flow is not Live, and what was written until then is fetched', async ({
  harness,
  lines,
  page,
  person,
  wire,
  write,
}) => {
  await harness.signIn()
  const ready: (() => void)[] = []
  wire.meddleWithAll(({ topic, event }, pass) => {
    if (!topic.includes('messages') || (event !== 'system' && event !== 'postgres_changes')) return pass()
    if (event === 'system') ready.push(pass)
  })
  await harness.open(person)
  await expect.poll(() => ready.length).toBe(1)
  await write(2)
  expect((await signsOf(page)).map(({ word }) => word)).toEqual(['Connecting'])
  for (const pass of ready) pass()
  wire.mend()
  await harness.isLive()
  expect((await signsOf(page)).at(-1)?.lines).toEqual(lines.taken)
  await standsAsWritten(harness, lines.taken, lines.taken.slice(-1))
})
