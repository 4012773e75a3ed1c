import { useMemo, useState } from 'react'
import { isOnItsWay, mayHaveArrived } from '../../domain/send/outgoing.ts'
import { answerStateWithReason } from '../../domain/send/send-state-text.ts'
import { safeText } from '../../domain/shown-text.ts'
import { selectAnswersTo } from '../../machines/comments/answers.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { t as sendText } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { classNames } from '../components/class-names.ts'
import { focusAround } from '../components/focus-around.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

/** The answers to a comment that this browser sends or keeps, with what can be done about each. */
export function OwnAnswers({ commentId }: { commentId: string }) {
  const owner = usePart('answers')
  const answers = useSelector(
    owner,
    useMemo(() => selectAnswersTo(commentId), [commentId]),
  )
  const [discarded, setDiscarded] = useState<string | null>(null)
  const asked = answers.find(({ key }) => key === discarded)
  return (
    <>
      {answers.map((answer) => (
        <div
          key={answer.key}
          className={classNames(
            'grid gap-1.5 rounded-ui border p-2',
            isOnItsWay(answer) ? 'border-line' : 'border-warn bg-warn-soft',
          )}
        >
          <p role="status" className={classNames('text-xs', answer.status === 'failed' && 'text-bad')}>
            {sendText(answer.kind === 'public' ? 'send.publicAnswer' : 'send.privateReply')} ·{' '}
            {answerStateWithReason(answer)}
          </p>
          <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
            {safeText(answer.text)}
          </p>
          {!isOnItsWay(answer) && (
            <div className="flex flex-wrap gap-2">
              {answer.status === 'notFound' && (
                <Button onClick={() => owner?.send({ type: 'check.requested', key: answer.key })}>
                  {t('comments.look')}
                </Button>
              )}
              <Button
                onClick={(event) => {
                  focusAround(event)
                  owner?.send({ type: 'send.retried', key: answer.key })
                }}
              >
                {t('comments.retry')}
              </Button>
              <Button variant="danger" onClick={() => setDiscarded(answer.key)}>
                {t('comments.discard')}
              </Button>
            </div>
          )}
        </div>
      ))}
      {asked !== undefined && (
        <ConfirmDialog
          title={t('comments.discardTitle')}
          question={t(mayHaveArrived(asked) ? 'comments.discardUnconfirmed' : 'comments.discardUnsent')}
          confirm={t('comments.discard')}
          onConfirm={() => {
            owner?.send({ type: 'send.discarded', key: asked.key })
            setDiscarded(null)
          }}
          onCancel={() => setDiscarded(null)}
        />
      )}
    </>
  )
}
