import { useEffect, useId, useRef, useState } from 'react'
import { isReply, replyFits } from '../../domain/comments/comment-rules.ts'
import { typedTextIn } from '../../machines/comments/answers.ts'
import { type CommentActor, selectPost, selectPrivately, selectPublicly } from '../../machines/comments/comment.ts'
import type { ReplyKind } from '../../schemas/comment.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { FieldLabel } from '../components/Field.tsx'
import { focusAround } from '../components/focus-around.ts'
import { isComposing } from '../components/is-composing.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

/** The form of an answer. What is typed stays in this browser until it is sent or cancelled. */
export function ReplyForm({ actor, kind }: { actor: CommentActor; kind: ReplyKind }) {
  const [typed] = useState(() => typedTextIn(actor.system, actor.getSnapshot().context.comment.id, kind))
  const [text, setText] = useState(typed ?? '')
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const { platform } = useSelector(actor, selectPost)
  const isKept = usePart('answers') !== undefined
  const privately = useSelector(actor, selectPrivately)
  const publicly = useSelector(actor, selectPublicly)
  // An answer that was typed before the thread was opened takes no focus.
  useEffect(() => {
    if (typed === null) field.current?.focus()
  }, [typed])
  const isPossible = (kind === 'private' ? privately : publicly) === 'possible'
  const blocked = !isPossible
    ? t('comments.notPossible')
    : replyFits(text.trim(), kind, platform)
      ? null
      : t('comments.tooLong')
  const maySend = isKept && isPossible && isReply(text, kind, platform)
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!maySend) return
        focusAround(event)
        actor.send({ type: 'reply.submitted', message: text })
      }}
    >
      <FieldLabel htmlFor={id}>{t(kind === 'private' ? 'comments.privateField' : 'comments.answerField')}</FieldLabel>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={3}
        value={text}
        aria-invalid={blocked === null ? undefined : true}
        aria-describedby={blocked === null ? undefined : `${id}-blocked`}
        className="min-h-18 w-full min-w-0 resize-y rounded-ui border border-edge bg-panel px-3 py-2 text-ink aria-invalid:border-bad"
        onChange={({ target }) => {
          setText(target.value)
          actor.send({ type: 'reply.typed', message: target.value })
        }}
        // Enter alone begins a line.
        onKeyDown={(event) => {
          const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isComposing(event.nativeEvent)
          if (isSend) event.currentTarget.form?.requestSubmit()
        }}
      />
      {blocked !== null && (
        <p id={`${id}-blocked`} role="alert" className="text-bad text-xs">
          {blocked}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button
          onClick={(event) => {
            focusAround(event)
            actor.send({ type: 'reply.cancelled' })
          }}
        >
          {t('comments.cancel')}
        </Button>
        <Button type="submit" variant="primary" disabled={!maySend}>
          {t('comments.send')}
        </Button>
      </div>
    </form>
  )
}
