import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ConversationStart } from '../../../src/schemas/message.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const identity = { page_id: 'p2', psid: 'psid-2', platform: 'instagram' } as const
const lines = /^(Start of the conversation|Older messages|Loading older messages)/
const line = () => screen.queryByText(lines)?.textContent ?? null

async function show(start?: ConversationStart, hasMore = false) {
  const inbox = await showInbox({})
  await inbox.answer('loadTop', listOf([row('c1', 1)]))
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1)], hasMore, start })
  return inbox
}

it.each<[string, ConversationStart | undefined, boolean, string]>([
  ['an API that says nothing', undefined, false, 'Start of the conversation'],
  ['a known start', { is_reached: true, unsynced: null }, false, 'Start of the conversation'],
  [
    'an identity that was not synced',
    { is_reached: false, unsynced: identity },
    false,
    'Older messages are not synced yetSync now',
  ],
  [
    'messages that the network does not return',
    { is_reached: false, unsynced: null },
    false,
    'Older messages are in Business Suite',
  ],
  ['older messages on the server', { is_reached: false, unsynced: identity }, true, 'Loading older messages…'],
])('above the first message with %s', async (_, start, hasMore, text) => {
  const inbox = await show(start, hasMore)
  expect(line()).toBe(text)
  inbox.unmount()
})

it('a press syncs the identity once, and the answer after it says what is known now', async () => {
  const inbox = await show({ is_reached: false, unsynced: identity })
  const button = screen.getByRole('button', { name: 'Sync now' })
  await act(async () => fireEvent.click(button))
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Syncing...' })))
  expect(inbox.waiting('syncConversation')).toEqual([{ pageId: 'p2', psid: 'psid-2', platform: 'instagram' }])
  await inbox.answer('syncConversation', 3)
  await inbox.answer('loadMessages', {
    messages: [messageIn('c1', 1)],
    hasMore: false,
    start: { is_reached: true, unsynced: null },
  })
  expect(line()).toBe('Start of the conversation')
  inbox.unmount()
})
