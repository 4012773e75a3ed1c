import { expect, test } from './fixtures.ts'
import { colorSchemes, look } from './look.ts'
import { psidOf } from './network.ts'

for (const colorScheme of colorSchemes) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })

    test('login, list and thread have no accessibility violation, with screenshots at three widths', async ({
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
  })
}
