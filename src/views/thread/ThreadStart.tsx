import type { ActorRefFrom } from 'xstate'
import { selectSubject } from '../../machines/sync/conversation-sync.ts'
import { selectStart, type threadMachine } from '../../machines/thread/thread.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { useConversationSyncActor } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

/** What stands above the first message: the start of the conversation, or why older messages are missing. */
export function ThreadStart({ thread }: { thread: ActorRefFrom<typeof threadMachine> }) {
  const start = useSelector(thread, selectStart)
  const sync = useConversationSyncActor()
  const subject = useSelector(sync, selectSubject)
  if (start === undefined || start.is_reached) return t('thread.start')
  if (start.unsynced === null) return t('thread.olderElsewhere')
  const { page_id: pageId, psid, platform } = start.unsynced
  const isSyncing = subject?.pageId === pageId && subject.psid === psid
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2">
      {t('thread.olderNotSynced')}
      <button
        type="button"
        className="font-medium text-accent underline aria-disabled:opacity-55"
        aria-disabled={subject !== null}
        aria-busy={isSyncing}
        onClick={() => sync.send({ type: 'conversationSync.requested', subject: { pageId, psid, platform } })}
      >
        {t(isSyncing ? 'thread.syncingOlder' : 'thread.syncOlder')}
      </button>
    </p>
  )
}
