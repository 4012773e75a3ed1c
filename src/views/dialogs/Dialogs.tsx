import { useSelector } from '@xstate/react'
import { lazy, Suspense } from 'react'
import { selectImage, selectLinkClient, selectOpened, selectShowsShortcuts } from '../../machines/dialog.ts'
import { useDialog } from '../inbox/use-inbox.ts'
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx'
import { LinkClientDialog } from './link-client-on-demand.ts'

const PageManagerDialog = lazy(() => import('./PageManagerDialog.tsx'))
const HistorySyncDialog = lazy(() => import('./HistorySyncDialog.tsx'))
const AutoSyncDialog = lazy(() => import('./AutoSyncDialog.tsx'))
const FaqDialog = lazy(() => import('./FaqDialog.tsx'))
const ImageDialog = lazy(() => import('./ImageDialog.tsx'))
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))

/** The dialog that is open, if one is. The code of each is loaded when it is first opened. */
export function Dialogs() {
  const dialog = useDialog()
  const linkClient = useSelector(dialog, selectLinkClient)
  const image = useSelector(dialog, selectImage)
  const opened = useSelector(dialog, selectOpened)
  const showsShortcuts = useSelector(dialog, selectShowsShortcuts)
  const dismiss = () => dialog.send({ type: 'dialog.dismissed' })
  return (
    <ErrorBoundary
      fallback={null}
      resetKey={linkClient?.sessionId ?? opened?.actor.sessionId ?? image?.url ?? String(showsShortcuts)}
    >
      <Suspense fallback={null}>
        {linkClient && <LinkClientDialog key={linkClient.sessionId} actor={linkClient} onDismiss={dismiss} />}
        {opened?.name === 'pageManager' && <PageManagerDialog actor={opened.actor} onDismiss={dismiss} />}
        {opened?.name === 'historySync' && <HistorySyncDialog actor={opened.actor} onDismiss={dismiss} />}
        {opened?.name === 'autoSyncControl' && <AutoSyncDialog actor={opened.actor} onDismiss={dismiss} />}
        {opened?.name === 'faq' && <FaqDialog actor={opened.actor} onDismiss={dismiss} />}
        {showsShortcuts && <ShortcutsDialog onDismiss={dismiss} />}
        {image && <ImageDialog image={image} dialog={dialog} onDismiss={dismiss} />}
      </Suspense>
    </ErrorBoundary>
  )
}
