import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { providerKey } from '../../src/services/session/supabase.ts'

type Role = (typeof demoStaff)[number]['role']
const staffWith = (as: Role) => demoStaff.find(({ role }) => role === as) ?? demoStaff[0]

/** The inbox in the browser of one staff member. */
export class Harness {
  readonly page: Page
  readonly views: Locator
  readonly list: Locator
  readonly thread: Locator
  readonly composer: Locator
  readonly send: Locator
  readonly live: Locator

  constructor(page: Page) {
    this.page = page
    this.views = page.getByRole('navigation', { name: 'Views' })
    this.list = page.getByRole('listbox', { name: 'Conversations' })
    this.thread = page.getByRole('region', { name: 'Thread' })
    this.composer = this.thread.getByRole('textbox', { name: 'Message' })
    // A modal dialog hides the status from roles, although it stays visible.
    this.live = page.getByRole('status', { includeHidden: true }).filter({ hasText: 'Connection: Live' })
    this.send = this.thread.getByRole('button', { name: 'Send', exact: true })
  }

  /** Signs in by the form. */
  async signInByForm(as: Role = 'agent'): Promise<void> {
    const { email, password } = staffWith(as)
    await this.page.goto('/login')
    await this.page.getByLabel('Email').fill(email)
    await this.page.getByLabel('Password', { exact: true }).fill(password)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
    await this.views.getByRole('button', { name: 'All' }).click()
    await this.listIsLoaded()
  }

  /** Starts the inbox with a new session of the identity provider in storage. The form would take a second more. */
  async signIn(as: Role = 'agent'): Promise<void> {
    const { email, password } = staffWith(as)
    const answer = await this.page.request.post('/auth/v1/token?grant_type=password', {
      headers: { apikey: 'embedded' },
      data: { email, password },
    })
    expect(answer.status()).toBe(200)
    const { origin } = new URL(answer.url())
    await this.page.context().setStorageState({
      cookies: [],
      origins: [{ origin, localStorage: [{ name: providerKey, value: await answer.text() }] }],
    })
    await this.page.goto(`/${inAll}`)
    await this.listIsLoaded()
  }

  /** Signs in and opens a conversation. */
  async signInAt(conversation: Conversation, as: Role = 'agent'): Promise<void> {
    await this.signIn(as)
    await this.navigateTo(conversation)
  }

  private async listIsLoaded(): Promise<void> {
    await expect(this.list).toBeVisible()
    // The rows of the first view stay until those of the chosen one are loaded.
    await expect(this.list).not.toHaveAttribute('aria-busy', 'true')
  }

  async isLive(): Promise<void> {
    await expect(this.live).toBeVisible({ timeout: 30_000 })
  }

  /** Chooses a view of the list. The name of its button ends with its count. */
  async chooseView(name: string): Promise<void> {
    await this.views.getByRole('button', { name }).click()
    await this.leaveList()
    // Until then the rows of the view before are shown. An empty view has no list.
    await expect(this.page.locator('[role=listbox][aria-busy=true]')).toHaveCount(0)
  }

  /** Moves the mouse out of the list, which holds still under it. */
  async leaveList(): Promise<void> {
    await this.page.mouse.move(700, 10)
  }

  /** The row whose preview shows this text. */
  row(text: string): Locator {
    return this.list.getByRole('option').filter({ hasText: text })
  }

  /** Presses an action of the row. */
  async actAt(row: Locator, action: string): Promise<void> {
    await row.hover()
    await this.page
      .getByRole('group', { name: /^Actions for/ })
      .getByRole('button', { name: action })
      .click()
    await this.leaveList()
  }

  async open(conversation: Conversation): Promise<void> {
    await this.page.goto(pathOf(conversation))
    await this.shows(conversation)
  }

  /** Opens a conversation by client-side navigation, without a load. */
  async navigateTo(conversation: Conversation): Promise<void> {
    await this.page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, pathOf(conversation))
    await this.shows(conversation)
  }

  private async shows(conversation: Conversation): Promise<void> {
    await expect(this.thread.getByRole('heading', { name: nameOf(conversation) })).toBeVisible()
    await expect(this.composer).toBeEditable()
  }

  /** The bubbles with this text, confirmed or not. */
  bubbles(text: string): Locator {
    return this.thread.getByRole('article').filter({ hasText: text })
  }

  async answer(text: string): Promise<void> {
    await this.composer.fill(text)
    // Enter sends nothing while the earlier message is pending.
    await expect(this.send).toBeEnabled()
    await this.composer.press('Enter')
  }
}

/** The specs expect the list of all conversations, newest first. */
export const inAll = '?view=all'

const pathOf = ({ primary_user_id, fb_user_id }: Conversation): string =>
  `/${encodeURIComponent(primary_user_id ?? fb_user_id)}${inAll}`

/** A second browser, which shares nothing with the first one. The caller closes its context. */
export async function openBrowser(browser: Browser, baseURL: string | undefined): Promise<Harness> {
  return new Harness(await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage())
}
