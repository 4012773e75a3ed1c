import { type ComponentType, createElement } from 'react'
import type { AnyActorRef } from 'xstate'
import { selectOpened } from '../../machines/shell/dialog.ts'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { useDialog } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

type AnyDialogView = ComponentType<{ actor: AnyActorRef; title: string; onDismiss: () => void }>

/** Renders the open dialog, if any. */
export function Dialogs() {
  const dialog = useDialog()
  const opened = useSelector(dialog, selectOpened)
  if (opened === null) return null
  const { actor, title, View } = opened
  return (
    <ErrorBoundary fallback={null} resetKey={actor.sessionId}>
      {createElement(View as AnyDialogView, {
        key: actor.sessionId,
        actor,
        title,
        onDismiss: () => dialog.send({ type: 'dialog.dismissed' }),
      })}
    </ErrorBoundary>
  )
}
