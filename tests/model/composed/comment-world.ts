import { type AnswerPlace, type AnswerState, answerStateIn } from '../../../src/domain/comments/answers.ts'
import type {
  ChangeRequest,
  CommentsChanged,
  DoneRequest,
  ReplyRequest,
  ThreadsRequest,
} from '../../../src/domain/comments/comment-calls.ts'
import { Failure } from '../../../src/domain/failure.ts'
import type { CommentList, CommentThread, PostComment } from '../../../src/schemas/comment.ts'
import { commentOf, postOf } from '../comments/comments-fixture.ts'

type Stored = PostComment & { person: string; isAnswered: boolean }

export const threadIdOf = (person: string) => `thread-${person}`
const personIn = (threadId: string) => threadId.replace('thread-', '')

/** What customers write starts with this word, what staff answer with the kind of the answer. */
export const commentWord = 'comment'

/** The refusal of a private reply to a comment that has had its one. */
const wasUsed = () => new Failure({ kind: 'status', status: 422, method: 'POST', path: '/replies' })

/**
 * Comments under one post, with the server and the network, without delays or faults. Rules as in server/network/comments.
 * `chat`: stores the message of a private reply in the chat of its person.
 */
export function createCommentWorld(chat: (person: string, text: string) => void) {
  const comments: Stored[] = []
  const doneUntil = new Map<string, string>()
  /** What reached the network, in this order. */
  const delivered: { key: string; commentId: string; kind: string; text: string }[] = []
  let listener: (change: CommentsChanged) => void = () => {}
  // The dialog reads the clock of the browser, which decides until when a private reply is possible.
  let time = Date.now()

  const moment = () => {
    time += 1
    return new Date(time).toISOString()
  }
  const ownOf = (person: string) => comments.filter((one) => one.person === person && !one.by_page)
  const waitingOf = (person: string): Stored[] => {
    const own = ownOf(person)
    return own
      .slice(own.findLastIndex(({ isAnswered }) => isAnswered) + 1)
      .filter(({ is_hidden, created_at }) => !is_hidden && created_at > (doneUntil.get(person) ?? ''))
  }
  const threadOf = (person: string): CommentThread => ({
    id: threadIdOf(person),
    post: postOf(),
    author_name: person,
    waiting_since: waitingOf(person)[0]?.created_at ?? null,
    last_at: ownOf(person).at(-1)?.created_at ?? '',
    conversation_id: person,
    client_id: null,
    comments: comments
      .filter((one) => one.person === person)
      .map(({ person: _, isAnswered: __, ...comment }) => ({ ...comment, sent_keys: [...(comment.sent_keys ?? [])] })),
  })
  const tell = (person: string, added?: Stored) => {
    const [threadId, isWaiting] = [threadIdOf(person), waitingOf(person).length > 0]
    const news = { threadId, name: person, line: added?.message ?? null }
    listener({
      type: 'comments.changed',
      thread: { id: threadId, postId: postOf().id, isWaiting, ...(added !== undefined && isWaiting && { news }) },
    })
  }
  const find = (commentId: string): Stored => {
    const found = comments.find(({ id }) => id === commentId)
    if (found === undefined) throw new Error(`${commentId} is no comment`)
    return found
  }
  const change = (commentId: string, to: Partial<Stored>): CommentThread => {
    const comment = find(commentId)
    Object.assign(comment, to)
    tell(comment.person)
    return threadOf(comment.person)
  }
  const add = (person: string, rest: Partial<Stored>): Stored => {
    const comment = {
      ...commentOf({ id: `c${comments.length}`, created_at: moment() }),
      person,
      isAnswered: false,
      ...rest,
    }
    comments.push(comment)
    return comment
  }

  return {
    delivered,
    listen: (tellChange: typeof listener) => {
      listener = tellChange
    },
    threadOf,
    people: () => [...new Set(comments.map(({ person }) => person))],
    commentOf: (id: string): Pick<Stored, 'person' | 'private_reply'> => find(id),
    count: () =>
      [...new Set(comments.map(({ person }) => person))].filter((person) => waitingOf(person).length > 0).length,

    personComments: (person: string) => {
      const comment = add(person, { message: `${commentWord} ${comments.length}`, author_name: person })
      tell(person, comment)
    },
    loadThreads: ({ view }: ThreadsRequest): CommentList => ({
      threads: [...new Set(comments.map(({ person }) => person))]
        .map((person) => ({ ...threadOf(person), last_text: ownOf(person).at(-1)?.message ?? null }))
        .filter(({ waiting_since }) => view === 'all' || waiting_since !== null)
        .map(({ comments: _, conversation_id: __, client_id: ___, ...row }) => row),
      next: null,
    }),
    loadThread: ({ threadId }: { threadId: string }): CommentThread => threadOf(personIn(threadId)),
    findAnswer: ({ threadId, commentId, key }: AnswerPlace): AnswerState =>
      answerStateIn(threadOf(personIn(threadId)), commentId, key),
    finishThread: ({ threadId, upTo }: DoneRequest): CommentThread => {
      const person = personIn(threadId)
      if (upTo > (doneUntil.get(person) ?? '')) doneUntil.set(person, upTo)
      tell(person)
      return threadOf(person)
    },
    changeComment: ({ commentId, change: wanted }: ChangeRequest): CommentThread =>
      wanted.kind === 'hide' ? change(commentId, { is_hidden: wanted.hidden }) : threadOf(find(commentId).person),
    /** A key is sent once, and the network takes one private reply. */
    sendReply: ({ key, commentId, kind, message: text }: ReplyRequest): CommentThread => {
      const comment = find(commentId)
      if (comment.sent_keys?.includes(key)) return threadOf(comment.person)
      if (kind === 'private' && comment.private_reply !== null) throw wasUsed()
      delivered.push({ key, commentId, kind, text })
      const sent_keys = [...(comment.sent_keys ?? []), key]
      if (kind === 'public') {
        add(comment.person, { by_page: true, parent_id: commentId, message: text })
        return change(commentId, { isAnswered: true, sent_keys })
      }
      chat(comment.person, text)
      const private_reply = { at: moment(), message: text, conversation_id: comment.person }
      return change(commentId, { isAnswered: true, sent_keys, private_reply })
    },
  }
}
