import { safeName } from '../../domain/shown-text.ts'
import { selectMark } from '../../machines/faq/answer-mark.ts'
import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { useMemberName, useUserId } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

/** Marks an automatic answer of a FAQ entry wrong, or shows the mark with its undo. */
export default function WrongAnswer({ message: { message_id, wrong_answer, author } }: { message: Message }) {
  const actor = usePart('answerMark')
  const mark = useSelector(actor, (snapshot) => snapshot && selectMark(snapshot)) ?? null
  const userId = useUserId()
  const by = wrong_answer?.by ?? null
  const name = useMemberName(by)
  const isMarked = wrong_answer != null
  const marked =
    by === userId
      ? t('thread.markedByYou')
      : t('thread.markedBy', { name: name === null ? t('thread.aColleague') : safeName(name) })
  // An away answer has no entry.
  if (author?.title == null || (actor === undefined && !isMarked)) return null
  return (
    // Items of the footer's line: the names shrink, the button does not.
    <>
      <span className="shrink-0">{' · '}</span>
      {isMarked && (
        <>
          <span title={marked} className="min-w-0 overflow-hidden text-ellipsis text-warn">
            {marked}
          </span>
          {actor && <span className="shrink-0">{' · '}</span>}
        </>
      )}
      {actor && (
        <button
          type="button"
          aria-disabled={mark !== null}
          className="shrink-0 underline aria-disabled:opacity-50"
          onClick={() => actor.send({ type: 'answer.marked', messageId: message_id, isWrong: !isMarked })}
        >
          {mark?.messageId === message_id ? t('thread.marking') : isMarked ? t('thread.unmark') : t('thread.markWrong')}
        </button>
      )}
    </>
  )
}
