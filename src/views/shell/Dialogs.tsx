import { useSelector } from '@xstate/react'
import { lazy, Suspense } from 'react'
import { selectImage, selectLinkClient, selectOpened, selectShowsShortcuts } from '../../machines/shell/dialog.ts'
import { LinkClientDialog } from '../client/link-client-on-demand.ts'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { useDialog } from '../use-inbox.ts'

const PageManagerDialog = lazy(() => import('../pages/PageManagerDialog.tsx'))
const HistorySyncDialog = lazy(() => import('../sync/HistorySyncDialog.tsx'))
const AutoSyncDialog = lazy(() => import('../sync/AutoSyncDialog.tsx'))
const FaqDialog = lazy(() => import('../faq/FaqDialog.tsx'))
const ImageDialog = lazy(() => import('../thread/ImageDialog.tsx'))
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
