import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import { type Question, suggestionsFor } from '../../domain/send/faq-suggestions.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, isTemporary } from '../on-failure.ts'

type Context = Retries & {
  /** The unanswered messages of the open conversation, if the person waits. */
  question: Question | null
  entries: readonly FaqEntry[] | null
  /** The entries that match the question, best first. */
  suggestions: readonly FaqEntry[]
  /** The keys of the questions whose suggestions were used or dismissed. */
  settled: ReadonlySet<string>
}

export type FaqSuggestionsEvent =
  | { type: 'question.changed'; question: Question | null }
  /** One of the suggestions was inserted, or the person does not want them. */
  | { type: 'suggestions.settled' }

const suggested = ({ question, entries, settled }: Pick<Context, 'question' | 'entries' | 'settled'>) =>
  question === null || entries === null || settled.has(question.key) ? [] : suggestionsFor(question, entries)

/**
 * The FAQ entries that match the question of the open conversation. Loads the entries when a question is asked and those
 * held are older than 5 minutes. Nothing is sent by itself, and a failure is shown to nobody: the suggestions are missing.
 */
export const faqSuggestionsMachine = setup({
  types: { context: {} as Context, events: {} as FaqSuggestionsEvent },
  actors: { loadEntries: fromPromise<readonly FaqEntry[]>(mustBeProvided('loadEntries')) },
  delays: { retryDelay: ({ context }) => context.retryDelay, entriesLifetime: 300_000 },
  guards: {
    'is temporary': isTemporary,
    'is a new question': ({ context }, { question }: { question: Question | null }) =>
      question?.key !== context.question?.key,
    'has a question': ({ context }) => context.question !== null,
  },
  actions: {
    'keep the question': assign(({ context }, { question }: { question: Question | null }) => ({
      question,
      suggestions: suggested({ ...context, question }),
    })),
    'keep the entries': assign(({ context }, { entries }: { entries: readonly FaqEntry[] }) => ({
      entries,
      suggestions: suggested({ ...context, entries }),
      ...noRetries,
    })),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'settle the question': assign(({ context: { question, settled } }) => ({
      settled: question === null ? settled : new Set([...settled, question.key]),
      suggestions: [],
    })),
  },
}).createMachine({
  id: 'faqSuggestions',
  context: { question: null, entries: null, suggestions: [], settled: new Set(), ...noRetries },
  on: {
    'question.changed': {
      guard: { type: 'is a new question', params: ({ event }) => event },
      actions: { type: 'keep the question', params: ({ event }) => event },
    },
    'suggestions.settled': { actions: 'settle the question' },
  },
  initial: 'idle',
  states: {
    /** The entries are not known, or old. */
    idle: { always: { guard: 'has a question', target: 'loading' } },
    loading: {
      invoke: {
        id: 'loadEntries',
        src: 'loadEntries',
        onDone: {
          target: 'fresh',
          actions: { type: 'keep the entries', params: ({ event }) => ({ entries: event.output }) },
        },
        onError: [
          {
            guard: ifTemporary,
            target: 'waiting',
            actions: { type: 'count the failure', params: ({ event }) => ({ error: event.error }) },
          },
          { target: 'refused' },
        ],
      },
    },
    waiting: { after: { retryDelay: 'idle' } },
    refused: {},
    fresh: { after: { entriesLifetime: 'old' } },
    old: {
      on: {
        'question.changed': {
          guard: { type: 'is a new question', params: ({ event }) => event },
          target: 'idle',
          actions: { type: 'keep the question', params: ({ event }) => event },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof faqSuggestionsMachine>

/** The entries to offer for the question, best first. The array stays the same until they change. */
export const selectSuggestions = (snapshot: Snapshot): readonly FaqEntry[] => snapshot.context.suggestions
