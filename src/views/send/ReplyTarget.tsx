import { Reply, X } from 'lucide-react'
import { quotedText } from '../../domain/send/quoted-text.ts'
import type { QuotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { messageBox } from '../components/message-box.ts'
import { useQuotedAuthor } from '../use-quoted-author.ts'

type ReplyTargetProps = { quoted: QuotedMessage; name: string; onRemove: () => void }

/** Above the text of a reply: the message that it is to. */
export function ReplyTarget({ quoted, name, onRemove }: ReplyTargetProps) {
  const author = useQuotedAuthor(quoted, name)
  return (
    <div className="mb-1 flex items-center gap-2 rounded-ui border-accent border-l-2 bg-sunken py-0.5 pl-2 text-xs">
      <Reply size={13} aria-hidden="true" className="shrink-0 text-ink-2" />
      <p className="min-w-0 flex-1 overflow-hidden text-ellipsis whitespace-nowrap text-ink-2">
        <span className="font-medium">{t('thread.replyingTo', { name: author ?? name })}</span>{' '}
        <bdi>{quotedText(quoted)}</bdi>
      </p>
      <IconButton
        label={t('thread.removeReplyTo')}
        onClick={() => {
          onRemove()
          messageBox()?.focus()
        }}
      >
        <X size={15} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
