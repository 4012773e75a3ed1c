import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { pageManagerMachine } from '../../../src/machines/pages/page-manager.ts'
import { pageManagerModel, pageOf } from '../../model/dialogs-fixture.ts'
import { createCoverage, createToastLog, follow } from '../../model/harness.ts'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import userEvent from '../user-event.ts'

const coverage = createCoverage(pageManagerMachine)
const shop = pageOf('p1', { page_name: 'Shop' })
type Snapshot = SnapshotFrom<typeof pageManagerMachine>

beforeAll(async () => {
  await import('../../../src/views/pages/PageManagerDialog.tsx')
})

const manager = () => screen.queryAllByRole('dialog', { name: 'Manage Facebook Pages', hidden: true })[0]
const question = () => screen.queryByRole('alertdialog', { name: 'Delete page' })
const press = (room: HTMLElement | null | undefined, name: string) => {
  return fireEvent.click(within(found(room, `what has a button ${name}`)).getByRole('button', { name }))
}
const buttonsIn = (room: HTMLElement, name: RegExp) =>
  within(room)
    .getAllByRole<HTMLButtonElement>('button', { name, hidden: true })
    .map(({ textContent, disabled }) => [textContent, disabled])

async function open() {
  const log = createToastLog()
  const inbox = await showInbox({
    inspect: (event) => {
      coverage.inspect(event)
      log.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf([]))
  fireEvent.click(screen.getByRole('button', { name: 'Manage pages' }))
  await screen.findByRole('dialog', { name: 'Manage Facebook Pages' }, { timeout: 10_000 })
  await inbox.answer('loadPages', [shop])
  return { ...inbox, toasts: log.toasts }
}
type Inbox = Awaited<ReturnType<typeof open>>

function seen(inbox: Inbox) {
  const dialog = manager()
  if (dialog === undefined) return 'closed'
  const asked = question()
  const form = within(dialog).queryByRole('form', { hidden: true })
  return {
    shows: form
      ? within(form).getByLabelText<HTMLInputElement>('Page Name').value
      : buttonsIn(dialog, /^(Edit|Delete) /).length,
    pictures: form ? null : buttonsIn(dialog, /^Refresh/),
    question: asked && {
      asks: within(asked).getByText(/^Are you sure/).textContent,
      says: within(asked).getByRole('status').textContent,
      buttons: buttonsIn(asked, /./),
    },
    asks: [inbox.waiting('loadDeletion'), inbox.waiting('deletePage'), inbox.waiting('refreshPictures')],
  }
}

const whatGoes = {
  lookingUp: 'Checking what will be deleted...',
  known:
    '12 conversations will be deleted340 messages will be deleted' +
    "3 conversations stay, without this page's messages1 message that may not have arrived will not be sent again",
  unknown:
    "We could not check what will be deleted. The page's messages are deleted, and the conversations that no other page shares.",
}

/** Spec sections 2 and 5. A page is deleted only after its related data was shown, and only once. */
const expected = ({ value, context: { item: page, deletion } }: Snapshot) => {
  if (typeof value === 'string') return 'closed'
  const { work, pictures } = value.open
  const isRefreshing = pictures === 'refreshing'
  const step = work === 'deleting' ? work : typeof work === 'object' ? work.asking : null
  const known = deletion === null ? whatGoes.unknown : whatGoes.known
  const refresh = ['Refresh Page Pictures', isRefreshing]
  return {
    shows: work === 'form' ? (page?.page_name ?? '') : 2,
    pictures: work === 'form' ? null : [isRefreshing ? ['Refreshing...', true] : refresh, refresh],
    question: step && {
      asks: 'Are you sure you want to delete "Shop"? This action cannot be undone.',
      says: step === 'deleting' ? (deletion === null ? '' : whatGoes.known) : step === 'known' ? known : whatGoes[step],
      buttons: [
        ['Cancel', step === 'deleting'],
        [step === 'deleting' ? 'Deleting...' : 'Delete page', step === 'deleting' || step === 'lookingUp'],
      ],
    },
    asks: [
      step === 'lookingUp' ? [{ pageId: 'p1' }] : [],
      step === 'deleting' ? [{ pageId: 'p1' }] : [],
      isRefreshing ? [{ scope: 'pages' }] : [],
    ],
  }
}

const toasts: Readonly<Record<string, { kind: string; text: string }>> = {
  'xstate.done.actor.deletePage': { kind: 'success', text: 'Page deleted' },
  'xstate.error.actor.deletePage': { kind: 'error', text: 'Failed to delete page: The network refused the call.' },
  'xstate.done.actor.refreshPictures': { kind: 'success', text: 'Page pictures refreshed' },
  'xstate.error.actor.refreshPictures': { kind: 'error', text: 'Failed to refresh profile pictures' },
}

describe('The page manager shows the state of its machine', () => {
  const isIn = (snapshot: Snapshot, work: 'list' | 'form') => snapshot.matches({ open: { work } })
  const paths = pageManagerModel(shop, {
    // A confirmation covers the list and a form replaces it. Saving and deleting run to the end.
    'pictures.requested': (snapshot) => (isIn(snapshot, 'list') ? [{ scope: 'pages' }] : []),
    'dialog.dismissed': (snapshot) => (isIn(snapshot, 'list') ? [{}] : []),
  }).everyTransitionInFewPaths()

  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const inbox = await open()
      const told: unknown[] = []
      await follow(
        path,
        {
          'item.added': () => press(manager(), 'Add Page'),
          'item.edited': () => press(manager(), 'Edit Shop'),
          'deletion.requested': () => press(manager(), 'Delete Shop'),
          'deletion.confirmed': () => press(question(), 'Delete page'),
          'deletion.cancelled': () => press(question(), 'Cancel'),
          'pictures.requested': () =>
            fireEvent.click(found(screen.getAllByRole('button', { name: 'Refresh Page Pictures' })[0], 'the button')),
          'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
          'xstate.done.actor.pageForm': ({ output }) =>
            output.isDismissed ? userEvent.keyboard('{Escape}') : press(manager(), 'Cancel'),
          ...inbox.ends('loadDeletion', 'deletePage', 'refreshPictures'),
        },
        async (step) => {
          const said = toasts[step.event.type]
          if (said !== undefined) told.push(said)
          if (step.expected.status === 'done')
            await waitFor(() => expect(manager()).toBe(undefined), { timeout: 10_000 })
          // The session holds the list and reloads it after a change.
          while (inbox.waiting('loadPages').length > 0) await inbox.answer('loadPages', [shop])
          expect(seen(inbox)).toEqual(expected(step.expected))
          expect(inbox.toasts).toEqual(told)
        },
      )
      inbox.unmount()
    }
  }, 300_000)

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
