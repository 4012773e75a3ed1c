import { selectIsOfPerson, selectOpenThread } from '../../machines/comments/comments.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { CommentList } from './CommentList.tsx'
import { CommentThread } from './CommentThread.tsx'

/** The comments under posts and live videos: the threads, and the open one. On narrow screens one of both is shown. */
export default function CommentsDialog({ actor, title, onDismiss }: DialogProps<'comments'>) {
  const isOfPerson = useSelector(actor, selectIsOfPerson)
  const thread = useSelector(actor, selectOpenThread)
  return (
    <DialogFrame
      title={isOfPerson ? t('comments.ofPerson') : title}
      onDismiss={onDismiss}
      staysOnPressOutside
      className="h-190 w-260 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] md:grid-cols-[20rem_minmax(0,1fr)]">
        <div
          className={classNames(
            'flex min-h-0 flex-col border-line md:border-r',
            thread !== undefined && 'max-md:hidden',
          )}
        >
          <CommentList actor={actor} />
        </div>
        <div className={classNames('flex min-h-0 flex-col', thread === undefined && 'max-md:hidden')}>
          {thread === undefined ? (
            <p className="m-auto px-4 py-8 text-center text-ink-2">{t('comments.choose')}</p>
          ) : (
            <CommentThread
              key={thread.sessionId}
              actor={thread}
              onPost={(postId) => actor.send({ type: 'post.chosen', postId })}
              onBack={() => actor.send({ type: 'thread.left' })}
              onDismiss={onDismiss}
            />
          )}
        </div>
      </div>
    </DialogFrame>
  )
}
