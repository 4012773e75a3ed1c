import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { signOutMachine } from '../../../src/machines/session/sign-out.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage } from '../../model/harness.ts'
import { draftUser } from '../../model/send/draft-sync-fixture.ts'
import { draftOf } from '../../model/send/drafts-fixture.ts'
import { outgoingOf } from '../../model/send/send-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(signOutMachine)

async function show(given: Parameters<typeof showInbox>[0]) {
  const inbox = await showInbox({ ...given, inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf([conversationOf()]))
  return inbox
}
const click = (element: Element) => act(async () => fireEvent.click(element))
const pressSignOut = () => click(screen.getByText('Sign out'))
const question = () => screen.queryByRole('dialog', { name: 'Sign out?' })
const isSignedIn = (inbox: Awaited<ReturnType<typeof show>>) => inbox.app.getSnapshot().value !== 'signedOut'

const unsent = outgoingOf({ status: 'failed' })

describe('Sign out in the account menu', () => {
  it('asks nothing if nothing is lost', async () => {
    const inbox = await show({})
    await pressSignOut()
    expect([question(), isSignedIn(inbox)]).toEqual([null, false])
  })

  it.each([
    [{ drafts: new Map([['ana', draftOf('d1', 'Opo')]]) }, 'You have 1 draft. It will be deleted.'],
    [
      { drafts: new Map([['ana', draftOf('d1', 'Opo')]]), notes: 1 },
      'You have 2 drafts and typed notes. They will be deleted.',
    ],
    [{ left: [unsent] }, '1 message is not sent or not confirmed. It will be deleted here.'],
    [
      {
        drafts: new Map([
          ['ana', draftOf('d1', 'Opo')],
          ['ben', draftOf('d2', 'Sige')],
        ]),
        left: [unsent],
        countElsewhere: () => ({ unsent: 1, typed: 0 }),
      },
      'You have 2 drafts. They will be deleted.2 messages are not sent or not confirmed. They will be deleted here.',
    ],
  ])('says what is lost, and goes on only after a second press: %#', async (given, text) => {
    const inbox = await show(given)
    await pressSignOut()
    const dialog = await screen.findByRole('dialog', { name: 'Sign out?' })
    expect(dialog.textContent).toContain(text)
    await expectScreen(dialog)
    await click(within(dialog).getByRole('button', { name: 'Stay signed in' }))
    expect([question(), isSignedIn(inbox)]).toEqual([null, true])
    await pressSignOut()
    await click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out anyway' }))
    expect(isSignedIn(inbox)).toBe(false)
  })

  it('waits three seconds for a server that does not answer, before the question', async () => {
    const inbox = await show({ person: draftUser, drafts: new Map([['ana', draftOf('d1', 'Opo')]]) })
    await pressSignOut()
    await inbox.pass(2_999)
    expect([question(), isSignedIn(inbox)]).toEqual([null, true])
    await inbox.pass(1)
    expect((await screen.findByRole('dialog', { name: 'Sign out?' })).textContent).toContain('You have 1 draft.')
    inbox.unmount()
  })

  it('does not depend on the storage of the browser', async () => {
    const inbox = await show({
      countElsewhere: () => {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    await pressSignOut()
    expect(isSignedIn(inbox)).toBe(false)
  })
})

describe('The walk of signing out', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
