import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Harness, openHarness } from '../matrix-fixture.ts'
import { open, session, to } from '../matrix-rows.ts'

let harness: Harness

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  harness = await openHarness()
  await harness.until(() => harness.phase() === 'signedIn' && harness.has('conversations'), 5_000, 1)
  await harness.passes(2_000)
})
afterEach(() => {
  harness.leave()
  vi.useRealTimers()
})

const kept = () =>
  Array.from({ length: harness.area.length }, (_, index) => harness.area.key(index) ?? '')
    .map((key) => key.replace(/^(staff-inbox\.outbox\.).*/, '$1'))
    .toSorted()

/** A draft for one person and an unconfirmed message to another. */
async function write(): Promise<void> {
  await open(harness)
  to(harness, 'drafts', 'draft.changed', {
    conversationId: 'ben',
    draft: { id: 'd1', text: 'half a sentence', pageId: null },
  })
  harness.fail('POST /facebook/send-message', { kind: 'noAnswer' })
  to(harness, 'outbox', 'send.requested', { draftId: 'd2', conversationId: 'ana', pageId: null, text: 'Good morning' })
  await harness.passes(500)
  expect(kept()).toEqual(['refreshToken', 'staff-inbox.draft.u1.ben', 'staff-inbox.outbox.', 'token', 'tokenTimestamp'])
}

describe('The sign-out', () => {
  it('removes drafts, sends and saved data from storage', async () => {
    await write()
    harness.auth.send({ type: 'signOut.requested' })
    await harness.passes(1)
    expect(kept()).toEqual([])
  })

  it('leaves no timer of the session running, with any screen open', async () => {
    await write()
    session(harness, 'client.opened', { id: 'k1' })
    to(harness, 'dialog', 'dialog.requested', { dialog: { name: 'autoSyncControl' } })
    await harness.passes(500)
    expect(vi.getTimerCount()).toBeGreaterThan(1)
    harness.auth.send({ type: 'signOut.requested' })
    await harness.passes(10_000)
    // The timers of the notifier, which outlives the session.
    expect(vi.getTimerCount()).toBe(1)
  })
})

describe('A session that expired', () => {
  it('keeps drafts and sends for the same person', async () => {
    await write()
    harness.auth.send({ type: 'session.refused', session: harness.authState().context.session ?? 0 })
    await harness.passes(1)
    expect(kept()).toEqual(['staff-inbox.draft.u1.ben', 'staff-inbox.outbox.'])
  })
})
