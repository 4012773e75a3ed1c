import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { clientDetailsMachine } from '../../src/machines/client-details.ts'
import { clientDetailsModel, laterFile } from '../model/clients-fixture.ts'
import { createCoverage, follow } from '../model/harness.ts'
import { messageIn, row } from '../model/inbox-fixture.ts'
import { listOf, showInbox } from './inbox-harness.tsx'

const coverage = createCoverage(clientDetailsMachine)
const list = listOf([row('c1', 1, { client_id: 'k1', client_first_name: 'Mary' })])

/** A conversation that is linked to a client, whose details were just asked for. */
async function openLinked() {
  const inbox = await showInbox({ inspect: coverage.inspect })
  await inbox.answer('loadTop', list)
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  return inbox
}

const sidebar = () => within(screen.getByRole('complementary', { name: 'Client details' }))
const press = (button: HTMLElement) => act(async () => fireEvent.click(button))

/** What the sidebar says of the client. */
function shown() {
  const pane = sidebar()
  const card = pane.getByText('Client Information').closest('section')
  const totals = ['Total Orders', 'Pending', 'Total Spent', 'Outstanding'].flatMap((name) => {
    const tile = pane.queryByText(name, { selector: 'dt' })
    return tile === null ? [] : [tile.nextElementSibling?.textContent]
  })
  return {
    says: [...(card?.querySelectorAll('p') ?? [])].map((line) => line.textContent),
    totals,
    orders: pane.queryAllByRole('listitem').map((line) => line.textContent),
    isLoading: pane.queryByText('Loading client details') !== null,
    hasFailed: pane.queryByText("The client's orders could not be loaded") !== null,
    canRetry: pane.queryByRole('button', { name: 'Try again' }) !== null,
    leadsTo: pane.getByRole('link', { name: 'View Client' }).getAttribute('href'),
  }
}

/** What is shown of a client of whom nothing came yet, of the first answer and of the later one. */
const unknown = { says: ['Linked to Client', 'Mary'], totals: [], orders: [] }
const first = {
  says: ['Linked to Client', 'Maria Santos k1', 'k1@santos.ph'],
  totals: ['1', '1', '₱0.00', '₱100.00'],
  orders: ['#101₱100.00Mar 1, 2026 · processingunpaid'],
}
const later = {
  says: ['Linked to Client', 'Later Santos k1', 'k1@santos.ph'],
  totals: ['2', '1', '₱40.00', '₱160.00'],
  orders: ['#102₱100.00Mar 2, 2026 · completedunpaid', '#101₱100.00Mar 1, 2026 · processingpartial'],
}
const saidOf = (file: unknown) => {
  if (file === null) return unknown
  return JSON.stringify(file) === JSON.stringify(laterFile) ? later : first
}

const expected = (snapshot: SnapshotFrom<typeof clientDetailsMachine>) => ({
  ...saidOf(snapshot.context.file),
  isLoading: snapshot.value === 'loading',
  hasFailed: snapshot.matches('failed'),
  canRetry: snapshot.matches('failed'),
  leadsTo: '/clients/k1',
})

describe('the sidebar shows what is known of a client, over every transition', () => {
  const paths = clientDetailsModel().everyTransition()

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const inbox = await openLinked()
    expect(shown()).toEqual({ ...unknown, isLoading: true, hasFailed: false, canRetry: false, leadsTo: '/clients/k1' })
    await follow(
      path,
      {
        'refresh.requested': async () => {
          const again = sidebar().queryByRole('button', { name: 'Try again' })
          await press(again ?? screen.getByRole('button', { name: 'Refresh conversations' }))
          if (again === null) await inbox.answer('loadTop', list)
        },
        'xstate.done.actor.loadClient': ({ output }) => inbox.answer('loadClient', output),
        'xstate.error.actor.loadClient': ({ error }) => inbox.fail('loadClient', error),
        'xstate.done.actor.refreshClient': ({ output }) => inbox.answer('loadClient', output),
        'xstate.error.actor.refreshClient': ({ error }) => inbox.fail('loadClient', error),
        'xstate.after.retryDelay.clientDetails.failed.waiting': () => inbox.pass(2_000),
      },
      (step) => expect(shown()).toEqual(expected(step.expected)),
    )
    inbox.unmount()
  })
})

describe('the walk through the sidebar is complete', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
