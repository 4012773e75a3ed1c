import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ComponentProps, type KeyboardEventHandler, type ReactNode, useRef } from 'react'
import { t } from '../../texts/shared-on-demand.ts'
import { classNames } from './class-names.ts'
import { messageBox } from './message-box.ts'
import { useRootMark } from './root-mark.ts'

type DialogFrameProps = {
  title: string
  /** Called on Escape, the close button or a press outside the dialog. */
  onDismiss: () => void
  /** A press outside does not close the dialog, because the typed input would be lost by accident. */
  staysOnPressOutside?: boolean
  initialFocus?: ComponentProps<typeof Dialog.Popup>['initialFocus']
  className?: string
  onKeyDown?: KeyboardEventHandler
  children: ReactNode
}

const first = (selector: string) => document.querySelector<HTMLElement>(selector)

/** A part of the page around several controls. A press beside them leaves the focus there. */
const isAroundControls = (element: HTMLElement) =>
  element === document.body ||
  (element.tabIndex < 0 && element.querySelector('a, button, input, textarea, [tabindex="0"]') !== null)

/** The element that gets the focus when the dialog closes. */
function focusAfter(opener: Element | null): HTMLElement | null {
  const home = first('main a, main button')
  if (!(opener instanceof HTMLElement && opener.isConnected)) return messageBox() ?? home
  if (!isAroundControls(opener)) return opener
  // In the list, unlike in a text field, all shortcuts still work.
  return first('main [role=listbox]') ?? messageBox() ?? home
}

/** A modal dialog with a title and a close button. On close the focus returns to the element that had it before. */
export function DialogFrame({
  title,
  onDismiss,
  staysOnPressOutside = false,
  initialFocus,
  className,
  onKeyDown,
  children,
}: DialogFrameProps) {
  const opener = useRef(document.activeElement)
  useRootMark('data-dialog')
  return (
    <Dialog.Root
      open
      disablePointerDismissal={staysOnPressOutside}
      onOpenChange={(open) => {
        if (!open) onDismiss()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)]" />
        <Dialog.Viewport className="fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center p-4 max-sm:p-0 max-sm:pt-header">
          <Dialog.Popup
            initialFocus={initialFocus}
            onKeyDown={onKeyDown}
            finalFocus={() => focusAfter(opener.current)}
            className={classNames(
              'flex max-h-full flex-col sm:max-h-[calc(100dvh-8.5rem)] overflow-hidden rounded-ui border border-line bg-panel text-ink shadow-float outline-none',
              className,
            )}
          >
            <header className="flex shrink-0 items-center min-h-header justify-between gap-3 border-line border-b py-1 pr-2.5 pl-4 max-sm:pr-1">
              <Dialog.Title dir="auto" className="min-w-0 truncate font-semibold text-lg">
                {title}
              </Dialog.Title>
              <Dialog.Close
                aria-label={t('shared.close')}
                title={t('shared.close')}
                className="grid size-8 touch:size-11 shrink-0 place-items-center rounded-ui text-ink-2 hover:bg-sunken hover:text-ink"
              >
                <X size={17} aria-hidden="true" />
              </Dialog.Close>
            </header>
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
