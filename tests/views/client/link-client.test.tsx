import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { InspectionEvent, SnapshotFrom } from 'xstate'
import { linkClientMachine } from '../../../src/machines/client/link-client.ts'
import { clientOf, faults, filled, linkOf } from '../../model/client/clients-fixture.ts'
import { createCoverage, follow, modelOf } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { blockedReasonOf } from '../blocked-reason.ts'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { neededIn } from '../needed.ts'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(linkClientMachine)

const maria = clientOf('k1', { phone: '0917', company_name: 'Santos Catering' })
const taken = clientOf('k3', { fb_user_id: 'u9' })
const created = clientOf('k9', { first_name: 'Person', last_name: 'c1' })
const clientsById = Object.fromEntries([maria, taken, created].map((client) => [client.id, client]))
const conversation = row('c1', 1, { unified_name: 'Ana Maria Cruz', first_name: 'Ana Maria', last_name: 'Cruz' })

beforeAll(async () => {
  await import('../../../src/views/client/LinkClientDialog.tsx')
})

async function openDialog(inspect = (_event: InspectionEvent) => {}) {
  const inbox = await showInbox({ inspect })
  await inbox.answer('loadTop', listOf([conversation]))
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  await userEvent.click(screen.getByRole('button', { name: 'Link to Client' }))
  await screen.findByRole('dialog', { name: 'Link Client' })
  return inbox
}

const dialog = () => within(screen.getByRole('dialog', { name: 'Link Client' }))
const search = () => dialog().getByPlaceholderText<HTMLInputElement>('Search by name, email, phone, or company...')
const button = (name: string) => dialog().getByRole<HTMLButtonElement>('button', { name })
const field = (name: string) => dialog().getByLabelText<HTMLInputElement>(name)
const option = (name: RegExp) => dialog().getByRole<HTMLInputElement>('radio', { name })
const word = () => dialog().getByRole('status').textContent

type Inbox = Awaited<ReturnType<typeof openDialog>>

const searchFor = async (inbox: Inbox, term: string) => {
  await userEvent.clear(search())
  await userEvent.type(search(), term)
  await inbox.pass(300)
}

describe('The Link Client dialog', () => {
  it('shows the chat user and an empty search', async () => {
    await openDialog()
    expect([
      dialog().getByText('Ana Maria Cruz', { selector: 'p.font-semibold' }).textContent,
      document.activeElement === search(),
      button('Link Client').disabled,
    ]).toEqual(['Ana Maria Cruz', true, true])
    await expectScreen()
  })

  it('focuses the search box as soon as it opens', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([conversation]))
    await inbox.open('c1')
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'Link to Client' }))
    await user.keyboard('maria')
    expect(search().value).toBe('maria')
  })

  it('shows Unknown User for a person without a name', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([{ ...conversation, unified_name: null, first_name: null, last_name: null }]))
    await inbox.open('c1')
    await userEvent.click(screen.getByRole('button', { name: 'Link to Client' }))
    await screen.findByRole('dialog', { name: 'Link Client' })
    expect(dialog().getByText('Unknown User')).toBeDefined()
  })

  it('shows that it is searching, and then the clients found with their details', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'maria')
    expect([inbox.waiting('searchClients'), word()]).toEqual([[{ term: 'maria' }], 'Searching...'])
    await inbox.answer('searchClients', [maria, taken])
    expect([
      word(),
      dialog().getAllByRole('radio').length,
      dialog().getByText('Already linked').textContent,
      document.getElementById(option(/Santos k1/).getAttribute('aria-describedby') ?? '')?.textContent,
    ]).toEqual(['', 2, 'Already linked', 'k1@santos.ph · 0917 · Santos Catering'])
    await expectScreen()
    await userEvent.type(search(), '{ArrowDown}')
    expect(document.activeElement).toBe(option(/Santos k1/))
  })

  it('names the search text if no client was found', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, ' zz top ')
    await inbox.answer('searchClients', [])
    expect([word(), button('Create new client').disabled]).toEqual(['No clients found matching "zz top"', false])
  })

  it('refuses a client that is already linked', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'maria')
    await inbox.answer('searchClients', [taken])
    await userEvent.click(option(/Santos k3/))
    expect([option(/Santos k3/).checked, blockedReasonOf(button('Link Client'))]).toEqual([false, 'Choose a client.'])
  })

  it('marks the chosen client, links it once, and closes on the linked client', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'maria')
    await inbox.answer('searchClients', [maria])
    await userEvent.click(option(/Santos k1/))
    expect([option(/Santos k1/).checked, dialog().getByRole('img', { name: 'Selected' }) !== null]).toEqual([
      true,
      true,
    ])
    await userEvent.dblClick(button('Link Client'))
    expect([inbox.waiting('linkClient'), button('Linking...').disabled, button('Cancel').disabled]).toEqual([
      [{ fbUserId: 'c1', clientId: 'k1' }],
      true,
      true,
    ])
    await inbox.answer('linkClient', undefined)
    expect([screen.queryByRole('dialog'), screen.getByText('Linked to Client').tagName]).toEqual([null, 'SPAN'])
    expect(inbox.waiting('loadProfile')).toEqual([{ clientId: 'k1' }])
    await waitFor(() => expect(document.activeElement).toBe(screen.getByPlaceholderText('Type a message...')))
  })

  it('shows the conflict if another user linked the client first, and keeps the search', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'maria')
    await inbox.answer('searchClients', [maria])
    await userEvent.click(option(/Santos k1/))
    await userEvent.click(button('Link Client'))
    await inbox.fail('linkClient', faults.conflict)
    expect([dialog().getByRole('alert').textContent, search().value, option(/Santos k1/).checked]).toEqual([
      'This client is already linked to another Facebook user',
      'maria',
      true,
    ])
    await expectScreen()
  })

  it('prefills the first name with the first word of the chat name, and the last name with the rest', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'nobody')
    await inbox.answer('searchClients', [])
    await userEvent.click(button('Create new client'))
    expect([
      field('First Name').value,
      field('Last Name').value,
      document.activeElement === field('First Name'),
    ]).toEqual(['Ana', 'Maria Cruz', true])
    expect([field('First Name').required, field('Last Name').required, field('Email').type]).toEqual([
      true,
      true,
      'email',
    ])
    await expectScreen()
  })

  it('marks the names as required, visibly and for screen readers', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'nobody')
    await inbox.answer('searchClients', [])
    await userEvent.click(button('Create new client'))
    expect(neededIn(screen.getByRole('form', { name: 'New client' }))).toEqual({
      shown: ['First Name', 'Last Name'],
      said: ['First Name', 'Last Name'],
    })
  })

  it('shows an error at each incomplete field and sends no request', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'nobody')
    await inbox.answer('searchClients', [])
    await userEvent.click(button('Create new client'))
    await userEvent.clear(field('First Name'))
    await userEvent.clear(field('Last Name'))
    await userEvent.type(field('Last Name'), ' ')
    await userEvent.type(field('Email'), 'ana')
    await userEvent.tab()
    const said = (name: string) =>
      document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent ?? null
    const all = () => ['First Name', 'Last Name', 'Email'].map(said)
    const why = () => blockedReasonOf(button('Create & Link'))
    expect([all(), why()]).toEqual([
      ['Enter the first name.', 'Enter the last name.', 'Enter an email address, like name@example.com.'],
      'Enter the first name.',
    ])
    await expectScreen()
    await userEvent.type(field('First Name'), 'Ana')
    expect([all(), why()]).toEqual([
      [null, 'Enter the last name.', 'Enter an email address, like name@example.com.'],
      'Enter the last name.',
    ])
    await userEvent.type(field('Last Name'), 'Cruz')
    await userEvent.type(field('Email'), '@example.com')
    expect([all(), why(), inbox.waiting('createClient')]).toEqual([[null, null, null], false, []])
    await userEvent.click(button('Create & Link'))
    expect(inbox.waiting('createClient').length).toBe(1)
  })

  it('shows no error for a field that still has the focus', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'nobody')
    await inbox.answer('searchClients', [])
    await userEvent.click(button('Create new client'))
    await userEvent.clear(field('First Name'))
    await userEvent.type(field('Email'), 'ana@')
    const described = ['Last Name', 'Email'].map((name) => field(name).getAttribute('aria-describedby'))
    expect([described, button('Create & Link').disabled]).toEqual([[null, null], true])
  })

  it('keeps all typed text after a failure and on return to the search', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'nobody')
    await inbox.answer('searchClients', [])
    await userEvent.click(button('Create new client'))
    await userEvent.type(field('Phone'), '0917')
    await userEvent.type(field('Company'), 'Cruz Bakery')
    await userEvent.click(button('Create & Link'))
    const typed = () => ['First Name', 'Last Name', 'Email', 'Phone', 'Company'].map((name) => field(name).value)
    const expected = ['Ana', 'Maria Cruz', '', '0917', 'Cruz Bakery']
    expect([inbox.waiting('createClient'), typed(), button('Creating...').disabled]).toEqual([
      [{ fields: { firstName: 'Ana', lastName: 'Maria Cruz', email: '', phone: '0917', company: 'Cruz Bakery' } }],
      expected,
      true,
    ])
    await inbox.fail('createClient', faults.broken)
    expect([typed(), dialog().getByRole('alert').textContent]).toEqual([
      expected,
      'We do not know whether the client was created. Search for the name before you try again.',
    ])
    await userEvent.click(button('Cancel'))
    expect(search().value).toBe('nobody')
    await userEvent.click(button('Create new client'))
    expect(typed()).toEqual(expected)
  })

  it('closes on a press outside, but not while the form is open', async () => {
    const inbox = await openDialog()
    const press = () => userEvent.click(found(screen.getByRole('dialog').parentElement, 'what lies beside it'))
    await searchFor(inbox, 'nobody')
    await inbox.answer('searchClients', [])
    await userEvent.click(button('Create new client'))
    await press()
    expect(field('First Name').value).toBe('Ana')
    await userEvent.click(button('Cancel'))
    await press()
    expect(screen.queryByRole('dialog')).toBe(null)
  })

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['Close', () => userEvent.click(button('Close'))],
    ['going back in the browser', (inbox: Inbox) => inbox.open('c2')],
  ])('asks before %s discards the data of a new client', async (_, leave) => {
    const inbox = await openDialog()
    await searchFor(inbox, 'nobody')
    await inbox.answer('searchClients', [])
    await userEvent.click(button('Create new client'))
    await userEvent.type(field('Phone'), '0917')
    await leave(inbox)
    const question = await screen.findByRole('alertdialog', { name: 'Discard changes' })
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep editing'))
    await expectScreen()
    await userEvent.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(field('Phone').value).toBe('0917')
  })

  it('closes on Escape and Cancel and restores the focus', async () => {
    await openDialog()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBe(null)
    const opener = screen.getByRole('button', { name: 'Link to Client' })
    await waitFor(() => expect(document.activeElement).toBe(opener))
    await userEvent.click(opener)
    await userEvent.click(button('Cancel'))
    expect(screen.queryByRole('dialog')).toBe(null)
  })

  it('stays open while linking is in progress', async () => {
    const inbox = await openDialog()
    await searchFor(inbox, 'maria')
    await inbox.answer('searchClients', [maria])
    await userEvent.click(option(/Santos k1/))
    await userEvent.click(button('Link Client'))
    await userEvent.keyboard('{Escape}')
    await userEvent.click(button('Close'))
    expect(button('Linking...').disabled).toBe(true)
  })
})

describe('The Link Client dialog, on every path of its model,', () => {
  type Snapshot = SnapshotFrom<typeof linkClientMachine>
  const typed = { ...filled, firstName: 'Ana', lastName: 'Maria Cruz', phone: '0917' }
  const paths = modelOf(linkClientMachine, {
    input: linkOf(conversation),
    vertex: ({ context }) => context,
    cases: {
      'search.typed': ({ context }) => (context.term === '' ? [{ term: 'maria' }] : []),
      'refetch.requested': [{}],
      // A press on the chosen option changes nothing.
      'client.chosen': ({ context }) =>
        (context.found?.clientIds ?? [])
          .filter((id) => id !== context.selected)
          .map((id) => ({ client: clientsById[id] })),
      'link.requested': [{}],
      'form.opened': (snapshot) => (snapshot.context.found === null ? [] : [{}]),
      'fields.typed': ({ context }) => (context.fields.phone === '' ? [{ fields: typed }] : []),
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.searchClients': [{ output: [maria, taken] }, { output: [] }],
      'xstate.error.actor.searchClients': [{ error: faults.unreadable }],
      'xstate.done.actor.linkClient': [{ output: undefined }],
      'xstate.error.actor.linkClient': [{ error: faults.conflict }],
      'xstate.done.actor.createClient': [{ output: created }],
      'xstate.error.actor.createClient': [{ error: faults.invalid }, { error: faults.noAnswer }],
      'xstate.done.actor.linkCreated': [{ output: undefined }],
      'xstate.error.actor.linkCreated': [{ error: faults.forbidden }],
    },
  }).everyTransitionInFewPaths()

  /** The expected content at each step. */
  const expected = (snapshot: Snapshot) => {
    const { context, value } = snapshot
    if (typeof value === 'string') return null
    const { search: at, work } = value.open
    return {
      main: {
        choosing: 'Link Client',
        linking: 'Linking...',
        editing: 'Create & Link',
        leaving: 'Create & Link',
        creating: 'Creating...',
        linkingCreated: 'Creating...',
      }[work],
      asks: work === 'leaving',
      phone: ['choosing', 'linking'].includes(work) ? null : context.fields.phone,
      error: context.error,
      searching: ['choosing', 'linking'].includes(work) ? at === 'debouncing' || at === 'searching' : null,
      chosen: ['choosing', 'linking'].includes(work) ? (clientsById[context.selected ?? '']?.last_name ?? null) : null,
    }
  }

  const seen = () => {
    const [shown] = screen.queryAllByRole('dialog', { name: 'Link Client', hidden: true })
    if (shown === undefined) return null
    const within_ = within(shown)
    const chosen = within_.queryByRole('radio', { checked: true })
    const phone = within_.queryByLabelText<HTMLInputElement>('Phone')
    return {
      main: shown.querySelector('button[type=submit]')?.textContent,
      asks: screen.queryByRole('alertdialog') !== null,
      phone: phone?.value ?? null,
      error: within_.queryByRole('alert', { hidden: true })?.textContent ?? null,
      searching: within_.queryByRole('status') === null ? null : word() === 'Searching...',
      chosen: chosen?.closest('label')?.querySelector('bdi')?.textContent?.replace(/^\S+ /, '') ?? null,
    }
  }

  const answer = (name: string) =>
    userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name }))

  it.each(paths)('path %$', async (path) => {
    const inbox = await openDialog(coverage.inspect)
    await follow(
      path,
      {
        'search.typed': ({ term }) => userEvent.type(search(), term),
        'refetch.requested': () => userEvent.click(button('Try again')),
        'client.chosen': ({ client }) => userEvent.click(option(new RegExp(client.last_name))),
        'link.requested': () => userEvent.click(button('Link Client')),
        'form.opened': () => userEvent.click(button('Create new client')),
        'fields.typed': () => userEvent.type(field('Phone'), '0917'),
        'form.submitted': () => userEvent.click(button('Create & Link')),
        'discard.confirmed': () => answer('Discard'),
        'discard.refused': () => answer('Keep editing'),
        'form.cancelled': () => userEvent.click(button('Cancel')),
        'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
        'xstate.after.searchDebounce.linkClient.open.search.debouncing': () => inbox.pass(300),
        ...inbox.ends('searchClients'),
        'xstate.done.actor.linkClient': () => inbox.answer('linkClient', undefined),
        'xstate.error.actor.linkClient': ({ error }) => inbox.fail('linkClient', error),
        ...inbox.ends('createClient'),
        'xstate.done.actor.linkCreated': () => inbox.answer('linkClient', undefined),
        'xstate.error.actor.linkCreated': ({ error }) => inbox.fail('linkClient', error),
      },
      (step) => expect(seen()).toEqual(expected(step.expected)),
    )
    inbox.unmount()
  })
})

describe('The walk of the Link Client dialog', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition except Escape in a confirmation, which the confirmation handles itself', () =>
    expect(coverage.transitionsMissed()).toEqual([
      'linkClient.open.work.leaving -- dialog.dismissed --> linkClient.open.work.editing',
    ]))
})
