import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
// Loaded here because the product loads them on demand, which takes real time.
import '../../../src/compose-summary-check.ts'
import { summaryOrderOf } from '../../../src/domain/client/summaries.ts'
import { summaryCheckMachine } from '../../../src/machines/client/summary-check.ts'
import '../../../src/views/send/SummaryNotice.tsx'
import { clientOf, faults, orderOf } from '../../model/client/clients-fixture.ts'
import { createCoverage } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(summaryCheckMachine)
const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...')
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (value: string) => act(async () => fireEvent.change(box(), { target: { value } }))

const before = [orderOf('o1')].map(summaryOrderOf)
const after = [orderOf('o1', { status: 'completed', payments: [{ amount: 100, status: 'approved' }] })].map(
  summaryOrderOf,
)

/** A conversation whose draft is the summary of one order. */
async function openWithSummary() {
  const inbox = await showInbox({
    person: { ...user, permissions: ['messages.send'], features: ['summaries'] },
    inspect: coverage.inspect,
  })
  await inbox.answer('loadTop', listOf([row('c1', 1, { client_id: 'k1' }), row('c2', 2)]))
  await inbox.pass(100)
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  await inbox.answer('loadProfile', { client: clientOf('k1') })
  await press('Orders')
  await inbox.answer('fetchOrders', { text: 'The summary', orders: before })
  return inbox
}
type Inbox = Awaited<ReturnType<typeof openWithSummary>>

const question = () => screen.queryByRole('alertdialog')
const isSending = (inbox: Inbox) => inbox.waiting('findBestPage').length + inbox.waiting('sendMessage').length > 0
const shown = (inbox: Inbox) => ({
  text: box().value,
  question: question()?.ariaLabel ?? null,
  isSending: isSending(inbox),
  checks: inbox.waiting('fetchOrders').length,
})

const changedQuestion = 'This changed since the summary was made:'
const uncheckedQuestion =
  'We could not check whether the orders changed since the summary was made. Check again, or send the message as it is.'

describe('A message with a summary', () => {
  it('is sent after a check without changes, once', async () => {
    const inbox = await openWithSummary()
    await press('Send')
    expect(shown(inbox)).toEqual({ text: 'The summary', question: null, isSending: false, checks: 1 })
    await inbox.answer('fetchOrders', { text: 'The summary', orders: before })
    expect(shown(inbox)).toEqual({ text: '', question: null, isSending: true, checks: 0 })
    expect(inbox.waiting('findBestPage').length + inbox.waiting('sendMessage').length).toBe(1)
    inbox.unmount()
  })

  it('that an earlier page or another device wrote is checked too', async () => {
    const inbox = await openWithSummary()
    const summary = { kind: 'orders' as const, user_id: 'c1', client_id: 'k1', text: 'Kept', orders: before }
    await inbox.hearDraft('c1', { id: 'd9', text: 'Kept', pageId: null, extras: { summary } })
    await press('Send')
    await inbox.answer('fetchOrders', { text: 'Another', orders: after })
    expect(shown(inbox)).toEqual({ text: 'Kept', question: changedQuestion, isSending: false, checks: 0 })
    inbox.unmount()
  })

  it('is held with the changes, and a second press sends it as it is', async () => {
    const inbox = await openWithSummary()
    await press('Send')
    await inbox.answer('fetchOrders', { text: 'Another', orders: after })
    expect(shown(inbox)).toEqual({ text: 'The summary', question: changedQuestion, isSending: false, checks: 0 })
    expect([...(question()?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Order #101: processing → completed',
      'Order #101: paid ₱0.00 → ₱100.00',
    ])
    await expectScreen()
    await press('Send')
    expect(shown(inbox)).toEqual({ text: '', question: null, isSending: true, checks: 0 })
    inbox.unmount()
  })

  const added = (count: number) => Array.from({ length: count }, (_, index) => orderOf(`o${index + 2}`))
  it.each([
    [5, []],
    [6, ['1 more change']],
    [8, ['3 more changes']],
  ])('is held with the five newest of %i changes, and with the number of the others', async (count, further) => {
    const inbox = await openWithSummary()
    await press('Send')
    const orders = [...before, ...added(count).map(summaryOrderOf)]
    await inbox.answer('fetchOrders', { text: 'Another', orders })
    expect([...(question()?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual([
      ...[1, 0, -1, -2, -3].map((step) => `Order #10${count + step} is new: ₱100.00`),
      ...further,
    ])
    inbox.unmount()
  })

  it('gets its new summary by Update summary', async () => {
    const inbox = await openWithSummary()
    await press('Send')
    await inbox.answer('fetchOrders', { text: 'Another', orders: after })
    await press('Update summary')
    await inbox.answer('fetchOrders', { text: 'The new summary', orders: after })
    expect(shown(inbox)).toEqual({ text: 'The new summary', question: null, isSending: false, checks: 0 })
    await press('Send')
    await inbox.answer('fetchOrders', { text: 'The new summary', orders: after })
    expect(shown(inbox).isSending).toBe(true)
    inbox.unmount()
  })

  it('can be checked again or sent if the check failed', async () => {
    const inbox = await openWithSummary()
    await press('Send')
    await inbox.fail('fetchOrders', faults.unreadable)
    expect(shown(inbox)).toEqual({ text: 'The summary', question: uncheckedQuestion, isSending: false, checks: 0 })
    await press('Check again')
    await inbox.pass(5_000)
    expect(shown(inbox).question).toBe(uncheckedQuestion)
    await press('Send anyway')
    expect(shown(inbox)).toMatchObject({ text: '', question: null, isSending: true })
    inbox.unmount()
  })

  it('is not sent if the person goes on writing during the check', async () => {
    const inbox = await openWithSummary()
    await press('Send')
    await type('The summary, po')
    await inbox.pass(6_000)
    expect(shown(inbox)).toMatchObject({ text: 'The summary, po', question: null, isSending: false })
    inbox.unmount()
  })

  it('is no longer checked after its text was replaced by nothing', async () => {
    const inbox = await openWithSummary()
    await type('')
    await type('Hello po')
    await press('Send')
    expect(shown(inbox)).toEqual({ text: '', question: null, isSending: true, checks: 0 })
    inbox.unmount()
  })

  it('asks no more after the person writes something else, empties the box or leaves', async () => {
    const inbox = await openWithSummary()
    await press('Send')
    await inbox.fail('fetchOrders', faults.unreadable)
    await type('The summary, po')
    expect(shown(inbox).question).toBeNull()
    await press('Send')
    await inbox.answer('fetchOrders', { text: 'Another', orders: after })
    expect(shown(inbox).question).toBe(changedQuestion)
    await type('')
    expect(shown(inbox).question).toBeNull()
    await inbox.tell({ type: 'conversation.deselected' })
    expect(isSending(inbox)).toBe(false)
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  // The composer sends as soon as nothing changed, and one conversation has one draft on the screen.
  it('takes every transition that a person can cause', () =>
    expect(coverage.transitionsMissed()).toEqual([
      'summaryCheck.unchanged -- draft.changed --> summaryCheck.idle',
      'summaryCheck.changed -- draft.changed #0 --> summaryCheck.idle',
    ]))
})
