import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deriveKey } from '../../server/secrets.ts'
import { sandboxToken } from '../../server/stand-ins/sandbox/world.ts'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { smallSandbox } from '../small-sandbox.ts'
import { expect, test } from './fixtures.ts'
import { createServer } from './server.ts'

/** The files under a directory that contain the text. */
async function filesWith(directory: string, text: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if ((await readFile(path)).includes(text)) found.push(path)
  }
  return found
}

test('a typed page access token is stored in plain text nowhere', async ({ page }) => {
  test.setTimeout(150_000)
  const server = await createServer('embedded', { ...smallSandbox, LOG_LEVEL: 'trace' }, 'nothing')
  try {
    await server.start()
    const refused = 'EAAB-canary-refused-4f6c1d'
    const accepted = sandboxToken(deriveKey(server.secretKey, 'sandbox page tokens'), '104200000000104')
    const containsToken = (text: string) => [refused, accepted].some((token) => text.includes(token))

    const logged: string[] = []
    const carriers = new Set<string>()
    page.on('console', (message) => logged.push(message.text()))
    page.on('request', (request) => {
      logged.push(request.url(), JSON.stringify(request.headers()))
      if (containsToken(request.postData() ?? ''))
        carriers.add(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    const answers: Promise<unknown>[] = []
    page.on('response', (response) => {
      answers.push(
        response.text().then(
          (body) => logged.push(body, JSON.stringify(response.headers())),
          () => null,
        ),
      )
    })

    const { email, password } = demoStaff[0]
    await page.goto(`${server.url}/login`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('banner').getByRole('button', { name: 'Manage pages' }).click()
    await page.getByRole('button', { name: 'Edit Handaan Party Trays' }).click()
    const token = page.getByLabel(/^Page Access Token/)
    await token.fill(refused)
    await page.getByRole('button', { name: 'Verify Token' }).click()
    await expect(page.getByText('✗ Invalid.')).toBeVisible()
    await token.fill(accepted)
    await page.getByRole('button', { name: 'Verify Token' }).click()
    await expect(page.getByText('✓ Valid')).toBeVisible()
    await page.getByRole('button', { name: 'Update Page' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Facebook page updated successfully' })).toBeVisible()
    await expect(token).toBeHidden()
    await Promise.all(answers)

    expect([...carriers].sort()).toEqual([
      'POST /api/facebook/pages/verify-token',
      'PUT /api/facebook/pages/104200000000104',
    ])
    const kept = await page.evaluate(async () => {
      const databases = await indexedDB.databases()
      const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, history.state])
      return [stored, document.cookie, location.href, document.documentElement.outerHTML]
    })
    const cookies = JSON.stringify(await page.context().cookies())
    expect([...logged, ...kept, cookies].filter(containsToken)).toEqual([])

    const log = server.output()
    expect([log.includes('page connected'), containsToken(log)]).toEqual([true, false])

    // The tables of the sandbox contain its valid tokens, so only the invalid token is searched in the files.
    await server.kill()
    expect(await filesWith(server.directory, 'Handaan Party Trays')).not.toEqual([])
    expect(await filesWith(server.directory, refused)).toEqual([])
  } finally {
    await server.dispose()
  }
})
