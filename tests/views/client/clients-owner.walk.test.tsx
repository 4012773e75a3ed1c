import { screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { clientsMachine } from '../../../src/machines/client/clients.ts'
import { clientOf } from '../../model/client/clients-fixture.ts'
import { createCoverage, followByHand } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import userEvent from '../user-event.ts'

const coverage = createCoverage(clientsMachine)

beforeAll(async () => {
  await Promise.all([
    import('../../../src/views/client/LinkClientDialog.tsx'),
    import('../../../src/views/client/ContactLines.tsx'),
  ])
})

const maria = clientOf('k1', { phone: '0917' })
const options = () => screen.queryAllByRole('radio').map((option) => option.closest('label')?.textContent)

/** The lines about the linked client in the sidebar. */
const linked = () => {
  const card = within(screen.getByRole('complementary', { name: 'Client details' })).getByText('Client Information')
  return [...(card.closest('section')?.querySelectorAll(':scope > p') ?? [])].map((line) => line.textContent)
}

describe('The link dialog and the sidebar', () => {
  it('show the same data of a client after every change', async () => {
    const inbox = await showInbox({ inspect: coverage.inspect })
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
    await followByHand(clientsMachine, [
      {
        name: 'staff search for a client',
        run: async () => {
          await userEvent.click(screen.getByRole('button', { name: 'Link to Client' }))
          await userEvent.type(await screen.findByPlaceholderText(/^Search by name/), 'maria')
          await inbox.pass(300)
          await inbox.answer('searchClients', [maria])
        },
        check: () => expect(options()).toEqual(['Maria Santos k1k1@santos.ph · 0917']),
      },
      {
        name: 'the client is linked, and the sidebar shows what the search has found',
        run: async () => {
          await userEvent.click(screen.getByRole('radio'))
          await userEvent.click(screen.getByRole('button', { name: 'Link Client' }))
          await inbox.answer('linkClient', undefined)
        },
        check: () =>
          expect([linked(), inbox.waiting('loadProfile')]).toEqual([
            ['Linked to Client', 'Maria Santos k1', 'k1@santos.ph', '0917'],
            [{ clientId: 'k1' }],
          ]),
      },
      {
        name: 'the profile completes the data, and leaves the phone out',
        run: () => {
          const { phone: _, ...profile } = { ...maria, company_name: 'Santos Catering', fb_user_id: 'c1' }
          return inbox.answer('loadProfile', { client: profile })
        },
        check: () =>
          expect(linked()).toEqual(['Linked to Client', 'Maria Santos k1', 'Santos Catering', 'k1@santos.ph', '0917']),
      },
      {
        name: 'the client gets labels, which an API without labels does not show',
        run: () => inbox.tell({ type: 'clientLabels.told', clientId: 'k1', labels: { version: 1, label_ids: ['l1'] } }),
        check: () =>
          expect(linked()).toEqual(['Linked to Client', 'Maria Santos k1', 'Santos Catering', 'k1@santos.ph', '0917']),
      },
      {
        name: 'the link is removed',
        run: () =>
          inbox.tell({
            type: 'chats.changed',
            changes: [{ type: 'UPDATE', row: { id: 'c1', client_id: null } }],
            unlinkedClient: 'k1',
          }),
        check: () => expect(screen.getByText('Not linked to a client')).toBeDefined(),
      },
    ])
    inbox.unmount()
  })

  it('cover every state and transition of the clients', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
