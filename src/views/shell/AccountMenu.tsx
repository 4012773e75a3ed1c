import { LogOut } from 'lucide-react'
import { useId, useState } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import { selectUser } from '../../machines/session/auth.ts'
import { selectUser as selectSessionUser } from '../../machines/session/session.ts'
import { t } from '../../texts/shell.ts'
import { useAuth, useSession } from '../actors.tsx'
import { Avatar } from '../components/Avatar.tsx'
import { Button } from '../components/Button.tsx'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { useSignOut } from '../use-inbox.ts'
import { useHasFirstAnswer } from '../use-list.ts'
import { useSelector } from '../use-selector.ts'

const AccountActions = onDemand(() => import('./AccountActions.tsx'))

/**
 * The menu with the signed-in user, the appearance and sign-out. The browser opens and closes it and restores focus.
 */
export function AccountMenu() {
  const known = useSelector(useAuth(), selectUser)
  // A saved inbox is shown before auth has confirmed the user.
  const saved = useSelector(useSession(), selectSessionUser)
  const user = known ?? saved
  // Loads with the first rows, or when the menu opens: it must not wait for a slow server.
  const hasFirstAnswer = useHasFirstAnswer()
  const [wasOpened, setWasOpened] = useState(false)
  const signOut = useSignOut()
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
        onToggle={() => setWasOpened(true)}
        className="scroller fixed inset-auto top-header right-3 m-0 max-h-[calc(100dvh-4rem)] w-64 rounded-ui border border-line bg-panel p-3 text-ink shadow-float"
      >
        <p dir="auto" className="truncate font-semibold">
          {name}
        </p>
        <p className="truncate text-ink-2 text-xs">{email}</p>
        <p className="text-ink-2 text-xs capitalize">{safeName(user.role)}</p>
        {(wasOpened || hasFirstAnswer) && (
          <ErrorBoundary fallback={null}>
            <AccountActions user={user} menuId={id} />
          </ErrorBoundary>
        )}
        <Button
          className="sticky bottom-0 w-full shadow-[0_0.75rem_0_0.25rem_var(--color-panel)]"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() => signOut.send({ type: 'signOut.requested' })}
        >
          <LogOut size={15} aria-hidden="true" />
          {t('shared.signOut')}
        </Button>
      </div>
    </>
  )
}
