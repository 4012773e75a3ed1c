import { paymentsSummary } from '../../../src/domain/client/summaries.ts'
import { createChats } from '../../../src/services/client/chats.ts'
import { createClientWork } from '../../../src/services/client/client-work.ts'
import { createClients } from '../../../src/services/client/clients.ts'
import { createPersons } from '../../../src/services/client/persons.ts'
import { createShops } from '../../../src/services/client/shops.ts'
import { chats, join, moved, split, unlink } from '../../model/client/chats-fixture.ts'
import { benita, maria, removed, suggestions, summary } from '../../model/client/client-changes-fixture.ts'
import { clientOf } from '../../model/client/clients-fixture.ts'
import { balay, tinda } from '../../model/client/shops-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const form = { platform: null, language: null, business: undefined }

describeRequests('The service of clients', createClients, [
  {
    claim: 'asks for a new picture of a person',
    call: (clients, signal) => clients.renewPicture({ id: 'a/1' }, signal),
    asks: ['POST /facebook/refresh-user-profile/a%2F1'],
    answer: ok({ new_profile_pic: 'https://example.com/new.png' }),
    gives: 'https://example.com/new.png',
  },
  {
    claim: 'gives null for a person without a picture',
    call: (clients, signal) => clients.renewPicture({ id: 'a1' }, signal),
    asks: ['POST /facebook/refresh-user-profile/a1'],
    answer: ok({}),
    gives: null,
  },
  {
    claim: 'asks for no payments of a person without a client',
    call: (clients, signal) => clients.fetchPayments({ userId: 'ana', clientId: null, ...form }, signal),
    asks: null,
    answer: ok([]),
    gives: { text: paymentsSummary([], form), orders: [] },
  },
])

describeRequests('The service of chats', createChats, [
  {
    claim: 'asks for the chats of a conversation',
    call: (service, signal) => service.loadConversationChats({ conversationId: 'a/1' }, signal),
    asks: ['GET /facebook/chats/a%2F1'],
    answer: ok({ ...chats, chats: [...chats.chats, unreadable] }),
    gives: chats,
    warns: ['1 chats could not be read'],
  },
  {
    claim: 'unlinks a conversation from its client',
    call: (service) => service.changeChats({ conversationId: 'ana', step: unlink }),
    asks: ['POST /facebook/unlink-client', { fbUserId: 'ana', clientId: 'k1' }],
    answer: ok([...moved, unreadable]),
    gives: moved,
    warns: ['1 chats could not be read'],
  },
  {
    claim: 'splits a chat off',
    call: (service) => service.changeChats({ conversationId: 'ana', step: split }),
    asks: ['POST /facebook/split-chat', { fbUserId: 'ana-2' }],
    answer: ok(moved),
    gives: moved,
  },
  {
    claim: 'joins another conversation to a conversation',
    call: (service) => service.changeChats({ conversationId: 'ana', step: join('ben') }),
    asks: ['POST /facebook/join-chats', { fbUserId: 'ana', otherId: 'ben' }],
    answer: ok(moved),
    gives: moved,
  },
])

const edit = { version: 3, first_name: 'Maria', last_name: 'Santos', email: 'm@santos.ph', classification: 'vip' }
const merge = { other: 'k2', version: 3, other_version: 1, take: ['email' as const] }

describeRequests('The service of changes of clients', createClientWork, [
  {
    claim: 'searches for clients',
    call: (work, signal) => work.searchClients({ term: ' maria & co ' }, signal),
    asks: ['GET /facebook/search-clients?search=maria+%26+co'],
    answer: ok([maria, unreadable]),
    gives: [maria],
    warns: ['1 clients could not be read'],
  },
  {
    claim: 'creates a client',
    call: (work) =>
      work.createClient({
        fields: { firstName: 'Ana', lastName: 'Cruz', email: 'ana@cruz.ph', phone: '0917', company: 'Cruz Bakery' },
      }),
    asks: [
      'POST /clients',
      {
        first_name: 'Ana',
        last_name: 'Cruz',
        email: 'ana@cruz.ph',
        phone: '0917',
        company_name: 'Cruz Bakery',
        is_active: true,
      },
    ],
    answer: ok(maria),
    gives: maria,
  },
  {
    claim: 'links a chat user to a client',
    call: (work) => work.linkClient({ fbUserId: 'ana', clientId: 'k1' }),
    asks: ['POST /facebook/link-client', { fbUserId: 'ana', clientId: 'k1' }],
    answer: done,
  },
  {
    claim: 'saves the language of a client',
    call: (work) => work.saveLanguage({ clientId: 'k/1', language: 'fil' }),
    asks: ['PUT /clients/k%2F1/language', { language: 'fil' }],
    answer: ok({ ...maria, language: 'fil' }),
    gives: { ...maria, language: 'fil' },
  },
  {
    claim: 'asks for a client to edit',
    call: (work, signal) => work.loadClientToEdit({ clientId: 'k/1' }, signal),
    asks: ['GET /clients/k%2F1'],
    answer: ok(clientOf('k/1')),
    gives: clientOf('k/1'),
  },
  {
    claim: 'saves an edited client',
    call: (work) => work.editClient({ clientId: 'k/1', body: edit }),
    asks: ['PUT /clients/k%2F1', edit],
    answer: ok(maria),
    gives: maria,
  },
  {
    claim: 'asks what is deleted with a client',
    call: (work, signal) => work.loadClientSummary({ clientId: 'k/1' }, signal),
    asks: ['GET /clients/k%2F1/summary'],
    answer: ok(summary),
    gives: summary,
  },
  {
    claim: 'deletes the version of a client that the person saw',
    call: (work) => work.removeClient({ clientId: 'k/1', version: 3 }),
    asks: ['DELETE /clients/k%2F1', { version: 3 }],
    answer: ok([unreadable, ...moved]),
    gives: moved,
    warns: ['1 chats could not be read'],
  },
  {
    claim: 'merges two clients',
    call: (work) => work.mergeClients({ clientId: 'k/1', body: merge }),
    asks: ['POST /clients/k%2F1/merge', merge],
    answer: ok(moved),
    gives: moved,
  },
  {
    claim: 'asks for the deleted clients',
    call: (work, signal) => work.loadRemovals(signal),
    asks: ['GET /client-removals'],
    answer: ok([...removed, unreadable]),
    gives: removed,
    warns: ['1 removed clients could not be read'],
  },
  {
    claim: 'restores a deleted client',
    call: (work) => work.undoRemoval({ clientId: 'k/1' }),
    asks: ['POST /client-removals/k%2F1/undo'],
    answer: ok(moved),
    gives: moved,
  },
  {
    claim: 'asks for the suggested clients of a conversation',
    call: (work, signal) => work.loadSuggestions({ conversationId: 'a/1' }, signal),
    asks: ['GET /facebook/client-suggestions/a%2F1'],
    answer: ok([...suggestions, { client: benita, reasons: [] }]),
    gives: suggestions,
    warns: ['1 suggestions could not be read'],
  },
  {
    claim: 'dismisses a suggested client',
    call: (work) => work.dismissSuggestion({ conversationId: 'a/1', clientId: 'k1' }),
    asks: ['POST /facebook/client-suggestions/a%2F1/dismiss', { clientId: 'k1' }],
    answer: done,
  },
])

const person = { conversationId: 'a/1' }
const document = { format: 'staff-inbox-person', version: 1, messages: [{ text: 'Hello' }] }
const erasable = {
  messages: 3,
  files: 1,
  client: { name: 'Maria Santos', orders: 2, payments: 1, is_shared: false },
}

describeRequests('The service of persons', (http, _, save) => createPersons(http, save), [
  {
    claim: 'saves all data of a person as an indented file',
    call: (persons, signal) => persons.exportPerson(person, signal),
    asks: ['GET /persons/a%2F1/export'],
    answer: document,
    saves: [['person.json', JSON.stringify(document, null, 2)]],
  },
  {
    claim: 'asks what is erased with a person',
    call: (persons, signal) => persons.loadErasable(person, signal),
    asks: ['GET /persons/a%2F1/erasable'],
    answer: ok(erasable),
    gives: erasable,
  },
  {
    claim: 'erases a person with the client',
    call: (persons) => persons.erasePerson({ ...person, withClient: true }),
    asks: ['POST /persons/a%2F1/erase', { withClient: true }],
    answer: ok({ id: 'x1', state: 'running' }),
    gives: { id: 'x1', state: 'running' },
  },
  {
    claim: 'asks how far an erasure is',
    call: (persons, signal) => persons.loadErasure({ id: 'x/1' }, signal),
    asks: ['GET /erasures/x%2F1'],
    answer: ok({ id: 'x/1', state: 'completed' }),
    gives: { id: 'x/1', state: 'completed' },
  },
])

const newShop = { kind: 'shopify' as const, address: 'new.myshopify.com', key: 'shpat_1', secret: 'shpss_1' }

describeRequests('The service of shops', createShops, [
  {
    claim: 'asks for the shops',
    call: (shops, signal) => shops.loadShops(signal),
    asks: ['GET /shops'],
    answer: ok({ shops: [balay, unreadable, tinda] }),
    gives: [balay, tinda],
    warns: ['1 shops could not be read'],
  },
  {
    claim: 'connects a shop',
    call: (shops) => shops.connectShop(newShop),
    asks: ['POST /shops', newShop],
    answer: ok(balay),
  },
  {
    claim: 'begins the run of a shop',
    call: (shops) => shops.changeRun({ id: 's/1', change: 'sync' }),
    asks: ['POST /shops/s%2F1/sync'],
    answer: ok(balay),
  },
  {
    claim: 'stops the run of a shop',
    call: (shops) => shops.changeRun({ id: 's/1', change: 'cancel' }),
    asks: ['POST /shops/s%2F1/cancel'],
    answer: ok(balay),
  },
  {
    claim: 'disconnects a shop, and tells whether its webhooks were removed',
    call: (shops) => shops.disconnectShop({ id: 's/1' }),
    asks: ['DELETE /shops/s%2F1'],
    answer: ok({ removed: false }),
    gives: false,
  },
])
