import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
// Loaded here because the product loads them on demand, which takes real time.
import '../../../src/views/send/BeyondWindow.tsx'
import { messageTemplatesMachine } from '../../../src/machines/send/message-templates.ts'
import MessageTemplatesDialog from '../../../src/views/send/MessageTemplatesDialog.tsx'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage } from '../../model/harness.ts'
import { messageIn } from '../../model/inbox-fixture.ts'
import { ready, templateFaults, templates } from '../../model/send/message-templates-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

// The dialog is loaded with its view.
void MessageTemplatesDialog
const coverage = createCoverage(messageTemplatesMachine)
const hour = 60 * 60_000

async function openInbox({
  age = 30 * hour,
  platform = 'messenger' as 'messenger' | 'instagram',
  features = ['message-templates'],
} = {}) {
  const inbox = await showInbox({
    person: { ...user, permissions: ['messages.send'], features },
    inspect: coverage.inspect,
    withToasts: true,
  })
  const last_incoming_at = new Date(Date.now() - age).toISOString()
  await inbox.answer(
    'loadTop',
    listOf([conversationOf({ platform, last_incoming_at, page_ids: 'p1', page_names: 'Bakery', page_count: 1 })]),
  )
  await inbox.pass(100)
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [messageIn('ana', 1, { is_read: true })], hasMore: false })
  return inbox
}
type Inbox = Awaited<ReturnType<typeof openInbox>>

const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
const question = () => screen.queryByRole('alertdialog')
const dialog = () => screen.queryByRole('dialog', { name: 'Send a template' })
const preview = () => screen.getByRole('region', { name: 'Preview' }).textContent
const pressEscape = () => act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }))
/** The button is behind the question, and a press of it is the answer "no". */
const pressClose = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Close', hidden: true })))

async function openDialog(inbox: Inbox) {
  await press('Templates')
  expect(await screen.findByRole('dialog', { name: 'Send a template' })).toBeTruthy()
  return inbox
}

describe('The notice above a reply', () => {
  it.each([
    [2 * hour, false, false],
    [30 * hour, true, true],
    [8 * 24 * hour, false, true],
  ])('%i ms after the last message says the tag: %s, and offers templates: %s', async (age, saysTag, offers) => {
    const inbox = await openInbox({ age })
    expect([
      screen.queryByText(/leaves with the tag HUMAN_AGENT, because Ana.* wrote more than 24 hours ago/) !== null,
      screen.queryByRole('button', { name: 'Templates' }) !== null,
    ]).toEqual([saysTag, offers])
    inbox.unmount()
  })

  it.each([
    ['on Instagram', { platform: 'instagram' as const }, true],
    ['on Instagram after the last day', { platform: 'instagram' as const, age: 8 * 24 * hour }, false],
    ['with an API without templates', { features: [] }, true],
    ['with an API without templates after the last day', { features: [], age: 8 * 24 * hour }, false],
  ])('%s offers no templates, and says the tag while a reply is possible', async (_, change, saysTag) => {
    const inbox = await openInbox(change)
    expect([
      screen.queryByText(/leaves with the tag HUMAN_AGENT/) !== null,
      screen.queryByText(/^A template that the network has approved can still be sent/),
      screen.queryByRole('button', { name: 'Templates' }),
    ]).toEqual([saysTag, null, null])
    inbox.unmount()
  })
})

describe('The dialog with templates', () => {
  it('fills a template in with a preview, and sends it as one message', async () => {
    const inbox = await openDialog(await openInbox())
    expect(screen.getByRole('status').textContent).toBe('Loading templates...')
    await inbox.answer('loadTemplates', templates)
    await press(/order_ready/)
    await expectScreen()
    expect([preview(), screen.getByRole<HTMLButtonElement>('button', { name: 'Send template' }).disabled]).toEqual([
      ready.body,
      true,
    ])
    await type('Value 1', 'Ana')
    expect(preview()).toBe('Hello Ana, your order is ready.')
    await press('Other template')
    await press(/order_ready/)
    await press('Send template')
    expect(dialog()).toBeNull()
    const sent = screen.getAllByRole('article').at(-1)
    expect(sent?.textContent).toContain('Hello Ana, your order is ready.')
    inbox.unmount()
  })

  it('begins with the first field, or with Send if there is none, and returns to the template that was left', async () => {
    const inbox = await openDialog(await openInbox())
    await inbox.answer('loadTemplates', templates)
    const focused = () => document.activeElement
    await press(/order_ready/)
    expect(focused()).toBe(screen.getByLabelText('Value 1'))
    await press('Other template')
    expect(focused()).toBe(screen.getByRole('button', { name: /order_ready/ }))
    await press(/plain/)
    expect(focused()).toBe(screen.getByRole('button', { name: 'Send template' }))
    await press('Other template')
    expect(focused()).toBe(screen.getByRole('button', { name: /plain/ }))
    inbox.unmount()
  })

  it('is retried after a failure, by itself or by the person', async () => {
    const inbox = await openDialog(await openInbox())
    await inbox.fail('loadTemplates', templateFaults.noAnswer)
    expect(screen.getByText('The templates could not be loaded.')).toBeTruthy()
    await inbox.pass(60_000)
    await inbox.fail('loadTemplates', templateFaults.refused)
    await press('Try again')
    await inbox.fail('loadTemplates', templateFaults.noAnswer)
    await press('Try again')
    await inbox.answer('loadTemplates', [])
    expect(screen.getByRole('status').textContent).toMatch(/^This page has no approved template/)
    await pressEscape()
    expect(dialog()).toBeNull()
    inbox.unmount()
  })

  it('asks before it discards what was typed', async () => {
    const inbox = await openDialog(await openInbox())
    await pressEscape()
    expect(dialog()).toBeNull()
    await openDialog(inbox)
    await inbox.answer('loadTemplates', templates)
    await press(/order_ready/)
    await type('Value 1', 'Ana')
    await pressEscape()
    await press('Keep editing')
    expect(preview()).toBe('Hello Ana, your order is ready.')
    await pressEscape()
    await pressEscape()
    await pressEscape()
    expect(question()).toBeTruthy()
    await pressClose()
    expect([question(), preview()]).toEqual([null, 'Hello Ana, your order is ready.'])
    await pressEscape()
    await press('Discard')
    expect(dialog()).toBeNull()
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
