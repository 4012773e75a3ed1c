import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { pagesMachine } from '../../../src/machines/pages/pages.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { faults, messageIn } from '../../model/inbox-fixture.ts'
import { pagesModel, shop } from '../../model/list/stats-and-pages-fixture.ts'
import { showInbox } from '../inbox-harness.tsx'
import userEvent from '../user-event.ts'

const coverage = createCoverage(pagesMachine)

beforeAll(async () => {
  await import('../../../src/views/pages/PageManagerDialog.tsx')
})

const manager = () => screen.queryByRole('dialog', { name: 'Manage Facebook Pages' })

async function closeManager() {
  if (manager() === null) return
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(manager()).toBe(null), { timeout: 10_000 })
}

/** Opening the dialog reloads the pages. */
async function openManager() {
  await closeManager()
  fireEvent.click(screen.getByRole('button', { name: 'Manage pages' }))
  await screen.findByRole('dialog', { name: 'Manage Facebook Pages' }, { timeout: 10_000 })
}

const tryAgain = () => fireEvent.click(screen.getByRole('button', { name: 'Try again' }))

async function refresh() {
  await closeManager()
  fireEvent.click(screen.getByRole('button', { name: 'Refresh conversations' }))
}

function seen() {
  const dialog = manager()
  const list = dialog?.querySelector('.scroller')
  const rows = dialog ? within(dialog).queryAllByRole('button', { name: /^Edit/ }) : []
  return {
    filter: [...screen.getByLabelText('Page').querySelectorAll('option')].map(({ textContent }) => textContent),
    manager: dialog && (rows.length > 0 ? rows.map((row) => row.ariaLabel) : list?.textContent),
  }
}

type Snapshot = SnapshotFrom<typeof pagesMachine>

/** Loaded pages stay on the screen. A load error is shown only if no pages are loaded. */
const expected = ({ context: { pages }, value }: Snapshot, isOpen: boolean) => {
  const names = pages.inOrder.map((page) => page.page_name)
  const nothing = value === 'loading' ? 'Loading pages...' : 'Failed to load Facebook pagesTry again'
  return {
    filter: ['All Pages', ...names],
    manager: isOpen ? (names.length > 0 ? names.map((name) => `Edit ${name}`) : nothing) : null,
  }
}

describe('The page filter and the list of pages show the state of the pages', () => {
  const paths = pagesModel().everyTransitionInFewPaths()

  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect })
      let isOpen = false
      let offersToTryAgain = false
      await follow(
        path,
        {
          'refetch.requested': () => {
            if (isOpen && offersToTryAgain) return tryAgain()
            isOpen = false
            return refresh()
          },
          'pages.invalidated': () => {
            isOpen = true
            return openManager()
          },
          'page.accepted': ({ pageId }) =>
            inbox.tell({
              type: 'message.sent',
              conversationId: 'maria',
              message: messageIn('maria', 1, pageId === undefined ? {} : { page_id: pageId }),
            }),
          'xstate.after.retryDelay.pages.failed.waiting': () => inbox.pass(2_000),
          ...inbox.ends('loadPages'),
        },
        ({ expected: snapshot }) => {
          expect(seen()).toEqual(expected(snapshot, isOpen))
          expect(inbox.waiting('loadPages').length).toBe(snapshot.value === 'loading' ? 1 : 0)
          offersToTryAgain = snapshot.matches('failed') && snapshot.context.pages.inOrder.length === 0
        },
      )
      inbox.unmount()
    }
  }, 300_000)

  it('offer a retry in the dialog after a load error', async () => {
    const inbox = await showInbox()
    await openManager()
    await inbox.fail('loadPages', faults.refused)
    const failed = seen().manager
    tryAgain()
    const asked = [seen().manager, inbox.waiting('loadPages').length]
    await inbox.answer('loadPages', [shop])
    expect([failed, asked, seen().manager]).toEqual([
      'Failed to load Facebook pagesTry again',
      ['Loading pages...', 1],
      ['Edit Shop'],
    ])
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
