import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { chatsMachine, selectStep } from '../../../src/machines/client/chats.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { chats, chatsModel, foundRows, join, moved, split, unlink } from '../../model/client/chats-fixture.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const coverage = createCoverage(chatsMachine)

async function showConversation(features: string[] = ['chats']) {
  const inbox = await showInbox({
    person: { ...user, permissions: ['clients.link'], features },
    inspect: coverage.inspect,
  })
  await inbox.answer('loadTop', listOf([conversationOf()]))
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [], hasMore: false })
  return inbox
}

const click = (element: Element) => act(async () => fireEvent.click(element))
const openDialog = async () => {
  await click(screen.getByRole('button', { name: 'Chats and client…' }))
  await screen.findByRole('dialog', { name: 'Chats and client' })
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Chats and client', hidden: true }))
const press = (name: string) => click(dialog().getByRole('button', { name, hidden: true }))

const question = () => within(screen.getByRole('alertdialog'))
const buttons = {
  unlink: ['Remove link…', 'Remove Link'],
  split: ['Split off the chat on Cafe (Ana)', 'Split Off'],
  join: ['Join the chats of Annie (Cafe)', 'Join Chats'],
} as const

it('without the feature of the API, the dialog is not offered', async () => {
  const inbox = await showConversation([])
  expect(screen.queryByRole('button', { name: 'Chats and client…' })).toBeNull()
  inbox.unmount()
})

it('names the first of several chats, and not the only one', async () => {
  const named: number[] = []
  for (const shown of [chats.chats, chats.chats.slice(0, 1)]) {
    const inbox = await showConversation()
    await openDialog()
    await inbox.answer('loadConversationChats', { ...chats, chats: shown })
    named.push(dialog().queryAllByText('First chat').length)
    inbox.unmount()
  }
  expect(named).toEqual([1, 0])
})

it('stays open while a step runs', async () => {
  const inbox = await showConversation()
  await openDialog()
  await inbox.answer('loadConversationChats', chats)
  await press(buttons.split[0])
  await click(question().getByRole('button', { name: 'Split Off' }))
  await press('Close')
  expect(question().getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', true)
  await inbox.answer('changeChats', moved)
  expect(screen.queryByRole('alertdialog')).toBeNull()
  inbox.unmount()
})

describe('The dialog, over every transition', () => {
  const paths = chatsModel([unlink, split, join('annie')]).everyTransitionInFewPaths()

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const inbox = await showConversation()
    await openDialog()
    const drive = driverOf(
      async (event: { type: string; term: string; step: { kind: keyof typeof buttons } }) => {
        if (event.type === 'search.typed') {
          const field = dialog().getByRole('textbox', { name: 'Search conversations', hidden: true })
          await act(async () => fireEvent.change(field, { target: { value: event.term } }))
        } else if (event.type === 'step.chosen') await press(buttons[event.step.kind][0])
        else if (event.type === 'step.confirmed') await click(question().getAllByRole('button')[1] as Element)
        else if (event.type === 'step.cancelled') await click(question().getByRole('button', { name: 'Cancel' }))
        else if (event.type === 'refetch.requested')
          await click(dialog().getAllByRole('button', { name: /^Try again/, hidden: true })[0] as Element)
        else await press('Close')
      },
      {
        calls: {
          loadConversationChats: inbox.control('loadConversationChats'),
          searchConversations: inbox.control('loadPage'),
          changeChats: inbox.control('changeChats'),
        },
        delays: { searchDebounce: () => inbox.pass(300), retryDelay: () => inbox.pass(2_000) },
      },
    )
    await follow(path, drive, ({ expected }) => {
      const shown = screen.queryByRole('dialog', { name: 'Chats and client', hidden: true })
      expect(shown !== null).toBe(expected.status !== 'done')
      if (shown === null) return
      const { chats, found } = expected.context
      const step = selectStep(expected)
      expect({
        status: chats === null ? within(shown).getAllByRole('status', { hidden: true })[0]?.textContent : null,
        candidates: within(shown)
          .queryAllByRole('button', { name: /^Join the chats of/, hidden: true })
          .map(({ ariaLabel }) => ariaLabel),
        question: screen.queryByRole('alertdialog')?.textContent?.includes(step?.name ?? '-') ?? null,
      }).toEqual({
        status:
          chats === null
            ? expected.matches({ open: { work: 'failed' } })
              ? 'The chats could not be loaded.'
              : 'Loading the chats…'
            : null,
        candidates:
          chats === null || found === null ? [] : ['Join the chats of Annie (Cafe)', 'Join the chats of Anita (Cafe)'],
        question: step === null ? null : true,
      })
      if (chats !== null) expect(shown.textContent).toContain('Linked to Ana Reyes.')
    })
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})

it('a conversation of another client is shown and cannot be joined', async () => {
  const inbox = await showConversation()
  await openDialog()
  await inbox.answer('loadConversationChats', {
    client: { id: 'k1', name: '' },
    chats: [{ fb_user_id: 'ana', total_messages: 1, is_first: true }],
  })
  const field = dialog().getByRole('textbox', { name: 'Search conversations' })
  await act(async () => fireEvent.change(field, { target: { value: 'ann' } }))
  await inbox.pass(300)
  await inbox.answer('loadPage', foundRows)
  const other = dialog().getAllByRole('listitem').at(-1)
  expect([other?.textContent, dialog().getByText(/Linked to/, { selector: 'p' }).textContent]).toEqual([
    expect.stringContaining('Linked to another client'),
    'Linked to Unnamed client.',
  ])
  inbox.unmount()
})
