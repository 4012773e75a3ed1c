import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
// Loaded here because the product loads it on demand, which takes real time.
import '../../../src/views/send/SentChoices.tsx'
import type { ReplyStructure } from '../../../src/schemas/structured-message.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { messageIn } from '../../model/inbox-fixture.ts'
import { savedReplyOf } from '../../model/send/saved-replies-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const yesNo: ReplyStructure = { kind: 'quickReplies', titles: ['Yes', 'No'] }
const map: ReplyStructure = { kind: 'buttons', buttons: [{ title: 'Map', url: 'https://example.com/map' }] }

async function openThread() {
  const inbox = await showInbox({
    person: { ...user, permissions: ['messages.send'], features: ['saved-replies', 'reply-buttons'] },
  })
  const onePage = { page_ids: 'p1', page_names: 'Bakery', page_count: 1 }
  await inbox.answer('loadTop', listOf([conversationOf(onePage)]))
  await inbox.pass(100)
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [messageIn('ana', 1, { is_read: true })], hasMore: false })
  return inbox
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const type = (text: string) =>
  act(async () => {
    box().focus()
    fireEvent.change(box(), { target: { value: text } })
    box().setSelectionRange(text.length, text.length)
  })
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
const shown = (name: string) => {
  const list = screen.queryByRole('list', { name })
  return list === null
    ? []
    : within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
}
async function insert(structure: ReplyStructure) {
  const inbox = await openThread()
  await type('/')
  await inbox.answer('loadReplies', [savedReplyOf('asks', { text: 'Will you come?', structure })])
  await act(async () => fireEvent.keyDown(box(), { key: 'Enter' }))
  return inbox
}

describe('What goes with an inserted saved reply', () => {
  it('is shown above the text, and as it will look in the message', async () => {
    const inbox = await insert(yesNo)
    expect([box().value, shown('Quick replies')]).toEqual(['Will you come?', ['Yes', 'No']])
    await act(async () => fireEvent.click(send()))
    expect([box().value, shown('Quick replies')]).toEqual(['', []])
    const sent = screen.getAllByRole('article').at(-1)
    expect(
      within(sent as HTMLElement)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Yes', 'No'])
    inbox.unmount()
  })

  it('can be left out, and goes with the text that is cleared', async () => {
    const inbox = await insert(yesNo)
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send without these' })))
    expect([box().value, shown('Quick replies')]).toEqual(['Will you come?', []])
    await act(async () => fireEvent.click(send()))
    expect(within(screen.getAllByRole('article').at(-1) as HTMLElement).queryAllByRole('listitem')).toEqual([])
    inbox.unmount()
  })

  it('holds a text back that is too long for buttons, and says so', async () => {
    const inbox = await insert(map)
    expect([shown('Buttons'), send().disabled]).toEqual([['Map'], false])
    await type('a'.repeat(641))
    expect(send().disabled).toBe(true)
    expect(screen.getByText(/^A message with buttons can have at most 640 characters\./)).toBeTruthy()
    await act(async () => fireEvent.keyDown(box(), { key: 'Enter' }))
    expect(box().value).toHaveLength(641)
    await type('Here')
    await act(async () => fireEvent.click(send()))
    expect(box().value).toBe('')
    inbox.unmount()
  })
})
