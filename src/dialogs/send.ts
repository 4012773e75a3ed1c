import { fromCallback, fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const sendDialogs = {
  unsent: {
    loadTitle: async () => (await import('../texts/send-on-demand.ts')).t('send.unsent'),
    numbersInReports: [],
    loadView: () => import('../views/send/UnsentDialog.tsx'),
    loadMachine: async () => (await import('../machines/send/unsent.ts')).unsentMachine,
  },
  voiceNote: {
    loadTitle: async () => (await import('../texts/send-on-demand.ts')).t('send.voiceTitle'),
    numbersInReports: [],
    loadView: () => import('../views/send/VoiceNoteDialog.tsx'),
    loadMachine: async (services) => {
      const [{ voiceNoteMachine }, files] = await Promise.all([
        import('../machines/send/voice-note.ts'),
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
    loadTitle: async () => (await import('../texts/send-on-demand.ts')).t('send.cardTitle'),
    numbersInReports: [],
    loadView: () => import('../views/send/ProductCardDialog.tsx'),
    loadMachine: async (services) => {
      const [{ productCardMachine }, orders] = await Promise.all([
        import('../machines/send/product-card.ts'),
        services.loadClientWork(),
      ])
      return productCardMachine.provide({
        actors: { loadProducts: fromPromise(({ signal }) => orders.loadProducts(signal)) },
      })
    },
  },
  messageTemplates: {
    loadTitle: async () => (await import('../texts/send-on-demand.ts')).t('send.templatesTitle'),
    numbersInReports: [],
    loadView: () => import('../views/send/MessageTemplatesDialog.tsx'),
    loadMachine: async (services) => {
      const [{ messageTemplatesMachine }, templates] = await Promise.all([
        import('../machines/send/message-templates.ts'),
        services.loadTemplateService(),
      ])
      return messageTemplatesMachine.provide({
        actors: { loadTemplates: fromPromise(({ input, signal }) => templates.loadTemplates(input, signal)) },
      })
    },
  },
  savedReplyManager: {
    loadTitle: async () => (await import('../texts/send-on-demand.ts')).t('send.replies'),
    numbersInReports: [],
    loadView: () => import('../views/send/SavedRepliesDialog.tsx'),
    loadMachine: async (services) => {
      const [{ savedReplyManager }, { savedReplyFormMachine }, { composeReplyPictures }, replies, files] =
        await Promise.all([
          import('../machines/send/saved-reply-manager.ts'),
          import('../machines/send/saved-reply-form.ts'),
          import('../compose-attached-files.ts'),
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
} satisfies Partial<DialogEntries>
