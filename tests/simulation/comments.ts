import { isSent } from '../../src/domain/comments/answers.ts'
import { isOnItsWay, mayHaveArrived } from '../../src/domain/send/outgoing.ts'
import { type AnswersActor, selectAnswersTo, typedTextIn } from '../../src/machines/comments/answers.ts'
import { type CommentActor, selectComment, selectReplyKind } from '../../src/machines/comments/comment.ts'
import { selectComments, selectThread } from '../../src/machines/comments/comment-thread.ts'
import { selectOpenThread, selectThreadId, selectThreads } from '../../src/machines/comments/comments.ts'
import { selectOpened } from '../../src/machines/shell/dialog.ts'
import type { Session } from './people.ts'

/** An answer to a comment that staff asked to send. */
export type CommentAnswer = {
  text: string
  /** How often a person asked to send it again although it may have arrived. */
  retries: number
}

const nth = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % Math.max(items.length, 1)]

/** The dialog of comments; undefined if it is not open. */
export function commentsOf({ dialog }: Session) {
  const opened = selectOpened(dialog.getSnapshot())
  return opened?.name === 'comments' ? opened.actor : undefined
}

/** The comments of the open thread. */
const shownComments = (parts: Session): readonly CommentActor[] => {
  const thread = commentsOf(parts) && selectOpenThread(commentsOf(parts)?.getSnapshot() as never)
  return thread === undefined ? [] : selectComments(thread.getSnapshot())
}

/** The answers to comments that the tab keeps; undefined until their code has loaded. */
const answersOf = ({ session }: Session): AnswersActor | undefined => session.system.get('answers')

/** The comments that a call of the open thread, or an answer on its way, is about. */
export const busyComments = (parts: Session): string[] => [
  ...shownComments(parts).flatMap((actor) => {
    const snapshot = actor.getSnapshot()
    const isBusy = (['changing', 'deciding'] as const).some((work) => snapshot.matches({ work }))
    return isBusy ? selectComment(snapshot).id : []
  }),
  ...(answersOf(parts)?.getSnapshot().context.answers ?? []).flatMap((answer) =>
    isSent(answer) && isOnItsWay(answer) ? answer.comment.id : [],
  ),
]

/** The next thing that a person does with comments: opens the dialog, chooses a thread, answers, hides, likes, deletes. */
export function workOnComments(parts: Session, which: number, text: string, answers: CommentAnswer[]): void {
  const dialog = commentsOf(parts)
  if (dialog === undefined) {
    parts.dialog.send({ type: 'dialog.requested', dialog: { name: 'comments', input: {} } })
    return
  }
  const snapshot = dialog.getSnapshot()
  const threads = selectThreads(snapshot) ?? []
  if (selectThreadId(snapshot) === null || which % 11 === 0) {
    if (which % 5 === 0) dialog.send({ type: 'view.chosen', view: which % 2 === 0 ? 'all' : 'waiting' })
    const row = nth(threads, which)
    if (row !== undefined) dialog.send({ type: 'thread.chosen', id: row.id })
    return
  }
  const shown = shownComments(parts)
  // What is being written is sent first.
  const writing = shown.find((actor) => selectReplyKind(actor.getSnapshot()) !== null)
  if (writing !== undefined) {
    const before = writing.getSnapshot()
    if (!before.matches({ work: 'writing' })) return
    if (which % 13 === 0) {
      writing.send({ type: 'reply.cancelled' })
      return
    }
    const { comment, kind } = before.context
    const typed = typedTextIn(parts.session.system, comment.id, kind)
    // What is typed may stay for a while, and survive its tab.
    if (typed === null && which % 3 === 0) {
      writing.send({ type: 'reply.typed', message: text })
      return
    }
    const message = typed ?? text
    writing.send({ type: 'reply.submitted', message })
    if (writing.getSnapshot().matches({ work: 'idle' }) && !answers.some((answer) => answer.text === message))
      answers.push({ text: message, retries: 0 })
    return
  }
  const actor = nth(shown, which)
  if (actor === undefined) return
  const comment = selectComment(actor.getSnapshot())
  const keeper = answersOf(parts)
  const unsent = keeper && selectAnswersTo(comment.id)(keeper.getSnapshot()).find((answer) => !isOnItsWay(answer))
  if (unsent !== undefined) {
    if (which % 5 === 0) {
      keeper?.send({ type: 'send.discarded', key: unsent.key })
      return
    }
    const answer = answers.find((one) => one.text === unsent.text)
    if (answer !== undefined && mayHaveArrived(unsent)) answer.retries += 1
    keeper?.send({ type: 'send.retried', key: unsent.key })
    return
  }
  const [open] = comment.sends
  if (open !== undefined && which % 3 === 0) {
    const decision = nth(['look', 'retry', 'discard'] as const, which) ?? 'look'
    const answer = answers.find((one) => one.text === open.message)
    if (decision === 'retry' && answer !== undefined) answer.retries += 1
    actor.send({ type: 'send.decided', decided: { key: open.key, decision, tries: open.tries } })
    return
  }
  const work: readonly (() => void)[] = [
    () => actor.send({ type: 'reply.begun', kind: 'public' }),
    () => actor.send({ type: 'reply.begun', kind: 'private' }),
    () => actor.send({ type: 'reply.begun', kind: 'private' }),
    () => actor.send({ type: 'change.requested', change: { kind: 'hide', hidden: !comment.is_hidden } }),
    () => actor.send({ type: 'change.requested', change: { kind: 'like', liked: !comment.is_liked } }),
    () => {
      actor.send({ type: 'deletion.requested' })
      actor.send({ type: which % 2 === 0 ? 'deletion.confirmed' : 'deletion.cancelled' })
    },
    () => {
      const thread = selectOpenThread(snapshot)
      if (thread !== undefined && selectThread(thread.getSnapshot()) !== null) thread.send({ type: 'done.requested' })
    },
    () => dialog.send({ type: 'thread.left' }),
  ]
  nth(work, Math.floor(which / 2))?.()
}
