import { useEffect, useRef } from 'react'
import { momentOf } from '../../domain/message-order.ts'
import { timeOfDay } from '../../domain/moments.ts'
import { safeText } from '../../domain/shown-text.ts'
import { selectAskedAbout } from '../../machines/thread/collision.ts'
import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { messageBox } from '../components/message-box.ts'
import { useAuthorName } from '../use-author-name.ts'
import { usePart } from '../use-part.ts'
import { usePresent } from '../use-present.ts'
import { useSelector } from '../use-selector.ts'

/** Above the text of a reply: who else is writing, and the answers of others that this person has not seen. */
export default function ReplyNotices({ onSendAnyway }: { onSendAnyway: () => void }) {
  const collision = usePart('collision')
  const answers = useSelector(collision, (snapshot) => (snapshot ? selectAskedAbout(snapshot) : null))
  if (answers !== null)
    return (
      <Answered
        answers={answers}
        onSendAnyway={onSendAnyway}
        onEdit={() => {
          collision?.send({ type: 'edit.chosen' })
          messageBox()?.focus()
        }}
      />
    )
  return <Typing />
}

function Typing() {
  const typing = usePresent().filter(({ isTyping }) => isTyping)
  const [first] = typing
  return (
    <p
      role="status"
      className={first === undefined ? 'sr-only' : 'rounded-ui bg-warn-soft px-3 py-1.5 text-warn text-xs'}
    >
      {first !== undefined &&
        (typing.length === 1
          ? t('thread.isTyping', { name: first.name })
          : t('thread.areTyping', { name: first.name, count: typing.length - 1 }))}
    </p>
  )
}

type AnsweredProps = { answers: readonly Message[]; onSendAnyway: () => void; onEdit: () => void }

/** What others have answered since this person began to write. Asks once before the message is sent. */
function Answered({ answers, onSendAnyway, onEdit }: AnsweredProps) {
  const authorName = useAuthorName()
  const edit = useRef<HTMLButtonElement>(null)
  useEffect(() => edit.current?.focus(), [])
  return (
    <div
      role="alertdialog"
      aria-label={t('thread.answeredMeanwhile')}
      className="grid gap-2 rounded-ui border border-warn bg-warn-soft px-3 py-2 text-xs"
    >
      <p className="font-semibold text-warn">{t('thread.answeredMeanwhile')}</p>
      <ul className="scroller grid max-h-32 gap-1.5">
        {answers.map((message) => (
          <li key={message.message_id} className="min-w-0">
            <b className="font-semibold">{authorName(message.author) ?? t('thread.aColleague')}</b>
            <span className="text-ink-2"> · {timeOfDay(momentOf(message))}</span>
            <p dir="auto" className="line-clamp-3 whitespace-pre-wrap break-words">
              {safeText(message.message_text?.trim() || t('thread.file'))}
            </p>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button ref={edit} onClick={onEdit}>
          {t('thread.edit')}
        </Button>
        <Button variant="danger" onClick={onSendAnyway}>
          {t('thread.sendAnyway')}
        </Button>
      </div>
    </div>
  )
}
