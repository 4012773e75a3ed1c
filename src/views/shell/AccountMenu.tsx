import { useSelector } from '@xstate/react'
import { Bug, Eraser, Keyboard, KeyRound, LogOut, ScrollText, ShieldCheck, Users } from 'lucide-react'
import { useId } from 'react'
import { can } from '../../domain/session/permissions.ts'
import { safeName } from '../../domain/shown-text.ts'
import { selectUser } from '../../machines/session/auth.ts'
import { selectUser as selectSessionUser } from '../../machines/session/session.ts'
import { t } from '../../texts/shell.ts'
import { useAuth, useSession } from '../actors.tsx'
import { Avatar } from '../components/Avatar.tsx'
import { Button } from '../components/Button.tsx'
import { useDialog, useProblemReport } from '../use-inbox.ts'
import { AppearanceChoice } from './AppearanceChoice.tsx'

/**
 * The menu with the signed-in user, the appearance and sign-out. The browser opens and closes it and restores focus.
 */
export function AccountMenu() {
  const auth = useAuth()
  const known = useSelector(auth, selectUser)
  // A saved inbox is shown before auth has confirmed the user.
  const saved = useSelector(useSession(), selectSessionUser)
  const user = known ?? saved
  const dialog = useDialog()
  const report = useProblemReport()
  const id = useId()
  const email = safeName(user.email)
  const name = safeName(user.name ?? '') || email
  return (
    <>
      <button
        type="button"
        title={name}
        popoverTarget={id}
        className="grid shrink-0 place-items-center rounded-full touch:size-11"
      >
        <span className="sr-only">{t('shell.account', { name })}</span>
        <Avatar name={name} size="sm" />
      </button>
      <div
        id={id}
        popover="auto"
        className="fixed inset-auto top-header right-3 m-0 w-64 rounded-ui border border-line bg-panel p-3 text-ink shadow-float"
      >
        <p dir="auto" className="truncate font-semibold">
          {name}
        </p>
        <p className="truncate text-ink-2 text-xs">{email}</p>
        <p className="text-ink-2 text-xs capitalize">{safeName(user.role)}</p>
        <AppearanceChoice />
        {can(user, 'staff.manage') && (
          <Button
            className="mb-2 w-full"
            popoverTarget={id}
            popoverTargetAction="hide"
            onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'staff' } })}
          >
            <Users size={15} aria-hidden="true" />
            {t('shell.staff')}
          </Button>
        )}
        {can(user, 'audit.read') && (
          <Button
            className="mb-2 w-full"
            popoverTarget={id}
            popoverTargetAction="hide"
            onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'auditLog' } })}
          >
            <ScrollText size={15} aria-hidden="true" />
            {t('shell.auditLog')}
          </Button>
        )}
        <Button
          className="mb-2 w-full max-md:hidden"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'shortcuts' } })}
        >
          <Keyboard size={15} aria-hidden="true" />
          {t('shell.keyboardShortcuts')}
        </Button>
        <Button
          className="mb-1 w-full"
          popoverTarget={id}
          popoverTargetAction="hide"
          aria-describedby={`${id}-report`}
          onClick={() => report.send({ type: 'report.requested' })}
        >
          <Bug size={15} aria-hidden="true" />
          {t('shell.reportAProblem')}
        </Button>
        <p id={`${id}-report`} className="mb-3 text-ink-2 text-xs">
          {t('shell.reportAdvice')}
        </p>
        <Button
          className="mb-2 w-full"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() =>
            dialog.send({
              type: 'dialog.requested',
              dialog: { name: 'changePassword', input: { email: user.email, purpose: 'own' } },
            })
          }
        >
          <KeyRound size={15} aria-hidden="true" />
          {t('shell.changePassword')}
        </Button>
        <Button
          className="mb-2 w-full"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() =>
            dialog.send({ type: 'dialog.requested', dialog: { name: 'secondFactor', input: { at: 'menu' } } })
          }
        >
          <ShieldCheck size={15} aria-hidden="true" />
          {t('shell.secondFactor')}
        </Button>
        <Button
          className="mb-2 w-full"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'clearDevice' } })}
        >
          <Eraser size={15} aria-hidden="true" />
          {t('shell.clearDevice')}
        </Button>
        <Button className="w-full" onClick={() => auth.send({ type: 'signOut.requested' })}>
          <LogOut size={15} aria-hidden="true" />
          {t('shell.signOut')}
        </Button>
      </div>
    </>
  )
}
