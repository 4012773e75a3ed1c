import { Bell, BellOff, Mail, Moon, Sun, Tag, UserRoundPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { useLabelsDialog, useLabelsOffer } from '../use-labels.ts'
import { useStateChange, useStateDialog } from '../use-list.ts'

type StateMenuItemsProps = { conversation: Conversation; menuId: string; onBack: () => void }

/** The items of the thread's menu that change the state of the conversation. */
export default function StateMenuItems({ conversation, menuId, onBack }: StateMenuItemsProps) {
  const change = useStateChange()
  const choose = useStateDialog()
  const labels = useLabelsOffer()
  const openLabels = useLabelsDialog()
  const { state } = conversation
  if (state === undefined) return null
  const ids = [rowIdOf(conversation)]
  const isMuted = state.muted_at !== null
  const item = (icon: ReactNode, text: string, act: () => void, className?: string) => (
    <Button
      variant="ghost"
      className={classNames('w-full justify-start', className)}
      popoverTarget={menuId}
      popoverTargetAction="hide"
      onClick={act}
    >
      {icon}
      {text}
    </Button>
  )
  const size = { size: 15, 'aria-hidden': true } as const
  return (
    <>
      {item(<UserRoundPlus {...size} />, t('list.assign'), () => choose('assign', ids), 'sm:@sm:hidden')}
      {item(<Moon {...size} />, t('list.snooze'), () => choose('snooze', ids), 'sm:@sm:hidden')}
      {labels.mayChange && item(<Tag {...size} />, t('list.labels'), () => openLabels({ ids }))}
      {state.snoozed_at !== null && item(<Sun {...size} />, t('list.wake'), () => change(ids, { snooze: null }))}
      {item(<Mail {...size} />, t('list.markUnread'), () => {
        // The open thread would mark the conversation as read again.
        onBack()
        change(ids, { unread: true })
      })}
      {item(isMuted ? <Bell {...size} /> : <BellOff {...size} />, isMuted ? t('list.unmute') : t('list.mute'), () =>
        change(ids, { muted: !isMuted }),
      )}
    </>
  )
}
