import { EllipsisVertical, RefreshCw } from 'lucide-react'
import { useId } from 'react'
import { selectSubject } from '../../machines/sync/conversation-sync.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { useConversationSyncActor, useMay } from '../use-inbox.ts'
import { useStatesOffer } from '../use-list.ts'
import { useSelector } from '../use-selector.ts'

const StateMenuItems = onDemand(() => import('./StateMenuItems.tsx'))

/** The menu of the less frequent actions. A native popover: the browser opens and closes it and restores the focus. */
export function ThreadMenu({ conversation, onBack }: { conversation: Conversation; onBack: () => void }) {
  const { page_id, psid, platform } = conversation
  const { mayChange } = useStatesOffer()
  const maySync = useMay('sync.run')
  const actor = useConversationSyncActor()
  const subject = useSelector(actor, selectSubject)
  const id = useId()
  const isSyncing = subject !== null && subject.pageId === page_id && subject.psid === psid
  const sync = () => {
    if (page_id == null || psid == null) return
    actor.send({
      type: 'conversationSync.requested',
      subject: { pageId: page_id, psid, platform: platform ?? 'messenger' },
    })
  }
  if (!mayChange && !maySync) return null
  return (
    <>
      <IconButton label={t('thread.more')} aria-busy={isSyncing} popoverTarget={id} style={{ anchorName: '--menu' }}>
        {isSyncing ? (
          <RefreshCw size={16} aria-hidden="true" className="animate-spin" />
        ) : (
          <EllipsisVertical size={17} aria-hidden="true" />
        )}
      </IconButton>
      <div
        id={id}
        popover="auto"
        style={{ positionAnchor: '--menu' }}
        className="fixed inset-auto top-[anchor(bottom)] right-[anchor(right)] m-0 mt-1 w-60 rounded-ui border border-line bg-panel p-2 text-ink shadow-float"
      >
        {mayChange && <StateMenuItems conversation={conversation} menuId={id} onBack={onBack} />}
        {maySync && (
          <Button
            variant="ghost"
            className="w-full justify-start"
            // Uses aria-disabled: a button that its own press disables would not close the menu.
            aria-disabled={page_id == null || psid == null || subject !== null}
            popoverTarget={id}
            popoverTargetAction="hide"
            onClick={sync}
          >
            <RefreshCw size={15} aria-hidden="true" className={isSyncing ? 'animate-spin' : undefined} />
            {isSyncing ? t('shared.syncing') : t('thread.syncConversation')}
          </Button>
        )}
      </div>
    </>
  )
}
