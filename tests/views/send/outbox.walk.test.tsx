import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import { selectSession } from '../../../src/machines/app.ts'
import { outboxMachine } from '../../../src/machines/send/outbox.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { createCoverage, createToastLog, follow } from '../../model/harness.ts'
import { outboxModel } from '../../model/send/outbox-fixture.ts'
import { failures, outgoingOf } from '../../model/send/send-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(outboxMachine)
const first = messageOf('m1', 1, { is_read: true, message_text: 'Hello po' })

/** Opens the conversation while the outbox of an earlier tab is being read. */
async function openAna() {
  const log = createToastLog()
  const inbox = await showInbox({
    holdsOutbox: true,
    inspect: (event) => {
      coverage.inspect(event)
      log.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf([conversationOf()]))
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [first], hasMore: false })
  await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
  return { ...inbox, toasts: log.toasts }
}

const thread = () => within(screen.getByRole('region', { name: 'Thread' }))
const bubble = (text: string) => {
  const found = thread()
    .getAllByRole('article')
    .find((article) => within(article).queryByText(text) !== null)
  if (found === undefined) throw new Error(`${text} is in no bubble`)
  return found
}
const pressAt = (text: string, name: string) =>
  act(async () => fireEvent.click(within(bubble(text)).getByRole('button', { name })))

/** The row shows when the message was sent. */
const isSent = (article: Element) => article.querySelector(':scope > p > time') !== null

const marks = ['A message was not sent', 'A message may not have arrived']

/** What the thread, the list and the composer show about the sends of staff. */
const shown = (inbox: Awaited<ReturnType<typeof openAna>>) => ({
  bubbles: thread()
    .getAllByRole('article')
    .map((article) => ({
      text: ['Hello po', 'left behind', 'hello'].find((text) => within(article).queryByText(text) !== null),
      says: isSent(article) ? null : article.querySelector(':scope > p > span')?.textContent,
      offers: within(article)
        .queryAllByRole('button')
        .map(({ textContent }) => textContent),
    })),
  row: marks.filter((mark) => screen.queryByText(mark) !== null),
  header: screen.queryByRole('button', { name: /unsent message/ })?.getAttribute('aria-label') ?? null,
  offer: screen.queryByRole('button', { name: /waiting message/ })?.textContent ?? null,
  button: screen.getByRole('form', { name: 'Reply' }).querySelector('[type=submit]')?.textContent,
  toasts: inbox.toasts.map(({ text }) => text),
})

const saysOf = ({ status, failure }: Outgoing): string | null => {
  if (status === 'queued') return 'Waiting to send'
  if (status === 'pending') return 'Sending…'
  if (status === 'failed') return `Not sent: ${failure}`
  if (status === 'waiting') return 'Not sent yet'
  return status === 'notFound'
    ? 'May not have arrived. If you send it again, it may arrive twice.'
    : 'May not have arrived: checking with the page… If you send it again, it may arrive twice.'
}

const isGoing = ({ status }: Outgoing) => status === 'queued' || status === 'pending'
const offersOf = (send: Outgoing) => {
  if (isGoing(send)) return []
  return send.status === 'notFound' ? ['Check again', 'Send again', 'Discard'] : ['Send again', 'Discard']
}

const countOf = (count: number) => [null, '1 unsent message', '2 unsent messages'][count]

function markOf(outgoing: readonly Outgoing[]) {
  const stuck = outgoing.filter((send) => !isGoing(send))
  if (stuck.some(({ status }) => status === 'failed' || status === 'waiting')) return ['A message was not sent']
  return stuck.length > 0 ? ['A message may not have arrived'] : []
}

/** A sent message is among the messages; an unsent one is below them. */
const expected = (
  { context: { outgoing } }: SnapshotFrom<typeof outboxMachine>,
  sent: readonly Message[],
  toasts: readonly string[],
) => ({
  bubbles: [
    ...[first, ...sent].map(({ message_text: text }) => ({ text, says: null, offers: [] })),
    ...outgoing.map((send) => ({ text: send.text, says: saysOf(send), offers: offersOf(send) })),
  ],
  row: markOf(outgoing),
  header: countOf(outgoing.filter((send) => !isGoing(send)).length),
  offer: outgoing.some(({ status }) => status === 'waiting') ? 'Send 1 waiting message' : null,
  button: outgoing.some(isGoing) ? 'Sending…' : 'Send',
  toasts,
})

describe('The thread shows the state of each send, over every transition', () => {
  const paths = outboxModel().everyTransitionInFewPaths()

  it.each(paths)('path %$', async (path) => {
    const inbox = await openAna()
    const session = selectSession(inbox.app.getSnapshot())
    const sent: Message[] = []
    const toasts: string[] = []
    const fail = (error: unknown, text: string) => {
      toasts.push(text)
      return inbox.fail('sendMessage', error)
    }
    /** The stored message, with the idempotency key of the send. */
    const arrived = ({ text }: Outgoing) => {
      const outgoing: readonly Outgoing[] = session?.system.get('outbox').getSnapshot().context.outgoing ?? []
      const key = outgoing.find((send) => send.text === text)?.key
      const message = messageOf(`m-${key}`, 600 * (1 + sent.length), {
        direction: 'outgoing',
        is_read: true,
        message_text: text,
        idempotency_key: key,
      })
      sent.push(message)
      toasts.push('Message sent successfully')
      return message
    }
    /**
     * Connects first, because a live connection checks for the message at once. Without a connection, a toast would
     * report that meanwhile.
     */
    const lookInVain = async () => {
      await inbox.connect()
      await inbox.answer('loadMessages', { messages: [first, ...sent], hasMore: false })
      await inbox.answer('loadTop', listOf([conversationOf()]))
      await inbox.answer('findNewest', [])
      for (const pause of [4_000, 8_000, 16_000]) {
        await inbox.pass(pause)
        await inbox.answer('findNewest', [])
      }
    }
    const find = (outgoing: Outgoing) => inbox.answer('findNewest', [arrived(outgoing)])
    const ways: Record<string, (outgoing: Outgoing) => unknown> = {
      refused: () => fail(failures.inactivePage, 'This page is inactive.'),
      tokenDied: () => fail(failures.deadToken, 'Reconnect the page.'),
      lost: () => fail(failures.noAnswer, 'Network error. Please check your connection.'),
      notFound: lookInVain,
      retry: ({ text }) => pressAt(text, 'Send again'),
      answer: (outgoing) => {
        const { message_id: messageId, created_at: createdAt } = arrived(outgoing)
        return inbox.answer('sendMessage', { messageId, createdAt })
      },
      changed: async (outgoing) => {
        const record = arrived(outgoing)
        await inbox.change([{ type: 'INSERT', record }])
        // The request is never aborted: its response arrives after the row and changes nothing.
        const answer = { messageId: record.message_id, createdAt: record.created_at }
        if (inbox.waiting('sendMessage').length > 0) await inbox.answer('sendMessage', answer)
      },
      fetched: async (outgoing) => {
        await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Refresh conversations' })))
        arrived(outgoing)
        await inbox.answer('loadMessages', { messages: [first, ...sent], hasMore: false })
      },
      checked: async (outgoing) => {
        await inbox.pass(2_000)
        await find(outgoing)
      },
      checkedAgain: async (outgoing) => {
        await pressAt(outgoing.text, 'Check again')
        await find(outgoing)
      },
      resync: async (outgoing) => {
        await inbox.connect()
        await find(outgoing)
      },
    }
    const reported = ({ by, outgoing }: AnyEventObject) => ways[by]?.(outgoing)
    await follow(
      path,
      {
        'xstate.done.actor.loadOutgoing': ({ output }) => inbox.answer('loadOutgoing', output),
        'xstate.error.actor.loadOutgoing': () => inbox.fail('loadOutgoing', new Error('storage')),
        'send.requested': async ({ text }) => {
          const box = screen.getByPlaceholderText('Type a message...')
          fireEvent.change(box, { target: { value: text } })
          fireEvent.keyDown(box, { key: 'Enter' })
          fireEvent.keyDown(box, { key: 'Enter' })
        },
        'send.discarded': async ({ key }) => {
          await pressAt(key === 'a' ? 'left behind' : 'hello', 'Discard')
          const question = await screen.findByRole('alertdialog')
          await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Discard' })))
        },
        'waiting.retried': () =>
          act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send 1 waiting message' }))),
        'browser.online': (event) => act(async () => session?.send({ ...event, type: 'browser.online' })),
        'flow.progressed': reported,
        'flow.sent': reported,
      },
      async (step) => {
        await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
        expect(shown(inbox)).toEqual(expected(step.expected, sent, toasts))
      },
    )
    inbox.unmount()
  })
})

describe('Unsent messages to a person whom the server no longer knows', () => {
  it('are removed, in every state', async () => {
    const inbox = await openAna()
    await inbox.answer('loadOutgoing', [outgoingOf({ text: 'left behind', status: 'failed' })])
    fireEvent.change(screen.getByPlaceholderText('Type a message...'), { target: { value: 'hello' } })
    fireEvent.keyDown(screen.getByPlaceholderText('Type a message...'), { key: 'Enter' })
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
    const texts = () => ['left behind', 'hello'].filter((text) => thread().queryByText(text) !== null)
    expect(texts()).toEqual(['left behind', 'hello'])
    await inbox.tell({ type: 'conversation.gone', id: 'ana' })
    expect(texts()).toEqual([])
    inbox.unmount()
  })
})

describe('The walk of the outbox in the thread', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
