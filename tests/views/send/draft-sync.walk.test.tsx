import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { draftSyncMachine } from '../../../src/machines/send/draft-sync.ts'
import { createCoverage } from '../../model/harness.ts'
import { faults, row } from '../../model/inbox-fixture.ts'
import { draftUser, userWithoutDrafts } from '../../model/send/draft-sync-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(draftSyncMachine)
const noAnswer = new Failure({ kind: 'noAnswer', method: 'PUT', path: '/' })

async function show(person = draftUser) {
  const inbox = await showInbox({ person, inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf([row('c1', 1)]))
  return inbox
}
const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...')
const type = (text: string) => act(async () => fireEvent.change(box(), { target: { value: text } }))
const pressSignOut = () => act(async () => fireEvent.click(screen.getByText('Sign out')))

/** Opens the conversation when the server has these texts. */
async function showWith(...texts: string[]) {
  const inbox = await show()
  await inbox.answer(
    'loadDrafts',
    texts.map((text) => ({ conversationId: 'c1', text, extras: null, version: 'v1' })),
  )
  await inbox.open('c1')
  return inbox
}

describe('A draft', () => {
  it('of another device is in the composer, and what is typed replaces it on the server', async () => {
    const inbox = await showWith('typed on the phone')
    expect(box().value).toBe('typed on the phone')
    await inbox.pass(1_000)
    await inbox.answer('loadDrafts', [
      { conversationId: 'c1', text: 'typed on the phone', extras: null, version: 'v1' },
    ])
    await type('typed on the phone, and here')
    await inbox.pass(1_000)
    expect(inbox.waiting('saveDraft')).toEqual([
      {
        conversationId: 'c1',
        text: 'typed on the phone, and here',
        extras: null,
        version: expect.any(String),
        replaces: 'v1',
      },
    ])
    inbox.unmount()
  })

  it('is saved before a sign-out, which then asks nothing', async () => {
    const inbox = await showWith()
    await type('half a sentence')
    await pressSignOut()
    await inbox.answer('loadDrafts', [])
    const [save] = inbox.waiting('saveDraft') as { text: string; version: string }[]
    expect([save?.text, inbox.app.getSnapshot().value === 'signedOut']).toEqual(['half a sentence', false])
    await inbox.answer('saveDraft', {
      isSaved: true,
      draft: { conversationId: 'c1', text: 'half a sentence', extras: null, version: save?.version ?? '' },
    })
    expect(inbox.app.getSnapshot().value).toBe('signedOut')
    inbox.unmount()
  })

  it('that could not be saved before a sign-out is asked about', async () => {
    const inbox = await showWith()
    await type('half a sentence')
    await pressSignOut()
    await inbox.answer('loadDrafts', [])
    await inbox.fail('saveDraft', noAnswer)
    expect((await screen.findByRole('dialog', { name: 'Sign out?' })).textContent).toContain(
      'You have 1 draft. It will be deleted.',
    )
    inbox.unmount()
  })
})

describe('The calls about drafts', () => {
  const answerAll = async (inbox: Awaited<ReturnType<typeof show>>) => {
    do {
      await inbox.pass(1_000)
      while (inbox.waiting('loadDrafts').length > 0) await inbox.answer('loadDrafts', [])
      await inbox.pass(1_000)
    } while (inbox.waiting('loadDrafts').length > 0)
  }
  const saves = (inbox: Awaited<ReturnType<typeof show>>) =>
    (inbox.waiting('saveDraft') as { text: string }[]).map(({ text }) => text)

  it('save one second after the last keystroke, or when the tab is hidden', async () => {
    const inbox = await showWith()
    await answerAll(inbox)
    await type('a')
    await inbox.pass(600)
    await type('ab')
    await inbox.pass(600)
    const before = saves(inbox)
    await inbox.tell({ type: 'tab.hidden' })
    expect([before, saves(inbox)]).toEqual([[], ['ab']])
    inbox.unmount()
  })

  it('are repeated after a failure, and as soon as the connection is back', async () => {
    const inbox = await showWith()
    await answerAll(inbox)
    await type('a')
    await inbox.pass(1_000)
    await inbox.fail('saveDraft', noAnswer)
    await inbox.pass(2_000)
    expect(saves(inbox)).toEqual(['a'])
    await inbox.fail('saveDraft', noAnswer)
    await inbox.tell({ type: 'browser.online' })
    await inbox.fail('loadDrafts', noAnswer)
    await inbox.tell({ type: 'browser.online' })
    await inbox.answer('loadDrafts', [])
    await inbox.pass(1_000)
    expect(saves(inbox)).toEqual(['a'])
    await inbox.fail('saveDraft', noAnswer)
    await pressSignOut()
    expect(saves(inbox)).toEqual(['a'])
    inbox.unmount()
  })

  it('end for a text that the server refuses, and begin with the next keystroke', async () => {
    const inbox = await showWith()
    await answerAll(inbox)
    await type('refused')
    await inbox.pass(1_000)
    await inbox.fail('saveDraft', faults.refused)
    await inbox.pass(60_000)
    const after = saves(inbox)
    await type('short')
    await inbox.pass(1_000)
    expect([after, saves(inbox)]).toEqual([[], ['short']])
    inbox.unmount()
  })

  it('leave the draft in the browser if the API refuses to list the drafts', async () => {
    const inbox = await show()
    await inbox.open('c1')
    await type('a')
    await inbox.fail('loadDrafts', faults.refused)
    await pressSignOut()
    expect(await screen.findByRole('dialog', { name: 'Sign out?' })).not.toBeNull()
    inbox.unmount()
  })

  it('show what another tab and another device have typed when the tab is shown', async () => {
    const inbox = await showWith()
    await answerAll(inbox)
    await inbox.hearDraft('c1', { id: 'd2', text: 'typed in another tab', pageId: null })
    expect(box().value).toBe('typed in another tab')
    await inbox.hearDraft('c1', null)
    await inbox.tell({ type: 'tab.shown' })
    await inbox.answer('loadDrafts', [
      { conversationId: 'c1', text: 'typed on the phone', extras: null, version: 'v2' },
    ])
    expect(box().value).toBe('typed on the phone')
    await inbox.pass(1_000)
    await pressSignOut()
    expect(inbox.app.getSnapshot().value).toBe('signedOut')
    inbox.unmount()
  })

  it('are not made before the server has confirmed a person whose API keeps drafts', async () => {
    const inbox = await show(userWithoutDrafts)
    await inbox.open('c1')
    await type('a')
    await pressSignOut()
    expect(await screen.findByRole('dialog', { name: 'Sign out?' })).not.toBeNull()
    await inbox.tell({ type: 'user.confirmed', user: draftUser })
    expect(inbox.waiting('loadDrafts')).toHaveLength(1)
    inbox.unmount()
  })
})

describe('The walk of the calls about drafts', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
