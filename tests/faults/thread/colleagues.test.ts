import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import type { ColleagueReport, ColleagueTable } from '../../../src/domain/thread/colleague-calls.ts'
import { createHttp, type Http } from '../../../src/services/http.ts'
import { createColleagues } from '../../../src/services/thread/colleagues.ts'
import { settled } from '../../model/harness.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const log = { warn: () => {} }
const note = {
  id: 'n1',
  primary_user_id: 'ana',
  staff_id: 's1',
  text: 'Pays on Friday',
  mentions: ['s2'],
  created_at: '2026-03-01T07:00:00.000Z',
}
const ben = { id: 'tab-of-ben', staff_id: 's1', is_typing: true, remaining: 8_000 }
const noClient = () => Promise.reject(new Error('no client was expected'))
const overHttp = (http: Http, warnings: { warn: (text: string) => void }) => createColleagues(http, warnings, noClient)

describeRequests('The service of colleagues', overHttp, [
  {
    claim: 'tells that the person is here, and asks who else is',
    call: (colleagues, signal) => colleagues.renewPresence({ id: 'a/1', tab: 'tab-of-ana', isTyping: true }, signal),
    asks: ['POST /facebook/conversations/a%2F1/presence', { tab: 'tab-of-ana', isTyping: true }],
    answer: ok({ colleagues: [ben, unreadable] }),
    gives: [ben],
    warns: ['1 colleagues could not be read'],
  },
  {
    claim: 'tells that the person has left',
    call: (colleagues) => colleagues.endPresence('tab/1'),
    asks: ['DELETE /facebook/presence/tab%2F1'],
    answer: done,
  },
  {
    claim: 'asks for the notes of a conversation',
    call: (colleagues, signal) => colleagues.loadNotes('a/1', signal),
    asks: ['GET /facebook/conversations/a%2F1/notes'],
    answer: ok({ notes: [unreadable, note] }),
    gives: [note],
    warns: ['1 notes could not be read'],
  },
  {
    claim: 'saves a note under the id that the browser chose',
    call: (colleagues) =>
      colleagues.saveNote({ conversationId: 'a/1', id: 'note-of-ana', text: 'Pays on Friday', mentions: ['s2'] }),
    asks: ['POST /facebook/conversations/a%2F1/notes', { id: 'note-of-ana', text: 'Pays on Friday', mentions: ['s2'] }],
    answer: ok(note),
    gives: note,
  },
  {
    claim: 'deletes a note',
    call: (colleagues) => colleagues.deleteNote('n/1'),
    asks: ['DELETE /facebook/notes/n%2F1'],
    answer: done,
  },
  {
    claim: 'asks how many comments wait',
    call: (colleagues, signal) => colleagues.loadCommentCount(signal),
    asks: ['GET /comments/count'],
    answer: ok({ waiting: 3 }),
    gives: 3,
  },
])

describe('The notes of a conversation', () => {
  const notesAt = (status: number) => {
    const fetch = async () => Response.json({ success: false, error: 'No' }, { status })
    const http = createHttp({ baseUrl: '', log, fetch })
    return overHttp(http, log).loadNotes('ana', new AbortController().signal)
  }

  it('are none if there is no such conversation, which the thread says', async () => {
    expect(await notesAt(404)).toEqual([])
  })

  it.each([403, 500])('fail with status %i', async (status) => {
    await expect(notesAt(status)).rejects.toBeInstanceOf(Failure)
    await expect(notesAt(status)).rejects.toMatchObject({ kind: 'status', status })
  })
})

/** Watches these tables on a client that tells what it is asked, and reports what the test says. */
async function watch(...tables: ColleagueTable[]) {
  const steps: unknown[] = []
  const reports: ColleagueReport[] = []
  const heard = new Map<string, (payload: unknown) => void>()
  let hearStatus = (_: string) => {}
  const channel = {
    on: (kind: string, filter: { event: string; schema: string; table: string }, hear: (payload: unknown) => void) => {
      steps.push([kind, filter])
      heard.set(filter.table, hear)
      return channel
    },
    subscribe: (hear: typeof hearStatus) => {
      steps.push('joined')
      hearStatus = hear
    },
  }
  const client = {
    auth: { getSession: async () => ({ data: { session: {} } }) },
    realtime: { setAuth: async () => void steps.push('token set') },
    channel: (name: string) => {
      steps.push(name)
      return channel
    },
    removeChannel: () => void steps.push('left'),
  } as unknown as SupabaseClient
  const http = createHttp({ baseUrl: '', log, fetch: noClient })
  const stop = createColleagues(http, log, async () => client).watch(tables, (event) => reports.push(event))
  await settled()
  const tell = (table: ColleagueTable, payload: unknown) => heard.get(table)?.(payload)
  return { steps, reports, stop, tell, status: (status: string) => hearStatus(status) }
}

const change = (eventType: string, record: unknown, old: unknown = {}) => ({ eventType, new: record, old })
const presence = { id: 'tab-of-ben', staff_id: 's1', primary_user_id: 'ana', is_typing: true }
const present = { id: 'tab-of-ben', staffId: 's1', conversationId: 'ana', isTyping: true }
const labels = { client_id: 'k1', version: 4, label_ids: ['l1'] }
const filters = { staff_id: 's1', version: 3 }

describe('The channel of colleagues', () => {
  it.each<[string, ColleagueTable, unknown, ColleagueReport | null]>([
    [
      'a colleague who came',
      'presence',
      change('INSERT', presence),
      { type: 'presence.changed', change: { type: 'INSERT', ...present } },
    ],
    [
      'a colleague who types',
      'presence',
      change('UPDATE', presence),
      { type: 'presence.changed', change: { type: 'UPDATE', ...present } },
    ],
    [
      'a colleague who left',
      'presence',
      change('DELETE', {}, { id: 'tab-of-ben' }),
      { type: 'presence.changed', change: { type: 'DELETE', id: 'tab-of-ben' } },
    ],
    ['nothing about an unreadable presence', 'presence', change('UPDATE', unreadable), null],
    ['nothing about the end of an unknown row', 'presence', change('DELETE', {}, {}), null],
    ['a new note', 'notes', change('INSERT', note), { type: 'note.changed', change: { type: 'INSERT', note } }],
    [
      'a deleted note',
      'notes',
      change('DELETE', {}, { id: 'n1' }),
      { type: 'note.changed', change: { type: 'DELETE', id: 'n1' } },
    ],
    ['nothing about a changed note, because notes never change', 'notes', change('UPDATE', note), null],
    ['nothing about an unreadable note', 'notes', change('INSERT', unreadable), null],
    ['a change of the labels, whatever it is', 'labels', 'no change', { type: 'label.changed' }],
    [
      'the labels of a client',
      'client_labels',
      change('UPDATE', labels),
      { type: 'clientLabels.changed', clientId: 'k1', labels: { version: 4, label_ids: ['l1'] } },
    ],
    ['nothing about unreadable labels of a client', 'client_labels', change('UPDATE', unreadable), null],
    [
      'which clients changed',
      'client_changes',
      change('INSERT', { client_ids: ['k1', 'k2'] }),
      { type: 'clientData.changed', clientIds: ['k1', 'k2'] },
    ],
    [
      'that any client may have changed',
      'client_changes',
      change('INSERT', { client_ids: null }),
      { type: 'clientData.changed', clientIds: null },
    ],
    ['nothing about an old change of clients', 'client_changes', change('UPDATE', { client_ids: ['k1'] }), null],
    ['nothing about an unreadable change of clients', 'client_changes', change('INSERT', unreadable), null],
    [
      'the version of the saved filters of a person',
      'saved_filter_versions',
      change('UPDATE', filters),
      { type: 'savedFilters.changed', staffId: 's1', version: 3 },
    ],
    ['nothing about unreadable saved filters', 'saved_filter_versions', change('UPDATE', unreadable), null],
    ['nothing about a change with errors', 'notes', { ...change('INSERT', note), errors: ['too large'] }, null],
    [
      'a change without errors',
      'presence',
      { ...change('DELETE', {}, { id: 't' }), errors: [] },
      {
        type: 'presence.changed',
        change: { type: 'DELETE', id: 't' },
      },
    ],
    ['nothing about another kind of change', 'notes', change('TRUNCATE', note), null],
  ])('reports %s', async (_, table, payload, reported) => {
    const { reports, tell } = await watch(table)
    tell(table, payload)
    expect(reports).toEqual(reported === null ? [] : [reported])
  })

  it('joins with the token of the session, for every change of each table', async () => {
    const { steps } = await watch('presence', 'notes')
    expect(steps).toEqual([
      'token set',
      'inbox-colleagues-1',
      ['postgres_changes', { event: '*', schema: 'public', table: 'presence' }],
      ['postgres_changes', { event: '*', schema: 'public', table: 'notes' }],
      'joined',
    ])
  })

  it('reports when it has joined and when it is lost', async () => {
    const { reports, status } = await watch('notes')
    status('SUBSCRIBED')
    status('CHANNEL_ERROR')
    expect(reports).toEqual([{ type: 'channel.joined' }, { type: 'channel.lost' }])
  })

  it('reports nothing after it was stopped', async () => {
    const { reports, steps, stop, status, tell } = await watch('notes')
    stop()
    status('CLOSED')
    tell('notes', change('INSERT', note))
    expect([reports, steps.at(-1)]).toEqual([[], 'left'])
  })

  it.each([
    ['the client cannot be loaded', noClient],
    [
      'there is no session',
      async () => ({ auth: { getSession: async () => ({ data: { session: null } }) } }) as unknown as SupabaseClient,
    ],
  ])('is lost if %s', async (_, load) => {
    const reports: ColleagueReport[] = []
    const http = createHttp({ baseUrl: '', log, fetch: noClient })
    createColleagues(http, log, load).watch(['notes'], (event) => reports.push(event))
    await settled()
    expect(reports).toEqual([{ type: 'channel.lost' }])
  })
})
