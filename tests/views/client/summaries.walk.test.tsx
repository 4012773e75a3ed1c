import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { selectSession } from '../../../src/machines/app.ts'
import { summariesMachine } from '../../../src/machines/client/summaries.ts'
import { summariesModel, summaryForm } from '../../model/client/clients-fixture.ts'
import { createCoverage, createToastLog, follow } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(summariesMachine)
const subject = { userId: 'c1', clientId: 'k1', ...summaryForm, platform: 'messenger' } as const

const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...')
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

/** Opens the conversation of a linked client, with a draft. */
async function openLinked() {
  const log = createToastLog()
  const inbox = await showInbox({
    inspect: (event) => {
      coverage.inspect(event)
      log.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf([row('c1', 1, { client_id: 'k1', platform: 'messenger' })]))
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  fireEvent.change(box(), { target: { value: 'Hello po' } })
  return { ...inbox, toasts: log.toasts }
}

type Shown = Awaited<ReturnType<typeof openLinked>>

const look = (name: string) => ({
  enabled: !button(name).disabled,
  busy: button(name).getAttribute('aria-busy') === 'true',
})

/** What the composer shows of the summaries, and which toasts and messages resulted. */
const shown = (inbox: Shown) => ({
  orders: look('Orders'),
  payments: look('Payments'),
  text: box().value,
  isToBeLookedAt: document.activeElement === box(),
  toasts: inbox.toasts.map(({ text }) => text),
  sent: [...inbox.waiting('findBestPage'), ...inbox.waiting('findIdentity'), ...inbox.waiting('sendMessage')],
})

/** A loaded summary is inserted into the input at once and replaces the previous one, the last of `made`. */
const expected = (
  { value }: SnapshotFrom<typeof summariesMachine>,
  made: readonly string[],
  toasts: readonly string[],
) => {
  const summary = made.at(-1) ?? null
  return {
    orders: { enabled: true, busy: value === 'fetchingOrders' },
    payments: { enabled: true, busy: value === 'fetchingPayments' },
    text: summary === null ? 'Hello po' : `Hello po\n\n${summary}`,
    isToBeLookedAt: summary !== null,
    toasts,
    sent: [],
  }
}

/** Without a client the buttons are disabled, and a request is rejected with a reason. */
async function askWithoutClient(inbox: Shown) {
  await inbox.changeUsers([{ type: 'UPDATE', row: { id: 'u1', client_id: null } }])
  expect([look('Orders'), look('Payments'), button('Orders').title]).toEqual([
    { enabled: false, busy: false },
    { enabled: false, busy: false },
    'Link a client first',
  ])
  const thread = selectSession(inbox.app.getSnapshot())?.system.get('thread')
  await act(async () => thread.send({ type: 'summary.requested', kind: 'payments' }))
  await inbox.changeUsers([{ type: 'UPDATE', row: { id: 'u1', client_id: 'k1' } }])
}

describe('The composer inserts summaries into its input, over every transition', () => {
  const paths = summariesModel(subject).everyTransitionInFewPaths()

  it.each(paths)('path %$', async (path) => {
    const inbox = await openLinked()
    const toasts: string[] = []
    const made: string[] = []
    const answer =
      (service: 'fetchOrders' | 'fetchPayments') =>
      ({ output }: AnyEventObject) => {
        const kind = service === 'fetchOrders' ? 'orders' : 'payments'
        expect(inbox.waiting(service)).toEqual([{ kind, ...subject }])
        made.push(output.text)
        return inbox.answer(service, output)
      }
    const fail =
      (service: 'fetchOrders' | 'fetchPayments') =>
      ({ error }: AnyEventObject) => {
        toasts.push('Network error. Please check your connection.')
        return inbox.fail(service, error)
      }
    await follow(
      path,
      {
        'summary.requested': async ({ kind, clientId }) => {
          if (clientId !== null)
            return act(async () => fireEvent.click(button(kind === 'orders' ? 'Orders' : 'Payments')))
          toasts.push('No linked client found')
          return askWithoutClient(inbox)
        },
        // The composer already took the text when it arrived.
        'summary.taken': () => {},
        'xstate.done.actor.fetchOrders': answer('fetchOrders'),
        'xstate.error.actor.fetchOrders': fail('fetchOrders'),
        'xstate.done.actor.fetchPayments': answer('fetchPayments'),
        'xstate.error.actor.fetchPayments': fail('fetchPayments'),
      },
      (step) => expect(shown(inbox)).toEqual(expected(step.expected, made, toasts)),
    )
    inbox.unmount()
  })
})

describe('The walk of the summaries in the composer', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
