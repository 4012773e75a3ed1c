import { describe, expect, it } from 'vitest'
import { createHttp } from '../../../src/services/http.ts'
import { createPageAdministration } from '../../../src/services/pages/page-administration.ts'
import { createAutoSync } from '../../../src/services/sync/auto-sync.ts'
import { createHistorySync } from '../../../src/services/sync/history-sync.ts'
import { createSync } from '../../../src/services/sync/sync.ts'

/** The calls against a server with one fixed answer. */
function callsOn(answer: unknown) {
  const sent: unknown[] = []
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) }
  const tokens = { current: () => ({ token: 't', session: 1 }), isEnding: () => false, renew: () => Promise.reject() }
  const fetch = async (url: RequestInfo | URL, init?: RequestInit) => {
    sent.push([init?.method, url, JSON.parse(String(init?.body))])
    return Response.json(answer)
  }
  const http = createHttp({ baseUrl: '', log, retries: 0, tokens, fetch })
  return {
    sent,
    warnings,
    sync: createSync(http, log),
    autoSync: createAutoSync(http, log),
    history: createHistorySync(http, log),
    administration: createPageAdministration(http, log),
  }
}

const { signal } = new AbortController()
const success = (data: unknown) => ({ success: true, data })
const moment = '2026-03-01T07:00:00.000Z'
const bad = { nothing: 'of this is known' }
const failureOf = (id: string) => ({ page_id: id, page_name: `Page ${id}`, error: 'The network said no' })
const failures = [failureOf('p1'), bad, failureOf('p2')]
const jobOf = (id: string) => ({
  id,
  page_id: 'p1',
  platform: 'messenger',
  limit: 50,
  state: 'running',
  conversations_done: 1,
  messages_stored: 2,
  unreadable: 0,
  created_at: moment,
})
const pageOf = (id: string) => ({ page_id: id, page_name: `Page ${id}`, messages: 1 })
const runWith = (pages: unknown[]) => ({
  id: 'r1',
  state: 'failed',
  trigger: 'forced',
  started_at: moment,
  messages: 2,
  pages,
})

describe('An unreadable row in the answer of a completed sync', () => {
  it.each([
    ['in the field data', success({ totalSyncedMessages: 3, pagesSynced: 2, failures })],
    ['at the top level', { success: true, totalSyncedMessages: 3, pagesSynced: 2, failures }],
  ])('of all pages is dropped and counted, with the rows %s', async (_, answer) => {
    const { sync, warnings } = callsOn(answer)
    const done = { messages: 3, pages: 2, failures: [failureOf('p1'), failureOf('p2')] }
    expect(await sync.syncAllRecent()).toEqual(done)
    expect(warnings).toEqual(['1 failures of pages could not be read'])
  })

  it('of the pictures is dropped and counted', async () => {
    const { administration, warnings } = callsOn({ ...success({ refreshed: 1, failures }), message: 'Refreshed 1' })
    const done = { message: 'Refreshed 1', failures: [failureOf('p1'), failureOf('p2')] }
    expect(await administration.refreshPictures({ scope: 'pages' })).toEqual(done)
    expect(warnings).toEqual(['1 failures of pages could not be read'])
  })

  it('that was forced hides neither the failure nor the other pages', async () => {
    const { autoSync, warnings } = callsOn(success(runWith([pageOf('p1'), bad, pageOf('p2')])))
    expect(await autoSync.forceSync()).toEqual(runWith([pageOf('p1'), pageOf('p2')]))
    expect(warnings).toEqual(['1 pages of a sync could not be read'])
  })
})

describe('An unreadable row in the status of the syncs', () => {
  it.each([
    ['in the field data', (status: object) => success(status)],
    ['at the top level', (status: object) => ({ success: true, ...status })],
  ])('in progress is dropped and counted, with the rows %s', async (_, answerOf) => {
    const status = { totalMessages: 4, historicalMessages: 2, hasHistoricalSync: true }
    const answer = answerOf({ ...status, underWay: [jobOf('j1'), bad, jobOf('j2')] })
    const { history, warnings } = callsOn(answer)
    const known = await history.loadSyncStatus({ pageId: 'p1' }, signal)
    expect(known).toMatchObject({ ...status, underWay: [jobOf('j1'), jobOf('j2')] })
    expect(warnings).toEqual(['1 syncs under way could not be read'])
  })

  it('of the last automatic run is dropped and counted', async () => {
    const status = { isRunning: true, enabled: true, isSyncing: false }
    const { autoSync, warnings } = callsOn(success({ ...status, lastRun: runWith([pageOf('p1'), bad, pageOf('p2')]) }))
    expect(await autoSync.loadStatus(signal)).toEqual({ ...status, lastRun: runWith([pageOf('p1'), pageOf('p2')]) })
    expect(warnings).toEqual(['1 pages of a sync could not be read'])
  })
})

describe('An answer of sync-history', () => {
  const wanted = { pageId: 'p1', platform: 'messenger', limit: 50 } as const

  it('with a job starts a sync', async () => {
    expect(await callsOn(success(jobOf('h1'))).history.startHistorySync(wanted)).toEqual(jobOf('h1'))
  })

  it.each([
    ['no data', { success: true }],
    ['a message', { success: true, message: 'Synced 12 conversations' }],
    ['counts', success({ syncedMessages: 240 })],
    ['null', success(null)],
  ])('with %s counts as a completed sync', async (_, answer) => {
    expect(await callsOn(answer).history.startHistorySync(wanted)).toBe(null)
  })

  it.each([
    ['an unreadable job', success({ id: 'h1' })],
    ['a refusal', { success: false, error: 'No' }],
  ])('with %s counts as a failure', async (_, answer) => {
    await expect(callsOn(answer).history.startHistorySync(wanted)).rejects.toMatchObject({ kind: 'badAnswer' })
  })
})

describe('Saving a page', () => {
  const saved = (pageId: string | null, token: string) => {
    const { sent, administration } = callsOn({ success: true })
    return administration.savePage({ pageId, name: ' Shop ', token, isActive: true }).then(() => sent)
  }
  const fields = { page_name: 'Shop', is_active: true }

  it.each([
    ['p/1', 'T1', ['PUT', '/facebook/pages/p%2F1', { ...fields, page_access_token: 'T1' }]],
    [null, 'T1', ['POST', '/facebook/pages', { ...fields, page_access_token: 'T1' }]],
  ])('sends the token of the page: %j', async (pageId, token, call) => {
    expect(await saved(pageId, ` ${token} `)).toEqual([call])
  })

  it.each(['', ' \n '])('sends no empty token: %j', async (token) => {
    expect(await saved('p1', token)).toEqual([['PUT', '/facebook/pages/p1', fields]])
  })
})
