import { readFileSync } from 'node:fs'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { isAccessible, look } from './look.ts'

const account = (name: string) => ({ name: `Account: ${name}` })

test('an administrator adds a person by keyboard, who can sign in until made inactive; the audit log tells it all', async ({
  browser,
  harness,
  page,
  server,
  unique,
}) => {
  const name = unique('Nora')
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const dialog = page.getByRole('dialog', { name: 'Staff' })
  const openDialog = async (item: string) => {
    await page.getByRole('button', account('Ana Reyes')).press('Enter')
    await page.getByRole('button', { name: item, exact: true }).press('Enter')
  }

  await harness.signIn('administrator')
  await harness.isLive()
  await openDialog('Staff')
  await expect(dialog.getByRole('heading', { name: 'Ana Reyes' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Add person' })).toBeFocused()

  await page.keyboard.press('Enter')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  const password = await dialog.getByLabel('Password').inputValue()
  expect(password.length).toBeGreaterThan(12)
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog.getByLabel('Password')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByText(password)).toBeHidden()

  const context = await browser.newContext()
  const theirs = await context.newPage()
  await theirs.goto(`${server.url}/login`)
  await theirs.getByLabel('Email').fill(email)
  await theirs.getByLabel('Password', { exact: true }).fill(password)
  await theirs.getByRole('button', { name: 'Sign in' }).click()
  const own = 'mangoes and rice'
  await theirs.getByLabel('One-time password').fill(password)
  await theirs.getByLabel('New password', { exact: true }).fill(own)
  await theirs.getByLabel('Repeat new password').fill(own)
  await theirs.getByRole('button', { name: 'Change password' }).click()
  await theirs.getByRole('button', account(name)).click()
  await expect(theirs.getByText('Sign out')).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Staff', exact: true })).toHaveCount(0)
  await expect(theirs.getByRole('button', { name: 'Audit log', exact: true })).toHaveCount(0)

  await dialog.getByRole('button', { name: `Edit ${name}` }).click()
  await look(page, 'staff-form')
  await dialog.getByRole('checkbox', { name: 'Active' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changes saved')).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: name }).getByText('Inactive')).toBeVisible()
  // Without a reload: the closed socket shows at once that the session has ended.
  await expect(theirs.getByLabel('Password', { exact: true })).toBeVisible()
  await context.close()

  // The own password is changed in the account menu.
  await expect(dialog.getByRole('button', { name: 'Reset password of Ana Reyes' })).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const button of await page.locator('[data-sonner-toast] [data-close-button]').all())
    await expect(button).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await look(page, 'staff')

  await dialog.getByRole('button', { name: 'Edit Ana Reyes' }).press('Enter')
  await dialog.getByLabel('Role').selectOption({ label: 'Agent' })
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText(/^This is the last active administrator\./)
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused()
  await dialog.getByLabel('Role').selectOption({ label: 'Administrator' })
  await page.keyboard.press('Escape')

  await openDialog('Audit log')
  const log = page.getByRole('dialog', { name: 'Audit log' })
  const rows = log.getByRole('row').filter({ hasText: name })
  await expect(log.getByRole('cell', { name: 'Signed in' }).first()).toBeVisible()
  await look(page, 'audit-log')
  await log.getByLabel('Person').selectOption({ label: 'Ana Reyes' })
  await expect(rows.filter({ hasText: 'Person added' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'Person made inactive' })).toHaveCount(1)
  await log.getByLabel('Action').selectOption({ label: 'Person made inactive' })
  await expect(rows.filter({ hasText: 'Person added' })).toHaveCount(0)

  const download = page.waitForEvent('download')
  await log.getByRole('button', { name: 'Export CSV' }).click()
  const csv = readFileSync(await (await download).path(), 'utf8')
  expect(csv.split('\n')[0]).toBe('\ufefftime,person,person id,action,kind,id,address,browser,details')
  expect(csv).toContain(`staff.deactivated,staff,`)
  expect(csv).not.toContain('staff.added')
  expect(csv).not.toContain(password)
})

test('the API refuses staff and audit log to an agent', async ({ server }) => {
  const { token } = await tokenPairOf(server, demoStaff[1])
  for (const path of ['/api/staff', '/api/audit']) {
    const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    expect([path, response.status]).toEqual([path, 403])
  }
})
