import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

const widths = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })

    test('login and inbox have no accessibility violation, and are pictured at three widths', async ({
      desk,
      page,
      person,
      sandbox,
      unique,
    }) => {
      const picture = async (name: string) => {
        for (const size of widths) {
          await page.setViewportSize(size)
          await page.screenshot({ path: `test-results/screens/${name}-${size.width}-${colorScheme}.png` })
        }
      }
      const violations = async () => {
        const { violations: found } = await new AxeBuilder({ page }).analyze()
        return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
      }

      await page.goto('/login')
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
      expect(await violations()).toEqual([])
      await picture('login')

      await page.setViewportSize({ width: 1440, height: 900 })
      await sandbox.write(psidOf(person), unique('Good morning po, available pa ba?'))
      await desk.signIn()
      await desk.isLive()
      expect(await violations()).toEqual([])
      await picture('list')

      await page.setViewportSize({ width: 1440, height: 900 })
      await desk.open(person)
      await desk.isLive()
      expect(await violations()).toEqual([])
      await picture('inbox')
    })
  })
}
