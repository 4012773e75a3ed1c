import { expect, test } from './fixtures.ts'
import { look } from './look.ts'
import { psidOf } from './network.ts'

test('login, list and thread have no accessibility violation in light and dark, and no overflow', async ({
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await look(page, 'login')

  await sandbox.write(psidOf(person), unique('Good morning po, available pa ba?'))
  await harness.signIn()
  await harness.isLive()
  await look(page, 'list')

  await harness.open(person)
  await harness.isLive()
  await look(page, 'inbox')
})
