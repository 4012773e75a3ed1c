import { describe, expect, it } from 'vitest'
import { type AnyEventObject, createActor, SimulatedClock, setup } from 'xstate'
import type { ChangeRequest, DecisionRequest, ReplyRequest } from '../../../src/domain/comments/comment-calls.ts'
import {
  type CommentActorEvent,
  commentMachine,
  selectIsAskedToDelete,
  selectIsBusy,
  selectIsSending,
  selectPrivately,
  selectPublicly,
  selectReplyKind,
  selectVisibility,
} from '../../../src/machines/comments/comment.ts'
import type { CommentThread, Post, PostComment } from '../../../src/schemas/comment.ts'
import { createControl, createCoverage, createToastLog, driverOf, follow, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { commentOf, now, openSend, postOf, threadOf, usedPrivately } from './comments-fixture.ts'

const coverage = createCoverage(commentMachine)
const fourDays = 4 * 24 * 3_600_000

function start(comment: PostComment = commentOf(), post: Post = postOf(), keys = ['k1', 'k2', 'k3']) {
  const clock = new SimulatedClock()
  const [send, change, decide] = [
    createControl<CommentThread, ReplyRequest>(),
    createControl<CommentThread, ChangeRequest>(),
    createControl<CommentThread, DecisionRequest>(),
  ]
  const log = createToastLog()
  const heard: AnyEventObject[] = []
  const machine = commentMachine.provide({
    actors: { sendReply: send.logic, changeComment: change.logic, decideSend: decide.logic },
  })
  const owner = setup({ actors: { machine } }).createMachine({
    invoke: {
      src: 'machine',
      id: 'machine',
      input: { comment, post, now: () => now + clock.now(), newKey: () => keys.shift() ?? 'k1' },
    },
    on: { '*': { actions: ({ event }) => heard.push(event) } },
  })
  const actor = createActor(owner, {
    clock,
    inspect: (event) => {
      coverage.inspect(event)
      log.inspect(event)
    },
  }).start()
  const child = () => {
    const found = actor.getSnapshot().children['machine']
    if (found === undefined) throw new Error('the machine does not run')
    return found
  }
  const snapshot = () => child().getSnapshot()
  return {
    clock,
    calls: { sendReply: send, changeComment: change, decideSend: decide },
    toasts: log.toasts,
    heard: () => heard.filter(({ type }) => type.startsWith('thread.')),
    snapshot,
    send: (event: CommentActorEvent) => child().send(event),
    shown: () => {
      const { context } = snapshot()
      return {
        rules: [selectPrivately(snapshot()), selectPublicly(snapshot()), selectVisibility(snapshot())],
        reply: selectReplyKind(snapshot()),
        isSending: selectIsSending(snapshot()),
        isAsked: selectIsAskedToDelete(snapshot()),
        isBusy: selectIsBusy(snapshot()),
        message: context.message,
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
    expect([sut.shown().reply, sut.calls.sendReply.calls]).toEqual(['private', []])
  })
})

describe('an answer', () => {
  it('is sent once by two presses, and tells the thread', async () => {
    const sut = start()
    sut.send({ type: 'reply.begun', kind: 'public' })
    sut.send({ type: 'reply.submitted', message: '  ' })
    sut.send({ type: 'reply.submitted', message: ' P250 po ' })
    sut.send({ type: 'reply.submitted', message: 'P250 po' })
    expect(sut.calls.sendReply.inputs()).toEqual([{ commentId: 'c1', kind: 'public', message: 'P250 po', key: 'k1' }])
    await sut.calls.sendReply.resolve(threadOf())
    expect([sut.heard(), sut.toasts, sut.shown().reply]).toEqual([
      [{ type: 'thread.told', thread: threadOf() }],
      [{ kind: 'success', text: 'The answer was sent' }],
      null,
    ])
  })

  it('keeps its key for the same text after a failure, and takes another for another text', async () => {
    const sut = start()
    sut.send({ type: 'reply.begun', kind: 'public' })
    sut.send({ type: 'reply.submitted', message: 'P250' })
    await sut.calls.sendReply.reject(faults.noAnswer)
    sut.send({ type: 'reply.submitted', message: 'P250' })
    await sut.calls.sendReply.reject(faults.noAnswer)
    sut.send({ type: 'reply.submitted', message: 'P260' })
    expect(sut.calls.sendReply.inputs().map(({ key }) => key)).toEqual(['k1', 'k1', 'k2'])
    expect(sut.heard()).toEqual([{ type: 'thread.invalidated' }, { type: 'thread.invalidated' }])
  })

  it('closes its form once the server shows it as unconfirmed', async () => {
    const sut = start()
    sut.send({ type: 'reply.begun', kind: 'public' })
    sut.send({ type: 'reply.submitted', message: 'P250 po' })
    await sut.calls.sendReply.reject(faults.noAnswer)
    expect(sut.shown().reply).toBe('public')
    sut.send({ type: 'comment.told', comment: commentOf({ sends: [openSend('public')] }), post: postOf() })
    expect(sut.shown()).toMatchObject({ reply: null, message: '' })
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
    input: { ...told(commentOf()), now: () => now, newKey: () => 'k1' },
    vertex: ({ context: { comment, post, kind, message, isExpired } }) => [comment, post, kind, message, isExpired],
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
      'reply.submitted': [{ message: 'P250 po' }],
      'reply.cancelled': [{}],
      'change.requested': [{ change: { kind: 'hide', hidden: true } }],
      'deletion.requested': [{}],
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'send.decided': [{ decided: { key: 'k1', decision: 'retry', tries: 1 } }],
      'xstate.done.actor.sendReply': [{ output: threadOf() }],
      'xstate.error.actor.sendReply': [{ error: faults.refused }],
      'xstate.done.actor.changeComment': [{ output: threadOf() }],
      'xstate.error.actor.changeComment': [{ error: faults.refused }],
      'xstate.done.actor.decideSend': [{ output: threadOf() }],
      'xstate.error.actor.decideSend': [{ error: faults.refused }],
    },
  }).everyTransitionInFewPaths(80)

  it(`shows what the rules say on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start(commentOf(), postOf(), [])
      const drive = driverOf(sut.send, {
        calls: sut.calls,
        delays: { privateReplyLeft: () => sut.clock.increment(fourDays) },
      })
      await follow(path, drive, ({ expected }) => {
        expect(sut.snapshot().value).toEqual(expected.value)
        expect(sut.shown().message).toBe(expected.context.message)
      })
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
