import { UserRound } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { t } from '../../texts/shell.ts'
import { classNames } from '../components/class-names.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { onDemand } from '../components/on-demand.tsx'
import type { ListHandle } from '../list/ConversationList.tsx'
import { ListPane } from '../list/ListPane.tsx'
import { OpenConversationProvider } from '../open-conversation.tsx'
import { preloadThread, ThreadPane } from '../thread/ThreadPane.tsx'
import { useHasFirstAnswer, useOpenThread, useStatesOffer, useTotals } from '../use-list.ts'
import { Dialogs } from './Dialogs.tsx'
import { InboxHeader } from './InboxHeader.tsx'
import { type KeyCommands, KeyCommandsProvider } from './key-commands.ts'
import { Panes } from './Panes.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const ConversationKeys = onDemand(() => import('./ConversationKeys.tsx'))
const DetailsPane = onDemand(() => import('../client/DetailsPane.tsx'))
const PaneDivider = onDemand(() => import('./PaneDivider.tsx'))
const TabIcon = onDemand(() => import('./TabIcon.tsx'))
const ViewRail = onDemand(() => import('../list/ViewRail.tsx'))

type InboxScreenProps = {
  /** Called with the primary user id of the opened row, or with its fb user id if it has no primary user id. */
  onOpen: (id: string) => void
  /** Called when the conversation is closed. */
  onLeave: () => void
}

/** The inbox (spec section 2): three panes on a desktop, two on a tablet, one on a phone. */
export function InboxScreen({ onOpen, onLeave }: InboxScreenProps) {
  const { selected, thread, conversation } = useOpenThread()
  const { offered } = useStatesOffer()
  const isNeeded = useHasFirstAnswer()
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<ListHandle>(null)
  const detailsToggle = useRef<HTMLButtonElement>(null)
  const [detailsOpen, setDetailsOpen] = useState(false)

  const selectedId = conversation === null ? selected : rowIdOf(conversation)
  const loaded = useRef<KeyCommands>({})
  const runCommand = useShortcuts({ search, list, loaded, onLeave })

  const focusList = useCallback(() => list.current?.focus(), [])
  const toggleDetails = useCallback(() => setDetailsOpen((shown) => !shown), [])
  const details = useMemo(
    () => ({ open: detailsOpen, toggle: toggleDetails, ref: detailsToggle }),
    [detailsOpen, toggleDetails],
  )
  const closeDetails = useCallback(() => {
    setDetailsOpen(false)
    detailsToggle.current?.focus()
  }, [])
  const openFromDialog = useCallback(
    (id: string) => {
      // On narrow screens the details cover the thread.
      setDetailsOpen(false)
      onOpen(id)
    },
    [onOpen],
  )
  // The first conversation that is opened shows its messages and its details at once.
  useEffect(() => {
    if (!isNeeded) return
    void preloadThread()
    void DetailsPane.preload()
  }, [isNeeded])
  const showsThread = selected !== null

  return (
    <div className="flex h-dvh flex-col overflow-hidden bg-bg">
      <DocumentTitle />
      <InboxHeader hasThread={showsThread} />
      <Panes
        withDetails={detailsOpen && showsThread}
        rail={offered ? <Rail isHidden={showsThread} /> : undefined}
        withRailOnPhone={!showsThread}
      >
        <section
          tabIndex={-1}
          aria-label={t('shared.conversations')}
          className={classNames(
            'relative min-h-0 min-w-0 flex-col border-line bg-panel md:flex md:border-r',
            showsThread ? 'hidden' : 'flex',
          )}
        >
          <ListPane searchRef={search} listRef={list} selectedId={selectedId} onOpen={onOpen} onLeave={onLeave} />
          {isNeeded && <PaneDivider pane="list" label={t('shell.listWidth')} className="max-md:hidden" />}
        </section>
        <section
          tabIndex={-1}
          aria-label={t('shell.thread')}
          className={classNames('relative min-h-0 min-w-0 flex-col bg-panel md:flex', showsThread ? 'flex' : 'hidden')}
        >
          <ThreadPane thread={thread} details={details} onBack={onLeave} onEscape={focusList} />
          {isNeeded && <PaneDivider pane="details" label={t('shell.detailsWidth')} className="max-xl:hidden" />}
        </section>
        <aside
          aria-label={t('shared.clientDetails')}
          className={classNames(
            'scroller min-h-0 min-w-0 flex-col gap-3 border-line border-l bg-panel p-4 xl:flex',
            'max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:w-80 max-lg:max-w-full max-lg:shadow-float max-sm:w-full',
            detailsOpen && showsThread ? 'flex' : 'hidden',
          )}
        >
          {selected === null && (
            <EmptyState icon={<UserRound size={30} strokeWidth={1.5} />} title={t('shell.noDetails')} />
          )}
          {thread !== null && conversation !== null && (
            <ErrorBoundary fallback={null} resetKey={rowIdOf(conversation)}>
              <DetailsPane
                thread={thread}
                conversation={conversation}
                takesFocus={detailsOpen}
                onClose={closeDetails}
              />
            </ErrorBoundary>
          )}
        </aside>
      </Panes>
      <OpenConversationProvider onOpen={openFromDialog}>
        {isNeeded && (
          <ErrorBoundary fallback={null}>
            <ConversationKeys into={loaded} list={list} selectedId={selectedId} onLeave={onLeave} />
          </ErrorBoundary>
        )}
        <KeyCommandsProvider value={runCommand}>
          <Dialogs />
        </KeyCommandsProvider>
      </OpenConversationProvider>
    </div>
  )
}

/** The views. Keeps its place while its code loads. On a phone an open thread has the screen. */
function Rail({ isHidden }: { isHidden: boolean }) {
  const isNeeded = useHasFirstAnswer()
  return (
    <nav
      aria-label={t('shell.views')}
      className={classNames(
        'min-h-0 min-w-0 gap-0.5 border-line bg-sunken max-md:h-14 max-md:items-center max-md:overflow-x-auto max-md:border-b max-md:bg-panel max-md:px-2 md:flex md:flex-col md:overflow-y-auto md:border-r md:p-1.5 xl:p-2',
        isHidden ? 'hidden' : 'flex',
      )}
    >
      {isNeeded && <ViewRail />}
    </nav>
  )
}

/** Shows the unread count in the title of the tab, '(7) Inbox', and on its icon. */
function DocumentTitle() {
  const { unread } = useTotals()
  const hasFirstAnswer = useHasFirstAnswer()
  useEffect(() => {
    document.title = unread === null || unread === 0 ? t('shared.inbox') : t('shell.titleUnread', { unread })
    return () => {
      document.title = t('shared.inbox')
    }
  }, [unread])
  return (
    hasFirstAnswer && (
      <ErrorBoundary fallback={null}>
        <TabIcon unread={unread} />
      </ErrorBoundary>
    )
  )
}
