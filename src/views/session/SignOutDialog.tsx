import { useRef } from 'react'
import { selectLosses } from '../../machines/session/sign-out.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/session-on-demand.ts'
import { useAuth } from '../actors.tsx'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSignOut } from '../use-inbox.ts'
import { shallowEqual, useSelector } from '../use-selector.ts'

/** Asks before signing out deletes drafts, notes or unsent messages. */
export default function SignOutDialog({ title, onDismiss }: DialogProps<'signOut'>) {
  const auth = useAuth()
  const { drafts, notes, unsent } = useSelector(useSignOut(), selectLosses, shallowEqual)
  const stay = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame title={title} onDismiss={onDismiss} initialFocus={stay} className="w-105 max-w-full">
      <div className="grid gap-2 p-4">
        {drafts + notes > 0 && (
          <p>{t(notes > 0 ? 'session.signOutNotes' : 'session.signOutDrafts', { count: drafts + notes })}</p>
        )}
        {unsent > 0 && <p>{t('session.signOutUnsent', { count: unsent })}</p>}
      </div>
      <footer className="flex shrink-0 flex-wrap justify-end gap-2 border-line border-t px-4 py-3">
        <Button ref={stay} onClick={onDismiss}>
          {t('session.staySignedIn')}
        </Button>
        <Button variant="danger" onClick={() => auth.send({ type: 'signOut.requested' })}>
          {t('session.signOutAnyway')}
        </Button>
      </footer>
    </DialogFrame>
  )
}
