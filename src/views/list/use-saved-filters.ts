import { useCallback } from 'react'
import type { ActorRefFrom } from 'xstate'
import { deletedPart, type FilterValues, queryOf } from '../../domain/list/saved-filters.ts'
import { type conversationsMachine, selectQuery } from '../../machines/list/conversations.ts'
import { type labelsMachine, selectLabels } from '../../machines/list/labels.ts'
import { selectFilters } from '../../machines/list/saved-filters.ts'
import { selectMembers, type teamMachine } from '../../machines/list/team.ts'
import { type pagesMachine, selectPagesById } from '../../machines/pages/pages.ts'
import { nobody } from '../../schemas/conversation.ts'
import type { SavedFilter } from '../../schemas/saved-filter.ts'
import { useSession } from '../actors.tsx'
import { useDialog } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

const noFilters: readonly SavedFilter[] = []

type Identified = { id: string }
const idsOf = (items: readonly Identified[]): ReadonlySet<string> => new Set(items.map(({ id }) => id))

/** Tells what of a filter was deleted since it was saved. */
function useDeletedPart() {
  const { system } = useSession()
  const pages: ActorRefFrom<typeof pagesMachine> = system.get('pages')
  const labels: ActorRefFrom<typeof labelsMachine> = system.get('labels')
  const team: ActorRefFrom<typeof teamMachine> = system.get('team')
  const pageIds = useSelector(pages, (snapshot) => (snapshot.matches('showing') ? selectPagesById(snapshot) : null))
  const known = useSelector(labels, (snapshot) => (snapshot.matches('known') ? selectLabels(snapshot) : null))
  const members = useSelector(team, (snapshot) => (snapshot.matches('known') ? selectMembers(snapshot) : null))
  return (filter: FilterValues) =>
    deletedPart(filter, {
      pages: pageIds && new Set(pageIds.keys()),
      labels: known && idsOf(known),
      members: members && idsOf([...members, { id: nobody }]),
    })
}

/** The saved filters of the person, by name, and what can be done with them. */
export function useSavedFilters() {
  const session = useSession()
  const dialog = useDialog()
  const filters = useSelector(usePart('savedFilters'), (snapshot) =>
    snapshot === undefined ? noFilters : selectFilters(snapshot),
  )
  const open = useCallback(
    (values: FilterValues | null) =>
      dialog.send({ type: 'dialog.requested', dialog: { name: 'savedFilterManager', input: { values } } }),
    [dialog],
  )
  return {
    filters,
    deletedPartOf: useDeletedPart(),
    apply: useCallback(
      (filter: SavedFilter) => {
        const conversations: ActorRefFrom<typeof conversationsMachine> = session.system.get('conversations')
        const shown = selectQuery(conversations.getSnapshot())
        session.send({ type: 'query.opened', query: queryOf(filter, shown) })
      },
      [session],
    ),
    /** Opens the dialog that lists the filters. */
    manage: useCallback(() => open(null), [open]),
    /** Opens the form for a new filter. */
    save: open,
  }
}
