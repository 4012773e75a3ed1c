import { isSearchable } from '../../domain/client/client-linking.ts'
import { limits } from '../../domain/limits.ts'

/**
 * Parts of a dialog that searches while a person types. Its search has the states 'idle' and 'debouncing', and the dialog
 * the actions 'keep the term' and 'clear the search results'.
 */

type TypedTerm = { term: string }

export type SearchEvent = { type: 'search.typed'; term: string }

export const searchDelays = { searchDebounce: limits.clientSearchDebounce }

export const searchGuards = { 'is long enough': (_: unknown, { term }: TypedTerm) => isSearchable(term) }

const termOf = ({ event: { term } }: { event: SearchEvent }): TypedTerm => ({ term })
const keepTerm = { type: 'keep the term' as const, params: termOf }

export const typingSearch = {
  'search.typed': [
    {
      guard: { type: 'is long enough' as const, params: termOf },
      target: '.debouncing' as const,
      actions: keepTerm,
    },
    { target: '.idle' as const, actions: [keepTerm, 'clear the search results' as const] },
  ],
}

/** The states before the search. A shorter term needs none. */
export const beforeSearch = { idle: {}, debouncing: { after: { searchDebounce: 'searching' as const } } }
