import { offers } from '../../domain/session/features.ts'
import { can, canAny, mayTry } from '../../domain/session/permissions.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { DialogName } from './dialog.ts'

/** Who may open a dialog. A dialog without an entry is open to everybody. */
const access: { readonly [Name in DialogName]?: (user: AuthUser) => boolean } = {
  apiKeys: (user) => can(user, 'api-keys.manage'),
  assignmentRules: (user) => offers(user, 'assignment-rules') && can(user, 'staff.manage'),
  auditLog: (user) => can(user, 'audit.read'),
  businessHours: (user) => offers(user, 'business-hours') && can(user, 'faq.manage'),
  chats: (user) => offers(user, 'chats') && can(user, 'clients.link'),
  clientLanguage: (user) => offers(user, 'summaries') && can(user, 'conversations.manage'),
  comments: (user) => offers(user, 'comments'),
  dataTransfer: (user) => offers(user, 'csv-import') && canAny(user, ['imports.manage', 'data.export']),
  editClient: (user) => offers(user, 'client-changes') && can(user, 'clients.manage'),
  facebookLogin: (user) => offers(user, 'facebook-login') && can(user, 'pages.manage'),
  faqMatching: (user) => offers(user, 'faq-matching') && can(user, 'faq.manage'),
  historySync: (user) => mayTry(user, 'sync.run'),
  labelManager: (user) => offers(user, 'labels') && can(user, 'labels.manage'),
  labels: (user) => offers(user, 'labels') && can(user, 'conversations.manage'),
  liveSale: (user) => offers(user, 'comments') && can(user, 'orders.manage'),
  linkClient: (user) => mayTry(user, 'clients.link'),
  mergeClients: (user) => offers(user, 'client-changes') && can(user, 'clients.remove'),
  messageTemplates: (user) => offers(user, 'message-templates') && can(user, 'messages.send'),
  newOrder: (user) => offers(user, 'chat-orders') && can(user, 'orders.manage'),
  notifications: (user) => offers(user, 'notifications'),
  order: (user) => offers(user, 'chat-orders') && can(user, 'orders.read'),
  personalData: (user) => canAny(user, ['persons.export', 'persons.erase']),
  productCard: (user) => offers(user, 'product-cards') && can(user, 'orders.manage'),
  productManager: (user) => offers(user, 'chat-orders') && can(user, 'faq.manage'),
  recordPayment: (user) => offers(user, 'chat-orders') && can(user, 'orders.manage'),
  removeClient: (user) => offers(user, 'client-changes') && can(user, 'clients.remove'),
  removedClients: (user) => offers(user, 'client-changes') && can(user, 'clients.remove'),
  reports: (user) => offers(user, 'reports') && can(user, 'reports.read'),
  savedFilterManager: (user) => offers(user, 'saved-filters'),
  savedReplyManager: (user) => offers(user, 'saved-replies') && mayTry(user, 'messages.send'),
  shops: (user) => offers(user, 'shops') && can(user, 'shops.manage'),
  staff: (user) => can(user, 'staff.manage'),
  voiceNote: (user) => offers(user, 'files') && can(user, 'messages.send'),
  webhooks: (user) => can(user, 'webhooks.manage'),
}

/** Whether buttons, menus and the palette offer the dialog. The server checks the permission of each call. */
export const mayOpen = (user: AuthUser, dialog: DialogName): boolean => access[dialog]?.(user) ?? true
