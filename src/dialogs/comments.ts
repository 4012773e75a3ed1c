import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const commentsDialogs = {
  comments: {
    loadTitle: async () => (await import('../texts/comments-on-demand.ts')).t('comments.title'),
    numbersInReports: [],
    loadView: () => import('../views/comments/CommentsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ commentsMachine }, { commentThreadMachine }, { commentMachine }, comments] = await Promise.all([
        import('../machines/comments/comments.ts'),
        import('../machines/comments/comment-thread.ts'),
        import('../machines/comments/comment.ts'),
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
    loadTitle: async () => (await import('../texts/comments-on-demand.ts')).t('comments.saleTitle'),
    numbersInReports: [],
    loadView: () => import('../views/comments/LiveSaleDialog.tsx'),
    loadMachine: async (services) => {
      const [{ liveSaleMachine }, comments] = await Promise.all([
        import('../machines/comments/live-sale.ts'),
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
} satisfies Partial<DialogEntries>
