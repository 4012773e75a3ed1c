import { KeyRound, Pencil, Plus, ShieldOff } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { roleText } from '../../domain/session/role-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type StaffActor,
  selectAskedToRemoveFactor,
  selectAskedToReset,
  selectIsRemovingFactor,
  selectIsResetting,
  selectIssuedPassword,
  selectManagesPasswords,
  selectOwnId,
  selectStaff,
  selectStaffAreLoading,
  selectStaffForm,
  selectStaffHaveFailed,
  selectStaffItem,
} from '../../machines/session/staff.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { StaffMember } from '../../schemas/staff.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import { SecretOnce } from './SecretOnce.tsx'
import { StaffForm } from './StaffForm.tsx'

/** The members of staff: add, edit, reset a password, remove a second factor. */
export default function StaffDialog({ actor, title, onDismiss }: DialogProps<'staff'>) {
  const form = useSelector(actor, selectStaffForm)
  const askedAbout = useSelector(actor, selectAskedToReset)
  const resetting = useSelector(actor, selectIsResetting)
  const factorOf = useSelector(actor, selectAskedToRemoveFactor)
  const removing = useSelector(actor, selectIsRemovingFactor)
  const issued = useSelector(actor, selectIssuedPassword)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined || issued !== null}
      initialFocus={first}
      className="h-150 w-180 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {issued !== null ? (
        <SecretOnce
          title={t('session.issuedTitle')}
          advice={t('session.issuedAdvice', { email: safeName(issued.email) })}
          label={t('session.issuedPassword')}
          secret={issued.password}
          onTaken={() => actor.send({ type: 'password.taken' })}
        />
      ) : form === undefined ? (
        <Members actor={actor} firstRef={first} />
      ) : (
        <StaffForm key={form.sessionId} actor={form} />
      )}
      {askedAbout !== null && (
        <ConfirmDialog
          title={t('session.staffResetTitle')}
          question={t('session.staffResetQuestion', { name: nameOf(askedAbout) })}
          confirm={resetting ? t('session.staffResetting') : t('session.staffResetTitle')}
          isBusy={resetting}
          onConfirm={() => actor.send({ type: 'reset.confirmed' })}
          onCancel={() => actor.send({ type: 'reset.cancelled' })}
        />
      )}
      {factorOf !== null && (
        <ConfirmDialog
          title={t('session.staffFactorRemoveTitle')}
          question={t('session.staffFactorRemoveQuestion', { name: nameOf(factorOf) })}
          confirm={removing ? t('session.staffFactorRemoving') : t('session.factorDisable')}
          isBusy={removing}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'factorRemoval.confirmed' })}
          onCancel={() => actor.send({ type: 'factorRemoval.cancelled' })}
        />
      )}
    </DialogFrame>
  )
}

const nameOf = ({ name, email }: StaffMember) => safeName(name ?? '') || safeName(email)

function Members({ actor, firstRef }: { actor: StaffActor; firstRef: RefObject<HTMLButtonElement | null> }) {
  const managesPasswords = useSelector(actor, selectManagesPasswords)
  const list = useRef<HTMLDivElement>(null)
  // On return from the form, the button that opened it no longer exists, so the focus must be set.
  useEffect(() => {
    const edited = selectStaffItem(actor.getSnapshot())
    if (edited !== null) list.current?.querySelector<HTMLElement>(`[data-member="${CSS.escape(edited.id)}"]`)?.focus()
    else if (firstRef.current?.isConnected) firstRef.current.focus()
  }, [actor, firstRef])
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-3">
        <Button ref={firstRef} variant="primary" onClick={() => actor.send({ type: 'item.added' })}>
          <Plus size={15} aria-hidden="true" />
          {t('session.staffAdd')}
        </Button>
        {!managesPasswords && <p className="text-ink-2 text-xs">{t('session.staffHosted')}</p>}
      </div>
      <div ref={list} className="scroller min-h-0 flex-1">
        <MemberList actor={actor} managesPasswords={managesPasswords} />
      </div>
    </>
  )
}

function MemberList({ actor, managesPasswords }: { actor: StaffActor; managesPasswords: boolean }) {
  const staff = useSelector(actor, selectStaff)
  const failed = useSelector(actor, selectStaffHaveFailed)
  const loading = useSelector(actor, selectStaffAreLoading)
  return (
    <>
      {failed && (
        <NotLoaded text={t('session.staffNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
      )}
      {loading && staff === null && (
        <p role="status" className="px-4 py-8 text-center text-ink-2">
          {t('session.staffLoading')}
        </p>
      )}
      {staff !== null && (
        <ul aria-label={t('session.staffList')} aria-busy={loading}>
          {staff.map((member) => (
            <Member key={member.id} member={member} actor={actor} managesPasswords={managesPasswords} />
          ))}
        </ul>
      )}
    </>
  )
}

type MemberProps = { member: StaffMember; actor: StaffActor; managesPasswords: boolean }

function Member({ member, actor, managesPasswords }: MemberProps) {
  const isOwn = useSelector(actor, selectOwnId) === member.id
  const name = nameOf(member)
  return (
    <li className="flex items-start gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="grid min-w-0 flex-1 gap-1">
        <h3 dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {name}
        </h3>
        <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">{safeName(member.email)}</p>
        <p className="flex flex-wrap items-center gap-1.5">
          <Badge>{roleText(member.role)}</Badge>
          <Badge tone={member.is_active ? 'ok' : 'warn'}>
            {member.is_active ? t('shared.active') : t('shared.inactive')}
          </Badge>
          {member.has_second_factor && <Badge>{t('session.staffHasFactor')}</Badge>}
          <span className="text-ink-2 text-xs">
            {member.last_seen_at
              ? t('session.staffLastSeen', { time: dateAndTime(member.last_seen_at) })
              : t('session.staffNeverSeen')}
          </span>
        </p>
      </div>
      <IconButton
        data-member={member.id}
        label={t('shared.edit', { name })}
        onClick={() => actor.send({ type: 'item.edited', item: member })}
      >
        <Pencil size={15} aria-hidden="true" />
      </IconButton>
      {managesPasswords && !isOwn && (
        <IconButton
          label={t('session.staffReset', { name })}
          onClick={() => actor.send({ type: 'reset.requested', item: member })}
        >
          <KeyRound size={15} aria-hidden="true" />
        </IconButton>
      )}
      {member.has_second_factor && !isOwn && (
        <IconButton
          label={t('session.staffFactorRemove', { name })}
          onClick={() => actor.send({ type: 'factorRemoval.requested', item: member })}
        >
          <ShieldOff size={15} aria-hidden="true" />
        </IconButton>
      )}
    </li>
  )
}
