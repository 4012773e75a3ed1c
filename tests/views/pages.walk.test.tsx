import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { pagesMachine } from '../../src/machines/pages.ts'
import { createCoverage, follow } from '../model/harness.ts'
import { pagesModel } from '../model/stats-and-pages-fixture.ts'
import { showInbox } from './inbox-harness.tsx'

const coverage = createCoverage(pagesMachine)

beforeAll(async () => {
  await import('../../src/views/dialogs/PageManagerDialog.tsx')
})

const manager = () => screen.queryByRole('dialog', { name: 'Manage Facebook Pages' })

async function closeManager() {
  if (manager() === null) return
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(manager()).toBe(null), { timeout: 10_000 })
}

/** Opening the dialog asks for the pages anew. */
async function openManager() {
  await closeManager()
  fireEvent.click(screen.getByRole('button', { name: 'Manage pages' }))
  await screen.findByRole('dialog', { name: 'Manage Facebook Pages' }, { timeout: 10_000 })
}

async function askAgain() {
  const again = screen.queryByRole('button', { name: 'Try again' })
  if (manager() !== null && again) return void fireEvent.click(again)
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

/** Pages known from before stay; a failure is said where there are none. */
const expected = ({ context: { pages }, value }: SnapshotFrom<typeof pagesMachine>) => {
  const names = pages.map((page) => page.page_name)
  const nothing = value === 'loading' ? 'Loading pages...' : 'Failed to load Facebook pagesTry again'
  return {
    filter: ['All Pages', ...names],
    manager: manager() && (names.length > 0 ? names.map((name) => `Edit ${name}`) : nothing),
  }
}

describe('the page filter and the list of pages show what the pages are in', () => {
  const paths = pagesModel().everyTransitionInFewPaths()

  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect })
      await follow(
        path,
        {
          'refresh.requested': askAgain,
          'pages.outdated': openManager,
          'xstate.after.retryDelay.pages.failed.waiting': () => inbox.pass(2_000),
          'xstate.done.actor.loadPages': ({ output }) => inbox.answer('loadPages', output),
          'xstate.error.actor.loadPages': ({ error }) => inbox.fail('loadPages', error),
        },
        (step) => {
          expect(seen()).toEqual(expected(step.expected))
          expect(inbox.waiting('loadPages').length).toBe(step.expected.value === 'loading' ? 1 : 0)
        },
      )
      inbox.unmount()
    }
  }, 300_000)

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
