import { createFaq } from '../../../src/services/faq/faq.ts'
import { messageOf } from '../../domain/message-fixture.ts'
import { hoursBody as body, categories, entryOf, hoursMatch as match } from '../../model/faq/faq-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const wrongAnswer = {
  message_id: 'm1',
  conversation_id: 'ana',
  page_id: 'p1',
  question: 'When?',
  answer: 'Soon.',
  faq_id: 'f1',
  faq_title: 'Hours',
  marked_by_name: 'Paolo',
  marked_at: '2026-03-01T07:00:00.000Z',
}
const cursor = {
  after: 7,
  last: 20,
  since: '2026-03-01T07:00:00.000Z',
  total: 12,
  done: 4,
  version: 'v1',
  recent: [{ person: 'ana', at: '2026-03-01T07:00:00.000Z' }],
}
const part = {
  total: 12,
  done: 8,
  outcomes: { answered: 5, staff: 1, recent: 0, doubtful: 1, none: 1 },
  contested: 0,
  entries: [{ id: 'f1', title: 'Hours', count: 5 }],
  answered: [],
  several: [],
  unanswered: [],
  next: cursor,
}
const answer = messageOf('m/1', 0, { direction: 'outgoing' })

describeRequests('The service of FAQ entries', createFaq, [
  {
    claim: 'asks for the categories',
    call: (faq, signal) => faq.loadCategories(signal),
    asks: ['GET /faq/categories'],
    answer: ok([...categories, unreadable]),
    gives: categories,
    warns: ['1 FAQ categories could not be read'],
  },
  {
    claim: 'asks for the entries',
    call: (faq, signal) => faq.loadEntries(signal),
    asks: ['GET /faq/entries'],
    answer: ok([entryOf('e1')]),
    gives: [entryOf('e1')],
  },
  {
    claim: 'creates an entry that has no id',
    call: (faq) => faq.saveFaq({ id: null, body }),
    asks: ['POST /faq/entries', body],
    answer: done,
  },
  {
    claim: 'changes an entry that has an id',
    call: (faq) => faq.saveFaq({ id: 'e/1', body }),
    asks: ['PUT /faq/entries/e%2F1', body],
    answer: done,
  },
  {
    claim: 'deletes an entry',
    call: (faq) => faq.deleteFaq({ id: 'e/1' }),
    asks: ['DELETE /faq/entries/e%2F1'],
    answer: done,
  },
  {
    claim: 'tests a message to any page',
    call: (faq, signal) => faq.testMatch({ message: 'open?', pageId: null }, signal),
    asks: ['POST /faq/test-match', { message: 'open?' }],
    answer: ok({ message: 'open?', matches: [match, unreadable] }),
    gives: { message: 'open?', matches: [match] },
    warns: ['1 FAQ matches could not be read'],
  },
  {
    claim: 'tests a message to one page',
    call: (faq, signal) => faq.testMatch({ message: 'open?', pageId: 'p1' }, signal),
    asks: ['POST /faq/test-match', { message: 'open?', pageId: 'p1' }],
    answer: { message: 'open?', matches: [match], answer: { id: 'e1', doubt: null } },
    gives: { message: 'open?', matches: [match], answer: { id: 'e1', doubt: null } },
  },
  {
    claim: 'asks how similar a message has to be',
    call: (faq, signal) => faq.loadMatching(signal),
    asks: ['GET /faq/matching'],
    answer: ok({ settings: { least_score: 0.9 }, version: 2 }),
    gives: { saved: { settings: { least_score: 0.9 }, version: 2 }, facts: null },
  },
  {
    claim: 'saves how similar a message has to be, and gives the choice of another person who was first',
    call: (faq) => faq.saveMatching({ settings: { least_score: null }, replaces: 2 }),
    asks: ['PUT /faq/matching', { settings: { least_score: null }, replaces: 2 }],
    answer: ok({ is_saved: false, settings: { least_score: 0.8 }, version: 3 }),
    gives: { settings: { least_score: 0.8 }, version: 3, isSaved: false },
  },
  {
    claim: 'asks for the answers that are marked wrong',
    call: (faq, signal) => faq.loadWrongAnswers(signal),
    asks: ['GET /faq/wrong-answers'],
    answer: ok({ total: 2, answers: [wrongAnswer, unreadable] }),
    gives: { total: 2, answers: [wrongAnswer] },
    warns: ['1 wrong answers could not be read'],
  },
  {
    claim: 'takes a wrong answer off the list',
    call: (faq) => faq.resolveWrongAnswer({ messageId: 'm/1' }),
    asks: ['POST /faq/wrong-answers/m%2F1/resolve'],
    answer: done,
  },
  {
    claim: 'asks for the next part of a dry run with an unsaved entry',
    call: (faq, signal) => faq.dryRun({ entry: { id: null, ...body }, next: cursor }, signal),
    asks: ['POST /faq/dry-run', { entry: { id: null, ...body }, next: cursor }],
    answer: ok({ ...part, entries: [...part.entries, unreadable] }),
    gives: part,
    warns: ['1 entries of a dry run could not be read'],
  },
  {
    claim: 'marks an answer wrong, and gives the answer as it is now',
    call: (faq) => faq.markAnswer({ messageId: 'm/1', isWrong: true }),
    asks: ['PUT /facebook/messages/m%2F1/wrong-answer'],
    answer: ok({ message: answer }),
    gives: answer,
  },
  {
    claim: 'takes the mark of an answer back',
    call: (faq) => faq.markAnswer({ messageId: 'm/1', isWrong: false }),
    asks: ['DELETE /facebook/messages/m%2F1/wrong-answer'],
    answer: ok({ message: answer }),
    gives: answer,
  },
])
