import { UserRoundX } from 'lucide-react'
import { useRef } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import { selectConcerned } from '../../machines/list/state-dialog.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Avatar } from '../components/Avatar.tsx'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useTeam, useUserId } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { ConcernedLine } from './ConcernedLine.tsx'
import { membersInOrder } from './members-in-order.ts'

/** The dialog in which the staff member is chosen who takes care of the conversations. The person comes first. */
export default function AssignDialog({ actor, title, onDismiss }: DialogProps<'assign'>) {
  const choices = useRef<HTMLDivElement>(null)
  const concerned = useSelector(actor, selectConcerned)
  const userId = useUserId()
  const team = useTeam()
  const members = membersInOrder(team, userId).filter((member) => member.is_active && member.may_answer !== false)
  const assign = (id: string | null) => actor.send({ type: 'decision.made', decision: { assigned_to: id } })
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={() => choices.current?.querySelector('button')}
      className="w-80 max-w-full"
    >
      <ConcernedLine ids={concerned} />
      <div ref={choices} className="scroller grid min-h-0 gap-1 p-2">
        {members.length === 0 && <p className="px-3 py-2 text-ink-2">{t('list.noTeam')}</p>}
        {members.map(({ id, name }) => (
          <Button key={id} variant="ghost" className="h-10 w-full justify-start text-ink" onClick={() => assign(id)}>
            <Avatar name={name} size="sm" />
            <bdi className="truncate">
              {id === userId ? t('list.member', { name: safeName(name) }) : safeName(name)}
            </bdi>
          </Button>
        ))}
        <Button variant="ghost" className="h-10 w-full justify-start text-ink" onClick={() => assign(null)}>
          <span className="grid size-7 place-items-center rounded-full bg-sunken text-ink-2">
            <UserRoundX size={15} aria-hidden="true" />
          </span>
          {t('list.nobody')}
        </Button>
      </div>
    </DialogFrame>
  )
}
