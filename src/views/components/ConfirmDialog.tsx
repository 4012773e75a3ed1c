import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, type RefObject, useRef } from 'react'
import { t } from '../../texts/shared-on-demand.ts'
import { Button } from './Button.tsx'
import { useRootMark } from './root-mark.ts'

type ConfirmDialogProps = {
  title: string
  question: string
  /** Further details about the effect of the action. */
  children?: ReactNode
  /** The label of the confirm button. */
  confirm: string
  /** The label of the other button, if "Cancel" has another meaning here. */
  refuse?: string
  /** The effect of the action is still loading, or the action is no longer possible: the confirm button is disabled. */
  isWaiting?: boolean
  /** The action is running: both buttons are disabled. */
  isBusy?: boolean
  /** Gets the focus after confirmation, if the action removes the element that had the focus before. */
  focusAfter?: RefObject<HTMLElement | null>
  onConfirm: () => void
  /** Called on Cancel or Escape. */
  onCancel: () => void
}

/**
 * Asks for confirmation of an irreversible action. Cancel has the focus. A press outside the dialog does not close it.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    question,
    children,
    confirm,
    refuse = t('shared.cancel'),
    isWaiting = false,
    isBusy = false,
    focusAfter,
    onConfirm,
    onCancel,
  } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const confirmed = useRef(false)
  useRootMark('data-dialog')
  return (
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open && !isBusy) onCancel()
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className="fixed inset-0 z-60 bg-[rgb(0_0_0/0.45)]" />
        <AlertDialog.Viewport className="fixed inset-0 z-70 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center p-4 max-sm:pt-header">
          <AlertDialog.Popup
            initialFocus={cancel}
            finalFocus={() => (confirmed.current && focusAfter?.current) || null}
            className="grid w-105 max-w-full gap-3 rounded-ui border border-line bg-panel p-4 text-ink shadow-float outline-none"
          >
            <AlertDialog.Title className="font-semibold text-lg">{title}</AlertDialog.Title>
            <AlertDialog.Description className="[overflow-wrap:anywhere]">{question}</AlertDialog.Description>
            {children}
            <div className="mt-1 flex justify-end gap-2">
              <Button ref={cancel} disabled={isBusy} onClick={onCancel}>
                {refuse}
              </Button>
              <Button
                variant="danger"
                disabled={isBusy || isWaiting}
                onClick={() => {
                  confirmed.current = true
                  onConfirm()
                }}
              >
                {confirm}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
