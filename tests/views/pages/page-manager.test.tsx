import { act, render, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { InspectionEvent, SnapshotFrom } from 'xstate'
import { pageFormMachine } from '../../../src/machines/pages/page-form.ts'
import type { Page } from '../../../src/schemas/page.ts'
import { PageForm } from '../../../src/views/pages/PageForm.tsx'
import { deletionOf, failures, ownerOf, pageOf, startPageForm } from '../../model/dialogs-fixture.ts'
import { createCoverage, follow, modelOf } from '../../model/harness.ts'
import { blockedReasonOf } from '../blocked-reason.ts'
import { found } from '../found.ts'
import { showInbox } from '../inbox-harness.tsx'
import { neededIn } from '../needed.ts'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(pageFormMachine)

const shop = pageOf('p1', {
  page_name: 'Shop',
  page_username: 'shop.ph',
  page_category: 'Bakery',
  shows_typing: false,
  shows_seen: true,
  updated_at: '2026-02-05T12:00:00Z',
})
const cafe = pageOf('p2', { page_name: 'Café', is_active: false, token_invalid_since: '2026-02-05T12:00:00Z' })

beforeAll(async () => {
  await import('../../../src/views/pages/PageManagerDialog.tsx')
})

async function openManager(pages: readonly Page[] | null = [shop, cafe], inspect = (_event: InspectionEvent) => {}) {
  const inbox = await showInbox({ inspect })
  await userEvent.click(screen.getByRole('button', { name: 'Manage pages' }))
  await screen.findByRole('dialog', { name: 'Manage Facebook Pages' })
  // The first load came from the start of the inbox, the second from opening the dialog.
  if (pages !== null) {
    await inbox.answer('loadPages', pages)
    if (inbox.waiting('loadPages').length > 0) await inbox.answer('loadPages', pages)
  }
  return inbox
}

const dialog = () => within(screen.getByRole('dialog', { name: 'Manage Facebook Pages' }))
const button = (name: string) => dialog().getByRole<HTMLButtonElement>('button', { name })
const field = (name: string) => dialog().getByLabelText<HTMLInputElement>(name)
const banner = () => document.querySelector('[id$=-verification]')?.textContent
const question = () => within(screen.getByRole('alertdialog', { name: 'Delete page' }))
const answerQuestion = (name: string) =>
  userEvent.click(within(screen.getByRole('alertdialog', { name: 'Discard changes' })).getByRole('button', { name }))
const rows = () =>
  dialog()
    .getAllByRole('listitem')
    .map((row) => row.textContent)

describe('The page manager', () => {
  it('shows that it is loading, and then that there are no pages', async () => {
    const inbox = await openManager(null)
    expect(dialog().getByRole('status').textContent).toBe('Loading pages...')
    while (inbox.waiting('loadPages').length > 0) await inbox.answer('loadPages', [])
    expect([
      dialog().getByText('No Facebook pages configured').tagName,
      dialog().getByText('Add your first Facebook page to start managing conversations').tagName,
    ]).toEqual(['P', 'P'])
  })

  it('shows the known facts of each page, the update time only if there is one, and a rejected token', async () => {
    await openManager()
    const [first, second] = rows()
    expect(first).toMatch(/ShopActive@shop\.ph · BakeryPage IDp1Added.*2026.*Updated.*2026/)
    expect(second).toMatch(/CaféInactiveToken no longer worksN\/A · No categoryPage IDp2Added/)
    expect([second?.includes('Updated'), second?.includes('The access token has not worked since')]).toEqual([
      false,
      true,
    ])
    await expectScreen()
  })

  it('removes bidirectional control characters from a username and a category', async () => {
    await openManager([{ ...shop, page_username: '\u202ehp.pohs', page_category: 'Bak\u0007ery\u2066' }])
    expect(rows()[0]).toContain('@hp.pohs · Bak ery')
  })

  it('shows when pictures are refreshed, and refreshes them by either button', async () => {
    const inbox = await openManager()
    expect(
      dialog().getByText(/Page pictures refresh automatically daily at 2:00 AM\. User profile pictures are disabled/)
        .tagName,
    ).toBe('P')
    const buttons = () => dialog().getAllByRole<HTMLButtonElement>('button', { name: /Refresh/ })
    await userEvent.click(found(buttons()[0], 'the first button'))
    expect([
      buttons().map(({ textContent, disabled }) => [textContent, disabled]),
      inbox.waiting('refreshPictures'),
    ]).toEqual([
      [
        ['Refreshing...', true],
        ['Refresh Page Pictures', true],
      ],
      [{ scope: 'pages' }],
    ])
    await inbox.answer('refreshPictures', { message: null, failures: [] })
    await userEvent.click(found(buttons()[1], 'the second button'))
    expect(inbox.waiting('refreshPictures')).toEqual([{ scope: 'all' }])
  })

  it('closes on Escape and restores the focus', async () => {
    await openManager()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBe(null)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Manage pages' })))
  })
})

describe('The page form', () => {
  it('adds a page: verifies the token, fills in the empty name, and reloads the list', async () => {
    const inbox = await openManager()
    await userEvent.click(button('Add Page'))
    expect([blockedReasonOf(button('Add Page')), document.activeElement === field('Page Name')]).toEqual([
      'Enter the page access token.',
      true,
    ])
    await expectScreen()
    await userEvent.click(button('Verify Token'))
    expect(inbox.waiting('verifyToken')).toEqual([])
    await userEvent.type(field('Page Access Token'), 'EAAB1')
    expect([banner(), blockedReasonOf(button('Add Page'))]).toEqual([
      'Not verified yet. Verify the token to save the page.',
      'Verify the token.',
    ])
    await userEvent.click(button('Verify Token'))
    expect([inbox.waiting('verifyToken'), banner(), button('Verifying...').disabled]).toEqual([
      [{ token: 'EAAB1' }],
      'Verifying...',
      true,
    ])
    await inbox.answer('verifyToken', ownerOf('p9', { name: 'Prints & Co', username: 'prints', category: 'Shop' }))
    expect([banner(), field('Page Name').value, blockedReasonOf(button('Add Page'))]).toEqual([
      '✓ Valid: this token belongs to Prints & Co@prints · Shop',
      'Prints & Co',
      false,
    ])
    await userEvent.dblClick(button('Add Page'))
    expect([inbox.waiting('savePage'), button('Saving...').disabled]).toEqual([
      [{ pageId: null, name: 'Prints & Co', token: 'EAAB1', isActive: true }],
      true,
    ])
    await inbox.answer('savePage', undefined)
    await inbox.answer('loadPages', [shop, cafe, pageOf('p9', { page_name: 'Prints & Co' })])
    expect(rows().length).toBe(3)
  })

  it('tells password managers not to save the token, and never contains the stored token', async () => {
    await openManager()
    await userEvent.click(button('Edit Shop'))
    const token = dialog().getByLabelText<HTMLTextAreaElement>('Page Access Token')
    expect([
      token.tagName,
      token.value,
      token.autocomplete,
      token.getAttribute('spellcheck'),
      token.name,
      token.closest('form')?.getAttribute('autocomplete'),
      token.required,
    ]).toEqual(['TEXTAREA', '', 'off', 'false', '', 'off', false])
  })

  it('marks required fields, visibly and for screen readers; the token is required only for a new page', async () => {
    await openManager()
    await userEvent.click(button('Add Page'))
    expect(neededIn(screen.getByRole('form'))).toEqual({
      shown: ['Page Name', 'Page Access Token'],
      said: ['Page Name', 'Page Access Token'],
    })
    await userEvent.click(button('Cancel'))
    await userEvent.click(button('Edit Shop'))
    expect(neededIn(screen.getByRole('form'))).toEqual({ shown: ['Page Name'], said: ['Page Name'] })
  })

  it('keeps the input, including the token, while another screen is shown', async () => {
    const form = startPageForm(null)
    const first = render(<PageForm actor={form.actor} />)
    await userEvent.type(screen.getByLabelText('Page Access Token'), 'EAAB1')
    await userEvent.click(screen.getByRole('button', { name: 'Verify Token' }))
    await act(() => form.verify.resolve(ownerOf('p1', { name: 'Prints & Co' })))
    first.unmount()
    render(<PageForm actor={form.actor} />)
    expect([
      screen.getByLabelText<HTMLTextAreaElement>('Page Access Token').value,
      screen.getByLabelText<HTMLInputElement>('Page Name').value,
    ]).toEqual(['EAAB1', 'Prints & Co'])
    await userEvent.click(screen.getByRole('button', { name: 'Add Page' }))
    expect(form.save.inputs()).toEqual([{ pageId: null, name: 'Prints & Co', token: 'EAAB1', isActive: true }])
  })

  it('clears the token when it is closed', async () => {
    await openManager()
    await userEvent.click(button('Add Page'))
    await userEvent.type(field('Page Access Token'), 'EAAB1')
    await userEvent.click(button('Cancel'))
    await answerQuestion('Discard')
    await waitFor(() => expect(document.activeElement).toBe(button('Add Page')))
    await userEvent.click(button('Add Page'))
    expect(field('Page Access Token').value).toBe('')
  })

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['Close', () => userEvent.click(button('Close'))],
    ['Cancel', () => userEvent.click(button('Cancel'))],
  ])('asks before %s discards the input, including the token', async (_, leave) => {
    await openManager()
    await userEvent.click(button('Add Page'))
    await userEvent.type(field('Page Name'), 'Cakes')
    await userEvent.type(field('Page Access Token'), 'EAAB1')
    await leave()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep editing'))
    await expectScreen()
    await answerQuestion('Keep editing')
    expect([field('Page Name').value, field('Page Access Token').value]).toEqual(['Cakes', 'EAAB1'])
  })

  it('shows that a token is invalid until the token is edited', async () => {
    const inbox = await openManager()
    await userEvent.click(button('Add Page'))
    await userEvent.type(field('Page Access Token'), 'bad')
    await userEvent.click(button('Verify Token'))
    await inbox.fail('verifyToken', failures.refused)
    expect([
      banner(),
      field('Page Access Token').getAttribute('aria-invalid'),
      field('Page Access Token').value,
    ]).toEqual(['✗ Invalid. Token verification failed: The network refused the call.', 'true', 'bad'])
    await expectScreen()
    await userEvent.type(field('Page Access Token'), '2')
    expect([banner(), field('Page Access Token').getAttribute('aria-invalid')]).toEqual([
      'Not verified yet. Verify the token to save the page.',
      null,
    ])
  })

  it('deactivates a page without its token and keeps the input if that fails', async () => {
    const inbox = await openManager()
    await userEvent.click(button('Edit Shop'))
    const said = () => document.getElementById(field('Page Name').getAttribute('aria-describedby') ?? '')?.textContent
    expect(said()).toBe(undefined)
    await userEvent.clear(field('Page Name'))
    expect([said(), button('Update Page').disabled]).toEqual(['Enter the name of the page.', true])
    await userEvent.type(field('Page Name'), 'Shop 2')
    await userEvent.click(field('Active'))
    await userEvent.click(field('That somebody is writing a reply'))
    await userEvent.click(button('Update Page'))
    const senderActions = { typing: true, seen: true }
    expect(inbox.waiting('savePage')).toEqual([
      { pageId: 'p1', name: 'Shop 2', token: '', isActive: false, senderActions },
    ])
    await inbox.fail('savePage', failures.refused)
    expect([dialog().getByRole('alert').textContent, field('Page Name').value, field('Active').checked]).toEqual([
      'Failed to update page: The network refused the call.',
      'Shop 2',
      false,
    ])
  })
})

describe('Deleting a page', () => {
  it('asks first, lists what is deleted together with the page, and focuses Cancel', async () => {
    const inbox = await openManager()
    await userEvent.click(button('Delete Shop'))
    expect([
      question().getByText('Are you sure you want to delete "Shop"? This action cannot be undone.').tagName,
      question().getByRole<HTMLButtonElement>('button', { name: 'Delete page' }).disabled,
    ]).toEqual(['P', true])
    await waitFor(() => expect(document.activeElement).toBe(question().getByRole('button', { name: 'Cancel' })))
    await inbox.answer('loadDeletion', deletionOf())
    expect(
      question()
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual([
      '12 conversations will be deleted',
      '340 messages will be deleted',
      "3 conversations stay, without this page's messages",
      '1 message that may not have arrived will not be sent again',
    ])
    await expectScreen()
    await userEvent.click(question().getByRole('button', { name: 'Delete page' }))
    expect(inbox.waiting('deletePage')).toEqual([{ pageId: 'p1' }])
    await inbox.answer('deletePage', 'Page deleted')
    await inbox.answer('loadPages', [cafe])
    expect([screen.queryByRole('alertdialog'), rows().length]).toEqual([null, 1])
    await waitFor(() => expect(document.activeElement).toBe(button('Add Page')))
  })

  it('is cancelled by Escape, which leaves the page manager open', async () => {
    const inbox = await openManager()
    await userEvent.click(button('Delete Shop'))
    await inbox.fail('loadDeletion', failures.noAnswer)
    expect(question().getByRole('status').textContent).toBe(
      "We could not check what will be deleted. The page's messages are deleted, and the conversations that no other page shares.",
    )
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBe(null))
    expect([rows().length, inbox.waiting('deletePage')]).toEqual([2, []])
  })
})

describe('The page form, on every path of its model,', () => {
  type Snapshot = SnapshotFrom<typeof pageFormMachine>
  const paths = modelOf(pageFormMachine, {
    input: { page: shop },
    vertex: ({ context: { page: _, ...seen } }: Snapshot) => seen,
    cases: {
      // The name affects no other state: one step that types it, from the initial state, is enough.
      'name.edited': ({ context }) => (context.token === '' && context.isActive ? [{ name: 'Shop 2' }] : []),
      'active.chosen': ({ context }) => (context.isActive ? [{ isActive: false }] : []),
      'senderActions.chosen': ({ context }) =>
        context.token === '' && context.isActive && context.senderActions?.typing === false
          ? [{ senderActions: { typing: true, seen: true } }]
          : [],
      // The screen allows no edits while saving or while a confirmation is open.
      'token.edited': (snapshot) =>
        snapshot.matches({ open: { work: 'editing' } }) ? [{ token: snapshot.context.token === '' ? 'T' : '' }] : [],
      'verification.requested': (snapshot) =>
        snapshot.matches({ open: { verification: 'verifying' } }) || snapshot.matches({ open: { work: 'leaving' } })
          ? []
          : [{}],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.verifyToken': [{ output: ownerOf('p1') }, { output: ownerOf('p2') }],
      'xstate.error.actor.verifyToken': [{ error: failures.refused }, { error: failures.noAnswer }],
      'xstate.done.actor.savePage': [{ output: undefined }],
      'xstate.error.actor.savePage': [{ error: failures.refused }],
    },
    stopWhen: ({ context }) =>
      context.name === 'Shop 2' ||
      context.senderActions?.typing === true ||
      (context.error !== null && !context.isActive),
  }).everyTransitionInFewPaths()

  const expected = ({ context, value, status }: Snapshot) => {
    if (status === 'done' || typeof value === 'string') return context.isDismissed ? 'closed' : 'list'
    const { verification, work } = value.open
    return {
      banner: {
        unverified:
          context.problem ?? (context.token !== '' ? 'Not verified yet. Verify the token to save the page.' : ''),
        verifying: 'Verifying...',
        valid: '✓ Valid: this token belongs to Page p1',
        invalid: `✗ Invalid. ${context.problem}`,
      }[verification],
      error: context.error,
      name: context.name,
      save: work === 'saving' ? 'Saving...' : 'Update Page',
      enabled: work !== 'saving' && (verification === 'valid' || context.token === ''),
      active: context.isActive,
      showsTyping: context.senderActions?.typing,
      asks: work === 'leaving',
    }
  }

  const seen = () => {
    const [shown] = screen.queryAllByRole('dialog', { name: 'Manage Facebook Pages', hidden: true })
    if (shown === undefined) return 'closed'
    const save = shown.querySelector<HTMLButtonElement>('button[type=submit]')
    if (save === null) return 'list'
    return {
      banner: banner(),
      error: within(shown).queryByRole('alert', { hidden: true })?.textContent ?? null,
      name: within(shown).getByLabelText<HTMLInputElement>('Page Name').value,
      save: save.textContent,
      enabled: !save.disabled,
      active: within(shown).getByLabelText<HTMLInputElement>('Active').checked,
      showsTyping: within(shown).getByLabelText<HTMLInputElement>('That somebody is writing a reply').checked,
      asks: screen.queryByRole('alertdialog') !== null,
    }
  }

  it(`matches its model over ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await openManager([shop, cafe], coverage.inspect)
      await userEvent.click(button('Edit Shop'))
      await follow(
        path,
        {
          'name.edited': () => userEvent.type(field('Page Name'), ' 2'),
          'active.chosen': () => userEvent.click(field('Active')),
          'senderActions.chosen': () => userEvent.click(field('That somebody is writing a reply')),
          'token.edited': ({ token }) =>
            token === ''
              ? userEvent.clear(field('Page Access Token'))
              : userEvent.type(field('Page Access Token'), 'T'),
          'verification.requested': () => userEvent.click(button('Verify Token')),
          'form.submitted': () => userEvent.click(button('Update Page')),
          'form.cancelled': () => userEvent.click(button('Cancel')),
          'discard.confirmed': () => answerQuestion('Discard'),
          'discard.refused': () => answerQuestion('Keep editing'),
          'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
          ...inbox.ends('verifyToken'),
          'xstate.done.actor.savePage': () => inbox.answer('savePage', undefined),
          'xstate.error.actor.savePage': ({ error }) => inbox.fail('savePage', error),
        },
        (step) => expect(seen()).toEqual(expected(step.expected)),
      )
      inbox.unmount()
    }
  }, 300_000)
})

describe('The walk of the page form', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition except unavailable ones and Escape in a confirmation, which handles Escape itself', () =>
    expect(coverage.transitionsMissed()).toEqual([
      'pageForm.open.verification.verifying -- verification.requested --> stays',
      'pageForm.open.work.leaving -- dialog.dismissed --> pageForm.open.work.editing',
    ]))
})
