import { RefreshCw } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { selectAreAlarmsKnown } from '../../machines/shell/alarms.ts'
import type { Connection } from '../../machines/shell/realtime.ts'
import { t } from '../../texts/shell.ts'
import { IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { FilledText } from '../components/FilledText.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { Pill } from '../components/Pill.tsx'
import { useAlarmsActor, useConnection } from '../use-inbox.ts'
import { useHasFirstAnswer, useRefresh, useTotals } from '../use-list.ts'
import { useSelector } from '../use-selector.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { AutoSyncIndicator, HeaderActions, HeaderMenu } from './HeaderActions.tsx'

const AlarmBell = onDemand(() => import('./AlarmBell.tsx'))
const WaitingBanner = onDemand(() => import('../send/WaitingBanner.tsx'))
const UnsentButton = onDemand(() => import('../send/UnsentButton.tsx'))

const count = new Intl.NumberFormat()

const connections = {
  live: { tone: 'ok', word: 'shell.live', meaning: 'shell.liveAdvice' },
  connecting: {
    tone: 'warn',
    word: 'shell.connecting',
    meaning: 'shell.connectingAdvice',
  },
  offline: { tone: 'bad', word: 'shell.offline', meaning: 'shell.offlineAdvice' },
} as const satisfies Record<Connection, unknown>

function ConnectionPill() {
  const { tone, word, meaning } = connections[useConnection()]
  return (
    <Pill tone={tone} role="status" title={t(meaning)}>
      <span className="sr-only">{t('shell.connection')} </span>
      <span>{t(word)}</span>
      <span className="sr-only">. {t(meaning)}</span>
    </Pill>
  )
}

function Totals() {
  const { conversations, unread } = useTotals()
  return (
    <p className="flex min-w-0 gap-1.5 whitespace-nowrap text-ink-2 max-sm:contents">
      <span className="min-w-0 truncate max-sm:order-2 max-sm:col-span-2 max-sm:text-2xs">
        {conversations === null ? t('shell.conversationsUnknown') : t('shell.conversations', { count: conversations })}
      </span>
      <span aria-hidden="true" className="max-sm:hidden">
        ·
      </span>
      {/* The number counts messages, not conversations. */}
      <b
        className="shrink-0 truncate font-semibold text-ink max-sm:shrink max-sm:text-xs"
        title={t('shell.unreadTitle')}
      >
        <FilledText
          parts={{ word: <span className="max-xl:sr-only">{t('shell.unreadWord', { count: unread ?? 0 })}</span> }}
        >
          {(marks) => t('shell.unread', { ...marks, count: unread === null ? '–' : count.format(unread) })}
        </FilledText>
      </b>
    </p>
  )
}

/**
 * The header (spec section 2): the counts, the connection state and the signed-in user. Above the keyboard of a phone an
 * open thread has the place of the header, unless the connection is lost.
 */
export const InboxHeader = memo(function InboxHeader({ hasThread }: { hasThread: boolean }) {
  const { refresh, refreshing } = useRefresh()
  const areAlarmsKnown = useSelector(useAlarmsActor(), selectAreAlarmsKnown)
  const hasFirstAnswer = useHasFirstAnswer()
  const yields = useConnection() === 'live' && hasThread
  const guarded = (view: ReactNode) => hasFirstAnswer && <ErrorBoundary fallback={null}>{view}</ErrorBoundary>
  return (
    <>
      <header
        className={classNames(
          'flex h-header shrink-0 items-center gap-3.5 border-line border-b bg-panel px-4 max-sm:gap-1.5 max-sm:px-3',
          yields && 'typing:hidden',
        )}
      >
        {/* On a phone the unread count is next to the title, so that neither number is cut off. */}
        <div className="flex min-w-0 items-baseline gap-3.5 max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)] max-sm:gap-x-2 max-sm:gap-y-0 max-sm:text-ink-2">
          <h1 className="font-semibold text-xl text-ink tracking-tight max-sm:text-lg">{t('shared.inbox')}</h1>
          <Totals />
        </div>
        <ConnectionPill />
        <span className="flex-1" />
        {/* Grows to the left and the connection pill to the right, so that nothing else moves. */}
        {guarded(<UnsentButton />)}
        {areAlarmsKnown && <AlarmBell />}
        <AutoSyncIndicator className="rounded-full max-md:hidden" />
        <HeaderActions />
        <IconButton
          label={t('shell.refreshConversations')}
          className="max-sm:hidden"
          aria-busy={refreshing}
          onClick={refresh}
        >
          <RefreshCw size={16} aria-hidden="true" className={refreshing ? 'animate-spin' : undefined} />
        </IconButton>
        <HeaderMenu />
        <AccountMenu />
      </header>
      {/* Takes the focus when the banner goes, so that the keyboard continues below the header. */}
      <div tabIndex={-1} className="outline-none">
        {guarded(<WaitingBanner />)}
      </div>
    </>
  )
})
