import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { SMTPServer } from 'smtp-server'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'
import { createServer, type TestServer } from './server.ts'

/** A server of its own, because these tests change the passwords of its staff. It sends emails to `mails`. */
let own: TestServer
let mailServer: SMTPServer
const mails: string[] = []

test.beforeAll(async ({ database }) => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='))
        done()
      })
    },
  })
  const listening = mailServer.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  own = await createServer(database, {
    SMTP_URL: `smtp://127.0.0.1:${address.port}`,
    MAIL_FROM: 'inbox@example.com',
    PUBLIC_URL: 'http://inbox.example.com',
  })
  await own.start()
})
test.afterAll(async () => {
  await own.dispose()
  await new Promise<void>((closed) => mailServer.close(() => closed()))
})

const [admin, agent, viewer] = demoStaff

const fillIn = async (page: Page, email: string, password: string) => {
  await page.goto(`${own.url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const inbox = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })
const openMenu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: item }).click()
}
const chooseAgain = async (page: Page, password: string) => {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat new password').fill(password)
}

test('a person changes the password, which signs the other device out', async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage()
  await fillIn(other, viewer.email, viewer.password)
  await expect(inbox(other)).toBeVisible()
  await fillIn(page, viewer.email, viewer.password)
  await openMenu(page, 'Change password')
  await page.getByLabel('Current password').fill('not the password')
  await chooseAgain(page, 'mangoes and rice')
  await page.getByRole('button', { name: 'Change password' }).last().click()
  await expect(page.getByText('This is not your current password.')).toBeVisible()
  await look(page, 'change-password')
  await page.getByLabel('Current password').fill(viewer.password)
  await page.getByRole('button', { name: 'Change password' }).last().click()
  await expect(page.getByText('Your password is changed. Your other devices are signed out.')).toBeVisible()
  await page.reload()
  await expect(inbox(page)).toBeVisible()
  await other.reload()
  await expect(other.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await fillIn(other, viewer.email, 'mangoes and rice')
  await expect(inbox(other)).toBeVisible()
  await other.context().close()
})

test('a person who forgot the password sets a new one by the emailed link', async ({ page }) => {
  await page.goto(`${own.url}/login`)
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill(agent.email)
  await look(page, 'password-reset')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('the link is on its way')).toBeVisible()
  await expect.poll(() => mails.length, { timeout: 20_000 }).toBe(1)
  const token = /\/login#reset=([\w-]+)/.exec(mails[0] ?? '')?.[1]
  // A link opens in a new tab.
  await page.goto('about:blank')
  await page.goto(`${own.url}/login#reset=${token}`)
  await chooseAgain(page, 'mangoes and rice')
  expect(page.url()).toBe(`${own.url}/login`)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your new password is set. Please sign in with it.')).toBeVisible()
  await fillIn(page, agent.email, 'mangoes and rice')
  await expect(inbox(page)).toBeVisible()
})

test('a person sets up two-step sign-in, signs in with a code, and turns it off', async ({ page }) => {
  await fillIn(page, admin.email, admin.password)
  await openMenu(page, 'Two-step sign-in')
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open in an app on this device' })).toHaveAttribute('href', /^otpauth:/)
  await look(page, 'second-factor')
  const secret = Secret.fromBase32((await page.getByRole('dialog').locator('code').textContent()) ?? '')
  const totp = new TOTP({ secret })
  await page.getByLabel('Code', { exact: true }).fill(totp.generate())
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCode = (await codes.first().textContent()) ?? ''
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect((await download).suggestedFilename()).toBe('staff-inbox-recovery-codes.txt')
  expect(file.split('\n').filter((line) => line.includes('-'))).toEqual(await codes.allTextContents())
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Recovery codes copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(file)
  await page.getByRole('button', { name: 'I have saved the codes' }).click()
  await page.reload()
  await expect(inbox(page)).toBeVisible()

  // Without the app, which could store the tokens again.
  await page.goto(`${own.url}/icon.svg`)
  await page.evaluate(() => localStorage.clear())
  await fillIn(page, admin.email, admin.password)
  await expect(page.getByRole('dialog', { name: 'Enter your code' })).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This code is not valid.')).toBeVisible()
  await expect(inbox(page)).toBeHidden()
  await page.getByLabel('Code', { exact: true }).fill(recoveryCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(inbox(page)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Connection: Live' })).toBeVisible({ timeout: 30_000 })

  await openMenu(page, 'Two-step sign-in')
  await expect(page.getByText('9 recovery codes are left')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['Cancel', 'New recovery codes', 'Turn off'])
    await expect(page.getByRole('dialog').getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  // The next time step: the code of this one was used for the setup.
  await page.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible()
})
