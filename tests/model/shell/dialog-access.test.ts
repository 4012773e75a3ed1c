import { describe, expect, it } from 'vitest'
import { mayOpen } from '../../../src/machines/shell/dialog-access.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'

const person = (permissions: readonly string[], features: AuthUser['features'] = []): AuthUser => ({
  id: 'staff-1',
  email: 'mia@example.com',
  role: 'agent',
  permissions: [...permissions],
  features,
})

/** Each dialog that not everybody may open, with one permission that suffices, and the feature of the API. */
const cases = [
  ['apiKeys', 'api-keys.manage', null],
  ['webhooks', 'webhooks.manage', null],
  ['assignmentRules', 'staff.manage', 'assignment-rules'],
  ['auditLog', 'audit.read', null],
  ['businessHours', 'faq.manage', 'business-hours'],
  ['chats', 'clients.link', 'chats'],
  ['clientLanguage', 'conversations.manage', 'summaries'],
  ['dataTransfer', 'data.export', 'csv-import'],
  ['dataTransfer', 'imports.manage', 'csv-import'],
  ['facebookLogin', 'pages.manage', 'facebook-login'],
  ['historySync', 'sync.run', null],
  ['labelManager', 'labels.manage', 'labels'],
  ['labels', 'conversations.manage', 'labels'],
  ['linkClient', 'clients.link', null],
  ['editClient', 'clients.manage', 'client-changes'],
  ['mergeClients', 'clients.remove', 'client-changes'],
  ['removeClient', 'clients.remove', 'client-changes'],
  ['removedClients', 'clients.remove', 'client-changes'],
  ['newOrder', 'orders.manage', 'chat-orders'],
  ['order', 'orders.read', 'chat-orders'],
  ['personalData', 'persons.export', null],
  ['personalData', 'persons.erase', null],
  ['faqMatching', 'faq.manage', 'faq-matching'],
  ['liveSale', 'orders.manage', 'comments'],
  ['productManager', 'faq.manage', 'chat-orders'],
  ['recordPayment', 'orders.manage', 'chat-orders'],
  ['reports', 'reports.read', 'reports'],
  ['voiceNote', 'messages.send', 'files'],
  ['productCard', 'orders.manage', 'product-cards'],
  ['messageTemplates', 'messages.send', 'message-templates'],
  ['savedReplyManager', 'messages.send', 'saved-replies'],
  ['shops', 'shops.manage', 'shops'],
  ['staff', 'staff.manage', null],
] as const

describe('Who may open a dialog', () => {
  it.each(cases)('%s: a person with %s, if the API offers %s', (dialog, permission, feature) => {
    const features = feature === null ? [] : [feature]
    expect({
      holder: mayOpen(person(['conversations.read', permission], features), dialog),
      withoutPermission: mayOpen(person(['conversations.read'], features), dialog),
      withoutFeature: mayOpen(person(['conversations.read', permission]), dialog),
    }).toEqual({ holder: true, withoutPermission: false, withoutFeature: feature === null })
  })

  it('everybody opens a dialog without a rule', () => {
    expect(mayOpen(person([]), 'changePassword')).toBe(true)
  })

  it('everybody opens the notifications, if the API offers them', () => {
    const offered = [[], ['notifications' as const]].map((features) => mayOpen(person([], features), 'notifications'))
    expect(offered).toEqual([false, true])
  })

  it('everybody opens the comments, if the API offers them', () => {
    const offered = [[], ['comments' as const]].map((features) => mayOpen(person([], features), 'comments'))
    expect(offered).toEqual([false, true])
  })

  it('people with other permission names see the dialogs whose calls only the API can judge', () => {
    const offered = ['historySync', 'linkClient', 'staff'] as const
    expect(offered.map((dialog) => mayOpen(person(['inbox']), dialog))).toEqual([true, true, false])
  })
})
