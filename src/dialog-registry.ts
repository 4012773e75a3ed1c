import { fromCallback, fromPromise } from 'xstate'
import type { DialogLogics, DialogName, DialogView, LoadedDialog } from './machines/shell/dialog.ts'
import type { SessionServices } from './services-port.ts'

type Entry<Name extends DialogName> = {
  /** Loads the heading. The view may show a different heading, as the image preview does. */
  loadTitle: () => Promise<string>
  loadView: () => Promise<{ default: DialogView<Name> }>
  /** The machine with its services. */
  loadMachine: (services: SessionServices) => Promise<DialogLogics[Name]>
  /** Fields of the machine whose typed numbers a problem report shows. All other texts of staff are masked. */
  numbersInReports: readonly string[]
}

/** Every dialog. The machine, services and view of a dialog are loaded when the dialog is requested. */
export const dialogs: { [Name in DialogName]: Entry<Name> } = {
  linkClient: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.linkClient'),
    numbersInReports: [],
    loadView: () => import('./views/client/LinkClientDialog.tsx'),
    loadMachine: async (services) => {
      const [{ linkClientMachine }, clients] = await Promise.all([
        import('./machines/client/link-client.ts'),
        services.loadClientWork(),
      ])
      return linkClientMachine.provide({
        actors: {
          searchClients: fromPromise(({ input, signal }) => clients.searchClients(input, signal)),
          createClient: fromPromise(({ input }) => clients.createClient(input)),
          linkClient: fromPromise(({ input }) => clients.linkClient(input)),
        },
      })
    },
  },
  comments: {
    loadTitle: async () => (await import('./texts/comments-on-demand.ts')).t('comments.title'),
    numbersInReports: [],
    loadView: () => import('./views/comments/CommentsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ commentsMachine }, { commentThreadMachine }, { commentMachine }, comments] = await Promise.all([
        import('./machines/comments/comments.ts'),
        import('./machines/comments/comment-thread.ts'),
        import('./machines/comments/comment.ts'),
        services.loadCommentService(),
      ])
      return commentsMachine.provide({
        actors: {
          loadThreads: fromPromise(({ input, signal }) => comments.loadThreads(input, signal)),
          commentThread: commentThreadMachine.provide({
            actors: {
              comment: commentMachine.provide({
                actors: {
                  changeComment: fromPromise(({ input }) => comments.changeComment(input)),
                  decideSend: fromPromise(({ input }) => comments.decideSend(input)),
                },
              }),
              loadThread: fromPromise(({ input, signal }) => comments.loadThread(input, signal)),
              finishThread: fromPromise(({ input }) => comments.finishThread(input)),
            },
          }),
        },
      })
    },
  },
  liveSale: {
    loadTitle: async () => (await import('./texts/comments-on-demand.ts')).t('comments.saleTitle'),
    numbersInReports: [],
    loadView: () => import('./views/comments/LiveSaleDialog.tsx'),
    loadMachine: async (services) => {
      const [{ liveSaleMachine }, comments] = await Promise.all([
        import('./machines/comments/live-sale.ts'),
        services.loadCommentService(),
      ])
      return liveSaleMachine.provide({
        actors: {
          loadSettings: fromPromise(({ signal }) => comments.loadSale(signal)),
          saveSettings: fromPromise(({ input }) => comments.saveSale(input)),
        },
      })
    },
  },
  dataTransfer: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.transferTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/DataTransferDialog.tsx'),
    loadMachine: async (services) => {
      const [{ dataTransferMachine }, transfer] = await Promise.all([
        import('./machines/client/data-transfer.ts'),
        services.loadDataTransfer(),
      ])
      return dataTransferMachine.provide({
        actors: {
          loadImports: fromPromise(({ signal }) => transfer.loadImports(signal)),
          loadImport: fromPromise(({ input, signal }) => transfer.loadImport(input, signal)),
          upload: fromPromise(({ input }) => transfer.upload(input)),
          checkImport: fromPromise(({ input }) => transfer.checkImport(input)),
          runImport: fromPromise(({ input }) => transfer.runImport(input)),
          cancelImport: fromPromise(({ input }) => transfer.cancelImport(input)),
          loadRows: fromPromise(({ input, signal }) => transfer.loadRows(input, signal)),
          saveRefused: fromPromise(({ input }) => transfer.saveRefused(input)),
          exportData: fromPromise(({ input }) => transfer.exportData(input)),
        },
      })
    },
  },
  editClient: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.editTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/EditClientDialog.tsx'),
    loadMachine: async (services) => {
      const [{ editClientMachine }, clients] = await Promise.all([
        import('./machines/client/edit-client.ts'),
        services.loadClientWork(),
      ])
      return editClientMachine.provide({
        actors: {
          loadClient: fromPromise(({ input, signal }) => clients.loadClientToEdit(input, signal)),
          editClient: fromPromise(({ input }) => clients.editClient(input)),
        },
      })
    },
  },
  removeClient: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.removeTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/RemoveClientDialog.tsx'),
    loadMachine: async (services) => {
      const [{ removeClientMachine }, clients] = await Promise.all([
        import('./machines/client/remove-client.ts'),
        services.loadClientWork(),
      ])
      return removeClientMachine.provide({
        actors: {
          loadSummary: fromPromise(({ input, signal }) => clients.loadClientSummary(input, signal)),
          removeClient: fromPromise(({ input }) => clients.removeClient(input)),
        },
      })
    },
  },
  removedClients: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.removedTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/RemovedClientsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ removedClientsMachine }, clients] = await Promise.all([
        import('./machines/client/removed-clients.ts'),
        services.loadClientWork(),
      ])
      return removedClientsMachine.provide({
        actors: {
          loadRemovals: fromPromise(({ signal }) => clients.loadRemovals(signal)),
          undoRemoval: fromPromise(({ input }) => clients.undoRemoval(input)),
        },
      })
    },
  },
  mergeClients: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.mergeTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/MergeClientsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ mergeClientsMachine }, clients] = await Promise.all([
        import('./machines/client/merge-clients.ts'),
        services.loadClientWork(),
      ])
      return mergeClientsMachine.provide({
        actors: {
          searchClients: fromPromise(({ input, signal }) => clients.searchClients(input, signal)),
          loadPreview: fromPromise(async ({ input: { clientId, otherId }, signal }) => {
            const [kept, other] = await Promise.all([
              clients.loadClientSummary({ clientId }, signal),
              clients.loadClientSummary({ clientId: otherId }, signal),
            ])
            return { kept, other }
          }),
          mergeClients: fromPromise(({ input }) => clients.mergeClients(input)),
        },
      })
    },
  },
  chats: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.chatsTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/ChatsDialog.tsx'),
    loadMachine: async ({ conversations, loadChatService }) => {
      const [{ chatsMachine }, chats] = await Promise.all([import('./machines/client/chats.ts'), loadChatService()])
      return chatsMachine.provide({
        actors: {
          loadConversationChats: fromPromise(({ input, signal }) => chats.loadConversationChats(input, signal)),
          searchConversations: fromPromise(({ input: { term }, signal }) =>
            conversations.loadPage({ query: { search: term, pageId: null, unreadOnly: false }, page: 1 }, signal),
          ),
          changeChats: fromPromise(({ input }) => chats.changeChats(input)),
        },
      })
    },
  },
  productManager: {
    loadTitle: async () => (await import('./texts/orders-on-demand.ts')).t('orders.products'),
    numbersInReports: [],
    loadView: () => import('./views/client/ProductsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ productManager }, { productFormMachine }, orders] = await Promise.all([
        import('./machines/client/product-manager.ts'),
        import('./machines/client/product-form.ts'),
        services.loadClientWork(),
      ])
      return productManager.provide({
        loadItems: fromPromise(({ signal }) => orders.loadProducts(signal)),
        deleteItem: fromPromise(({ input }) => orders.deleteProduct(input)),
        itemForm: productFormMachine.provide({
          actors: { saveProduct: fromPromise(({ input }) => orders.saveProduct(input)) },
        }),
      })
    },
  },
  newOrder: {
    loadTitle: async () => (await import('./texts/orders-on-demand.ts')).t('orders.newOrder'),
    numbersInReports: [],
    loadView: () => import('./views/client/NewOrderDialog.tsx'),
    loadMachine: async (services) => {
      const [{ newOrderMachine }, orders] = await Promise.all([
        import('./machines/client/new-order.ts'),
        services.loadClientWork(),
      ])
      return newOrderMachine.provide({
        actors: {
          loadFacts: fromPromise(async ({ signal }) =>
            (await orders.loadProducts(signal)).filter(({ is_active }) => is_active),
          ),
          create: fromPromise(({ input: { body } }) => orders.makeOrder(body)),
        },
      })
    },
  },
  recordPayment: {
    loadTitle: async () => (await import('./texts/orders-on-demand.ts')).t('orders.recordPayment'),
    numbersInReports: [],
    loadView: () => import('./views/client/RecordPaymentDialog.tsx'),
    loadMachine: async (services) => {
      const [{ recordPaymentMachine }, orders] = await Promise.all([
        import('./machines/client/record-payment.ts'),
        services.loadClientWork(),
      ])
      return recordPaymentMachine.provide({
        actors: {
          loadFacts: fromPromise(
            async ({ input, signal }) => (await services.clients.loadOrders(input.of, signal)).orders ?? [],
          ),
          create: fromPromise(({ input: { body } }) => orders.recordPayment(body)),
        },
      })
    },
  },
  order: {
    loadTitle: async () => (await import('./texts/orders-on-demand.ts')).t('orders.order'),
    numbersInReports: [],
    loadView: () => import('./views/client/OrderDialog.tsx'),
    loadMachine: async (services) => {
      const [{ orderMachine }, orders] = await Promise.all([
        import('./machines/client/order.ts'),
        services.loadClientWork(),
      ])
      return orderMachine.provide({
        actors: {
          loadOrder: fromPromise(({ input, signal }) => orders.loadOrder(input, signal)),
          changeOrder: fromPromise(({ input }) => orders.changeOrder(input)),
        },
      })
    },
  },
  personalData: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.personalDataTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/PersonalDataDialog.tsx'),
    loadMachine: async (services) => {
      const [{ personalDataMachine }, persons] = await Promise.all([
        import('./machines/client/personal-data.ts'),
        services.loadPersons(),
      ])
      return personalDataMachine.provide({
        actors: {
          exportPerson: fromPromise(({ input, signal }) => persons.exportPerson(input, signal)),
          loadErasable: fromPromise(({ input, signal }) => persons.loadErasable(input, signal)),
          erasePerson: fromPromise(({ input }) => persons.erasePerson(input)),
          loadErasure: fromPromise(({ input, signal }) => persons.loadErasure(input, signal)),
        },
      })
    },
  },
  pageManager: {
    loadTitle: async () => (await import('./texts/pages-on-demand.ts')).t('pages.management'),
    numbersInReports: [],
    loadView: () => import('./views/pages/PageManagerDialog.tsx'),
    loadMachine: async (services) => {
      const [{ pageManagerMachine }, { pageFormMachine }, administration] = await Promise.all([
        import('./machines/pages/page-manager.ts'),
        import('./machines/pages/page-form.ts'),
        services.loadPageAdministration(),
      ])
      const pageForm = pageFormMachine.provide({
        actors: {
          verifyToken: fromPromise(({ input, signal }) => administration.verifyToken(input, signal)),
          savePage: fromPromise(({ input }) => administration.savePage(input)),
        },
      })
      return pageManagerMachine.provide({
        actors: {
          pageForm,
          loadDeletion: fromPromise(({ input, signal }) => administration.loadDeletion(input, signal)),
          deletePage: fromPromise(({ input }) => administration.deletePage(input)),
          refreshPictures: fromPromise(({ input }) => administration.refreshPictures(input)),
        },
      })
    },
  },
  assignmentRules: {
    loadTitle: async () => (await import('./texts/list-on-demand.ts')).t('list.rulesTitle'),
    numbersInReports: [],
    loadView: () => import('./views/list/AssignmentRulesDialog.tsx'),
    loadMachine: async (services) => {
      const [{ assignmentRulesMachine }, settings] = await Promise.all([
        import('./machines/list/assignment-rules.ts'),
        services.loadBusinessSettings(),
      ])
      return assignmentRulesMachine.provide({
        actors: {
          loadSettings: fromPromise(({ signal }) => settings.loadRules(signal)),
          saveSettings: fromPromise(({ input }) => settings.saveRules(input)),
        },
      })
    },
  },
  businessHours: {
    loadTitle: async () => (await import('./texts/pages-on-demand.ts')).t('pages.hoursTitle'),
    numbersInReports: [],
    loadView: () => import('./views/pages/BusinessHoursDialog.tsx'),
    loadMachine: async (services) => {
      const [{ businessHoursMachine }, settings] = await Promise.all([
        import('./machines/pages/business-hours.ts'),
        services.loadBusinessSettings(),
      ])
      return businessHoursMachine.provide({
        actors: {
          loadSettings: fromPromise(({ signal }) => settings.loadHours(signal)),
          saveSettings: fromPromise(({ input }) => settings.saveHours(input)),
        },
      })
    },
  },
  facebookLogin: {
    loadTitle: async () => (await import('./texts/pages-on-demand.ts')).t('pages.loginTitle'),
    numbersInReports: [],
    loadView: () => import('./views/pages/FacebookLoginDialog.tsx'),
    loadMachine: async (services) => {
      const [{ facebookLoginMachine }, login] = await Promise.all([
        import('./machines/pages/facebook-login.ts'),
        services.loadFacebookLogin(),
      ])
      return facebookLoginMachine.provide({
        actors: {
          beginLogin: fromPromise(({ signal }) => login.beginLogin(signal)),
          watchReturn: fromCallback(({ input, sendBack }) => login.watchReturn(input, sendBack)),
          completeLogin: fromPromise(({ input }) => login.completeLogin(input)),
          connectPage: fromPromise(({ input }) => login.connectPage(input)),
        },
      })
    },
  },
  historySync: {
    loadTitle: async () => (await import('./texts/sync-on-demand.ts')).t('sync.historyTitle'),
    numbersInReports: ['limit'],
    loadView: () => import('./views/sync/HistorySyncDialog.tsx'),
    loadMachine: async (services) => {
      const [{ historySyncMachine }, history] = await Promise.all([
        import('./machines/sync/history-sync.ts'),
        services.loadHistorySync(),
      ])
      return historySyncMachine.provide({
        actors: {
          loadSyncStatus: fromPromise(({ input, signal }) => history.loadSyncStatus(input, signal)),
          startHistorySync: fromPromise(({ input }) => history.startHistorySync(input)),
          loadHistorySync: fromPromise(({ input, signal }) => history.loadHistorySync(input, signal)),
          cancelHistorySync: fromPromise(({ input }) => history.cancelHistorySync(input)),
        },
      })
    },
  },
  autoSyncControl: {
    loadTitle: async () => (await import('./texts/sync-on-demand.ts')).t('sync.autoSync'),
    numbersInReports: ['interval', 'hoursBack'],
    loadView: () => import('./views/sync/AutoSyncDialog.tsx'),
    loadMachine: async ({ autoSync }) => {
      const { autoSyncControlMachine } = await import('./machines/sync/auto-sync-control.ts')
      return autoSyncControlMachine.provide({
        actors: {
          saveConfig: fromPromise(({ input }) => autoSync.saveConfig(input)),
          toggle: fromPromise(({ input }) => autoSync.toggle(input)),
        },
      })
    },
  },
  faq: {
    loadTitle: async () => (await import('./texts/faq-on-demand.ts')).t('faq.management'),
    numbersInReports: ['priority'],
    loadView: () => import('./views/faq/FaqDialog.tsx'),
    loadMachine: async (services) => {
      const [
        { faqMachine },
        { faqFormMachine },
        { faqTestMachine },
        { faqDryRunMachine },
        { faqWrongAnswersMachine },
        faq,
      ] = await Promise.all([
        import('./machines/faq/faq.ts'),
        import('./machines/faq/faq-form.ts'),
        import('./machines/faq/faq-test.ts'),
        import('./machines/faq/faq-dry-run.ts'),
        import('./machines/faq/faq-wrong-answers.ts'),
        services.loadFaq(),
      ])
      return faqMachine.provide({
        actors: {
          loadCategories: fromPromise(({ signal }) => faq.loadCategories(signal)),
          loadEntries: fromPromise(({ signal }) => faq.loadEntries(signal)),
          deleteFaq: fromPromise(({ input }) => faq.deleteFaq(input)),
          faqForm: faqFormMachine.provide({ actors: { saveFaq: fromPromise(({ input }) => faq.saveFaq(input)) } }),
          faqTest: faqTestMachine.provide({
            actors: { testMatch: fromPromise(({ input, signal }) => faq.testMatch(input, signal)) },
          }),
          faqDryRun: faqDryRunMachine.provide({
            actors: { dryRun: fromPromise(({ input, signal }) => faq.dryRun(input, signal)) },
          }),
          faqWrongAnswers: faqWrongAnswersMachine.provide({
            actors: {
              loadWrongAnswers: fromPromise(({ signal }) => faq.loadWrongAnswers(signal)),
              resolveWrongAnswer: fromPromise(({ input }) => faq.resolveWrongAnswer(input)),
            },
          }),
        },
      })
    },
  },
  faqMatching: {
    loadTitle: async () => (await import('./texts/faq-on-demand.ts')).t('faq.matching'),
    numbersInReports: [],
    loadView: () => import('./views/faq/FaqMatchingDialog.tsx'),
    loadMachine: async (services) => {
      const [{ faqMatchingMachine }, faq] = await Promise.all([
        import('./machines/faq/faq-matching.ts'),
        services.loadFaq(),
      ])
      return faqMatchingMachine.provide({
        actors: {
          loadSettings: fromPromise(({ signal }) => faq.loadMatching(signal)),
          saveSettings: fromPromise(({ input }) => faq.saveMatching(input)),
        },
      })
    },
  },
  staff: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.staff'),
    numbersInReports: [],
    loadView: () => import('./views/session/StaffDialog.tsx'),
    loadMachine: async (services) => {
      const [{ staffMachine }, { staffFormMachine }, staff] = await Promise.all([
        import('./machines/session/staff.ts'),
        import('./machines/session/staff-form.ts'),
        services.loadStaffManagement(),
      ])
      return staffMachine.provide({
        actors: {
          loadStaff: fromPromise(({ signal }) => staff.loadStaff(signal)),
          resetPassword: fromPromise(({ input }) => staff.resetPassword(input)),
          removeSecondFactor: fromPromise(({ input }) => staff.removeSecondFactor(input)),
          staffForm: staffFormMachine.provide({
            actors: { saveStaff: fromPromise(({ input }) => staff.saveStaff(input)) },
          }),
        },
      })
    },
  },
  apiKeys: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.apiKeys'),
    numbersInReports: [],
    loadView: () => import('./views/session/ApiKeysDialog.tsx'),
    loadMachine: async (services) => {
      const [{ apiKeysMachine }, keys] = await Promise.all([
        import('./machines/session/api-keys.ts'),
        services.loadApiKeyService(),
      ])
      return apiKeysMachine.provide({
        actors: {
          loadApiKeys: fromPromise(({ signal }) => keys.loadApiKeys(signal)),
          createApiKey: fromPromise(({ input }) => keys.createApiKey(input)),
          revokeApiKey: fromPromise(({ input }) => keys.revokeApiKey(input)),
        },
      })
    },
  },
  webhooks: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.webhooks'),
    numbersInReports: [],
    loadView: () => import('./views/session/WebhooksDialog.tsx'),
    loadMachine: async (services) => {
      const [{ webhooksMachine }, { webhookFormMachine }, { webhookLogMachine }, webhooks] = await Promise.all([
        import('./machines/session/webhooks.ts'),
        import('./machines/session/webhook-form.ts'),
        import('./machines/session/webhook-log.ts'),
        services.loadWebhookService(),
      ])
      return webhooksMachine.provide({
        actors: {
          loadWebhooks: fromPromise(({ signal }) => webhooks.loadWebhooks(signal)),
          deleteWebhook: fromPromise(({ input }) => webhooks.deleteWebhook(input)),
          replaceWebhookSecret: fromPromise(({ input }) => webhooks.replaceWebhookSecret(input)),
          webhookForm: webhookFormMachine.provide({
            actors: { saveWebhook: fromPromise(({ input }) => webhooks.saveWebhook(input)) },
          }),
          webhookLog: webhookLogMachine.provide({
            actors: {
              loadDeliveries: fromPromise(({ input, signal }) => webhooks.loadDeliveries(input, signal)),
              resendDelivery: fromPromise(({ input }) => webhooks.resendDelivery(input)),
              testWebhook: fromPromise(({ input }) => webhooks.testWebhook(input)),
            },
          }),
        },
      })
    },
  },
  shops: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.shops'),
    numbersInReports: [],
    loadView: () => import('./views/client/ShopsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ shopsMachine }, shops] = await Promise.all([
        import('./machines/client/shops.ts'),
        services.loadShopService(),
      ])
      return shopsMachine.provide({
        actors: {
          loadShops: fromPromise(({ signal }) => shops.loadShops(signal)),
          connectShop: fromPromise(({ input }) => shops.connectShop(input)),
          changeRun: fromPromise(({ input }) => shops.changeRun(input)),
          disconnectShop: fromPromise(({ input }) => shops.disconnectShop(input)),
        },
      })
    },
  },
  auditLog: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.auditLog'),
    numbersInReports: [],
    loadView: () => import('./views/session/AuditLogDialog.tsx'),
    loadMachine: async (services) => {
      const [{ auditLogMachine }, audit] = await Promise.all([
        import('./machines/session/audit-log.ts'),
        services.loadAuditLog(),
      ])
      return auditLogMachine.provide({
        actors: {
          loadAudit: fromPromise(({ input, signal }) => audit.loadAudit(input, signal)),
          exportAudit: fromPromise(({ input }) => audit.exportAudit(input)),
        },
      })
    },
  },
  reports: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.reports'),
    numbersInReports: [],
    loadView: () => import('./views/reports/ReportsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ reportsMachine }, reports] = await Promise.all([
        import('./machines/reports/reports.ts'),
        services.loadReports(),
      ])
      return reportsMachine.provide({
        actors: {
          loadReport: fromPromise(({ input, signal }) => reports.loadReport(input, signal)),
          exportReport: fromPromise(({ input }) => reports.exportReport(input)),
        },
      })
    },
  },
  alarms: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.alarms'),
    numbersInReports: [],
    loadView: () => import('./views/shell/AlarmsDialog.tsx'),
    loadMachine: async () => (await import('./machines/shell/info-dialog.ts')).infoDialogMachine,
  },
  unsent: {
    loadTitle: async () => (await import('./texts/send-on-demand.ts')).t('send.unsent'),
    numbersInReports: [],
    loadView: () => import('./views/send/UnsentDialog.tsx'),
    loadMachine: async () => (await import('./machines/send/unsent.ts')).unsentMachine,
  },
  voiceNote: {
    loadTitle: async () => (await import('./texts/send-on-demand.ts')).t('send.voiceTitle'),
    numbersInReports: [],
    loadView: () => import('./views/send/VoiceNoteDialog.tsx'),
    loadMachine: async (services) => {
      const [{ voiceNoteMachine }, files] = await Promise.all([
        import('./machines/send/voice-note.ts'),
        services.loadFileService(),
      ])
      return voiceNoteMachine.provide({
        actors: {
          recordVoice: fromCallback(({ sendBack, receive }) => {
            const recording = files.recordVoice(sendBack)
            receive(recording.stop)
            return recording.cancel
          }),
        },
      })
    },
  },
  productCard: {
    loadTitle: async () => (await import('./texts/send-on-demand.ts')).t('send.cardTitle'),
    numbersInReports: [],
    loadView: () => import('./views/send/ProductCardDialog.tsx'),
    loadMachine: async (services) => {
      const [{ productCardMachine }, orders] = await Promise.all([
        import('./machines/send/product-card.ts'),
        services.loadClientWork(),
      ])
      return productCardMachine.provide({
        actors: { loadProducts: fromPromise(({ signal }) => orders.loadProducts(signal)) },
      })
    },
  },
  messageTemplates: {
    loadTitle: async () => (await import('./texts/send-on-demand.ts')).t('send.templatesTitle'),
    numbersInReports: [],
    loadView: () => import('./views/send/MessageTemplatesDialog.tsx'),
    loadMachine: async (services) => {
      const [{ messageTemplatesMachine }, templates] = await Promise.all([
        import('./machines/send/message-templates.ts'),
        services.loadTemplateService(),
      ])
      return messageTemplatesMachine.provide({
        actors: { loadTemplates: fromPromise(({ input, signal }) => templates.loadTemplates(input, signal)) },
      })
    },
  },
  savedReplyManager: {
    loadTitle: async () => (await import('./texts/send-on-demand.ts')).t('send.replies'),
    numbersInReports: [],
    loadView: () => import('./views/send/SavedRepliesDialog.tsx'),
    loadMachine: async (services) => {
      const [{ savedReplyManager }, { savedReplyFormMachine }, { composeReplyPictures }, replies, files] =
        await Promise.all([
          import('./machines/send/saved-reply-manager.ts'),
          import('./machines/send/saved-reply-form.ts'),
          import('./compose-attached-files.ts'),
          services.loadSavedReplies(),
          services.loadFileService(),
        ])
      return savedReplyManager.provide({
        loadItems: fromPromise(({ signal }) => replies.loadReplies(signal)),
        deleteItem: fromPromise(({ input }) => replies.deleteReply(input)),
        itemForm: savedReplyFormMachine.provide({
          actors: {
            saveReply: fromPromise(({ input }) => replies.saveReply(input)),
            pictures: composeReplyPictures(files),
          },
        }),
      })
    },
  },
  image: {
    loadTitle: async () => (await import('./texts/thread-on-demand.ts')).t('thread.picture'),
    numbersInReports: [],
    loadView: () => import('./views/thread/ImageDialog.tsx'),
    loadMachine: async () => (await import('./machines/thread/image-gallery.ts')).imageGalleryMachine,
  },
  changePassword: {
    loadTitle: async () => (await import('./texts/session-on-demand.ts')).t('session.changePasswordTitle'),
    numbersInReports: [],
    loadView: () => import('./views/session/ChangePasswordDialog.tsx'),
    loadMachine: async (services) => {
      const [{ newPasswordMachine }, account] = await Promise.all([
        import('./machines/session/new-password.ts'),
        services.loadAccount(),
      ])
      return newPasswordMachine.provide({
        actors: { savePassword: fromPromise(({ input }) => account.changePassword(input)) },
      })
    },
  },
  secondFactor: {
    loadTitle: async () => (await import('./texts/session-on-demand.ts')).t('session.factorTitle'),
    numbersInReports: [],
    loadView: () => import('./views/session/SecondFactorDialog.tsx'),
    loadMachine: async (services) => {
      const [{ secondFactorMachine }, account] = await Promise.all([
        import('./machines/session/second-factor.ts'),
        services.loadAccount(),
      ])
      return secondFactorMachine.provide({
        actors: {
          loadSecondFactor: fromPromise(({ signal }) => account.loadSecondFactor(signal)),
          beginEnrolment: fromPromise(({ input }) => account.beginEnrolment(input)),
          confirmEnrolment: fromPromise(({ input }) => account.confirmEnrolment(input)),
          replaceRecoveryCodes: fromPromise(({ input }) => account.replaceRecoveryCodes(input)),
          copyText: fromPromise(({ input }) => account.copyText(input)),
          disableSecondFactor: fromPromise(({ input }) => account.disableSecondFactor(input)),
        },
      })
    },
  },
  clearDevice: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.clearDeviceTitle'),
    numbersInReports: [],
    loadView: () => import('./views/shell/ClearDeviceDialog.tsx'),
    loadMachine: async () => (await import('./machines/shell/info-dialog.ts')).infoDialogMachine,
  },
  snooze: {
    loadTitle: async () => (await import('./texts/list-on-demand.ts')).t('list.snooze'),
    numbersInReports: [],
    loadView: () => import('./views/list/SnoozeDialog.tsx'),
    loadMachine: async () => (await import('./machines/list/state-dialog.ts')).stateDialogMachine,
  },
  assign: {
    loadTitle: async () => (await import('./texts/list-on-demand.ts')).t('list.assign'),
    numbersInReports: [],
    loadView: () => import('./views/list/AssignDialog.tsx'),
    loadMachine: async () => (await import('./machines/list/state-dialog.ts')).stateDialogMachine,
  },
  clientLanguage: {
    loadTitle: async () => (await import('./texts/client-on-demand.ts')).t('client.languageTitle'),
    numbersInReports: [],
    loadView: () => import('./views/client/ClientLanguageDialog.tsx'),
    loadMachine: async (services) => {
      const [{ clientLanguageMachine }, clients] = await Promise.all([
        import('./machines/client/client-language.ts'),
        services.loadClientWork(),
      ])
      return clientLanguageMachine.provide({
        actors: { saveLanguage: fromPromise(({ input }) => clients.saveLanguage(input)) },
      })
    },
  },
  labels: {
    loadTitle: async () => (await import('./texts/list-on-demand.ts')).t('list.labels'),
    numbersInReports: [],
    loadView: () => import('./views/list/LabelsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ labelPickerMachine }, labels] = await Promise.all([
        import('./machines/list/label-picker.ts'),
        services.loadLabelService(),
      ])
      return labelPickerMachine.provide({
        actors: {
          createLabel: fromPromise(({ input }) => labels.saveLabel(input)),
          changeClientLabels: fromPromise(({ input }) => labels.changeClientLabels(input)),
        },
      })
    },
  },
  labelManager: {
    loadTitle: async () => (await import('./texts/list-on-demand.ts')).t('list.manageLabels'),
    numbersInReports: [],
    loadView: () => import('./views/list/LabelManagerDialog.tsx'),
    loadMachine: async (services) => {
      const [{ labelManagerMachine }, { labelFormMachine }, labels] = await Promise.all([
        import('./machines/list/label-manager.ts'),
        import('./machines/list/label-form.ts'),
        services.loadLabelService(),
      ])
      return labelManagerMachine.provide({
        actors: {
          labelForm: labelFormMachine.provide({
            actors: { saveLabel: fromPromise(({ input }) => labels.saveLabel(input)) },
          }),
          loadLabelUsage: fromPromise(({ input, signal }) => labels.loadLabelUsage(input, signal)),
          deleteLabel: fromPromise(({ input }) => labels.deleteLabel(input)),
        },
      })
    },
  },
  savedFilterManager: {
    loadTitle: async () => (await import('./texts/list-on-demand.ts')).t('list.savedFilters'),
    numbersInReports: [],
    loadView: () => import('./views/list/SavedFilterManagerDialog.tsx'),
    loadMachine: async (services) => {
      const [{ savedFilterManagerMachine }, { savedFilterFormMachine }, filters] = await Promise.all([
        import('./machines/list/saved-filter-manager.ts'),
        import('./machines/list/saved-filter-form.ts'),
        services.loadSavedFilterService(),
      ])
      return savedFilterManagerMachine.provide({
        actors: {
          savedFilterForm: savedFilterFormMachine.provide({
            actors: { saveFilter: fromPromise(({ input }) => filters.saveFilter(input)) },
          }),
          deleteFilter: fromPromise(({ input }) => filters.deleteFilter(input)),
        },
      })
    },
  },
  notifications: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.noticesTitle'),
    numbersInReports: [],
    loadView: () => import('./views/shell/NotificationsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ notificationSettingsMachine }, notifications] = await Promise.all([
        import('./machines/shell/notification-settings.ts'),
        services.loadNotifications(),
      ])
      return notificationSettingsMachine.provide({
        actors: {
          loadSettings: fromPromise(async ({ signal }) => ({
            saved: await notifications.loadSettings(signal),
            facts: { timeZone: notifications.timeZone() },
          })),
          saveSettings: fromPromise(({ input }) => notifications.saveSettings(input)),
        },
      })
    },
  },
  signOut: {
    loadTitle: async () => (await import('./texts/session-on-demand.ts')).t('session.signOutTitle'),
    numbersInReports: [],
    loadView: () => import('./views/session/SignOutDialog.tsx'),
    loadMachine: async () => (await import('./machines/shell/info-dialog.ts')).infoDialogMachine,
  },
  palette: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.palette'),
    numbersInReports: [],
    loadView: () => import('./views/shell/PaletteDialog.tsx'),
    loadMachine: async ({ conversations, loadSearch }) => {
      const [{ paletteMachine }, { searchMachine }] = await Promise.all([
        import('./machines/shell/palette.ts'),
        import('./machines/shell/search.ts'),
      ])
      return paletteMachine.provide({
        actors: {
          search: searchMachine.provide({
            actors: { search: fromPromise(async ({ input, signal }) => (await loadSearch()).search(input, signal)) },
          }),
          findPeople: fromPromise(({ input, signal }) => {
            const query = { search: input.term, pageId: null, unreadOnly: false }
            return conversations.loadPage({ query, page: 1 }, signal)
          }),
        },
      })
    },
  },
  shortcuts: {
    loadTitle: async () => (await import('./texts/shell-on-demand.ts')).t('shell.keyboardShortcuts'),
    numbersInReports: [],
    loadView: () => import('./views/shell/ShortcutsDialog.tsx'),
    loadMachine: async () => (await import('./machines/shell/info-dialog.ts')).infoDialogMachine,
  },
}

/** Rejects if the code cannot be loaded. */
export async function loadDialog(name: DialogName, services: SessionServices): Promise<LoadedDialog> {
  const { loadTitle, loadView, loadMachine } = dialogs[name]
  const [title, { default: View }, logic] = await Promise.all([loadTitle(), loadView(), loadMachine(services)])
  // TypeScript cannot infer that the machine and the view belong to the same name.
  return { name, title, View, logic } as LoadedDialog
}

/** The data of dialogs that a problem report shows: their names, and the numbers typed into them. */
export const shownInReports = {
  names: Object.keys(dialogs),
  numbers: Object.values(dialogs).flatMap(({ numbersInReports }) => numbersInReports),
}
