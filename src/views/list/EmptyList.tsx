import { Inbox } from 'lucide-react'
import type { RefObject } from 'react'
import { isFiltered } from '../../domain/list/list-query.ts'
import { offers } from '../../domain/session/features.ts'
import { t } from '../../texts/list-on-demand.ts'
import { useSession } from '../actors.tsx'
import { Button } from '../components/Button.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { useDialog, useUser } from '../use-inbox.ts'
import { useIsInboxEmpty, useList } from '../use-list.ts'

const FirstRun = onDemand(() => import('./FirstRun.tsx'))

type EmptyListProps = { searchRef: RefObject<HTMLInputElement | null> }

/** The list without a conversation. */
export default function EmptyList({ searchRef }: EmptyListProps) {
  const { query } = useList()
  const isInboxEmpty = useIsInboxEmpty()
  const isNarrowed = isFiltered(query)
  const empty = (
    <EmptyState
      icon={<Inbox size={28} strokeWidth={1.5} />}
      title={query.view === 'waiting' && !isNarrowed ? t('list.nobodyWaits') : t('list.noneFound')}
    >
      {isNarrowed && <NextSteps searchRef={searchRef} />}
    </EmptyState>
  )
  if (!isInboxEmpty) return empty
  return (
    <div className="scroller min-h-0 flex-1">
      <div className="h-full max-md:h-36">{empty}</div>
      {/* On a phone the thread pane, which shows the same, is hidden. */}
      <div className="px-4 pb-6 md:hidden">
        <FirstRun />
      </div>
    </div>
  )
}

/** Looks for the same words everywhere, or shows all conversations of the view. */
function NextSteps({ searchRef }: EmptyListProps) {
  const session = useSession()
  const dialog = useDialog()
  const user = useUser()
  const { query } = useList()
  const search = query.search.trim()
  return (
    <div className="flex flex-wrap justify-center gap-2">
      {search !== '' && offers(user, 'search') && (
        <Button onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'palette' }, typed: search })}>
          {t('list.searchEverywhere')}
        </Button>
      )}
      <Button
        onClick={() => {
          // The press removes the button.
          searchRef.current?.focus()
          const { view, order } = query
          session.send({ type: 'query.opened', query: { search: '', pageId: null, unreadOnly: false, view, order } })
        }}
      >
        {t('list.removeFilters')}
      </Button>
    </div>
  )
}
