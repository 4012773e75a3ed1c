import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import type { HeldClientData } from '../../../src/domain/client/client-data.ts'
import { clientDetailsMachine } from '../../../src/machines/client/client-details.ts'
import { clientDetailsModel, laterFile } from '../../model/client/clients-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(clientDetailsMachine)
const list = listOf([row('c1', 1, { client_id: 'k1', client_first_name: 'Mary' })])

/** Opens a conversation that is linked to a client. Its details are loading. */
async function openLinked() {
  await import('../../../src/views/client/ContactLines.tsx')
  const inbox = await showInbox({ inspect: coverage.inspect })
  await inbox.answer('loadTop', list)
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  return inbox
}

const sidebar = () => within(screen.getByRole('complementary', { name: 'Client details' }))
const press = (button: HTMLElement) => act(async () => fireEvent.click(button))

/** Changes come until the longest delay has passed. */
async function outlast(inbox: Awaited<ReturnType<typeof openLinked>>) {
  for (let second = 0; second < 10; second += 0.5) {
    await inbox.tell({ type: 'clientData.changed', clientIds: null })
    await inbox.pass(500)
  }
}

/** How each part of the client loads, and what the sidebar shows for it. */
const parts = {
  profile: {
    service: 'loadProfile',
    retry: 'Try again to load the profile',
    missed: "The client's profile could not be loaded",
    shown: () => {
      const card = sidebar().getByText('Client Information').closest('section')
      return [...(card?.querySelectorAll(':scope > p') ?? [])].map((line) => line.textContent)
    },
    unknown: ['Linked to Client', 'Mary'],
    waits: ['Linked to Client', 'Mary'],
    first: ['Linked to Client', 'Maria Santos k1', 'k1@santos.ph'],
    later: ['Linked to Client', 'Later Santos k1', 'k1@santos.ph'],
  },
  orders: {
    service: 'loadOrders',
    retry: 'Try again to load the orders',
    missed: "The client's orders could not be loaded",
    shown: () => [
      ...['Total Orders', 'Pending', 'Total Spent', 'Outstanding'].flatMap((name) => {
        const tile = sidebar().queryByText(name, { selector: 'dt' })
        return tile === null ? [] : [tile.nextElementSibling?.textContent]
      }),
      ...sidebar()
        .queryAllByRole('listitem')
        .map((line) => line.textContent),
      ...(sidebar().queryByText('Loading client details') === null ? [] : ['Loading']),
    ],
    unknown: [],
    waits: ['Loading'],
    first: ['1', '1', '₱0.00', '₱100.00', '#101₱100.00Mar 1, 2026 · processingunpaid'],
    later: [
      '2',
      '1',
      '₱40.00',
      '₱160.00',
      '#102₱100.00Mar 2, 2026 · completedunpaid',
      '#101₱100.00Mar 1, 2026 · processingpartial',
    ],
  },
} as const

describe.each(['profile', 'orders'] as const)('The sidebar shows the %s of a client after every transition', (name) => {
  const { service, retry, missed, shown, unknown, first, later, waits } = parts[name]
  const seen = () => ({
    shown: shown(),
    hasFailed: sidebar().queryByText(missed) !== null,
    canRetry: sidebar().queryByRole('button', { name: retry }) !== null,
    leadsTo: sidebar().getByRole('link', { name: 'View Client' }).getAttribute('href'),
  })
  const known = (data: HeldClientData) => (data.orders === laterFile.orders ? later : first)
  const expected = (snapshot: SnapshotFrom<typeof clientDetailsMachine>) => {
    const { data } = snapshot.context
    // Orders that were loaded stay on the screen when the client is gone.
    const hasFailed = snapshot.matches('failed') && (name === 'profile' || data === null)
    return {
      shown: data !== null ? known(data) : hasFailed ? unknown : waits,
      hasFailed,
      canRetry: hasFailed,
      leadsTo: '/clients/k1',
    }
  }

  it.each(clientDetailsModel().everyTransitionInFewPaths())('path %$', async (path) => {
    const inbox = await openLinked()
    expect(seen()).toEqual({ shown: waits, hasFailed: false, canRetry: false, leadsTo: '/clients/k1' })
    await follow(
      path,
      {
        'refetch.requested': async () => {
          const again = sidebar().queryByRole('button', { name: retry })
          await press(again ?? screen.getByRole('button', { name: 'Refresh conversations' }))
          if (again === null) await inbox.answer('loadTop', list)
        },
        'clientData.changed': ({ clientIds }) => inbox.tell({ type: 'clientData.changed', clientIds }),
        'xstate.after.changeDelay.clientDetails.showing.changed.pausing': () => inbox.pass(1_000),
        'xstate.after.longestChangeDelay.clientDetails.showing.changed': () => outlast(inbox),
        'xstate.done.actor.loadClient': ({ output }) => inbox.answer(service, output),
        'xstate.error.actor.loadClient': ({ error }) => inbox.fail(service, error),
        'xstate.done.actor.refreshClient': ({ output }) => inbox.answer(service, output),
        'xstate.error.actor.refreshClient': ({ error }) => inbox.fail(service, error),
        'xstate.after.retryDelay.clientDetails.failed.waiting': () => inbox.pass(2_000),
      },
      (step) => expect(seen()).toEqual(expected(step.expected)),
    )
    inbox.unmount()
  })
})

describe('The walk of the sidebar', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
