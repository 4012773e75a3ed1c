import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { t } from '../../texts/shared.ts'
import { Button } from './Button.tsx'

type ConfirmDialogProps = {
  title: string
  question: string
  /** What the answer does, where there is more to say. */
  children?: ReactNode
  /** What the button says that does it. */
  confirm: string
  /** It is not known yet what it does. */
  isWaiting?: boolean
  /** It is being done: neither button works. */
  isBusy?: boolean
  onConfirm: () => void
  /** Cancel or Escape. */
  onCancel: () => void
}

/** Asks before something is done that cannot be undone. The focus is on Cancel; a press beside it does nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, question, children, confirm, isWaiting = false, isBusy = false, onConfirm, onCancel } = props
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open && !isBusy) onCancel()
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className="fixed inset-0 z-60 bg-[rgb(0_0_0/0.45)]" />
        <AlertDialog.Viewport className="fixed inset-0 z-70 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center p-4">
          <AlertDialog.Popup
            initialFocus={cancel}
            className="grid w-105 max-w-full gap-3 rounded-ui border border-line bg-panel p-4 text-ink shadow-float outline-none"
          >
            <AlertDialog.Title className="font-semibold text-lg">{title}</AlertDialog.Title>
            <AlertDialog.Description className="[overflow-wrap:anywhere]">{question}</AlertDialog.Description>
            {children}
            <div className="mt-1 flex justify-end gap-2">
              <Button ref={cancel} disabled={isBusy} onClick={onCancel}>
                {t('shared.cancel')}
              </Button>
              <Button variant="danger" disabled={isBusy || isWaiting} onClick={onConfirm}>
                {confirm}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
