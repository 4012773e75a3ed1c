import { describe, expect, it } from 'vitest'
import { type AnyEventObject, createActor, fromTransition, SimulatedClock, setup } from 'xstate'
import type { CommentAnswer } from '../../../src/domain/comments/answers.ts'
import type { ChangeRequest, DecisionRequest } from '../../../src/domain/comments/comment-calls.ts'
import {
  type CommentActorEvent,
  commentMachine,
  selectIsAskedToDelete,
  selectIsBusy,
  selectPrivately,
  selectPublicly,
  selectReplyKind,
  selectVisibility,
} from '../../../src/machines/comments/comment.ts'
import type { CommentThread, Post, PostComment } from '../../../src/schemas/comment.ts'
import { createControl, createCoverage, createToastLog, driverOf, follow, inspectAll, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { answerOf, commentOf, now, openSend, postOf, threadOf, usedPrivately } from './comments-fixture.ts'

const coverage = createCoverage(commentMachine)
const fourDays = 4 * 24 * 3_600_000

function start(comment: PostComment = commentOf(), post: Post = postOf(), typed: CommentAnswer[] | null = []) {
  const clock = new SimulatedClock()
  const [change, decide] = [
    createControl<CommentThread, ChangeRequest>(),
    createControl<CommentThread, DecisionRequest>(),
  ]
  const log = createToastLog()
  const heard: AnyEventObject[] = []
  const told: AnyEventObject[] = []
  const machine = commentMachine.provide({
    actors: { changeComment: change.logic, decideSend: decide.logic },
  })
  /** Stands for `answers`; null stands for code that is not loaded. */
  const answers = fromTransition(
    (state, event: AnyEventObject) => {
      told.push(event)
      return state
    },
    { answers: typed ?? [] },
  )
  const owner = setup({ actors: { machine, answers } }).createMachine({
    invoke: [
      ...(typed === null ? [] : [{ src: 'answers' as const, id: 'answers', systemId: 'answers' }]),
      { src: 'machine', id: 'machine', input: { comment, post, threadId: 't1', now: () => now + clock.now() } },
    ],
    on: { '*': { actions: ({ event }) => heard.push(event) } },
  })
  const actor = createActor(owner, {
    clock,
    inspect: inspectAll(coverage.inspect, log.inspect),
  }).start()
  const child = () => {
    const found = actor.getSnapshot().children['machine']
    if (found === undefined) throw new Error('the machine does not run')
    return found
  }
  const snapshot = () => child().getSnapshot()
  return {
    clock,
    /** What `answers` was told. */
    told: () => told.filter(({ type }) => type.startsWith('answer.')),
    calls: { changeComment: change, decideSend: decide },
    toasts: log.toasts,
    heard: () => heard.filter(({ type }) => type.startsWith('thread.')),
    snapshot,
    send: (event: CommentActorEvent) => child().send(event),
    shown: () => {
      return {
        rules: [selectPrivately(snapshot()), selectPublicly(snapshot()), selectVisibility(snapshot())],
        reply: selectReplyKind(snapshot()),
        isAsked: selectIsAskedToDelete(snapshot()),
        isBusy: selectIsBusy(snapshot()),
      }
    },
  }
}

const instagramLive = postOf({ platform: 'instagram', kind: 'live', is_live: true })
const instagram = postOf({ platform: 'instagram' })

describe('what the network allows', () => {
  it.each([
    ['a new comment', commentOf(), postOf(), ['possible', 'possible', 'shown']],
    [
      'one that was answered in private',
      commentOf({ private_reply: usedPrivately }),
      postOf(),
      ['used', 'possible', 'shown'],
    ],
    [
      'one with an unconfirmed private reply',
      commentOf({ sends: [openSend('private')] }),
      postOf(),
      ['unconfirmed', 'possible', 'shown'],
    ],
    ['one under a live video of Instagram', commentOf(), instagramLive, ['possible', 'liveVideo', 'shown']],
    [
      'one under an ended live video',
      commentOf(),
      { ...instagramLive, is_live: false },
      ['liveEnded', 'liveVideo', 'shown'],
    ],
    ['a hidden one on Instagram', commentOf({ is_hidden: true }), instagram, ['possible', 'hidden', 'hidden']],
    [
      'one that the person deleted',
      commentOf({ removed_by: 'person' }),
      postOf(),
      ['removed', 'removed', 'removedByPerson'],
    ],
    ['one that staff deleted', commentOf({ removed_by: 'staff' }), postOf(), ['removed', 'removed', 'removedByStaff']],
    ['one of the page', commentOf({ by_page: true }), postOf(), ['notOffered', 'notOffered', 'shown']],
    ['an old one', commentOf({ created_at: '2026-11-16T08:00:00Z' }), postOf(), ['expired', 'possible', 'shown']],
  ])('with %s is a state', (_, comment, post, rules) => {
    expect(start(comment, post).shown().rules).toEqual(rules)
    const told = start()
    told.send({ type: 'comment.told', comment, post })
    expect(told.shown().rules).toEqual(rules)
  })

  it('changes when the seven days of the private reply end, without a call', () => {
    const sut = start()
    sut.clock.increment(fourDays - 1)
    expect(sut.shown().rules[0]).toBe('possible')
    sut.clock.increment(1)
    expect(sut.shown().rules[0]).toBe('expired')
    sut.send({ type: 'reply.begun', kind: 'private' })
    expect(sut.shown().reply).toBeNull()
  })

  it('refuses an answer that became impossible while it was typed, and keeps its form', () => {
    const sut = start()
    sut.send({ type: 'reply.begun', kind: 'private' })
    sut.send({ type: 'comment.told', comment: commentOf({ private_reply: usedPrivately }), post: postOf() })
    sut.send({ type: 'reply.submitted', message: 'Hi' })
    expect([sut.shown().reply, sut.told()]).toEqual(['private', []])
  })
})

describe('an answer', () => {
  const answered = { id: 'c1', threadId: 't1', postId: 'post-1', pageId: 'p1', author: 'Ana Reyes' }

  it('is handed over once by two presses, with what was typed before', () => {
    const sut = start()
    sut.send({ type: 'reply.begun', kind: 'public' })
    sut.send({ type: 'reply.typed', message: ' P250 po ' })
    sut.send({ type: 'reply.submitted', message: '  ' })
    sut.send({ type: 'reply.submitted', message: ' P250 po ' })
    sut.send({ type: 'reply.submitted', message: 'P250 po' })
    const told = { comment: answered, kind: 'public', text: ' P250 po ' }
    expect([sut.told(), sut.shown().reply]).toEqual([
      [
        { type: 'answer.typed', ...told },
        { type: 'answer.submitted', ...told },
      ],
      null,
    ])
  })

  it('is forgotten when it is cancelled', () => {
    const sut = start()
    sut.send({ type: 'reply.begun', kind: 'private' })
    sut.send({ type: 'reply.cancelled' })
    expect([sut.told(), sut.shown().reply]).toEqual([
      [{ type: 'answer.cancelled', commentId: 'c1', kind: 'private' }],
      null,
    ])
  })

  it('stays in its form while nothing can keep it', () => {
    const sut = start(commentOf(), postOf(), null)
    sut.send({ type: 'reply.begun', kind: 'public' })
    sut.send({ type: 'reply.submitted', message: 'P250 po' })
    expect(sut.shown().reply).toBe('public')
  })

  it('opens its form again if it was typed before a reload', () => {
    expect(start(commentOf(), postOf(), [answerOf({ kind: 'private', status: 'typed' })]).shown().reply).toBe('private')
    expect(start(commentOf(), postOf(), [answerOf({ status: 'failed' })]).shown().reply).toBeNull()
  })

  it('that is unconfirmed is decided about by the tries that the person saw', async () => {
    const sut = start(commentOf({ sends: [openSend('public')] }))
    const decided: DecisionRequest = { key: 'k1', decision: 'look', tries: 1 }
    sut.send({ type: 'send.decided', decided: { ...decided, tries: 2 } })
    expect(sut.calls.decideSend.calls).toEqual([])
    sut.send({ type: 'send.decided', decided })
    expect(sut.calls.decideSend.inputs()).toEqual([decided])
    await sut.calls.decideSend.resolve(threadOf())
    expect(sut.toasts.at(-1)).toEqual({ kind: 'success', text: 'The answer has arrived' })
  })
})

it('asks before a comment is deleted', async () => {
  const sut = start()
  sut.send({ type: 'deletion.requested' })
  expect([sut.shown().isAsked, sut.calls.changeComment.calls]).toEqual([true, []])
  sut.send({ type: 'deletion.cancelled' })
  sut.send({ type: 'deletion.requested' })
  sut.send({ type: 'deletion.confirmed' })
  expect(sut.calls.changeComment.inputs()).toEqual([{ commentId: 'c1', change: { kind: 'delete' } }])
  await sut.calls.changeComment.resolve(threadOf())
  expect(sut.heard()).toEqual([{ type: 'thread.told', thread: threadOf() }])
})

it('offers no like on Instagram', () => {
  const sut = start(commentOf(), instagram)
  sut.send({ type: 'change.requested', change: { kind: 'like', liked: true } })
  sut.send({ type: 'change.requested', change: { kind: 'hide', hidden: true } })
  expect(sut.calls.changeComment.inputs()).toEqual([{ commentId: 'c1', change: { kind: 'hide', hidden: true } }])
})

describe('the walk', () => {
  const told = (comment: PostComment, post: Post = postOf()) => ({ comment, post })
  const paths = modelOf(commentMachine, {
    input: { ...told(commentOf()), threadId: 't1', now: () => now },
    vertex: ({ context: { comment, post, kind, isExpired } }) => [comment, post, kind, isExpired],
    limit: 6_000,
    cases: {
      'comment.told': [
        told(commentOf()),
        told(commentOf({ private_reply: usedPrivately })),
        told(commentOf({ sends: [openSend('private')] })),
        told(commentOf({ is_hidden: true }), instagram),
        told(commentOf(), { ...instagramLive, is_live: false }),
        told(commentOf({ removed_by: 'person' })),
        told(commentOf({ removed_by: 'staff' })),
        told(commentOf({ by_page: true })),
      ],
      'reply.begun': [{ kind: 'public' }, { kind: 'private' }],
      'reply.typed': [{ message: 'P250 po' }],
      'reply.submitted': [{ message: 'P250 po' }],
      'reply.cancelled': [{}],
      'change.requested': [{ change: { kind: 'hide', hidden: true } }],
      'deletion.requested': [{}],
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'send.decided': [{ decided: { key: 'k1', decision: 'retry', tries: 1 } }],
      'xstate.done.actor.changeComment': [{ output: threadOf() }],
      'xstate.error.actor.changeComment': [{ error: faults.refused }],
      'xstate.done.actor.decideSend': [{ output: threadOf() }],
      'xstate.error.actor.decideSend': [{ error: faults.refused }],
    },
  }).everyTransitionInFewPaths(80)

  it(`shows what the rules say on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start(commentOf(), postOf(), null)
      const drive = driverOf(sut.send, {
        calls: sut.calls,
        delays: { privateReplyLeft: () => sut.clock.increment(fourDays) },
      })
      await follow(path, drive, ({ expected }) => {
        expect(sut.snapshot().value).toEqual(expected.value)
      })
    }
  })

  it('enters every state but the one that no snapshot shows', () =>
    expect(coverage.statesMissed()).toEqual(['comment.work.restoring']))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
