import { createSearch } from '../../../src/services/shell/search.ts'
import { messageOf } from '../../domain/message-fixture.ts'
import { messageHit, messagesOf } from '../../model/shell/search-fixture.ts'
import { describeRequests, ok, unreadable } from '../requests.ts'

const clientHit = { id: 'k1', name: 'Maria Santos', primary_user_id: null }
const orderHit = {
  id: 'o1',
  order_number: '101',
  status: 'pending',
  created_at: '2026-03-01T07:00:00.000Z',
  client_id: 'k1',
  client_name: 'Maria Santos',
}
const place = { conversationId: 'a/1', messageId: 'm/2' }

describeRequests('The search', createSearch, [
  {
    claim: 'asks for several kinds at once, and gives what was found of each',
    call: (search, signal) => search.search({ term: 'mug & cup', kinds: ['clients', 'orders'], after: null }, signal),
    asks: ['GET /search?q=mug+%26+cup&kinds=clients%2Corders'],
    answer: ok({
      clients: { hits: [clientHit, unreadable], next: 'more' },
      orders: { hits: [orderHit, unreadable], next: null },
      messages: { hits: [messageHit('m1'), unreadable], next: null },
      is_partial: true,
    }),
    gives: {
      clients: { hits: [clientHit], next: 'more' },
      orders: { hits: [orderHit], next: null },
      messages: { hits: [messageHit('m1')], next: null },
      isPartial: true,
    },
    warns: ['1 clients could not be read', '1 orders could not be read', '1 messages could not be read'],
  },
  {
    claim: 'asks for more of one kind; what an answer does not say is null, and the answer is whole',
    call: (search, signal) => search.search({ term: 'po', kinds: ['messages'], after: 'next' }, signal),
    asks: ['GET /search?q=po&kinds=messages&after=next'],
    answer: ok({ messages: { hits: [messageHit('m1')] } }),
    gives: messagesOf(['m1']),
  },
  {
    claim: 'asks for the messages around a found one',
    call: (search, signal) => search.loadAround({ ...place, at: '2026-03-01T07:00:00.000Z', side: 'both' }, signal),
    asks: [
      'GET /facebook/conversations/a%2F1/messages-around?messageId=m%2F2&at=2026-03-01T07%3A00%3A00.000Z&side=both&limit=50',
    ],
    answer: ok({ messages: [unreadable, messageOf('m2', 2)], has_older: true, has_newer: false }),
    gives: { messages: [messageOf('m2', 2)], hasOlder: true, hasNewer: false },
    warns: ['1 messages could not be read'],
  },
  {
    claim: 'asks for the messages after one without a time',
    call: (search, signal) => search.loadAround({ ...place, at: null, side: 'newer' }, signal),
    asks: ['GET /facebook/conversations/a%2F1/messages-around?messageId=m%2F2&side=newer&limit=50'],
    answer: ok({ messages: [], has_older: false, has_newer: true }),
    gives: { messages: [], hasOlder: false, hasNewer: true },
  },
])
