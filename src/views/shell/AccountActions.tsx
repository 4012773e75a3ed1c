import type { LucideIcon } from 'lucide-react'
import { Bug, Keyboard, Search } from 'lucide-react'
import { useEffect } from 'react'
import type { DialogRequest } from '../../machines/shell/dialog.ts'
import { mayOpen } from '../../machines/shell/dialog-access.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { useDialog, useProblemReport } from '../use-inbox.ts'
import { AppearanceChoice } from './AppearanceChoice.tsx'
import { accountDialogs, type DialogItem, workDialogs } from './dialog-items.ts'

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
const MenuItem = ({ menuId, icon: Icon, className, children, ...props }: MenuItemProps) => (
  <Button
    variant="ghost"
    className={classNames('w-full justify-start px-2', className)}
    popoverTarget={menuId}
    popoverTargetAction="hide"
    {...props}
  >
    <Icon size={15} aria-hidden="true" />
    {children}
  </Button>
)

/** The items of the account menu except for sign-out, which must not wait for code. */
export default function AccountActions({ user, menuId }: AccountActionsProps) {
  const dialog = useDialog()
  const report = useProblemReport()
  const opens = (request: DialogRequest) => () => dialog.send({ type: 'dialog.requested', dialog: request })
  const itemOf = ({ icon, text, request }: DialogItem) => {
    const asked = request(user)
    return (
      mayOpen(user, asked.name) && (
        <MenuItem key={asked.name} menuId={menuId} icon={icon} onClick={opens(asked)}>
          {t(text)}
        </MenuItem>
      )
    )
  }
  useEffect(() => {
    // Signing out must not wait for code, and may be pressed while the connection is lost.
    dialog.send({ type: 'dialog.expected', name: 'signOut' })
    // People type right after the key of the palette.
    dialog.send({ type: 'dialog.expected', name: 'palette' })
  }, [dialog])
  return (
    <>
      <AppearanceChoice />
      <div className="mb-2 border-line border-b pb-2">
        <MenuItem menuId={menuId} icon={Search} onClick={opens({ name: 'palette' })}>
          {t('shell.palette')}
        </MenuItem>
        {workDialogs.map(itemOf)}
      </div>
      <MenuItem menuId={menuId} icon={Keyboard} onClick={opens({ name: 'shortcuts' })} className="max-md:hidden">
        {t('shell.keyboardShortcuts')}
      </MenuItem>
      <MenuItem
        menuId={menuId}
        icon={Bug}
        aria-describedby={`${menuId}-report`}
        onClick={() => report.send({ type: 'report.requested' })}
      >
        {t('shell.reportAProblem')}
      </MenuItem>
      <p id={`${menuId}-report`} className="mb-2 px-2 text-ink-2 text-xs">
        {t('shell.reportAdvice')}
      </p>
      <div className="mb-2 border-line border-t pt-2">{accountDialogs.map(itemOf)}</div>
    </>
  )
}
