import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const clientDialogs = {
  linkClient: {
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.linkClient'),
    numbersInReports: [],
    loadView: () => import('../views/client/LinkClientDialog.tsx'),
    loadMachine: async (services) => {
      const [{ linkClientMachine }, clients] = await Promise.all([
        import('../machines/client/link-client.ts'),
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
  dataTransfer: {
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.transferTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/DataTransferDialog.tsx'),
    loadMachine: async (services) => {
      const [{ dataTransferMachine }, transfer] = await Promise.all([
        import('../machines/client/data-transfer.ts'),
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
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.editTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/EditClientDialog.tsx'),
    loadMachine: async (services) => {
      const [{ editClientMachine }, clients] = await Promise.all([
        import('../machines/client/edit-client.ts'),
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
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.removeTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/RemoveClientDialog.tsx'),
    loadMachine: async (services) => {
      const [{ removeClientMachine }, clients] = await Promise.all([
        import('../machines/client/remove-client.ts'),
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
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.removedTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/RemovedClientsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ removedClientsMachine }, clients] = await Promise.all([
        import('../machines/client/removed-clients.ts'),
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
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.mergeTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/MergeClientsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ mergeClientsMachine }, clients] = await Promise.all([
        import('../machines/client/merge-clients.ts'),
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
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.chatsTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/ChatsDialog.tsx'),
    loadMachine: async ({ conversations, loadChatService }) => {
      const [{ chatsMachine }, chats] = await Promise.all([import('../machines/client/chats.ts'), loadChatService()])
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
    loadTitle: async () => (await import('../texts/orders-on-demand.ts')).t('orders.products'),
    numbersInReports: [],
    loadView: () => import('../views/client/ProductsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ productManager }, { productFormMachine }, orders] = await Promise.all([
        import('../machines/client/product-manager.ts'),
        import('../machines/client/product-form.ts'),
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
    loadTitle: async () => (await import('../texts/orders-on-demand.ts')).t('orders.newOrder'),
    numbersInReports: [],
    loadView: () => import('../views/client/NewOrderDialog.tsx'),
    loadMachine: async (services) => {
      const [{ newOrderMachine }, orders] = await Promise.all([
        import('../machines/client/new-order.ts'),
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
    loadTitle: async () => (await import('../texts/orders-on-demand.ts')).t('orders.recordPayment'),
    numbersInReports: [],
    loadView: () => import('../views/client/RecordPaymentDialog.tsx'),
    loadMachine: async (services) => {
      const [{ recordPaymentMachine }, orders] = await Promise.all([
        import('../machines/client/record-payment.ts'),
        services.loadClientWork(),
      ])
      return recordPaymentMachine.provide({
        actors: {
          loadFacts: fromPromise(async ({ input: { of }, signal }) =>
            of.orderId === null
              ? ((await services.clients.loadOrders(of, signal)).orders ?? [])
              : // The order may not be among those that the list of the client has.
                [await orders.loadOrder({ orderId: of.orderId }, signal)],
          ),
          create: fromPromise(({ input: { body } }) => orders.recordPayment(body)),
        },
      })
    },
  },
  order: {
    loadTitle: async () => (await import('../texts/orders-on-demand.ts')).t('orders.order'),
    numbersInReports: [],
    loadView: () => import('../views/client/OrderDialog.tsx'),
    loadMachine: async (services) => {
      const [{ orderMachine }, orders] = await Promise.all([
        import('../machines/client/order.ts'),
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
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.personalDataTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/PersonalDataDialog.tsx'),
    loadMachine: async (services) => {
      const [{ personalDataMachine }, persons] = await Promise.all([
        import('../machines/client/personal-data.ts'),
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
  shops: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.shops'),
    numbersInReports: [],
    loadView: () => import('../views/client/ShopsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ shopsMachine }, shops] = await Promise.all([
        import('../machines/client/shops.ts'),
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
  clientLanguage: {
    loadTitle: async () => (await import('../texts/client-on-demand.ts')).t('client.languageTitle'),
    numbersInReports: [],
    loadView: () => import('../views/client/ClientLanguageDialog.tsx'),
    loadMachine: async (services) => {
      const [{ clientLanguageMachine }, clients] = await Promise.all([
        import('../machines/client/client-language.ts'),
        services.loadClientWork(),
      ])
      return clientLanguageMachine.provide({
        actors: { saveLanguage: fromPromise(({ input }) => clients.saveLanguage(input)) },
      })
    },
  },
} satisfies Partial<DialogEntries>
