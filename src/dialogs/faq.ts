import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const faqDialogs = {
  faq: {
    loadTitle: async () => (await import('../texts/faq-on-demand.ts')).t('faq.management'),
    numbersInReports: ['priority'],
    loadView: () => import('../views/faq/FaqDialog.tsx'),
    loadMachine: async (services) => {
      const [
        { faqMachine },
        { faqFormMachine },
        { faqTestMachine },
        { faqDryRunMachine },
        { faqWrongAnswersMachine },
        faq,
      ] = await Promise.all([
        import('../machines/faq/faq.ts'),
        import('../machines/faq/faq-form.ts'),
        import('../machines/faq/faq-test.ts'),
        import('../machines/faq/faq-dry-run.ts'),
        import('../machines/faq/faq-wrong-answers.ts'),
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
    loadTitle: async () => (await import('../texts/faq-on-demand.ts')).t('faq.matching'),
    numbersInReports: [],
    loadView: () => import('../views/faq/FaqMatchingDialog.tsx'),
    loadMachine: async (services) => {
      const [{ faqMatchingMachine }, faq] = await Promise.all([
        import('../machines/faq/faq-matching.ts'),
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
} satisfies Partial<DialogEntries>
