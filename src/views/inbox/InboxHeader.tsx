import { RefreshCw } from 'lucide-react'
import { memo } from 'react'
import type { Connection } from '../../machines/realtime.ts'
import { IconButton } from '../components/Button.tsx'
import { Pill } from '../components/Pill.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { AutoSyncIndicator, HeaderActions, HeaderMenu } from './HeaderActions.tsx'
import { useConnection, useRefresh, useTotals } from './use-inbox.ts'

const count = new Intl.NumberFormat()

const connections = {
  live: { tone: 'ok', word: 'Live' },
  connecting: { tone: 'warn', word: 'Connecting' },
  offline: { tone: 'bad', word: 'Offline' },
} as const satisfies Record<Connection, unknown>

function ConnectionPill() {
  const { tone, word } = connections[useConnection()]
  return (
    <Pill tone={tone} role="status" className="sm:min-w-26">
      <span className="sr-only">Connection: </span>
      <span>{word}</span>
    </Pill>
  )
}

function Totals() {
  const { conversations, unread } = useTotals()
  return (
    <p className="flex min-w-0 gap-1.5 whitespace-nowrap text-ink-2 max-sm:gap-1 max-sm:text-2xs">
      <span>{conversations === null ? '–' : count.format(conversations)} conversations</span>
      <span aria-hidden="true">·</span>
      <b className="font-semibold text-ink">{unread === null ? '–' : count.format(unread)} unread</b>
    </p>
  )
}

/** The product's header (spec section 2): how much there is, how fresh it is, and who is signed in. */
export const InboxHeader = memo(function InboxHeader() {
  const { refresh, refreshing } = useRefresh()
  return (
    <header className="flex h-13 shrink-0 items-center gap-3.5 border-line border-b bg-panel px-4 max-sm:gap-1.5 max-sm:px-3">
      <div className="flex min-w-0 items-baseline gap-3.5 max-sm:flex-col max-sm:gap-0">
        <h1 className="font-semibold text-xl tracking-tight max-sm:text-lg">Inbox</h1>
        <Totals />
      </div>
      <ConnectionPill />
      <AutoSyncIndicator className="rounded-full max-md:hidden" />
      <span className="flex-1" />
      <HeaderActions />
      <IconButton label="Refresh conversations" className="max-sm:hidden" aria-busy={refreshing} onClick={refresh}>
        <RefreshCw size={16} aria-hidden="true" className={refreshing ? 'animate-spin' : undefined} />
      </IconButton>
      <HeaderMenu />
      <AccountMenu />
    </header>
  )
})
