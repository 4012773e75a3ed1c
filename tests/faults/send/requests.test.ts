import { createMessageTemplates } from '../../../src/services/send/message-templates.ts'
import { createSavedReplies } from '../../../src/services/send/saved-replies.ts'
import { templates } from '../../model/send/message-templates-fixture.ts'
import { holiday, hours } from '../../model/send/saved-replies-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const replies = [hours, holiday].map((reply) => ({ ...reply, structure: null }))
const body = { name: 'hours', text: 'We open at nine', page_ids: ['p1'], pictures: [], structure: null }

describeRequests('The service of saved replies', createSavedReplies, [
  {
    claim: 'asks for all saved replies, and counts unreadable ones',
    call: (service, signal) => service.loadReplies(signal),
    asks: ['GET /saved-replies'],
    answer: ok([...replies, unreadable]),
    gives: replies,
    warns: ['1 saved replies could not be read'],
  },
  {
    claim: 'creates a saved reply',
    call: (service) => service.saveReply({ id: null, body }),
    asks: ['POST /saved-replies', body],
    answer: done,
  },
  {
    claim: 'changes a saved reply',
    call: (service) => service.saveReply({ id: 'r/1', body }),
    asks: ['PUT /saved-replies/r%2F1', body],
    answer: done,
  },
  {
    claim: 'deletes a saved reply',
    call: (service) => service.deleteReply({ id: 'r/1' }),
    asks: ['DELETE /saved-replies/r%2F1'],
    answer: done,
  },
  {
    claim: 'counts the use in a message by its key',
    call: (service) => service.countUse({ id: 'r/1', key: 'key-of-the-message' }),
    asks: ['POST /saved-replies/r%2F1/used', { key: 'key-of-the-message' }],
    answer: done,
  },
])

describeRequests('The service of message templates', createMessageTemplates, [
  {
    claim: 'asks for the templates of a page, and counts unreadable ones',
    call: (service, signal) => service.loadTemplates({ pageId: 'p/1' }, signal),
    asks: ['GET /facebook/pages/p%2F1/message-templates'],
    answer: ok([unreadable, ...templates]),
    gives: templates,
    warns: ['1 message templates could not be read'],
  },
])
