import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { Reacted } from '../../../src/domain/thread/reaction-calls.ts'
import { reactionsMachine } from '../../../src/machines/send/reactions.ts'
import type { Feature } from '../../../src/schemas/feature.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { createCoverage, createToastLog, follow } from '../../model/harness.ts'
import { at, messageIn, row } from '../../model/inbox-fixture.ts'
import { reactedTo, reactionsModel } from '../../model/send/reactions-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(reactionsMachine)
const features: readonly Feature[] = ['reactions', 'replies', 'receipts', 'search']

/** Opens a conversation with two messages of the person. */
async function openThread({
  offered = features,
  messages,
  permissions = ['conversations.read', 'messages.send'],
}: {
  offered?: readonly Feature[]
  messages?: Message[]
  permissions?: string[]
} = {}) {
  const log = createToastLog()
  const inbox = await showInbox({
    person: { ...user, permissions, features: [...offered] },
    inspect: (event) => {
      coverage.inspect(event)
      log.inspect(event)
    },
  })
  const platform = 'messenger' as const
  await inbox.answer('loadTop', listOf([row('c1', 1, { platform, last_incoming_at: new Date().toISOString() })]))
  await inbox.open('c1')
  const thread = messages ?? [messageIn('c1', 1, { is_read: true }), messageIn('c1', 2, { is_read: true })]
  await inbox.answer('loadMessages', { messages: thread, hasMore: false })
  await act(() => vi.dynamicImportSettled())
  return { ...inbox, toasts: log.toasts }
}

const bubble = (minute: number) => {
  const found = screen.getAllByRole('article').find(({ textContent }) => textContent?.includes(`at ${minute}`))
  if (found === undefined) throw new Error('the text is in no bubble')
  return found
}
const minuteOf = (messageId: string) => Number(messageId.at(-1))
const reactionsAt = (minute: number) =>
  within(bubble(minute))
    .queryAllByRole('listitem')
    .map((item) => item.querySelector('[aria-hidden]')?.textContent)

const openChoices = (minute: number) =>
  userEvent.click(within(bubble(minute)).getByRole('button', { name: 'Reply to this message or react' }))

async function press({ messageId, emoji }: Reacted) {
  await openChoices(minuteOf(messageId))
  const shown = within(bubble(minuteOf(messageId)))
  const name = emoji === null ? /^Take . back$|^Take .. back$/u : `React with ${emoji}`
  const button = shown.queryByRole('button', { name })
  if (button === null) return false
  await userEvent.click(button)
  return true
}

describe('The choices at a bubble', () => {
  it('offer to reply and what the network takes, by keyboard and without axe violations', async () => {
    const inbox = await openThread()
    const button = within(bubble(1)).getByRole('button', { name: 'Reply to this message or react' })
    button.focus()
    await userEvent.keyboard('{Enter}')
    const group = within(bubble(1)).getByRole('group', { name: 'Reply to this message or react' })
    expect(
      within(group)
        .getAllByRole('button')
        .map((one) => one.getAttribute('aria-label')),
    ).toEqual(['Reply to this message', ...['❤', '👍', '😆', '😮', '😢', '😠'].map((emoji) => `React with ${emoji}`)])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Reply to this message')
    await expectScreen()
    await userEvent.keyboard('{Escape}')
    expect([within(bubble(1)).queryByRole('group'), document.activeElement]).toEqual([null, button])
    inbox.unmount()
  })

  const reply = ['Reply to this message']
  const react = ['❤', '👍', '😆', '😮', '😢', '😠'].map((emoji) => `React with ${emoji}`)
  it.each<[string, Parameters<typeof openThread>[0] & { id?: string; own?: string }, string[]]>([
    ['replies and reactions', {}, [...reply, ...react]],
    ['replies and reactions, of which one is taken back', { own: '❤' }, [...reply, 'Take ❤ back', ...react.slice(1)]],
    ['replies with an API of replies', { offered: ['replies'] }, reply],
    ['reactions with an API of reactions', { offered: ['reactions'] }, react],
    ['nothing with an API of neither', { offered: ['saved-replies'] }, []],
    ['nothing to a person who may not send', { permissions: ['conversations.read'] }, []],
    ['nothing for a message without an id of the network', { id: 'temp_1' }, []],
    ['nothing for a press of a button', { id: 'postback:1' }, []],
  ])('are %s', async (_, { id = 'm-c1-1', own = null, ...rest }, offered) => {
    const reactions = [{ by: 'page' as const, emoji: own, at: at(2) }]
    const messages = [messageIn('c1', 1, { is_read: true, message_id: id, reactions })]
    const inbox = await openThread({ ...rest, messages })
    const toggle = within(bubble(1)).queryByRole('button', { name: 'Reply to this message or react' })
    if (toggle !== null) await userEvent.click(toggle)
    const [group] = within(bubble(1)).queryAllByRole('group', { name: 'Reply to this message or react' })
    const names = group === undefined ? [] : within(group).getAllByRole('button')
    expect([toggle !== null, names.map((one) => one.getAttribute('aria-label'))]).toEqual([offered.length > 0, offered])
    inbox.unmount()
  })
})

describe('A reply to a certain message', () => {
  it('stands above the text, is kept with the draft, can be removed and is sent with it', async () => {
    const inbox = await openThread()
    await openChoices(1)
    await userEvent.click(screen.getByRole('button', { name: 'Reply to this message' }))
    expect(screen.getByText('Replying to Person').nextElementSibling?.textContent ?? '').toBe('at 1')
    await userEvent.click(screen.getByRole('button', { name: 'Do not reply to this message' }))
    expect(screen.queryByText(/^Replying to/)).toBe(null)
    await openChoices(2)
    await userEvent.click(screen.getByRole('button', { name: 'Reply to this message' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'Yes{Enter}')
    await inbox.answer('findBestPage', { pageId: 'p1', reason: null })
    await inbox.answer('findIdentity', { psid: 'psid', platform: null })
    expect(inbox.waiting('sendMessage')).toMatchObject([{ text: 'Yes', replyTo: 'm-c1-2' }])
    expect(screen.queryByText(/^Replying to/)).toBe(null)
    inbox.unmount()
  })
})

describe('A message that replies to another one', () => {
  it.each([
    ['known', 'Are you open?', 'Person c1 Are you open?'],
    ['deleted', null, 'The original message was deleted'],
    ['unknown', null, 'The original message is not in this inbox'],
  ] as const)('quotes an original that is %s', async (state, text, shown) => {
    const reply_to = {
      message_id: 'm-c1-1',
      state,
      direction: state === 'known' ? ('incoming' as const) : null,
      author: null,
      text,
    }
    const inbox = await openThread({ messages: [messageIn('c1', 2, { is_read: true, reply_to })] })
    const button = within(bubble(2)).queryByRole('button', { name: /^Show the original message/ })
    const isItalic = bubble(2).querySelector('.italic') !== null
    const isKnown = state === 'known'
    expect([bubble(2).textContent?.startsWith(`${shown}at 2`), button !== null, isItalic]).toEqual([
      true,
      isKnown,
      !isKnown,
    ])
    if (button !== null) {
      await userEvent.click(button)
      expect(inbox.waiting('loadAround')).toMatchObject([{ conversationId: 'c1', messageId: 'm-c1-1' }])
    }
    inbox.unmount()
  })
})

describe('Receipts under own messages', () => {
  const own = (minute: number) => messageIn('c1', minute, { direction: 'outgoing', is_read: true })

  it('say what was delivered and seen, and follow realtime without moving back', async () => {
    const inbox = await openThread({ messages: [own(1), own(2)] })
    const told = (read: number | null, delivered: number) => ({
      type: 'UPDATE' as const,
      row: {
        id: 'u1',
        primary_user_id: 'c1',
        page_id: 'p1',
        delivered_up_to: at(delivered),
        read_up_to: read === null ? null : at(read),
        read_at: read === null ? null : at(read),
      },
    })
    const receipts = () =>
      screen.getAllByRole('article').map(({ textContent }) => /Delivered|Seen/.exec(textContent ?? '')?.[0] ?? null)
    await inbox.changeUsers([told(null, 2)])
    expect(receipts()).toEqual([null, 'Delivered'])
    await inbox.changeUsers([told(1, 2)])
    expect(receipts()).toEqual(['Seen', 'Delivered'])
    await inbox.changeUsers([told(2, 2), told(1, 1)])
    expect(receipts()).toEqual([null, 'Seen'])
    inbox.unmount()
  })
})

describe('The walk through the reactions at the bubbles', () => {
  const paths = reactionsModel().everyTransitionInFewPaths()

  it(`shows the expected reactions on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await openThread()
      const told = new Map<number, string | null>()
      let count = 0
      await follow(
        path,
        {
          'reaction.chosen': async (event) => {
            const wish = event as unknown as Reacted
            // The button of the reaction that is set already takes it back, so the machine is told itself.
            const shown = reactionsAt(minuteOf(wish.messageId))
            const isOffered = wish.emoji === null ? shown.length > 0 : !shown.includes(wish.emoji)
            if (isOffered) expect(await press(wish)).toBe(true)
            else await act(async () => inbox.app.system.get('reactions').send({ ...wish, type: 'reaction.chosen' }))
          },
          'xstate.done.actor.react': async () => {
            const [sent] = inbox.waiting('react') as Reacted[]
            if (sent === undefined) throw new Error('nothing is being sent')
            count += 1
            await inbox.answer('react', reactedTo(sent, count))
            told.set(minuteOf(sent.messageId), sent.emoji)
          },
          'xstate.error.actor.react': ({ error }) => inbox.fail('react', error),
        },
        async ({ expected }) => {
          await act(async () => {})
          for (const minute of [1, 2]) {
            const wish = expected.context.wished.find(({ messageId }) => minuteOf(messageId) === minute)
            const own = wish === undefined ? (told.get(minute) ?? null) : wish.emoji
            expect(reactionsAt(minute)).toEqual(own === null ? [] : [own])
          }
        },
      )
      inbox.unmount()
      inbox.app.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
