import { useRef } from 'react'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { useAuth } from '../actors.tsx'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'

/** Asks before deleting all data of the signed-in user from this browser. Signing out deletes it. */
export default function ClearDeviceDialog({ title, onDismiss }: DialogProps<'clearDevice'>) {
  const auth = useAuth()
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame title={title} onDismiss={onDismiss} initialFocus={cancel} className="w-105 max-w-full">
      <p className="p-4">{t('shell.clearDeviceQuestion')}</p>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button ref={cancel} onClick={onDismiss}>
          {t('shared.cancel')}
        </Button>
        <Button variant="danger" onClick={() => auth.send({ type: 'signOut.requested' })}>
          {t('shell.clearDeviceConfirm')}
        </Button>
      </footer>
    </DialogFrame>
  )
}
