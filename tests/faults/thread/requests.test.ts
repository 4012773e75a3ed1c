import { createMessages } from '../../../src/services/thread/messages.ts'
import { createReactions } from '../../../src/services/thread/reactions.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const [older, newer] = [messageOf('m1', 1), messageOf('m2', 2)]
const start = { is_reached: true, unsynced: { page_id: 'p1', psid: 'psid-ana', platform: 'messenger' } }
const recipient = { pageId: 'p1', recipientPsid: 'psid-ana' }
const order = { key: 'key-of-the-send', pageId: 'p1', psid: 'psid-ana', text: 'Which one?' }
const key = { 'Idempotency-Key': 'key-of-the-send' }
const sent = ok({ message_id: 'm9', created_at: '2026-03-01T09:00:00.000Z' })
const sending = { messageId: 'm9', createdAt: '2026-03-01T09:00:00.000Z' }
const structured = { kind: 'quickReplies' as const, titles: ['Mug', 'Shirt'] }
const outcome = { state: 'sent', question: older, reply: messageOf('m3', 3, { direction: 'outgoing' }) }

describeRequests('The service of messages', (http, log) => createMessages(http, log, { sendsKeys: true }), [
  {
    claim: 'asks for a page of messages, and says how far the history goes',
    call: (messages, signal) => messages.loadMessages({ conversationId: 'a/1', pageId: 'p1', page: 3 }, signal),
    asks: ['GET /facebook/conversations/a%2F1/messages?page=3&limit=50&pageId=p1'],
    answer: ok({ messages: [older, unreadable, newer], hasMore: false, start }),
    gives: { messages: [older, newer], hasMore: false, start },
    warns: ['1 messages could not be read'],
  },
  {
    claim: 'reads messages with an unknown start of the history',
    call: (messages, signal) => messages.loadMessages({ conversationId: 'a1', pageId: null, page: 1 }, signal),
    asks: ['GET /facebook/conversations/a1/messages?page=1&limit=50'],
    answer: ok({ messages: [], start: { is_reached: 'yes' } }),
    gives: { messages: [], hasMore: false, start: undefined },
  },
  {
    claim: 'asks for the newest messages',
    call: (messages, signal) => messages.findNewest({ conversationId: 'a/1', pageId: 'p1' }, signal),
    asks: ['GET /facebook/conversations/a%2F1/messages?page=1&limit=50&pageId=p1'],
    answer: ok({ messages: [older, newer], hasMore: true }),
    gives: [older, newer],
  },
  {
    claim: 'finds the conversation of an id',
    call: (messages, signal) => messages.findConversation({ id: 'ana-p1' }, signal),
    asks: ['GET /facebook/conversations?page=1&limit=20&search=ana-p1'],
    answer: ok([unreadable, conversationOf()]),
    gives: conversationOf(),
    warns: ['1 conversations could not be read'],
  },
  {
    claim: 'takes a conversation with messages to be there',
    call: (messages, signal) => messages.isGone({ id: 'a/1' }, signal),
    asks: ['GET /facebook/conversations/a%2F1/messages?page=1&limit=50'],
    answer: ok({ messages: [older] }),
    gives: false,
  },
  {
    claim: 'marks the messages of a page as read',
    call: (messages) => messages.markRead({ conversationId: 'a/1', pageId: 'p1' }),
    asks: ['POST /facebook/conversations/a%2F1/mark-read', { pageId: 'p1' }],
    answer: done,
  },
  {
    claim: 'asks for the best page to answer from, and for the reason',
    call: (messages, signal) => messages.findBestPage({ userId: 'a/1' }, signal),
    asks: ['GET /facebook/users/a%2F1/best-page'],
    answer: ok({ page_id: 'p1', psid: 'psid-ana', reason: 'last_incoming' }),
    gives: { pageId: 'p1', reason: 'last_incoming' },
  },
  {
    claim: 'asks for the identity of a person on a page',
    call: (messages, signal) => messages.findIdentity({ userId: 'a/1', pageId: 'p/1' }, signal),
    asks: ['GET /facebook/users/a%2F1/identity/p%2F1'],
    answer: ok({ psid: 'psid-ana', platform: 'instagram' }),
    gives: { psid: 'psid-ana', platform: 'instagram' },
  },
  {
    claim: 'sends the decision on an automatic reply that is not confirmed',
    call: (messages) => messages.decideReply({ questionId: 'm/1', decision: 'retry', tries: 2 }),
    asks: ['POST /facebook/messages/m%2F1/unconfirmed-reply', { decision: 'retry', tries: 2 }],
    answer: ok(outcome),
    gives: outcome,
  },
  {
    claim: 'sends a text that answers a message',
    call: (messages) => messages.sendMessage({ ...order, replyTo: 'm1' }),
    asks: [
      'POST /facebook/send-message',
      { ...recipient, messageText: 'Which one?', messageType: 'text', replyTo: 'm1' },
      key,
    ],
    answer: sent,
    gives: sending,
  },
  {
    claim: 'sends a structured message that answers a message',
    call: (messages) => messages.sendMessage({ ...order, structured, replyTo: 'm1' }),
    asks: [
      'POST /facebook/send-message',
      { ...recipient, messageText: 'Which one?', messageType: 'structured', structured, replyTo: 'm1' },
      key,
    ],
    answer: sent,
    gives: sending,
  },
  {
    claim: 'sends a file without a text',
    call: (messages) => messages.sendMessage({ ...order, text: '', fileId: 'f1' }),
    asks: ['POST /facebook/send-message', { ...recipient, messageType: 'file', fileId: 'f1' }, key],
    answer: sent,
    gives: sending,
  },
])

describeRequests('The service of reactions', createReactions, [
  {
    claim: 'puts a reaction on a message, and gives the message as it is now',
    call: (reactions) => reactions.react({ messageId: 'm/1', emoji: '👍' }),
    asks: ['PUT /facebook/messages/m%2F1/reaction', { emoji: '👍' }],
    answer: ok({ message: older }),
    gives: older,
  },
  {
    claim: 'takes a reaction back',
    call: (reactions) => reactions.react({ messageId: 'm1', emoji: null }),
    asks: ['PUT /facebook/messages/m1/reaction', { emoji: null }],
    answer: ok({ message: older }),
    gives: older,
  },
])
