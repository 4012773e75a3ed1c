import type { SnapshotFrom } from 'xstate'
import { faqSuggestionsMachine } from '../../../src/machines/faq/faq-suggestions.ts'
import { modelOf } from '../harness.ts'
import { entryOf, faqFaults } from './faq-fixture.ts'

export const entries = [
  entryOf('low', { keywords: ['open'], priority: 1 }),
  entryOf('inactive', { keywords: ['open'], priority: 99, is_active: false }),
  entryOf('high', { keywords: ['open'], priority: 9 }),
  entryOf('long', { keywords: ['opening hours'], priority: 1, category_name: null }),
  entryOf('least', { keywords: ['hours'], priority: 0 }),
  entryOf('pay', { keywords: ['gcash'] }),
]

export const faqSuggestionsModel = () => {
  const question = { key: '1', texts: ['open?'] }
  return modelOf(faqSuggestionsMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof faqSuggestionsMachine>) => [
      context.question,
      context.entries?.length,
      context.failures,
      [...context.settled],
    ],
    cases: {
      'question.changed': [{ question }, { question: null }],
      'suggestions.settled': ({ context }) => (context.settled.size === 0 ? [{}] : []),
      'xstate.done.actor.loadEntries': [{ output: entries }],
      'xstate.error.actor.loadEntries': ({ context }) => [
        ...(context.failures > 0 ? [] : [{ error: faqFaults.unreadable }]),
        { error: faqFaults.forbidden },
      ],
    },
  })
}
