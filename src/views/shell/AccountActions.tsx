import {
  Bell,
  Bug,
  ChartColumn,
  Eraser,
  Keyboard,
  KeyRound,
  Plug,
  ScrollText,
  ShieldCheck,
  Users,
  Zap,
} from 'lucide-react'
import { useEffect } from 'react'
import { offers } from '../../domain/session/features.ts'
import { can, mayTry } from '../../domain/session/permissions.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { useDialog, useProblemReport } from '../use-inbox.ts'
import { AppearanceChoice } from './AppearanceChoice.tsx'

type AccountActionsProps = {
  user: AuthUser
  /** The id of the menu, which a press closes. */
  menuId: string
}

/** The items of the account menu except for sign-out, which must not wait for code. */
export default function AccountActions({ user, menuId }: AccountActionsProps) {
  const dialog = useDialog()
  const report = useProblemReport()
  useEffect(() => {
    // Signing out must not wait for code, and may be pressed while the connection is lost.
    dialog.send({ type: 'dialog.expected', name: 'signOut' })
    // People type right after the key of the palette.
    dialog.send({ type: 'dialog.expected', name: 'palette' })
  }, [dialog])
  return (
    <>
      <AppearanceChoice />
      {offers(user, 'saved-replies') && mayTry(user, 'messages.send') && (
        <Button
          className="mb-2 w-full"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'savedReplyManager' } })}
        >
          <Zap size={15} aria-hidden="true" />
          {t('shell.savedReplies')}
        </Button>
      )}
      {offers(user, 'notifications') && (
        <Button
          className="mb-2 w-full"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'notifications' } })}
        >
          <Bell size={15} aria-hidden="true" />
          {t('shell.noticesTitle')}
        </Button>
      )}
      {can(user, 'staff.manage') && (
        <Button
          className="mb-2 w-full"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'staff' } })}
        >
          <Users size={15} aria-hidden="true" />
          {t('shell.staff')}
        </Button>
      )}
      {can(user, 'api-keys.manage') && (
        <Button
          className="mb-2 w-full"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'apiKeys' } })}
        >
          <Plug size={15} aria-hidden="true" />
          {t('shell.apiKeys')}
        </Button>
      )}
      {can(user, 'reports.read') && offers(user, 'reports') && (
        <Button
          className="mb-2 w-full"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'reports' } })}
        >
          <ChartColumn size={15} aria-hidden="true" />
          {t('shell.reports')}
        </Button>
      )}
      {can(user, 'audit.read') && (
        <Button
          className="mb-2 w-full"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'auditLog' } })}
        >
          <ScrollText size={15} aria-hidden="true" />
          {t('shell.auditLog')}
        </Button>
      )}
      <Button
        className="mb-2 w-full max-md:hidden"
        popoverTarget={menuId}
        popoverTargetAction="hide"
        onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'shortcuts' } })}
      >
        <Keyboard size={15} aria-hidden="true" />
        {t('shell.keyboardShortcuts')}
      </Button>
      <Button
        className="mb-1 w-full"
        popoverTarget={menuId}
        popoverTargetAction="hide"
        aria-describedby={`${menuId}-report`}
        onClick={() => report.send({ type: 'report.requested' })}
      >
        <Bug size={15} aria-hidden="true" />
        {t('shell.reportAProblem')}
      </Button>
      <p id={`${menuId}-report`} className="mb-3 text-ink-2 text-xs">
        {t('shell.reportAdvice')}
      </p>
      <Button
        className="mb-2 w-full"
        popoverTarget={menuId}
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
        popoverTarget={menuId}
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
        popoverTarget={menuId}
        popoverTargetAction="hide"
        onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'clearDevice' } })}
      >
        <Eraser size={15} aria-hidden="true" />
        {t('shell.clearDevice')}
      </Button>
    </>
  )
}
