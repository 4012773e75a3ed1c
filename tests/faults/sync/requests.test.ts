import type { AutoSyncRun, AutoSyncStatus } from '../../../src/schemas/auto-sync.ts'
import type { HistorySync } from '../../../src/schemas/sync.ts'
import { createAutoSync } from '../../../src/services/sync/auto-sync.ts'
import { createHistorySync } from '../../../src/services/sync/history-sync.ts'
import { createSync } from '../../../src/services/sync/sync.ts'
import { describeRequests, done, ok } from '../requests.ts'

const moment = '2026-03-01T07:00:00.000Z'
const failure = { page_id: 'p1', page_name: 'Bakery', error: 'The network said no' }

describeRequests('The service of short syncs', createSync, [
  {
    claim: 'syncs the last hours of a page',
    call: (sync) => sync.syncRecent({ pageId: 'p/1' }),
    asks: ['POST /facebook/pages/p%2F1/sync-recent', { hoursBack: 2 }],
    answer: ok({ syncedMessages: 3 }),
    gives: 3,
  },
  {
    claim: 'syncs the last hours of all pages',
    call: (sync) => sync.syncAllRecent(),
    asks: ['POST /facebook/sync-all-recent', { hoursBack: 2 }],
    answer: ok({ totalSyncedMessages: 5, pagesSynced: 2, failures: [failure] }),
    gives: { messages: 5, pages: 2, failures: [failure] },
  },
  {
    claim: 'reads an answer that has its counts at the top level and no failures',
    call: (sync) => sync.syncAllRecent(),
    asks: ['POST /facebook/sync-all-recent', { hoursBack: 2 }],
    answer: { success: true, totalSyncedMessages: 5, pagesSynced: 2 },
    gives: { messages: 5, pages: 2, failures: [] },
  },
  {
    claim: 'syncs one person on one page',
    call: (sync) => sync.syncConversation({ pageId: 'p/1', psid: 'psid-ana', platform: 'instagram' }),
    asks: ['POST /facebook/pages/p%2F1/sync-conversation', { userPsid: 'psid-ana', platform: 'instagram' }],
    answer: ok({ syncedMessages: 7 }),
    gives: 7,
  },
])

const job: HistorySync = {
  id: 'j/1',
  page_id: 'p/1',
  platform: 'messenger',
  limit: 50,
  state: 'running',
  conversations_done: 1,
  messages_stored: 2,
  unreadable: 0,
  created_at: moment,
}
const counts = { totalMessages: 4, historicalMessages: 2, hasHistoricalSync: true }

describeRequests('The service of historical syncs', createHistorySync, [
  {
    claim: 'asks for the status of a page',
    call: (sync, signal) => sync.loadSyncStatus({ pageId: 'p/1' }, signal),
    asks: ['GET /facebook/pages/p%2F1/sync-status'],
    answer: ok({ ...counts, underWay: [job] }),
    gives: { ...counts, underWay: [job] },
  },
  {
    claim: 'takes no sync to be in progress if the answer has none',
    call: (sync, signal) => sync.loadSyncStatus({ pageId: 'p1' }, signal),
    asks: ['GET /facebook/pages/p1/sync-status'],
    answer: ok(counts),
    gives: { ...counts, underWay: [] },
  },
  {
    claim: 'starts a sync',
    call: (sync) => sync.startHistorySync({ pageId: 'p/1', platform: 'instagram', limit: 70 }),
    asks: ['POST /facebook/pages/p%2F1/sync-history', { platform: 'instagram', limit: 70 }],
    answer: ok(job),
    gives: job,
  },
  {
    claim: 'asks how far a sync is',
    call: (sync, signal) => sync.loadHistorySync({ id: 'j/1' }, signal),
    asks: ['GET /facebook/history-syncs/j%2F1'],
    answer: ok(job),
    gives: job,
  },
  {
    claim: 'cancels a sync',
    call: (sync) => sync.cancelHistorySync({ id: 'j/1' }),
    asks: ['POST /facebook/history-syncs/j%2F1/cancel'],
    answer: ok({ ...job, state: 'cancelled' }),
    gives: { ...job, state: 'cancelled' },
  },
])

const config = { interval_minutes: 5, hours_back: 2, enabled: true }
const run: AutoSyncRun = {
  id: 'r1',
  state: 'completed',
  trigger: 'forced',
  started_at: moment,
  messages: 1,
  pages: [{ page_id: 'p1', page_name: 'Bakery', messages: 1 }],
}
const status: AutoSyncStatus = {
  isRunning: true,
  enabled: true,
  isSyncing: false,
  config,
  settings: { ...config, last_updated_by: 'Ana', last_updated_at: moment },
  lastRun: run,
}

describeRequests('The service of the automatic sync', createAutoSync, [
  {
    claim: 'asks for the status',
    call: (sync, signal) => sync.loadStatus(signal),
    asks: ['GET /facebook/auto-sync/status'],
    answer: ok(status),
    gives: status,
  },
  {
    claim: 'ignores a last run that cannot be read',
    call: (sync, signal) => sync.loadStatus(signal),
    asks: ['GET /facebook/auto-sync/status'],
    answer: ok({ ...status, lastRun: { id: 'r1' } }),
    gives: { ...status, lastRun: null },
  },
  {
    claim: 'saves the settings',
    call: (sync) => sync.saveConfig({ config }),
    asks: ['PUT /facebook/auto-sync/config', config],
    answer: ok(status),
    gives: status,
  },
  {
    claim: 'gives null if saved settings are answered without the new status',
    call: (sync) => sync.saveConfig({ config }),
    asks: ['PUT /facebook/auto-sync/config', config],
    answer: done,
    gives: null,
  },
  {
    claim: 'turns the sync on',
    call: (sync) => sync.toggle({ on: true }),
    asks: ['POST /facebook/auto-sync/start'],
    answer: ok(status),
    gives: status,
  },
  {
    claim: 'turns the sync off, and gives null if the answer has another shape',
    call: (sync) => sync.toggle({ on: false }),
    asks: ['POST /facebook/auto-sync/stop'],
    answer: ok({ stopped: true }),
    gives: null,
  },
  {
    claim: 'starts a run at once',
    call: (sync) => sync.forceSync(),
    asks: ['POST /facebook/auto-sync/force-sync'],
    answer: ok(run),
    gives: run,
  },
  {
    claim: 'gives null if the API does not send the run',
    call: (sync) => sync.forceSync(),
    asks: ['POST /facebook/auto-sync/force-sync'],
    answer: done,
    gives: null,
  },
])
