import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { recipientOf } from '../../../src/domain/send/outgoing.ts'
import { selectSession } from '../../../src/machines/app.ts'
import { unsentMachine } from '../../../src/machines/send/unsent.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { outgoingOf } from '../../model/send/send-fixture.ts'
import { unsentModel } from '../../model/send/unsent-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(unsentMachine)

const ben = conversationOf({ primary_user_id: 'ben', fb_user_id: 'ben-p1', unified_name: 'Ben Cruz' })
/** A message that surely was not sent, to a person in the list, and one that may have arrived, to one who is not. */
const failed = outgoingOf({
  key: 'a',
  text: 'first',
  status: 'failed',
  failure: 'This page is inactive.',
  pageId: 'p1',
})
const unknown = outgoingOf({
  key: 'b',
  text: 'second',
  status: 'unconfirmed',
  recipient: recipientOf(ben),
  pageId: 'p1',
})
const waiting = outgoingOf({ key: 'c', text: 'third', status: 'waiting', chosenPageId: 'p1' })

async function showUnsent(left = [failed, unknown], isOnline = () => true) {
  const inbox = await showInbox({ left, isOnline, inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf([conversationOf({ unified_name: 'Ana Reyes' })]))
  return inbox
}
const click = (element: Element) => act(async () => fireEvent.click(element))
const headerButton = () => screen.queryByRole('button', { name: /unsent message/ })
const openDialog = async () => {
  await click(headerButton() as Element)
  return within(await screen.findByRole('dialog', { name: 'Unsent messages' }))
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Unsent messages', hidden: true }))
const item = (text: string) => within(dialog().getByText(text).closest('li') as HTMLElement)

/** What the dialog shows of each message. */
const listed = () =>
  dialog()
    .queryAllByRole('listitem', { hidden: true })
    .map((each) => {
      const [who, text, state] = each.querySelectorAll(':scope > p')
      return [
        who?.querySelector('bdi')?.textContent,
        who?.querySelector('bdi')?.parentElement?.nextElementSibling?.textContent,
        text?.textContent,
        state?.textContent,
        within(each)
          .getAllByRole('button', { hidden: true })
          .slice(1)
          .map(({ textContent }) => textContent),
      ]
    })

const rows = {
  a: ['Ana Reyes', 'Bakery', 'first', 'Not sent: This page is inactive.', ['Send again', 'Discard']],
  b: [
    'Ben Cruz',
    'Bakery',
    'second',
    'May not have arrived: checking with the page… If you send it again, it may arrive twice.',
    ['Send again', 'Discard'],
  ],
}
const questions = {
  a: 'The message to Ana Reyes was not sent. Its text will be deleted.',
  b: 'The message to Ben Cruz may have arrived. Discarding it only removes it here.',
}

describe('The place for unsent messages', () => {
  it('is not shown while all messages are sent', async () => {
    await showUnsent([])
    expect([headerButton(), screen.queryByText('Not sent yet:')]).toEqual([null, null])
  })

  it('has no accessibility errors, with a question and without', async () => {
    await showUnsent([failed, unknown, waiting])
    await openDialog()
    await expectScreen()
    await click(item('first').getByRole('button', { name: 'Discard' }))
    await expectScreen()
  })

  it('opens the conversation of a message and closes', async () => {
    const inbox = await showUnsent()
    await openDialog()
    await click(item('second').getByRole('button', { name: 'Ben Cruz' }))
    expect([inbox.opened, screen.queryByRole('dialog')]).toEqual([['ben'], null])
  })

  it('sends a message again, checks for one, and says when nothing is left', async () => {
    const inbox = await showUnsent()
    for (const pause of [4_000, 8_000, 16_000, 0]) {
      await inbox.answer('findNewest', [])
      await inbox.pass(pause)
    }
    await openDialog()
    await click(item('second').getByRole('button', { name: 'Check again' }))
    expect(inbox.waiting('findNewest')).toEqual([{ conversationId: 'ben', pageId: 'p1' }])
    await click(item('second').getByRole('button', { name: 'Discard' }))
    await click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
    await click(item('first').getByRole('button', { name: 'Send again' }))
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
    expect([inbox.waiting('sendMessage'), headerButton()]).toEqual([
      [{ key: 'a', pageId: 'p1', psid: 'psid-ana-p1', text: 'first' }],
      null,
    ])
    expect(dialog().getByRole('status').textContent).toBe('All messages are sent.')
  })

  it('sends by one press all that wait, and no message that may have arrived', async () => {
    const inbox = await showUnsent([waiting, unknown, { ...waiting, key: 'd', text: 'fourth' }])
    const opened = await openDialog()
    const all = opened.getByRole('button', { name: 'Send all 2 waiting messages' })
    await waitFor(() => expect(all.matches(':focus')).toBe(true))
    await click(all)
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
    expect(inbox.waiting('sendMessage')).toMatchObject([{ key: 'c' }])
    await inbox.answer('sendMessage', { messageId: 'm1', createdAt: null })
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
    expect(inbox.waiting('sendMessage')).toMatchObject([{ key: 'd' }])
    expect(listed()).toEqual([rows.b])
  })
})

describe('The offer to send what waited', () => {
  const banner = () => screen.queryByText('Not sent yet:')?.closest('p')?.textContent ?? null

  it('appears when the browser is online again, names each person with the age, and sends nothing by itself', async () => {
    let isOnline = false
    const inbox = await showUnsent([waiting], () => isOnline)
    await click(screen.getByRole('button', { name: 'Send 1 waiting message' }))
    expect([banner(), headerButton()?.getAttribute('aria-label')]).toEqual([null, '1 unsent message'])
    isOnline = true
    await inbox.tell({ type: 'browser.online' })
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
    expect(banner()).toMatch(/^Not sent yet:Ana Reyes.+/)
    expect(inbox.waiting('sendMessage')).toEqual([])
    const send = screen.getByRole('button', { name: 'Send 1 waiting message' })
    send.focus()
    await click(send)
    expect(document.activeElement).toBe(document.querySelector('header + [tabindex]'))
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
    expect([inbox.waiting('sendMessage').length, banner(), headerButton()]).toEqual([1, null, null])
  })

  it('does not send unseen: more than three messages are sent from the list that shows their ages', async () => {
    await showUnsent(['1', '2', '3', '4', '5'].map((key) => ({ ...waiting, key })))
    expect(banner()).toMatch(/and 2 more$/)
    expect(screen.queryByRole('button', { name: /waiting messages/ })).toBeNull()
    await click(screen.getByRole('button', { name: 'Show' }))
    const opened = within(await screen.findByRole('dialog', { name: 'Unsent messages' }))
    expect(opened.getAllByRole('listitem').map((each) => each.querySelector('time') !== null)).toEqual(
      Array(5).fill(true),
    )
  })
})

describe('The dialog over every transition', () => {
  it.each(
    unsentModel()
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_title, path) => {
    const inbox = await showUnsent()
    await openDialog()
    const left = new Set<keyof typeof rows>(['a', 'b'])
    let asked: keyof typeof rows | null = null
    const answer = (name: string) => click(within(screen.getByRole('alertdialog')).getByRole('button', { name }))
    await follow(
      path,
      {
        'discard.requested': ({ send }) =>
          click(item(send.key === 'a' ? 'first' : 'second').getByRole('button', { name: 'Discard' })),
        'discard.confirmed': () => answer('Discard'),
        'discard.refused': () => answer('Cancel'),
        'dialog.dismissed': async () => {
          // Under the question the dialog has no button that can be pressed.
          if (asked === null) await click(dialog().getByRole('button', { name: 'Close' }))
          else {
            const actor = selectSession(inbox.app.getSnapshot())?.system.get('dialog')
            await act(async () => actor?.send({ type: 'dialog.dismissed' }))
          }
        },
      },
      ({ event, expected }) => {
        if (event.type === 'discard.confirmed' && asked !== null) left.delete(asked)
        asked = (expected.context.discarded?.key ?? null) as keyof typeof rows | null
        const isOpen = screen.queryByRole('dialog', { hidden: true }) !== null
        expect(isOpen).toBe(expected.status !== 'done')
        if (!isOpen) return
        const question = screen.queryByRole('alertdialog')
        expect(question?.textContent ?? null).toEqual(asked === null ? null : expect.stringContaining(questions[asked]))
        expect(listed()).toEqual([...left].map((each) => rows[each]))
      },
    )
    inbox.unmount()
  })
})

describe('The question about a message that is sent meanwhile', () => {
  it('says so and no longer offers to discard the message', async () => {
    const inbox = await showUnsent([failed])
    await openDialog()
    await click(item('first').getByRole('button', { name: 'Discard' }))
    const question = within(screen.getByRole('alertdialog'))
    const shown = () => [
      question.queryByText(questions.a) !== null,
      question.getByRole<HTMLButtonElement>('button', { name: 'Discard' }).disabled,
    ]
    const before = shown()
    await act(async () =>
      selectSession(inbox.app.getSnapshot())?.system.get('outbox')?.send({ type: 'send.retried', key: 'a' }),
    )
    expect([before, shown()]).toEqual([
      [true, false],
      [false, true],
    ])
    expect(
      question.getByText('The message to Ana Reyes is being sent or has been sent. It cannot be discarded any more.'),
    ).toBeTruthy()
    inbox.unmount()
  })
})

describe('The question about a message of the thread over every transition', () => {
  it.each(
    unsentModel('a')
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_title, path) => {
    const inbox = await showUnsent()
    await inbox.open('ana')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    const bubbles = () => screen.queryAllByRole('article', { hidden: true }).length
    await click(screen.getByRole('button', { name: 'Discard' }))
    const question = () => screen.queryByRole('alertdialog')
    await waitFor(() => expect(question()?.textContent).toContain(questions.a))
    const answer = (name: string) => click(within(question() as HTMLElement).getByRole('button', { name }))
    await follow(
      path,
      {
        'discard.confirmed': () => answer('Discard'),
        'discard.refused': () => answer('Cancel'),
        'dialog.dismissed': async () => {
          const actor = selectSession(inbox.app.getSnapshot())?.system.get('dialog')
          await act(async () => actor?.send({ type: 'dialog.dismissed' }))
        },
      },
      ({ event }) => {
        expect([question(), bubbles(), headerButton()?.getAttribute('aria-label')]).toEqual(
          event.type === 'discard.confirmed' ? [null, 0, '1 unsent message'] : [null, 1, '2 unsent messages'],
        )
      },
    )
    inbox.unmount()
  })
})

describe('The walk of the unsent messages', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
