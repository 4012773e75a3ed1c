import { fromCallback } from 'xstate'
import { chatsMachine } from '../../../src/machines/client/chats.ts'
import { clientLanguageMachine } from '../../../src/machines/client/client-language.ts'
import { dataTransferMachine } from '../../../src/machines/client/data-transfer.ts'
import { editClientMachine } from '../../../src/machines/client/edit-client.ts'
import { mergeClientsMachine } from '../../../src/machines/client/merge-clients.ts'
import { newOrderMachine } from '../../../src/machines/client/new-order.ts'
import { orderMachine } from '../../../src/machines/client/order.ts'
import { personalDataMachine } from '../../../src/machines/client/personal-data.ts'
import { productManagerMachine } from '../../../src/machines/client/product-manager.ts'
import { recordPaymentMachine } from '../../../src/machines/client/record-payment.ts'
import { removeClientMachine } from '../../../src/machines/client/remove-client.ts'
import { removedClientsMachine } from '../../../src/machines/client/removed-clients.ts'
import { shopsMachine } from '../../../src/machines/client/shops.ts'
import { commentsMachine } from '../../../src/machines/comments/comments.ts'
import { liveSaleMachine } from '../../../src/machines/comments/live-sale.ts'
import { faqMachine } from '../../../src/machines/faq/faq.ts'
import { faqMatchingMachine } from '../../../src/machines/faq/faq-matching.ts'
import { assignmentRulesMachine } from '../../../src/machines/list/assignment-rules.ts'
import { labelManagerMachine } from '../../../src/machines/list/label-manager.ts'
import { labelPickerMachine } from '../../../src/machines/list/label-picker.ts'
import { savedFilterManagerMachine } from '../../../src/machines/list/saved-filter-manager.ts'
import { stateDialogMachine } from '../../../src/machines/list/state-dialog.ts'
import { businessHoursMachine } from '../../../src/machines/pages/business-hours.ts'
import { facebookLoginMachine } from '../../../src/machines/pages/facebook-login.ts'
import { pageManagerMachine } from '../../../src/machines/pages/page-manager.ts'
import { reportsMachine } from '../../../src/machines/reports/reports.ts'
import { messageTemplatesMachine } from '../../../src/machines/send/message-templates.ts'
import { productCardMachine } from '../../../src/machines/send/product-card.ts'
import { savedReplyManagerMachine } from '../../../src/machines/send/saved-reply-manager.ts'
import { unsentMachine } from '../../../src/machines/send/unsent.ts'
import { voiceNoteMachine } from '../../../src/machines/send/voice-note.ts'
import { apiKeysMachine } from '../../../src/machines/session/api-keys.ts'
import { auditLogMachine } from '../../../src/machines/session/audit-log.ts'
import { newPasswordMachine } from '../../../src/machines/session/new-password.ts'
import { secondFactorMachine } from '../../../src/machines/session/second-factor.ts'
import { staffMachine } from '../../../src/machines/session/staff.ts'
import { webhooksMachine } from '../../../src/machines/session/webhooks.ts'
import {
  type DialogName,
  type DialogRequest,
  dialogMachine,
  type LoadedDialog,
} from '../../../src/machines/shell/dialog.ts'
import { infoDialogMachine } from '../../../src/machines/shell/info-dialog.ts'
import { notificationSettingsMachine } from '../../../src/machines/shell/notification-settings.ts'
import { paletteMachine } from '../../../src/machines/shell/palette.ts'
import { autoSyncControlMachine } from '../../../src/machines/sync/auto-sync-control.ts'
import { historySyncMachine } from '../../../src/machines/sync/history-sync.ts'
import { imageGalleryMachine } from '../../../src/machines/thread/image-gallery.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { controlsOfLinking, linkOf, provided } from '../client/clients-fixture.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { startWithRecords } from '../records-fixture.ts'

export const pictures = ['a', 'b'].map((name) => ({ url: `https://cdn.example/${name}.jpg`, name: `${name}.jpg` }))

/** One request for each dialog. */
export const requests = {
  linkClient: { name: 'linkClient', input: linkOf(conversationOf()) },
  personalData: {
    name: 'personalData',
    input: { conversationId: 'ana', name: 'Ana', mayExport: true, mayErase: true },
  },
  chats: { name: 'chats', input: { conversationId: 'ana' } },
  newOrder: { name: 'newOrder', input: { conversationId: 'ana', clientId: 'k1', messageId: null, sources: [] } },
  order: { name: 'order', input: { conversationId: 'ana', clientId: 'k1', orderId: 'o1' } },
  recordPayment: {
    name: 'recordPayment',
    input: { conversationId: 'ana', clientId: 'k1', orderId: null, pictures: [] },
  },
  productManager: { name: 'productManager' },
  comments: { name: 'comments', input: {} },
  liveSale: { name: 'liveSale' },
  pageManager: { name: 'pageManager' },
  facebookLogin: { name: 'facebookLogin' },
  historySync: { name: 'historySync', input: { pageId: 'p2' } },
  autoSyncControl: { name: 'autoSyncControl' },
  faq: { name: 'faq' },
  faqMatching: { name: 'faqMatching' },
  staff: { name: 'staff' },
  apiKeys: { name: 'apiKeys' },
  webhooks: { name: 'webhooks' },
  shops: { name: 'shops' },
  dataTransfer: { name: 'dataTransfer', input: { mayImport: true } },
  auditLog: { name: 'auditLog' },
  assignmentRules: { name: 'assignmentRules' },
  businessHours: { name: 'businessHours' },
  reports: { name: 'reports' },
  alarms: { name: 'alarms' },
  unsent: { name: 'unsent', input: { asksAbout: null } },
  savedReplyManager: { name: 'savedReplyManager' },
  voiceNote: { name: 'voiceNote', input: { conversationId: 'ana', platform: 'messenger' } },
  productCard: { name: 'productCard', input: { conversationId: 'ana', pageId: null, platform: 'messenger' } },
  messageTemplates: { name: 'messageTemplates', input: { conversationId: 'ana', pageId: 'p1' } },
  image: { name: 'image', input: { conversationId: 'ana', images: pictures, index: 0 } },
  changePassword: { name: 'changePassword', input: { email: 'ana@example.com', purpose: 'own' } },
  secondFactor: { name: 'secondFactor', input: { at: 'menu' } },
  clearDevice: { name: 'clearDevice' },
  signOut: { name: 'signOut' },
  shortcuts: { name: 'shortcuts' },
  palette: { name: 'palette' },
  notifications: { name: 'notifications' },
  snooze: { name: 'snooze', input: { ids: ['ana'] } },
  assign: { name: 'assign', input: { ids: ['ana'] } },
  clientLanguage: { name: 'clientLanguage', input: { clientId: 'k1', language: 'en' } },
  labels: { name: 'labels', input: { ids: ['ana'] } },
  labelManager: { name: 'labelManager' },
  savedFilterManager: { name: 'savedFilterManager', input: { values: null } },
  editClient: { name: 'editClient', input: { clientId: 'k1' } },
  mergeClients: { name: 'mergeClients', input: { clientId: 'k1' } },
  removeClient: { name: 'removeClient', input: { clientId: 'k1' } },
  removedClients: { name: 'removedClients' },
} satisfies { [Name in DialogName]: Extract<DialogRequest, { name: Name }> }

const shown = { title: 'A title', View: () => null }

/** The loaded code of a dialog. The test renders nothing. */
const createLoaded = (linking = controlsOfLinking()): { [Name in DialogName]: LoadedDialog } => ({
  linkClient: { name: 'linkClient', logic: provided(linking), ...shown },
  personalData: { name: 'personalData', logic: personalDataMachine, ...shown },
  chats: { name: 'chats', logic: chatsMachine, ...shown },
  newOrder: { name: 'newOrder', logic: newOrderMachine, ...shown },
  order: { name: 'order', logic: orderMachine, ...shown },
  recordPayment: { name: 'recordPayment', logic: recordPaymentMachine, ...shown },
  productManager: { name: 'productManager', logic: productManagerMachine, ...shown },
  comments: { name: 'comments', logic: commentsMachine, ...shown },
  liveSale: { name: 'liveSale', logic: liveSaleMachine, ...shown },
  pageManager: { name: 'pageManager', logic: pageManagerMachine, ...shown },
  facebookLogin: { name: 'facebookLogin', logic: facebookLoginMachine, ...shown },
  historySync: { name: 'historySync', logic: historySyncMachine, ...shown },
  autoSyncControl: { name: 'autoSyncControl', logic: autoSyncControlMachine, ...shown },
  faq: { name: 'faq', logic: faqMachine, ...shown },
  faqMatching: { name: 'faqMatching', logic: faqMatchingMachine, ...shown },
  staff: { name: 'staff', logic: staffMachine, ...shown },
  dataTransfer: { name: 'dataTransfer', logic: dataTransferMachine, ...shown },
  apiKeys: { name: 'apiKeys', logic: apiKeysMachine, ...shown },
  webhooks: { name: 'webhooks', logic: webhooksMachine, ...shown },
  shops: { name: 'shops', logic: shopsMachine, ...shown },
  auditLog: { name: 'auditLog', logic: auditLogMachine, ...shown },
  assignmentRules: { name: 'assignmentRules', logic: assignmentRulesMachine, ...shown },
  businessHours: { name: 'businessHours', logic: businessHoursMachine, ...shown },
  reports: { name: 'reports', logic: reportsMachine, ...shown },
  alarms: { name: 'alarms', logic: infoDialogMachine, ...shown },
  unsent: { name: 'unsent', logic: unsentMachine, ...shown },
  voiceNote: {
    name: 'voiceNote',
    logic: voiceNoteMachine.provide({ actors: { recordVoice: fromCallback(() => {}) } }),
    ...shown,
  },
  productCard: { name: 'productCard', logic: productCardMachine, ...shown },
  messageTemplates: { name: 'messageTemplates', logic: messageTemplatesMachine, ...shown },
  savedReplyManager: { name: 'savedReplyManager', logic: savedReplyManagerMachine, ...shown },
  image: { name: 'image', logic: imageGalleryMachine, ...shown },
  changePassword: { name: 'changePassword', logic: newPasswordMachine, ...shown },
  secondFactor: { name: 'secondFactor', logic: secondFactorMachine, ...shown },
  clearDevice: { name: 'clearDevice', logic: infoDialogMachine, ...shown },
  signOut: { name: 'signOut', logic: infoDialogMachine, ...shown },
  shortcuts: { name: 'shortcuts', logic: infoDialogMachine, ...shown },
  palette: { name: 'palette', logic: paletteMachine, ...shown },
  notifications: { name: 'notifications', logic: notificationSettingsMachine, ...shown },
  snooze: { name: 'snooze', logic: stateDialogMachine, ...shown },
  assign: { name: 'assign', logic: stateDialogMachine, ...shown },
  clientLanguage: { name: 'clientLanguage', logic: clientLanguageMachine, ...shown },
  labels: { name: 'labels', logic: labelPickerMachine, ...shown },
  labelManager: { name: 'labelManager', logic: labelManagerMachine, ...shown },
  savedFilterManager: { name: 'savedFilterManager', logic: savedFilterManagerMachine, ...shown },
  editClient: { name: 'editClient', logic: editClientMachine, ...shown },
  mergeClients: { name: 'mergeClients', logic: mergeClientsMachine, ...shown },
  removeClient: { name: 'removeClient', logic: removeClientMachine, ...shown },
  removedClients: { name: 'removedClients', logic: removedClientsMachine, ...shown },
})

export function startDialog(alsoInspect: Inspect = () => {}) {
  const linking = controlsOfLinking()
  const load = createControl<LoadedDialog, { name: DialogName }>()
  const log = createToastLog()
  const loadedAhead: DialogName[] = []
  const machine = dialogMachine.provide({
    actors: { loadDialog: load.logic },
    actions: { 'load ahead': (_, { name }) => void loadedAhead.push(name) },
  })
  const { actor, records } = startWithRecords(machine, {
    input: undefined,
    rows: [conversationOf()],
    inspect: inspectAll(alsoInspect, log.inspect),
  })
  const loaded = createLoaded(linking)
  return {
    actor,
    records,
    load,
    link: linking.link,
    loadedAhead,
    toasts: log.toasts,
    state: () => actor.getSnapshot().value,
    /** Requests the dialog and completes the load of its code. */
    open: async (name: DialogName) => {
      actor.send({ type: 'dialog.requested', dialog: requests[name] })
      await load.resolve(loaded[name])
    },
    arrive: (name: DialogName) => load.resolve(loaded[name]),
  }
}

const loadedInModel = createLoaded()
/** These dialogs contain typed text, so they ask before they close. The others close at once. */
const asksFirst: readonly unknown[] = ['linkClient', 'pageManager']

/** These dialogs are about the conversation and contain no typed text. */
const closingAtOnce: readonly unknown[] = [
  'image',
  'personalData',
  'chats',
  'newOrder',
  'order',
  'recordPayment',
  'messageTemplates',
  'productCard',
  'voiceNote',
]

/** The dialog machine without child machines: in the model a dialog stays open until its child machine ends. */
export const dialogModel = () =>
  modelOf(dialogMachine, {
    input: undefined,
    vertex: ({ context: { request, next, opened, typed } }) => [request, next, opened?.name, typed],
    cases: {
      'dialog.expected': [{ name: 'linkClient' }],
      'dialog.requested': Object.values(requests).map((dialog) =>
        // The dialog of the pages leads to this one, and comes back after it.
        dialog.name === 'facebookLogin' ? { dialog, next: requests.pageManager } : { dialog },
      ),
      'dialog.dismissed': ({ value, context: { request } }) =>
        value === 'open' && !asksFirst.includes(request?.name) ? [] : [{}],
      'conversation.left': ({ value, context: { request } }) =>
        value === 'open' && closingAtOnce.includes(request?.name) ? [] : [{}],
      'key.typed': ({ context: { request, typed } }) =>
        request?.name === 'palette' && typed === '' ? [{ key: 'a' }] : [],
      'clientData.changed': [{ clientIds: ['k1'] }],
      'comments.changed': [{ thread: null }],
      'command.chosen': ({ context: { opened } }) => (opened?.name === 'palette' ? [{ id: 'faq' }] : []),
      'xstate.done.actor.opened': [{}],
      // In the title of a path, a loaded dialog appears by its name.
      'xstate.done.actor.loadDialog': ({ context: { request } }) =>
        request === null ? [] : [{ output: { ...loadedInModel[request.name], toJSON: () => request.name } }],
    },
  })
