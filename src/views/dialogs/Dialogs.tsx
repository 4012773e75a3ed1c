import { useSelector } from '@xstate/react'
import { lazy, Suspense } from 'react'
import { selectImage, selectLinkClient } from '../../machines/dialog.ts'
import { useDialog } from '../inbox/use-inbox.ts'
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx'

const LinkClientDialog = lazy(() => import('./LinkClientDialog.tsx'))
const ImageDialog = lazy(() => import('./ImageDialog.tsx'))

/** The dialog that is open, if one is. The code of each is loaded when it is first opened. */
export function Dialogs() {
  const dialog = useDialog()
  const linkClient = useSelector(dialog, selectLinkClient)
  const image = useSelector(dialog, selectImage)
  const dismiss = () => dialog.send({ type: 'dialog.dismissed' })
  return (
    <ErrorBoundary fallback={null} resetKey={linkClient?.sessionId ?? image?.url ?? ''}>
      <Suspense fallback={null}>
        {linkClient && <LinkClientDialog key={linkClient.sessionId} actor={linkClient} onDismiss={dismiss} />}
        {image && <ImageDialog image={image} onDismiss={dismiss} />}
      </Suspense>
    </ErrorBoundary>
  )
}
