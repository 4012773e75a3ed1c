import type { Reaction } from '../../schemas/reactions-receipts-replies.ts'

export type Reactions = Reaction[] | null | undefined

/** Sorts by time. At the same time a reaction that was taken back is the last, as in `merged_reactions` of the database. */
const rank = ({ at, emoji }: Reaction): string => at + (emoji ?? '\uffff')

/** Of each side the last reaction, whatever the order in which they arrived. */
export const mergedReactions = (known: Reactions, given: Reactions): Reactions =>
  known && given
    ? ['page', 'person'].flatMap((side) =>
        [...known, ...given]
          .filter(({ by }) => by === side)
          .sort((one, other) => (rank(one) < rank(other) ? 1 : -1))
          .slice(0, 1),
      )
    : (known ?? given)
