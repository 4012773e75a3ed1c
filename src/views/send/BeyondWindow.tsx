import type { ReplyWindow } from '../../domain/send/reply-window.ts'
import { offers } from '../../domain/session/features.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { useDialog, useUser } from '../use-inbox.ts'

type BeyondWindowProps = {
  className: string | undefined
  conversationId: string
  /** The person's name, in the form used within a sentence. */
  name: string
  state: ReplyWindow['state']
  platform: Platform | null
  /** The page that would send; null if not known yet. */
  pageId: string | null
}

/** More than 24 hours after the person's last message: the tag of a reply and its reason, and the templates of the page. */
export default function BeyondWindow({ className, conversationId, name, state, platform, pageId }: BeyondWindowProps) {
  const dialog = useDialog()
  const hasTemplates = offers(useUser(), 'message-templates') && platform === 'messenger' && pageId !== null
  if (state !== 'human' && !hasTemplates) return null
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-ui bg-sunken px-3 py-2 text-ink-2 text-xs',
        className,
      )}
    >
      {/* The composer says by itself that the window is closed. */}
      <p className="min-w-48 flex-1">{t(state === 'human' ? 'send.tagHuman' : 'send.templateInstead', { name })}</p>
      {hasTemplates && (
        <Button
          className="h-7"
          onClick={() =>
            dialog.send({
              type: 'dialog.requested',
              dialog: { name: 'messageTemplates', input: { conversationId, pageId } },
            })
          }
        >
          {t('send.templates')}
        </Button>
      )}
    </div>
  )
}
