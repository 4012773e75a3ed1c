import { describe, expect, it } from 'vitest'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createConversations } from '../../../src/services/list/conversations.ts'
import { createLabels } from '../../../src/services/list/labels.ts'
import { createSavedFilters } from '../../../src/services/list/saved-filters.ts'
import { createStates } from '../../../src/services/list/states.ts'
import { createStats } from '../../../src/services/list/stats.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { stateOf } from '../../model/inbox-fixture.ts'
import { late, vip } from '../../model/list/labels-fixture.ts'
import { mine, refunds, told, values } from '../../model/list/saved-filters-fixture.ts'
import { statsOf } from '../../model/list/stats-and-pages-fixture.ts'
import { describeRequests, ok, unreadable } from '../requests.ts'

const all: ListQuery = { search: '', pageId: null, unreadOnly: false }
const ana = conversationOf()
const pagination = { page: 3, limit: 20, total: 61, totalPages: 4, hasNext: true, hasPrev: true }

describeRequests('The service of conversations', createConversations, [
  {
    claim: 'asks for a page of the waiting conversations with every filter, and counts unreadable rows',
    call: (conversations, signal) =>
      conversations.loadPage(
        {
          page: 3,
          query: {
            search: ' ',
            pageId: 'p1',
            unreadOnly: true,
            view: 'waiting',
            labelId: 'l1',
            assignedTo: 's1',
            order: 'urgent',
          },
        },
        signal,
      ),
    asks: [
      'GET /facebook/conversations?page=3&limit=20&unreadOnly=true&pageId=p1&view=waiting&labelId=l1&assignedTo=s1&order=urgent',
    ],
    answer: { success: true, data: [ana, unreadable], pagination },
    gives: { rows: [ana], unreadable: 1, hasNext: true, total: 61 },
    warns: ['1 conversations could not be read'],
  },
  {
    claim: 'asks for another view without an order',
    call: (conversations, signal) =>
      conversations.loadPage({ page: 1, query: { ...all, view: 'mine', order: 'urgent' } }, signal),
    asks: ['GET /facebook/conversations?page=1&limit=20&view=mine'],
    answer: { success: true, data: [], pagination },
    gives: { rows: [], unreadable: 0, hasNext: true, total: 61 },
  },
  {
    claim: 'searches all conversations, whatever the view',
    call: (conversations, signal) =>
      conversations.loadPage({ page: 1, query: { ...all, search: ' ana & co ', view: 'waiting' } }, signal),
    asks: ['GET /facebook/conversations?page=1&limit=20&search=ana+%26+co&view=all'],
    answer: { success: true, data: [ana], pagination },
    gives: { rows: [ana], unreadable: 0, hasNext: true, total: 61 },
  },
])

describe('The top of the list', () => {
  /** A server with conversations `0` to `total - 1`. `shifted`: all but the first page begin one row earlier. */
  async function topOf(total: number, count: number, shifted = false) {
    const asked: string[] = []
    const http = createHttp({
      baseUrl: '',
      log: { warn: () => {} },
      fetch: async (url) => {
        const page = Number(new URL(String(url), 'https://api.example').searchParams.get('page'))
        asked.push(`page ${page}`)
        const first = (page - 1) * 20 - (shifted && page > 1 ? 1 : 0)
        const length = Math.min(20, total - first)
        const data = Array.from({ length }, (_, index) => conversationOf({ primary_user_id: `${first + index}` }))
        const hasNext = first + 20 < total
        return Response.json({ success: true, data, pagination: { ...pagination, page, total, hasNext } })
      },
    })
    const service = createConversations(http, { warn: () => {} })
    const { rows, ...rest } = await service.loadTop({ query: all, count }, new AbortController().signal)
    return { asked, ids: rows.map(({ primary_user_id }) => primary_user_id), ...rest }
  }
  const idsUpTo = (end: number) => Array.from({ length: end }, (_, index) => `${index}`)
  const pagesUpTo = (end: number) => Array.from({ length: end }, (_, index) => `page ${index + 1}`)

  it.each([
    ['one page, if the rows are on one', 61, 20, 1, 20, true],
    ['as many pages as the rows need', 200, 21, 2, 40, true],
    ['more pages than are asked for at once', 200, 101, 6, 120, true],
    ['no more pages than there are', 61, 300, 4, 61, false],
  ])('comes from %s', async (_, total, count, pages, rows, hasNext) => {
    expect(await topOf(total, count)).toEqual({
      asked: pagesUpTo(pages),
      ids: idsUpTo(rows),
      unreadable: 0,
      hasNext,
      total,
    })
  })

  it('shows a conversation once that moved between two pages, and begins with the newest first page', async () => {
    expect(await topOf(61, 40, true)).toEqual({
      asked: ['page 1', 'page 2', 'page 1'],
      ids: idsUpTo(39),
      unreadable: 0,
      hasNext: true,
      total: 61,
    })
  })
})

describeRequests('The service of counts', createStats, [
  {
    claim: 'asks for the counts of a page',
    call: (stats, signal) => stats.loadStats({ pageId: 'p1' }, signal),
    asks: ['GET /facebook/stats?pageId=p1'],
    answer: ok(statsOf(12, 3)),
    gives: statsOf(12, 3),
  },
  {
    claim: 'asks for the counts of all pages',
    call: (stats, signal) => stats.loadStats({ pageId: null }, signal),
    asks: ['GET /facebook/stats'],
    answer: ok(statsOf(12, 3)),
    gives: statsOf(12, 3),
  },
])

const results = [
  { id: 'ana', state: stateOf(2), refusal: null },
  { id: 'ben', state: null, refusal: 'unknown' },
]
const change = { id: 'ana', version: 1, seen_message_at: '2026-03-01T07:00:00.000Z', decision: { done: true } }
const team = [{ id: 's1', name: 'Ben', is_active: true, may_answer: false }]

describeRequests('The service of states', createStates, [
  {
    claim: 'sends changes of states, and gives the result of each',
    call: (states) => states.changeStates({ changes: [change] }),
    asks: ['POST /facebook/conversations/state', { changes: [change] }],
    answer: ok({ results: [...results, unreadable] }),
    gives: results,
    warns: ['1 state changes could not be read'],
  },
  {
    claim: 'asks for the members of the team',
    call: (states, signal) => states.loadTeam(signal),
    asks: ['GET /facebook/team'],
    answer: ok([unreadable, ...team]),
    gives: team,
    warns: ['1 team members could not be read'],
  },
])

const labelBody = { name: 'Late', colour: 'red' as const, keywords: ['late', 'delayed'] }

describeRequests('The service of labels', createLabels, [
  {
    claim: 'asks for the labels',
    call: (labels, signal) => labels.loadLabels(signal),
    asks: ['GET /labels'],
    answer: ok({ labels: [vip, unreadable, late] }),
    gives: [vip, late],
    warns: ['1 labels could not be read'],
  },
  {
    claim: 'creates a label that has no id',
    call: (labels) => labels.saveLabel({ id: null, body: labelBody }),
    asks: ['POST /labels', labelBody],
    answer: ok({ id: 'l2', labels: [vip, late] }),
    gives: { id: 'l2', labels: [vip, late] },
  },
  {
    claim: 'changes a label that has an id',
    call: (labels) => labels.saveLabel({ id: 'l/2', body: labelBody }),
    asks: ['PUT /labels/l%2F2', labelBody],
    answer: ok({ id: 'l/2', labels: [vip, late] }),
    gives: { id: 'l/2', labels: [vip, late] },
  },
  {
    claim: 'deletes a label, and gives those that are left',
    call: (labels) => labels.deleteLabel({ id: 'l/1' }),
    asks: ['DELETE /labels/l%2F1'],
    answer: ok({ labels: [late] }),
    gives: [late],
  },
  {
    claim: 'asks how often a label is used',
    call: (labels, signal) => labels.loadLabelUsage({ id: 'l/1' }, signal),
    asks: ['GET /labels/l%2F1/usage'],
    answer: ok({ conversations: 2, clients: 1 }),
    gives: { conversations: 2, clients: 1 },
  },
  {
    claim: 'changes the labels of a client',
    call: (labels) => labels.changeClientLabels({ clientId: 'k/1', change: { add: ['l1'], remove: ['l2'] } }),
    asks: ['POST /clients/k%2F1/labels', { add: ['l1'], remove: ['l2'] }],
    answer: ok({ version: 4, label_ids: ['l1'] }),
    gives: { version: 4, label_ids: ['l1'] },
  },
])

describeRequests('The service of saved filters', createSavedFilters, [
  {
    claim: 'asks for the filters',
    call: (filters, signal) => filters.loadFilters(signal),
    asks: ['GET /facebook/saved-filters'],
    answer: ok({ version: 2, filters: [refunds, unreadable, mine] }),
    gives: told(2, refunds, mine),
    warns: ['1 saved filters could not be read'],
  },
  {
    claim: 'saves a filter under its id',
    call: (filters) => filters.saveFilter({ id: 'f/1', body: { name: 'Refunds', ...values } }),
    asks: ['PUT /facebook/saved-filters/f%2F1', { name: 'Refunds', ...values }],
    answer: ok(told(3, refunds)),
    gives: told(3, refunds),
  },
  {
    claim: 'deletes a filter, and gives those that are left',
    call: (filters) => filters.deleteFilter({ id: 'f/1' }),
    asks: ['DELETE /facebook/saved-filters/f%2F1'],
    answer: ok(told(3, mine)),
    gives: told(3, mine),
  },
])
