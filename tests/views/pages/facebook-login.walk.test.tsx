import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { dialogs } from '../../../src/dialog-registry.ts'
import {
  facebookLoginMachine,
  selectBlockedAddress,
  selectConnected,
  selectFailures,
  selectStep,
  selectStop,
} from '../../../src/machines/pages/facebook-login.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { allowed, begun, facebookLoginModel, offered } from '../../model/pages/facebook-login-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const coverage = createCoverage(facebookLoginMachine)

// The walk checks the content, not the loading time of the code.
beforeAll(() => Promise.all([dialogs.pageManager.loadView(), dialogs.facebookLogin.loadView()]))

async function showManager(features: string[] = ['facebook-login']) {
  const inbox = await showInbox({
    person: { ...user, permissions: ['pages.read', 'pages.manage'], features },
    inspect: coverage.inspect,
  })
  await inbox.answer('loadTop', listOf([]))
  await click(screen.getAllByRole('button', { name: 'Manage pages' })[0] as Element)
  await screen.findByRole('dialog', { name: 'Manage Facebook Pages' })
  return inbox
}

const click = (element: Element) => act(async () => fireEvent.click(element))
const title = 'Connect with Facebook'
const openLogin = async () => {
  await click(screen.getByRole('button', { name: title }))
  await screen.findByRole('dialog', { name: title })
}
const dialog = () => within(screen.getByRole('dialog', { name: title }))
const submit = async () => {
  const buttons = dialog().getAllByRole('button')
  await click(buttons.at(-1) as Element)
}

it('without the feature of the API, the dialog is not offered', async () => {
  const inbox = await showManager([])
  expect(screen.queryByRole('button', { name: title })).toBeNull()
  inbox.unmount()
})

it('stays open while pages are connected, and leads back to the pages', async () => {
  const inbox = await showManager()
  await openLogin()
  await submit()
  await inbox.answer('beginLogin', begun)
  await inbox.hearLogin(allowed)
  await inbox.answer('completeLogin', offered)
  await submit()
  await click(dialog().getByRole('button', { name: 'Close' }))
  expect(dialog().getByRole('status').textContent).toBe('Connecting…')
  await inbox.answer('connectPage', undefined)
  await inbox.answer('connectPage', undefined)
  await screen.findByRole('dialog', { name: 'Manage Facebook Pages' })
  expect(screen.getAllByRole('dialog').length).toBe(1)
  inbox.unmount()
})

describe('The dialog, over every transition', () => {
  const paths = facebookLoginModel().everyTransitionInFewPaths()

  const texts = {
    ready: /^Sign in with Facebook and choose the pages/,
    opening: /^Opening Facebook/,
    completing: /^Loading your pages/,
    choosing: /^Choose the pages to connect/,
    connecting: /^Connecting/,
    over: /^This sign-in took too long or was used already/,
    cancelled: /^You cancelled at Facebook/,
    refused: /^The inbox needs every permission/,
    noPages: /^Facebook offered no page/,
    failed: /^The sign-in with Facebook did not work/,
    opened: /^Continue in the window of Facebook/,
    blocked: /^Your browser blocked the window/,
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const inbox = await showManager()
    await openLogin()
    const drive = driverOf(
      async (event: { type: string; pageId?: string }) => {
        if (event.type === 'login.returned') await inbox.hearLogin(event as never)
        else if (event.type === 'page.toggled') {
          const name = offered.find(({ id }) => id === event.pageId)?.name ?? ''
          await click(dialog().getByRole('checkbox', { name: new RegExp(`^${name}`) }))
        } else if (event.type === 'connection.requested') await submit()
        else if (event.type === 'login.requested') {
          const again = dialog().queryByRole('button', { name: 'Start again' })
          await (again === null ? submit() : click(again))
        } else await click(dialog().getByRole('button', { name: 'Close' }))
      },
      {
        calls: {
          beginLogin: inbox.control('beginLogin'),
          completeLogin: inbox.control('completeLogin'),
          connectPage: inbox.control('connectPage'),
        },
        delays: { loginLifetime: () => inbox.pass(600_000) },
      },
    )
    await follow(path, drive, ({ expected }) => {
      const shown = screen.queryByRole('dialog', { name: title })
      expect(shown !== null).toBe(expected.status !== 'done')
      if (shown === null) return
      const { pages, chosen } = expected.context
      const step = selectStep(expected)
      const address = selectBlockedAddress(expected)
      const status = within(shown).getAllByRole('status')[0]?.textContent ?? ''
      if (step === 'partly') {
        expect(status).toMatch(selectFailures(expected).length === 1 ? /^1 page could not be/ : /^2 pages could not be/)
        expect(status.includes('connected.', 40)).toBe(selectConnected(expected) > 0)
      } else if (step === 'waiting') expect(status).toMatch(texts[address === null ? 'opened' : 'blocked'])
      else expect(status).toMatch(texts[step === 'stopped' ? (selectStop(expected) ?? 'failed') : step])
      expect({
        link: within(shown).queryByRole('link')?.getAttribute('href') ?? null,
        boxes: within(shown)
          .queryAllByRole('checkbox')
          .map((box) => ({ checked: (box as HTMLInputElement).checked, off: (box as HTMLInputElement).disabled })),
        reasons: within(shown).queryAllByText('Cakes is connected already.').length,
      }).toEqual({
        link: address,
        boxes:
          step === 'choosing' || step === 'connecting'
            ? pages.map((page) => ({
                checked: page.is_connected || chosen.includes(page.id),
                off: page.is_connected || step === 'connecting',
              }))
            : [],
        reasons: step === 'partly' ? selectFailures(expected).length : 0,
      })
    })
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
