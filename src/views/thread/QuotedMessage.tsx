import { Reply } from 'lucide-react'
import { quotedText } from '../../domain/send/quoted-text.ts'
import type { QuotedMessage as Quoted } from '../../schemas/reactions-receipts-replies.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { useQuotedAuthor } from '../use-quoted-author.ts'
import { useShowOriginal } from './use-show-original.ts'

type QuotedMessageProps = {
  quoted: Quoted
  /** The name of the person. */
  name: string
}

/** The message that another one replies to, above it. A press leads to the original, if the server has it. */
export function QuotedMessage({ quoted, name }: QuotedMessageProps) {
  const show = useShowOriginal()
  const author = useQuotedAuthor(quoted, name)
  const text = quotedText(quoted)
  const look =
    'flex min-h-8 max-w-[min(62%,40rem)] items-center gap-1.5 rounded-ui border-line border-l-2 bg-sunken px-2 py-1 text-left text-ink-2 text-xs max-md:max-w-[82%]'
  const content = (
    <>
      <Reply size={13} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 overflow-hidden text-ellipsis whitespace-nowrap">
        {author !== null && (
          <>
            <bdi className="font-medium">{author}</bdi>{' '}
          </>
        )}
        <bdi className={classNames(quoted.state !== 'known' && 'italic')}>{text}</bdi>
      </span>
    </>
  )
  if (quoted.state !== 'known' || show === null) return <p className={look}>{content}</p>
  return (
    <button
      type="button"
      className={classNames(look, 'touch:min-h-11 hover:bg-line')}
      aria-label={t('thread.showOriginal', { author: author ?? name, text })}
      onClick={() => show(quoted.message_id)}
    >
      {content}
    </button>
  )
}
