import type { LucideIcon } from 'lucide-react'
import {
  ArrowLeftRight,
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
import type { DialogRequest } from '../../machines/shell/dialog.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { useDialog, useProblemReport } from '../use-inbox.ts'
import { AppearanceChoice } from './AppearanceChoice.tsx'

type AccountActionsProps = {
  user: AuthUser
  /** The id of the menu, which a press closes. */
  menuId: string
}

type MenuItemProps = {
  menuId: string
  icon: LucideIcon
  onClick: () => void
  className?: string
  'aria-describedby'?: string
  children: string
}

/** An item of the menu. A press closes the menu. */
const MenuItem = ({ menuId, icon: Icon, className = 'mb-2', children, ...props }: MenuItemProps) => (
  <Button className={classNames('w-full', className)} popoverTarget={menuId} popoverTargetAction="hide" {...props}>
    <Icon size={15} aria-hidden="true" />
    {children}
  </Button>
)

/** The items of the account menu except for sign-out, which must not wait for code. */
export default function AccountActions({ user, menuId }: AccountActionsProps) {
  const dialog = useDialog()
  const report = useProblemReport()
  const opens = (request: DialogRequest) => () => dialog.send({ type: 'dialog.requested', dialog: request })
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
        <MenuItem menuId={menuId} icon={Zap} onClick={opens({ name: 'savedReplyManager' })}>
          {t('shell.savedReplies')}
        </MenuItem>
      )}
      {offers(user, 'notifications') && (
        <MenuItem menuId={menuId} icon={Bell} onClick={opens({ name: 'notifications' })}>
          {t('shell.noticesTitle')}
        </MenuItem>
      )}
      {can(user, 'staff.manage') && (
        <MenuItem menuId={menuId} icon={Users} onClick={opens({ name: 'staff' })}>
          {t('shell.staff')}
        </MenuItem>
      )}
      {can(user, 'api-keys.manage') && (
        <MenuItem menuId={menuId} icon={Plug} onClick={opens({ name: 'apiKeys' })}>
          {t('shell.apiKeys')}
        </MenuItem>
      )}
      {offers(user, 'csv-import') && (can(user, 'imports.manage') || can(user, 'data.export')) && (
        <MenuItem menuId={menuId} icon={ArrowLeftRight} onClick={opens({ name: 'dataTransfer' })}>
          {t('shell.dataTransfer')}
        </MenuItem>
      )}
      {can(user, 'reports.read') && offers(user, 'reports') && (
        <MenuItem menuId={menuId} icon={ChartColumn} onClick={opens({ name: 'reports' })}>
          {t('shell.reports')}
        </MenuItem>
      )}
      {can(user, 'audit.read') && (
        <MenuItem menuId={menuId} icon={ScrollText} onClick={opens({ name: 'auditLog' })}>
          {t('shell.auditLog')}
        </MenuItem>
      )}
      <MenuItem menuId={menuId} icon={Keyboard} onClick={opens({ name: 'shortcuts' })} className="mb-2 max-md:hidden">
        {t('shell.keyboardShortcuts')}
      </MenuItem>
      <MenuItem
        menuId={menuId}
        icon={Bug}
        aria-describedby={`${menuId}-report`}
        onClick={() => report.send({ type: 'report.requested' })}
        className="mb-1"
      >
        {t('shell.reportAProblem')}
      </MenuItem>
      <p id={`${menuId}-report`} className="mb-3 text-ink-2 text-xs">
        {t('shell.reportAdvice')}
      </p>
      <MenuItem
        menuId={menuId}
        icon={KeyRound}
        onClick={opens({ name: 'changePassword', input: { email: user.email, purpose: 'own' } })}
      >
        {t('shell.changePassword')}
      </MenuItem>
      <MenuItem menuId={menuId} icon={ShieldCheck} onClick={opens({ name: 'secondFactor', input: { at: 'menu' } })}>
        {t('shell.secondFactor')}
      </MenuItem>
      <MenuItem menuId={menuId} icon={Eraser} onClick={opens({ name: 'clearDevice' })}>
        {t('shell.clearDevice')}
      </MenuItem>
    </>
  )
}
