import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { test as base, expect, runServer, serverTimeout } from './fixtures.ts'
import { look, screenshot } from './look.ts'
import { postWebhook, webhookBody } from './network.ts'
import type { TestServer } from './server.ts'

type OfWorker = { receiver: WebhookReceiver; server: TestServer }

/** A server that may send webhooks to a program on this machine. */
const test = base.extend<object, OfWorker>({
  receiver: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern.
    async ({}, use) => {
      const receiver = await startWebhookReceiver()
      await use(receiver)
      await receiver.close()
    },
    { scope: 'worker' },
  ],
  server: [
    ({ database, receiver }, use) => runServer(database, use, { WEBHOOK_ORIGINS: receiver.origin }),
    { scope: 'worker', timeout: serverTimeout },
  ],
})

test('another program receives a message with a valid signature, again after a failure, and again by hand', async ({
  harness,
  page,
  person,
  receiver,
  server,
  unique,
}) => {
  test.slow()
  const dialog = page.getByRole('dialog', { name: 'Webhooks' })
  await harness.signIn('administrator')
  await harness.isLive()
  await page.getByRole('button', { name: 'Account: Ana Reyes' }).press('Enter')
  await page.getByRole('button', { name: 'Webhooks', exact: true }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Add webhook' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('http://192.168.1.1/hook')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText(
    'Events can only be sent to a public address that begins with https://.',
  )
  await screenshot(page, 'webhooks-form')
  await dialog.getByLabel('Address').fill(`${receiver.origin}/hook`)
  await dialog.getByLabel('Conversation waits').uncheck()
  await page.keyboard.press('Enter')
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  await look(page, 'webhooks-secret')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('Order changed')
  await screenshot(page, 'webhooks')

  // The first attempt fails; the retry follows after five seconds.
  receiver.answers.push({ status: 503 })
  const text = unique('Magkano po?')
  await postWebhook(server, webhookBody(person, text))
  await dialog.getByRole('button', { name: /^Log of/ }).click()
  const entry = dialog.getByRole('listitem').first()
  await expect(entry).toContainText('Next try')
  await expect(entry).toContainText('Answered 503')
  await expect(entry).toContainText('Delivered', { timeout: 20_000 })
  await expect(entry).toContainText('2 attempts')
  await look(page, 'webhooks-log')

  await entry.getByRole('button', { name: /^Send again: Message received, / }).click()
  await expect(entry).toContainText('3 attempts')
  await dialog.getByRole('button', { name: 'Send a test event' }).click()
  await expect(dialog.getByRole('listitem').first()).toContainText('Test')
  await expect(dialog.getByRole('listitem').first()).toContainText('Delivered')

  const [failed, retried, resent, tested, ...others] = receiver.received
  if (!failed || !retried || !resent || !tested) throw new Error('a request is missing')
  expect(others).toEqual([])
  for (const request of [failed, retried, resent, tested]) {
    expect([request.path, await isSignedWith(secret, request)]).toEqual(['/hook', true])
  }
  expect(new Set([failed.body, retried.body, resent.body]).size).toBe(1)
  expect(JSON.parse(resent.body)).toMatchObject({
    id: failed.headers['webhook-id'],
    type: 'message.received',
    data: { message: { text }, page: { id: person.page_id } },
  })
  expect(JSON.parse(tested.body).type).toBe('webhook.test')

  await dialog.getByRole('button', { name: 'All webhooks' }).click()
  await dialog.getByRole('button', { name: /^Delete http/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('No webhooks yet.')).toBeVisible()
})
