import { assign } from 'xstate'
import type { KeywordFields, KeywordRules } from '../domain/keywords.ts'

/** The keywords of an item form (`item-forms.ts`), as parts of the machine's `setup` and of its state 'editing'. */

export type KeywordEvent = { type: 'keyword.added' } | { type: 'keyword.removed'; keyword: string }

type Args = { context: { fields: KeywordFields } }

export const editingKeywords = {
  'keyword.added': { guard: 'has a new keyword' as const, actions: 'add the keyword' as const },
  'keyword.removed': {
    actions: { type: 'remove the keyword' as const, params: ({ event }: { event: { keyword: string } }) => event },
  },
}

export const keywordGuards = (rules: KeywordRules) => ({
  'has a new keyword': ({ context }: Args) => rules.hasNew(context.fields),
})

/** XState types an action by its machine. These read and assign only the keywords. */
export const keywordActions = (rules: KeywordRules) => ({
  'add the keyword': assign(({ context }: Args) => ({ fields: rules.added(context.fields) })) as unknown as (
    args: Args,
  ) => void,
  'remove the keyword': assign(({ context }: Args, { keyword }: { keyword: string }) => ({
    fields: rules.removed(context.fields, keyword),
  })) as unknown as (args: Args, params: { keyword: string }) => void,
})

export const selectMayAddKeyword = (snapshot: { can: (event: { type: 'keyword.added' }) => boolean }): boolean =>
  snapshot.can({ type: 'keyword.added' })
