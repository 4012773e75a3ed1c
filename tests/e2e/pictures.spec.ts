import { type Conversation, conversationsAnswer } from '../../src/schemas/conversation.ts'
import { expect, test } from './fixtures.ts'

const seconds = (moment: number) => Math.floor(moment / 1_000)
const day = 24 * 60 * 60 * 1_000

test('pictures come from the own origin, and expired ones are refreshed once each', async ({
  harness,
  createPerson,
  page,
  people,
  server,
  unique,
}) => {
  const [signed, dated, good] = people.splice(0, 3)
  if (!signed || !dated || !good) throw new Error('There are not enough people in the sandbox')
  const host = 'https://scontent.xx.fbcdn.net'
  const ended = seconds(Date.now() - day)
  const addresses = new Map([
    [signed.fb_user_id, `${host}/a.jpg?oh=00&oe=${ended.toString(16)}`],
    [dated.fb_user_id, `https://platform-lookaside.fbsbx.com/b?ext=${ended}`],
    [good.fb_user_id, `${host}/c.jpg?oh=00&oe=${seconds(Date.now() + day).toString(16)}`],
  ])
  const withAddress = (row: Conversation) => ({ ...row, profile_pic: addresses.get(row.fb_user_id) ?? row.profile_pic })
  await page.route(/\/api\/facebook\/conversations\?/, async (route) => {
    const response = await route.fetch()
    const answer = conversationsAnswer.parse(await response.json())
    await route.fulfill({ response, json: { ...answer, data: answer.data.map(withAddress) } })
  })
  await page.route(/fbcdn|fbsbx/, (route) => route.abort())
  await page.route('**/pictures/**', (route) => route.abort())
  const renewed: string[] = []
  const origins = new Set<string>()
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    const id = /refresh-user-profile\/(.+)$/.exec(pathname)?.[1]
    if (id) renewed.push(id)
    if (request.resourceType() === 'image' && !/fbcdn|fbsbx/.test(origin)) origins.add(origin)
  })

  await harness.signIn()
  const search = page.getByRole('searchbox', { name: 'Search conversations' })
  const pictureOf = (row: Conversation) =>
    harness
      .row(row.unified_name ?? '')
      .first()
      .locator('img')
  for (const row of [signed, dated, good]) {
    await search.fill(row.unified_name ?? '')
    await expect(harness.row(row.unified_name ?? '').first()).toBeVisible()
    if (row !== good) await expect(pictureOf(row)).toHaveAttribute('src', row.profile_pic ?? '')
    else await expect(pictureOf(row)).toHaveAttribute('src', '/avatar.png')
  }
  expect(renewed.toSorted()).toEqual([signed.fb_user_id, dated.fb_user_id].toSorted())

  const newPerson = await createPerson('Kardo', unique('Larawan').replace(' ', ''), [
    { wrote: 'Mula sa network', pictures: [`${host}/d.jpg?oh=00&oe=${ended.toString(16)}`] },
  ])
  await page.unroute(/\/api\/facebook\/conversations\?/)
  await harness.navigateTo(newPerson)
  await expect(harness.bubbles('Mula sa network')).toContainText('Image failed to load')
  expect(await page.content()).not.toContain('fbcdn')
  expect([...origins]).toEqual([server.url])
})
