import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../matrix-fixture.ts'
import { open, session, to } from '../matrix-rows.ts'

let desk: Desk

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  desk = await openDesk()
  await desk.until(() => desk.phase() === 'signedIn' && desk.has('conversations'), 5_000, 1)
  await desk.passes(2_000)
})
afterEach(() => {
  desk.leave()
  vi.useRealTimers()
})

const kept = () =>
  Array.from({ length: desk.area.length }, (_, index) => desk.area.key(index) ?? '')
    .map((key) => key.replace(/^(staff-inbox\.outbox\.).*/, '$1'))
    .toSorted()

/** A draft for one person, and a message to another that nobody has confirmed. */
async function write(): Promise<void> {
  await open(desk)
  to(desk, 'drafts', 'draft.changed', {
    conversationId: 'ben',
    draft: { id: 'd1', text: 'half a sentence', pageId: null },
  })
  desk.fail('POST /facebook/send-message', { kind: 'noAnswer' })
  to(desk, 'outbox', 'send.requested', { draftId: 'd2', conversationId: 'ana', pageId: null, text: 'Good morning' })
  await desk.passes(500)
  expect(kept()).toEqual(['refreshToken', 'staff-inbox.draft.u1.ben', 'staff-inbox.outbox.', 'token', 'tokenTimestamp'])
}

describe('signing out', () => {
  it('leaves nothing stored of what was typed, sent and held', async () => {
    await write()
    desk.auth.send({ type: 'signOut.requested' })
    await desk.passes(1)
    expect(kept()).toEqual([])
  })

  it('leaves no timer of the session running, whatever was open', async () => {
    await write()
    session(desk, 'client.opened', { id: 'k1' })
    to(desk, 'dialog', 'dialog.requested', { dialog: { name: 'autoSyncControl' } })
    await desk.passes(500)
    expect(vi.getTimerCount()).toBeGreaterThan(1)
    desk.auth.send({ type: 'signOut.requested' })
    await desk.passes(10_000)
    // The notifier's, for which time stands still here: it lives on.
    expect(vi.getTimerCount()).toBe(1)
  })
})

describe('a session that expired', () => {
  it('keeps what was typed and sent for the same person', async () => {
    await write()
    desk.auth.send({ type: 'session.refused', session: desk.authState().context.session ?? 0 })
    await desk.passes(1)
    expect(kept()).toEqual(['staff-inbox.draft.u1.ben', 'staff-inbox.outbox.'])
  })
})
