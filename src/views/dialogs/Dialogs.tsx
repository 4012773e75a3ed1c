import { useSelector } from '@xstate/react'
import { lazy, Suspense } from 'react'
import { selectImage, selectLinkClient, selectShowsShortcuts } from '../../machines/dialog.ts'
import { useDialog } from '../inbox/use-inbox.ts'
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx'

const LinkClientDialog = lazy(() => import('./LinkClientDialog.tsx'))
const ImageDialog = lazy(() => import('./ImageDialog.tsx'))
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))

/** The dialog that is open, if one is. The code of each is loaded when it is first opened. */
export function Dialogs() {
  const dialog = useDialog()
  const linkClient = useSelector(dialog, selectLinkClient)
  const image = useSelector(dialog, selectImage)
  const showsShortcuts = useSelector(dialog, selectShowsShortcuts)
  const dismiss = () => dialog.send({ type: 'dialog.dismissed' })
  return (
    <ErrorBoundary fallback={null} resetKey={linkClient?.sessionId ?? image?.url ?? String(showsShortcuts)}>
      <Suspense fallback={null}>
        {linkClient && <LinkClientDialog key={linkClient.sessionId} actor={linkClient} onDismiss={dismiss} />}
        {showsShortcuts && <ShortcutsDialog onDismiss={dismiss} />}
        {image && <ImageDialog image={image} onDismiss={dismiss} />}
      </Suspense>
    </ErrorBoundary>
  )
}
