import { createBusinessSettings } from '../../../src/services/pages/business-settings.ts'
import { createPageAdministration } from '../../../src/services/pages/page-administration.ts'
import { createPages } from '../../../src/services/pages/pages.ts'
import { inTurn, members } from '../../model/list/assignment-rules-fixture.ts'
import { cafe, shop } from '../../model/list/stats-and-pages-fixture.ts'
import { away, noHours } from '../../model/pages/business-hours-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const fields = { name: ' Shop ', token: ' T1 ', isActive: false }
const failure = { page_id: 'p1', page_name: 'Shop', error: 'The network said no' }
const deletion = { conversations: 4, shared_conversations: 1, messages: 12, unsent_messages: 2 }
const picture = 'https://scontent.fbcdn.net/p.jpg'
const proxied = `https://proxy.example/?of=${encodeURIComponent(picture)}`
const withPicture = (page_profile_pic_url: string | null) => ({ ...shop, page_profile_pic_url })
const pictureProxy = 'https://proxy.example/?of={url}'

describeRequests('The service of pages', (http, log) => createPages(http, log, { pictureProxy }), [
  {
    claim: 'asks for the pages',
    call: (pages, signal) => pages.loadPages(signal),
    asks: ['GET /facebook/pages'],
    answer: ok({ data: [shop, unreadable, cafe] }),
    gives: [shop, cafe],
    warns: ['1 pages could not be read'],
  },
  {
    claim: 'lets pictures of the network come through the proxy, and no others',
    call: (pages, signal) => pages.loadPages(signal),
    asks: ['GET /facebook/pages'],
    answer: { data: [withPicture(picture), withPicture('https://example.com/p.jpg'), withPicture(null)] },
    gives: [withPicture(proxied), withPicture('https://example.com/p.jpg'), withPicture(null)],
  },
])

describeRequests('The service of the page manager', createPageAdministration, [
  {
    claim: 'asks whose token was typed',
    call: (pages, signal) => pages.verifyToken({ token: ' T1 ' }, signal),
    asks: ['POST /facebook/pages/verify-token', { page_access_token: 'T1' }],
    answer: ok({ id: 'p9', name: 'Cakes', is_connected: true }),
    gives: { id: 'p9', name: 'Cakes', is_connected: true },
  },
  {
    claim: 'connects a page that has no id',
    call: (pages) => pages.savePage({ pageId: null, ...fields }),
    asks: ['POST /facebook/pages', { page_name: 'Shop', is_active: false, page_access_token: 'T1' }],
    answer: done,
  },
  {
    claim: 'changes a page with a new token, and what the page shows to people',
    call: (pages) => pages.savePage({ pageId: 'p/1', ...fields, senderActions: { typing: true, seen: false } }),
    asks: [
      'PUT /facebook/pages/p%2F1',
      { page_name: 'Shop', is_active: false, page_access_token: 'T1', shows_typing: true, shows_seen: false },
    ],
    answer: done,
  },
  {
    claim: 'changes a page and leaves its token',
    call: (pages) => pages.savePage({ pageId: 'p/1', ...fields, token: ' ' }),
    asks: ['PUT /facebook/pages/p%2F1', { page_name: 'Shop', is_active: false }],
    answer: done,
  },
  {
    claim: 'asks what is deleted with a page',
    call: (pages, signal) => pages.loadDeletion({ pageId: 'p/1' }, signal),
    asks: ['GET /facebook/pages/p%2F1/deletion'],
    answer: ok(deletion),
    gives: deletion,
  },
  {
    claim: 'deletes a page, and gives the message of the server',
    call: (pages) => pages.deletePage({ pageId: 'p/1' }),
    asks: ['DELETE /facebook/pages/p%2F1'],
    answer: { ...done, message: 'Deleted 12 messages' },
    gives: 'Deleted 12 messages',
  },
  {
    claim: 'gives null if the server has no message',
    call: (pages) => pages.deletePage({ pageId: 'p1' }),
    asks: ['DELETE /facebook/pages/p1'],
    answer: done,
    gives: null,
  },
  {
    claim: 'renews the pictures of the pages, and gives the pages that failed',
    call: (pages) => pages.refreshPictures({ scope: 'pages' }),
    asks: ['POST /facebook/pages/refresh-profile-pictures'],
    answer: { ...ok({ refreshed: 1, failures: [failure, unreadable] }), message: 'Renewed 1' },
    gives: { message: 'Renewed 1', failures: [failure] },
    warns: ['1 failures of pages could not be read'],
  },
  {
    claim: 'renews all pictures, and needs no details',
    call: (pages) => pages.refreshPictures({ scope: 'all' }),
    asks: ['POST /facebook/refresh-all-profile-pictures'],
    answer: done,
    gives: { message: null, failures: [] },
  },
])

describeRequests('The service of the settings of the business', createBusinessSettings, [
  {
    claim: 'asks for the business hours and their time zone',
    call: (settings, signal) => settings.loadHours(signal),
    asks: ['GET /business-hours'],
    answer: ok({ settings: away, version: 2, time_zone: 'Asia/Manila' }),
    gives: { saved: { settings: away, version: 2 }, facts: { timeZone: 'Asia/Manila' } },
  },
  {
    claim: 'saves the business hours',
    call: (settings) => settings.saveHours({ settings: away, replaces: 2 }),
    asks: ['PUT /business-hours', { settings: away, replaces: 2 }],
    answer: ok({ is_saved: true, settings: away, version: 3 }),
    gives: { settings: away, version: 3, isSaved: true },
  },
  {
    claim: 'gives the business hours of another person who was first',
    call: (settings) => settings.saveHours({ settings: away, replaces: 2 }),
    asks: ['PUT /business-hours', { settings: away, replaces: 2 }],
    answer: ok({ is_saved: false, settings: noHours, version: 3 }),
    gives: { settings: noHours, version: 3, isSaved: false },
  },
  {
    claim: 'asks for the assignment rules and the members',
    call: (settings, signal) => settings.loadRules(signal),
    asks: ['GET /assignment-rules'],
    answer: ok({ settings: inTurn, version: 1, members }),
    gives: { saved: { settings: inTurn, version: 1 }, facts: { members } },
  },
  {
    claim: 'saves the assignment rules',
    call: (settings) => settings.saveRules({ settings: inTurn, replaces: 1 }),
    asks: ['PUT /assignment-rules', { settings: inTurn, replaces: 1 }],
    answer: ok({ is_saved: true, settings: inTurn, version: 2 }),
    gives: { settings: inTurn, version: 2, isSaved: true },
  },
])
