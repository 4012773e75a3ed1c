import { RefreshCw } from 'lucide-react'
import { memo } from 'react'
import type { Connection } from '../../machines/shell/realtime.ts'
import { IconButton } from '../components/Button.tsx'
import { Pill } from '../components/Pill.tsx'
import { useConnection, useRefresh, useTotals } from '../use-inbox.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { AutoSyncIndicator, HeaderActions, HeaderMenu } from './HeaderActions.tsx'

const count = new Intl.NumberFormat()

const connections = {
  live: { tone: 'ok', word: 'Live', meaning: 'Changes are shown as they happen.' },
  connecting: {
    tone: 'warn',
    word: 'Connecting',
    meaning: 'Live updates are on their way. Until then, changes are looked for every 30 seconds.',
  },
  offline: { tone: 'bad', word: 'Offline', meaning: 'No live connection. Changes are looked for every 30 seconds.' },
} as const satisfies Record<Connection, unknown>

function ConnectionPill() {
  const { tone, word, meaning } = connections[useConnection()]
  return (
    <Pill tone={tone} role="status" title={meaning}>
      <span className="sr-only">Connection: </span>
      <span>{word}</span>
      <span className="sr-only">. {meaning}</span>
    </Pill>
  )
}

function Totals() {
  const { conversations, unread } = useTotals()
  return (
    <p className="flex min-w-0 gap-1.5 whitespace-nowrap text-ink-2 max-sm:contents">
      <span className="min-w-0 truncate max-sm:order-2 max-sm:col-span-2 max-sm:text-2xs">
        {conversations === null ? '–' : count.format(conversations)} conversations
      </span>
      <span aria-hidden="true" className="max-sm:hidden">
        ·
      </span>
      {/* Messages, not conversations. */}
      <b className="shrink-0 font-semibold text-ink max-sm:text-xs" title="Unread messages in all conversations">
        {unread === null ? '–' : count.format(unread)} unread<span className="max-xl:sr-only"> messages</span>
      </b>
    </p>
  )
}

/** The product's header (spec section 2): how much there is, how fresh it is, and who is signed in. */
export const InboxHeader = memo(function InboxHeader() {
  const { refresh, refreshing } = useRefresh()
  return (
    <header className="flex h-header shrink-0 items-center gap-3.5 border-line border-b bg-panel px-4 max-sm:gap-1.5 max-sm:px-3">
      {/* On a phone what is unread stands beside the title, so that neither number is cut off. */}
      <div className="flex min-w-0 items-baseline gap-3.5 max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)] max-sm:gap-x-2 max-sm:gap-y-0 max-sm:text-ink-2">
        <h1 className="font-semibold text-xl text-ink tracking-tight max-sm:text-lg">Inbox</h1>
        <Totals />
      </div>
      <ConnectionPill />
      <span className="flex-1" />
      {/* It grows into the free room before it, as the one above into that behind it: nothing else moves. */}
      <AutoSyncIndicator className="rounded-full max-md:hidden" />
      <HeaderActions />
      <IconButton label="Refresh conversations" className="max-sm:hidden" aria-busy={refreshing} onClick={refresh}>
        <RefreshCw size={16} aria-hidden="true" className={refreshing ? 'animate-spin' : undefined} />
      </IconButton>
      <HeaderMenu />
      <AccountMenu />
    </header>
  )
})
