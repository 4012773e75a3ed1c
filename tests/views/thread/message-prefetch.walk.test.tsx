import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../../src/machines/session-events.ts'
import { messagePrefetchMachine } from '../../../src/machines/thread/message-prefetch.ts'
import { createCoverage } from '../../model/harness.ts'
import { faults, inserted, messageIn, row } from '../../model/inbox-fixture.ts'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(messagePrefetchMachine)

const newestOf = (id: string) => ({ messages: [messageIn(id, 1, { is_read: true })], hasMore: false })
const asked = (id: string) => ({ conversationId: id, pageId: null, page: 1 })
const texts = () => screen.queryAllByRole('article').map((bubble) => bubble.querySelector('p')?.textContent)

async function start() {
  const inbox = await showInbox({ inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf(['c1', 'c2', 'c3'].map((id, index) => row(id, 10 - index))))
  return {
    ...inbox,
    press: (id: string) =>
      act(async () => {
        const option = found(document.getElementById(`conversation-${id}`), id)
        fireEvent.pointerDown(option, { pointerType: 'mouse', button: 0 })
      }),
    asks: () => inbox.waiting('loadMessages'),
  }
}

describe('The messages that a press on a row asks for', () => {
  it('are shown at once if they came before the click, with what arrived in between', async () => {
    const inbox = await start()
    await inbox.press('c1')
    await inbox.answer('loadMessages', newestOf('c1'))
    await inbox.change([inserted('c1', 2), inserted('c2', 2)])
    await inbox.open('c1')
    expect([texts(), inbox.asks()]).toEqual([['at 1', 'at 2'], []])
    inbox.unmount()
  })

  it('are shown when they come after the click', async () => {
    const inbox = await start()
    await inbox.press('c1')
    await inbox.open('c1')
    expect([texts(), inbox.asks()]).toEqual([[], [asked('c1')]])
    await inbox.answer('loadMessages', newestOf('c1'))
    expect([texts(), inbox.asks()]).toEqual([['at 1'], []])
    // The second press of a double click.
    await inbox.press('c1')
    expect(inbox.asks()).toEqual([])
    inbox.unmount()
  })

  it('fail as those of the thread fail if the click came first, and otherwise silently', async () => {
    const inbox = await start()
    await inbox.press('c1')
    await inbox.open('c1')
    await inbox.fail('loadMessages', faults.refused)
    expect(screen.getByText('Failed to load messages')).toBeTruthy()
    await inbox.press('c2')
    await inbox.fail('loadMessages', faults.refused)
    await inbox.open('c2')
    expect([screen.queryByText('Failed to load messages'), inbox.asks()]).toEqual([null, [asked('c2')]])
    inbox.unmount()
  })

  it('are left to the thread if another row is pressed before they came', async () => {
    const inbox = await start()
    await inbox.press('c1')
    await inbox.open('c1')
    await inbox.press('c2')
    // The first request was aborted.
    expect(inbox.asks()).toEqual([asked('c2'), asked('c1')])
    inbox.unmount()
  })

  it('are not used for another conversation', async () => {
    const inbox = await start()
    await inbox.press('c1')
    await inbox.open('c2')
    expect(inbox.asks()).toEqual([asked('c1'), asked('c2')])
    inbox.unmount()
  })

  it('are asked for again a second after the press', async () => {
    const inbox = await start()
    await inbox.press('c1')
    await inbox.answer('loadMessages', newestOf('c1'))
    await inbox.pass(1_000)
    await inbox.open('c1')
    expect([texts(), inbox.asks()]).toEqual([[], [asked('c1')]])
    inbox.unmount()
  })

  it.each<SessionEvent>([
    { type: 'refetch.requested' },
    { type: 'resync.requested' },
    { type: 'conversation.gone', id: 'c1' },
    { type: 'users.changed', changes: [{ type: 'UPDATE', row: { id: 'u1', primary_user_id: 'c1' } }] },
  ])('are asked for again after $type', async (event) => {
    const inbox = await start()
    await inbox.press('c1')
    await inbox.answer('loadMessages', newestOf('c1'))
    await inbox.tell(event)
    await inbox.open('c1')
    expect([texts(), inbox.asks()]).toEqual([[], [asked('c1')]])
    inbox.unmount()
  })

  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
