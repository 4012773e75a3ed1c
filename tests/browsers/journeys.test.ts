import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { Key } from 'selenium-webdriver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { type Api, signInToApi } from '../e2e/api.ts'
import { psidOf, sandboxOf } from '../e2e/network.ts'
import { createServer, type TestServer } from '../e2e/server.ts'
import { browsers, type Scheme } from './browsers.ts'
import { Screen } from './screen.ts'

let server: TestServer
let api: Api
let people: Conversation[]

beforeAll(async () => {
  server = await createServer('embedded')
  await server.start()
  api = await signInToApi(server)
  const rows = await api.conversations('limit=100')
  people = rows.filter(({ platform, page_count, psid }) => platform === 'messenger' && page_count === 1 && psid)
}, 180_000)

afterAll(() => server.dispose())

const conversations = { role: 'listbox', name: 'Conversations' }
const composer = { role: 'textbox', name: 'Message' }
const search = { role: 'searchbox', name: 'Search conversations' }
const shortcuts = { role: 'dialog', name: 'Keyboard shortcuts' }
const connection = (word: string) => ({ role: 'status', text: `Connection: ${word}` })
const row = (text: string) => ({ role: 'option', text, within: conversations })
const bubble = (text: string) => ({ role: 'article', text })
const unique = (text: string) => `${text} ${randomUUID().slice(0, 8)}`

/** A person whom no other journey uses. */
function takePerson(): Conversation {
  const person = people.shift()
  if (!person) throw new Error('There are not enough people in the sandbox')
  return person
}

async function signIn(screen: Screen): Promise<void> {
  const { email, password } = demoStaff[1]
  await screen.open('/?view=all')
  await screen.fill({ role: 'textbox', name: 'Email' }, email)
  await screen.press(Key.TAB, password, Key.ENTER)
  await screen.one(conversations)
  await screen.one(connection('Live'))
}

for (const { name, missing, start } of browsers) {
  const isSkipped = missing.length > 0 && !process.env['CI']
  if (isSkipped) process.stderr.write(`${name} is skipped, because this is not installed: ${missing.join(', ')}\n`)

  describe.skipIf(isSkipped)(name, () => {
    const inBrowser = async (scheme: Scheme, journey: (screen: Screen) => Promise<void>) => {
      expect(missing, 'programs that are not installed').toEqual([])
      const { driver, stop } = await start(scheme)
      try {
        const screen = new Screen(driver, server.url)
        await journey(screen)
        expect(await screen.errors()).toEqual([])
      } catch (error) {
        await mkdir('test-results', { recursive: true })
        await writeFile(`test-results/${name}-${scheme}.png`, await driver.takeScreenshot(), 'base64')
        throw error
      } finally {
        await stop()
      }
    }

    test('people sign in, read and answer, search, use dialogs by keyboard, and are Live again after an outage', () =>
      inBrowser('light', async (screen) => {
        const person = takePerson()
        const sandbox = sandboxOf(server)
        const [question, answer, thanks] = [unique('Magkano po?'), unique('150 pesos po.'), unique('Salamat po!')]
        await signIn(screen)

        await sandbox.write(psidOf(person), question)
        await screen.click(row(question))
        await screen.one(bubble(question))
        expect(new URL(await screen.driver.getCurrentUrl()).pathname).toBe(`/${person.primary_user_id}`)

        await screen.fill(composer, answer)
        await screen.press(Key.ENTER)
        await screen.until('the answer arrives', async () => (await sandbox.deliveredTo(psidOf(person))).length > 0)
        expect(await sandbox.deliveredTo(psidOf(person))).toEqual([answer])
        await sandbox.write(psidOf(person), thanks)
        for (const text of [question, answer, thanks]) await screen.one(bubble(text))
        await screen.one(row(thanks))
        expect(await screen.valueOf(composer)).toBe('')

        await screen.fill(search, nameOf(person))
        const found = await api.conversations(`search=${encodeURIComponent(nameOf(person))}`)
        await screen.count(row(''), found.length)
        await screen.one(row(thanks))
        await screen.click({ role: 'button', name: 'Clear the search' })
        await screen.isFocused(search)
        expect(await screen.valueOf(search)).toBe('')

        await screen.press(Key.ESCAPE, 'j')
        await screen.isFocused(conversations)
        await screen.press([Key.CONTROL, 'k'])
        await screen.isFocused({ role: 'combobox', name: 'Find people and actions' })
        await screen.press('shortcuts', Key.ENTER)
        await screen.one(shortcuts)
        for (let pressed = 0; pressed < 3; pressed++) {
          await screen.press(Key.TAB)
          await screen.hasFocusInside(shortcuts)
        }
        await screen.press(Key.ESCAPE)
        await screen.count(shortcuts, 0)
        await screen.isFocused(conversations)

        for (const wanted of [conversations, composer, search]) {
          const element = await screen.one(wanted)
          expect([await element.getAriaRole(), await element.getAccessibleName()]).toEqual([wanted.role, wanted.name])
        }
        expect(await screen.violations()).toEqual([])

        const later = unique('Nandiyan pa po ba kayo?')
        await server.kill()
        try {
          await screen.one(connection('Offline'))
        } finally {
          await server.start()
        }
        await screen.one(connection('Live'))
        await sandbox.write(psidOf(person), later)
        for (const text of [question, answer, thanks, later]) await screen.one(bubble(text))
        await screen.reload()
        for (const text of [question, answer, thanks, later]) await screen.one(bubble(text))
        expect(await sandbox.deliveredTo(psidOf(person))).toEqual([answer])
      }))

    test('the inbox fits the narrowest window, in dark colours', () =>
      inBrowser('dark', async (screen) => {
        const person = takePerson()
        const [text, draft] = [unique('Good evening po'), unique('Good evening, how can we help?')]
        await screen.driver.manage().window().setRect({ x: 0, y: 0, width: 390, height: 844 })
        await signIn(screen)
        await sandboxOf(server).write(psidOf(person), text)
        await screen.one(row(text))
        expect(await screen.look()).toEqual({ isPhone: true, isDark: true, overflows: false })
        expect(await screen.violations()).toEqual([])

        await screen.click(row(text))
        await screen.one(bubble(text))
        await screen.count(conversations, 0)
        await screen.fill(composer, draft)
        expect(await screen.look()).toEqual({ isPhone: true, isDark: true, overflows: false })
        expect(await screen.violations()).toEqual([])
        await screen.click({ role: 'button', name: 'Back to conversations' })
        await screen.one(row(`Draft: ${draft}`))
      }))
  })
}
