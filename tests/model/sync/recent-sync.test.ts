import { describe, expect, it } from 'vitest'
import { conversationSyncMachine, selectSubject } from '../../../src/machines/sync/conversation-sync.ts'
import { recentSyncMachine, selectIsSyncing } from '../../../src/machines/sync/recent-sync.ts'
import {
  conversationSyncModel,
  failures,
  startConversationSync,
  startRecentSync,
  syncedConversation as subject,
} from '../dialogs-fixture.ts'
import { createCoverage, declaredStates, declaredTransitions, driverOf, error, success } from '../harness.ts'
import { ends, followBeside, type Reference } from '../reference.ts'

const recentCoverage = createCoverage(recentSyncMachine)
const conversationCoverage = createCoverage(conversationSyncMachine)

function requested(pageId: string | null) {
  const sut = startRecentSync(recentCoverage.inspect)
  sut.actor.send({ type: 'recentSync.requested', pageId })
  return sut
}

describe('the recent sync', () => {
  it('of the chosen page reports the number of synced messages', async () => {
    const sut = requested('p1')
    expect([selectIsSyncing(sut.actor.getSnapshot()), sut.one.inputs(), sut.all.calls.length]).toEqual([
      true,
      [{ pageId: 'p1' }],
      0,
    ])
    await sut.one.resolve(7)
    expect([sut.state(), sut.toasts, sut.told]).toEqual([
      'idle',
      [success('Synced 7 recent messages')],
      [{ type: 'inbox.invalidated' }],
    ])
  })

  it('of all pages, if none is chosen, reports the number of pages too', async () => {
    const sut = requested(null)
    expect([sut.one.calls.length, sut.all.calls.length]).toEqual([0, 1])
    await sut.all.resolve({ messages: 12, pages: 3, failures: [] })
    expect([sut.state(), sut.toasts]).toEqual(['idle', [success('Synced 12 messages across 3 pages')]])
  })

  it('of all pages lists the failed pages with the result', async () => {
    const sut = requested(null)
    await sut.all.resolve({
      messages: 12,
      pages: 1,
      failures: [{ page_id: 'p2', page_name: 'Café', error: 'Give the page a new token.' }],
    })
    expect(sut.toasts).toEqual([
      success('Synced 12 messages across 1 pages'),
      error('Failed to sync recent messages: Café: Give the page a new token.'),
    ])
  })

  it('runs once at a time', () => {
    const sut = requested('p1')
    sut.actor.send({ type: 'recentSync.requested', pageId: null })
    expect([sut.one.calls.length, sut.all.calls.length]).toEqual([1, 0])
  })

  it.each([
    ['a reason', failures.refused, 'Failed to sync recent messages: The network refused the call.'],
    ['no reason', failures.unnamed, 'Error syncing recent messages'],
    ['no answer', failures.noAnswer, 'Network error. Please check your connection.'],
  ])('that fails with %s shows the error, for one page and for all', async (_, failure, text) => {
    const one = requested('p1')
    await one.one.reject(failure)
    const all = requested(null)
    await all.all.reject(failure)
    expect([one.state(), one.toasts, all.state(), all.toasts]).toEqual(['idle', [error(text)], 'idle', [error(text)]])
  })
})

describe('the sync of a conversation', () => {
  const started = () => {
    const sut = startConversationSync(conversationCoverage.inspect)
    sut.actor.send({ type: 'conversationSync.requested', subject })
    return sut
  }

  it('concerns one person on one page, runs once at a time, and reports the number of synced messages', async () => {
    const sut = started()
    sut.actor.send({ type: 'conversationSync.requested', subject: { ...subject, psid: '200' } })
    expect([selectSubject(sut.actor.getSnapshot()), sut.sync.inputs()]).toEqual([subject, [subject]])
    await sut.sync.resolve(3)
    expect([selectSubject(sut.actor.getSnapshot()), sut.toasts, sut.told]).toEqual([
      null,
      [success('Synced 3 recent messages')],
      [{ type: 'inbox.invalidated' }],
    ])
  })

  it.each([
    ['a reason', failures.refused, 'The network refused the call.'],
    ['no reason', failures.unnamed, 'Failed to sync conversation'],
  ])('that fails with %s shows the error', async (_, failure, text) => {
    const sut = started()
    await sut.sync.reject(failure)
    expect([sut.state(), sut.toasts]).toEqual(['idle', [error(text)]])
  })

  const reference: Reference<{ isSyncing: boolean; calls: number; toasts: unknown[]; told: string[] }> = {
    start: { isSyncing: false, calls: 0, toasts: [], told: [] },
    accepts: ({ isSyncing }) => (isSyncing ? ends('syncConversation') : ['conversationSync.requested']),
    rules: {
      'conversationSync.requested': ({ calls }) => ({ isSyncing: true, calls: calls + 1 }),
      'xstate.done.actor.syncConversation': ({ toasts, told }) => ({
        isSyncing: false,
        toasts: [...toasts, success('Synced 3 recent messages')],
        told: [...told, 'inbox.invalidated'],
      }),
      'xstate.error.actor.syncConversation': ({ toasts, told }, { error: failure }) => ({
        isSyncing: false,
        toasts: [
          ...toasts,
          error(failure === failures.refused ? 'The network refused the call.' : 'Failed to sync conversation'),
        ],
        told: [...told, 'inbox.invalidated'],
      }),
    },
    shown: ({ isSyncing, ...state }) => ({ ...state, subject: isSyncing ? subject : null }),
  }

  it('shows what the reference shows on every transition', async () => {
    for (const path of conversationSyncModel().everyTransition()) {
      const sut = startConversationSync(conversationCoverage.inspect)
      const drive = driverOf(sut.actor.send, { calls: { syncConversation: sut.sync } })
      await followBeside(path, drive, reference, () => ({
        subject: selectSubject(sut.actor.getSnapshot()),
        calls: sut.sync.calls.length,
        toasts: sut.toasts,
        told: sut.told.map(({ type }) => type),
      }))
      sut.actor.stop()
    }
  })
})

describe('the tests of the syncs', () => {
  it('enter every state', () => {
    expect([...recentCoverage.statesMissed(), ...conversationCoverage.statesMissed()]).toEqual([])
    expect([declaredStates(recentSyncMachine).length, declaredStates(conversationSyncMachine).length]).toEqual([3, 2])
  })
  it('take every transition', () => {
    expect([...recentCoverage.transitionsMissed(), ...conversationCoverage.transitionsMissed()]).toEqual([])
    expect(declaredTransitions(recentSyncMachine).length).toBe(6)
  })
})
