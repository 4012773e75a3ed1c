import { createComments } from '../../../src/services/comments/comments.ts'
import { commentOf, listOf, openSend, threadOf } from '../../model/comments/comments-fixture.ts'
import { on } from '../../model/comments/live-sale-fixture.ts'
import { describeRequests, ok, unreadable } from '../requests.ts'

const thread = threadOf()
const list = listOf(['t1', 't2'], 'more')
const answeredWith = (sentKeys: string[]) =>
  ok(threadOf([commentOf({ sent_keys: sentKeys, sends: [openSend('public', { key: 'open' })] })]))
const place = { threadId: 't/1', commentId: 'c1' }

describeRequests('The service of comments', createComments, [
  {
    claim: 'asks for the threads of a view, of a conversation, a page and a post, and for those after a place',
    call: (comments, signal) =>
      comments.loadThreads(
        {
          view: 'all',
          conversationId: 'ana',
          search: 'magkano po',
          pageId: 'p1',
          postId: 'post-1',
          after: 'next',
          limit: 30,
        },
        signal,
      ),
    asks: ['GET /comments/threads?view=all&conversation=ana&search=magkano+po&page=p1&post=post-1&after=next&limit=30'],
    answer: ok({ ...list, threads: [...list.threads, unreadable] }),
    gives: list,
    warns: ['1 threads of comments could not be read'],
  },
  {
    claim: 'asks for all threads of a view',
    call: (comments, signal) =>
      comments.loadThreads(
        { view: 'waiting', conversationId: null, search: '', pageId: null, postId: null, after: null, limit: 30 },
        signal,
      ),
    asks: ['GET /comments/threads?view=waiting&limit=30'],
    answer: ok(list),
    gives: list,
  },
  {
    claim: 'asks for a thread',
    call: (comments, signal) => comments.loadThread({ threadId: 't/1' }, signal),
    asks: ['GET /comments/threads/t%2F1'],
    answer: ok({ ...thread, comments: [unreadable, ...thread.comments] }),
    gives: thread,
    warns: ['1 comments could not be read'],
  },
  {
    claim: 'finds an answer that was sent',
    call: (comments, signal) => comments.findAnswer({ ...place, key: 'k1' }, signal),
    asks: ['GET /comments/threads/t%2F1'],
    answer: answeredWith(['k1']),
    gives: 'sent',
  },
  {
    claim: 'finds an answer that the server still holds',
    call: (comments, signal) => comments.findAnswer({ ...place, key: 'open' }, signal),
    asks: ['GET /comments/threads/t%2F1'],
    answer: answeredWith([]),
    gives: 'held',
  },
  {
    claim: 'does not find an answer of another comment',
    call: (comments, signal) => comments.findAnswer({ ...place, commentId: 'c2', key: 'k1' }, signal),
    asks: ['GET /comments/threads/t%2F1'],
    answer: answeredWith(['k1']),
    gives: 'unknown',
  },
  {
    claim: 'finishes a thread up to the comment that the person saw',
    call: (comments) => comments.finishThread({ threadId: 't/1', upTo: '2026-11-20T08:00:00Z' }),
    asks: ['PUT /comments/threads/t%2F1/done', { up_to: '2026-11-20T08:00:00Z' }],
    answer: ok(thread),
    gives: thread,
  },
  {
    claim: 'sends an answer with its key',
    call: (comments) =>
      comments.sendReply({ commentId: 'c/1', kind: 'private', message: 'P250 po', key: 'key-of-the-answer' }),
    asks: [
      'POST /comments/c%2F1/replies',
      { kind: 'private', message: 'P250 po' },
      { 'Idempotency-Key': 'key-of-the-answer' },
    ],
    answer: ok(thread),
    gives: thread,
  },
  {
    claim: 'sends the decision on an answer that may have left',
    call: (comments) => comments.decideSend({ key: 'k/1', decision: 'retry', tries: 2 }),
    asks: ['POST /comments/sends/k%2F1', { decision: 'retry', tries: 2 }],
    answer: ok(thread),
    gives: thread,
  },
  {
    claim: 'hides a comment',
    call: (comments) => comments.changeComment({ commentId: 'c/1', change: { kind: 'hide', hidden: true } }),
    asks: ['PUT /comments/c%2F1/hidden', { hidden: true }],
    answer: ok(thread),
    gives: thread,
  },
  {
    claim: 'takes the like of a comment back',
    call: (comments) => comments.changeComment({ commentId: 'c/1', change: { kind: 'like', liked: false } }),
    asks: ['PUT /comments/c%2F1/like', { liked: false }],
    answer: ok(thread),
    gives: thread,
  },
  {
    claim: 'deletes a comment',
    call: (comments) => comments.changeComment({ commentId: 'c/1', change: { kind: 'delete' } }),
    asks: ['DELETE /comments/c%2F1'],
    answer: ok(thread),
    gives: thread,
  },
  {
    claim: 'asks for the live sale and the posts that it can be on',
    call: (comments, signal) => comments.loadSale(signal),
    asks: ['GET /comments/live-sale'],
    answer: ok({ settings: on, version: 4, posts: [{ id: 'post-1', message: null, is_live: true }] }),
    gives: {
      saved: { settings: on, version: 4 },
      facts: { posts: [{ id: 'post-1', message: null, is_live: true }] },
    },
  },
  {
    claim: 'saves the live sale, and gives that of another person who was first',
    call: (comments) => comments.saveSale({ settings: on, replaces: 4 }),
    asks: ['PUT /comments/live-sale', { settings: on, replaces: 4 }],
    answer: ok({ is_saved: false, settings: { ...on, keyword: 'akin' }, version: 5 }),
    gives: { settings: { ...on, keyword: 'akin' }, version: 5, isSaved: false },
  },
])
