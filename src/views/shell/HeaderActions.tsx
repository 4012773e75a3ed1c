import { CalendarSync, Ellipsis, History, MessageCircleQuestionMark, RefreshCw, Settings } from 'lucide-react'
import { useId } from 'react'
import { selectPageId } from '../../machines/session/session.ts'
import { selectAutoSyncState } from '../../machines/sync/auto-sync.ts'
import { selectIsSyncing } from '../../machines/sync/recent-sync.ts'
import { t } from '../../texts/shell.ts'
import { useSession } from '../actors.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { Pill } from '../components/Pill.tsx'
import { autoSyncTones, useAutoSyncWord } from '../sync/use-auto-sync.ts'
import { useAutoSyncActor, useDialog, useMay, useRecentSyncActor } from '../use-inbox.ts'
import { useRefresh } from '../use-list.ts'
import { useSelector } from '../use-selector.ts'

/** The actions of the header, for both the buttons and the menu. */
function useHeaderActions() {
  const session = useSession()
  const dialog = useDialog()
  const pageId = useSelector(session, selectPageId)
  return {
    maySync: useMay('sync.run'),
    syncing: useSelector(useRecentSyncActor(), selectIsSyncing),
    syncRecent: () => session.send({ type: 'recentSync.requested' }),
    openHistory: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'historySync', input: { pageId } } }),
    openPages: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'pageManager' } }),
    openFaq: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'faq' } }),
    openAutoSync: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'autoSyncControl' } }),
  }
}

/** The props of a menu button that closes the menu when pressed. */
type ClosesMenu = { popoverTarget: string; popoverTargetAction: 'hide' }

/** Shows whether the automatic sync is on (spec section 2). A press opens its dialog. */
export function AutoSyncIndicator({ className, closes }: { className?: string; closes?: ClosesMenu }) {
  const { openAutoSync } = useHeaderActions()
  const state = useSelector(useAutoSyncActor(), selectAutoSyncState)
  const word = useAutoSyncWord()
  return (
    <button type="button" className={className} {...closes} onClick={openAutoSync}>
      <Pill tone={autoSyncTones[state]} className="hover:bg-sunken">
        {t('shell.autoSync', { state: word })}
      </Pill>
    </button>
  )
}

/** The actions of the header as quiet buttons, on wide screens. */
export function HeaderActions() {
  const { maySync, syncing, syncRecent, openHistory, openPages, openFaq } = useHeaderActions()
  return (
    <div className="flex items-center max-xl:hidden">
      {maySync && (
        <>
          <Button variant="ghost" onClick={openHistory}>
            <CalendarSync size={15} aria-hidden="true" />
            {t('shell.sync')}
          </Button>
          <Button
            variant="ghost"
            title={t('shell.syncRecentTitle')}
            className="min-w-25"
            disabled={syncing}
            onClick={syncRecent}
          >
            <History size={15} aria-hidden="true" className={syncing ? 'animate-spin' : undefined} />
            {syncing ? t('shared.syncing') : t('shell.syncRecent')}
          </Button>
        </>
      )}
      <Button variant="ghost" aria-label={t('shared.managePages')} title={t('shared.managePages')} onClick={openPages}>
        <Settings size={15} aria-hidden="true" />
        {t('shared.pages')}
      </Button>
      <Button variant="ghost" onClick={openFaq}>
        <MessageCircleQuestionMark size={15} aria-hidden="true" />
        {t('shell.manageFaq')}
      </Button>
    </div>
  )
}

/**
 * The same actions as a menu, on narrow screens. A native popover: the browser opens and closes it and restores focus.
 */
export function HeaderMenu() {
  const { maySync, syncing, syncRecent, openHistory, openPages, openFaq } = useHeaderActions()
  const id = useId()
  const closes: ClosesMenu = { popoverTarget: id, popoverTargetAction: 'hide' }
  const { refresh } = useRefresh()
  return (
    <div className="xl:hidden">
      <IconButton label={t('shell.workspace')} aria-busy={syncing} popoverTarget={id}>
        {syncing ? (
          <History size={18} aria-hidden="true" className="animate-spin" />
        ) : (
          <Ellipsis size={18} aria-hidden="true" />
        )}
      </IconButton>
      <div
        id={id}
        popover="auto"
        className="fixed inset-auto top-header right-3 m-0 w-60 rounded-ui border border-line bg-panel p-2 text-ink shadow-float"
      >
        <div className="grid gap-1">
          <AutoSyncIndicator
            className="justify-self-stretch rounded-ui px-2 text-left touch:min-h-11 hover:bg-sunken md:hidden"
            closes={closes}
          />
          <Button variant="ghost" className="justify-start sm:hidden" {...closes} onClick={refresh}>
            <RefreshCw size={15} aria-hidden="true" />
            {t('shared.refresh')}
          </Button>
          {maySync && (
            <>
              <Button variant="ghost" className="justify-start" {...closes} onClick={openHistory}>
                <CalendarSync size={15} aria-hidden="true" />
                {t('shell.sync')}
              </Button>
              <Button
                variant="ghost"
                title={t('shell.syncRecentTitle')}
                className="justify-start"
                // Uses aria-disabled: a button that its own press disables would not close the menu.
                aria-disabled={syncing}
                {...closes}
                onClick={syncRecent}
              >
                <History size={15} aria-hidden="true" className={syncing ? 'animate-spin' : undefined} />
                {syncing ? t('shared.syncing') : t('shell.syncRecent')}
              </Button>
            </>
          )}
          <Button variant="ghost" className="justify-start" {...closes} onClick={openPages}>
            <Settings size={15} aria-hidden="true" />
            {t('shared.managePages')}
          </Button>
          <Button variant="ghost" className="justify-start" {...closes} onClick={openFaq}>
            <MessageCircleQuestionMark size={15} aria-hidden="true" />
            {t('shell.manageFaq')}
          </Button>
        </div>
      </div>
    </div>
  )
}
