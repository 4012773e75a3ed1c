import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
// Loaded here because the product loads it on demand, which takes real time.
import '../../../src/views/send/HeartButton.tsx'
import type { Platform } from '../../../src/schemas/conversation.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { messageIn } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

async function openThread(platform: Platform, features: string[]) {
  const inbox = await showInbox({ person: { ...user, permissions: ['messages.send'], features } })
  const onePage = { page_ids: 'p1', page_names: 'Bakery', page_count: 1, platform }
  await inbox.answer('loadTop', listOf([conversationOf(onePage)]))
  await inbox.pass(100)
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [messageIn('ana', 1, { is_read: true })], hasMore: false })
  return inbox
}

const heart = () => screen.queryByRole('button', { name: 'Send a heart' })

it.each([
  ['instagram', ['stickers'], true],
  ['messenger', ['stickers'], false],
  ['instagram', [], false],
] as const)('A heart is offered on %s to an API with the features %j: %s', async (platform, features, isOffered) => {
  const inbox = await openThread(platform, [...features])
  expect(heart() !== null).toBe(isOffered)
  inbox.unmount()
})

it('A double press sends one heart, and what is typed stays', async () => {
  const inbox = await openThread('instagram', ['stickers'])
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  await act(async () => void fireEvent.change(box, { target: { value: 'Thank' } }))
  const articles = screen.getAllByRole('article').length
  for (const _ of [1, 2]) await act(async () => void (heart() && fireEvent.click(heart() ?? document.body)))
  const shown = screen.getAllByRole('article').slice(articles)
  expect(shown.map(({ textContent }) => textContent?.includes('❤️ Heart'))).toEqual([true])
  expect([box.value, heart()?.getAttribute('aria-disabled')]).toEqual(['Thank', 'true'])
  inbox.unmount()
})
