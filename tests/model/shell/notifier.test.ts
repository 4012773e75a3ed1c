import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import type { ToastKind, ToastText } from '../../../src/domain/toast.ts'
import { notifierMachine, selectIsToasterNeeded, selectToasts } from '../../../src/machines/shell/notifier.ts'
import { createCoverage } from '../harness.ts'

const coverage = createCoverage(notifierMachine)

function start() {
  const clock = new SimulatedClock()
  const actor = createActor(notifierMachine, { input: { now: () => clock.now() }, clock, inspect: coverage.inspect })
  actor.start()
  return {
    actor,
    passes: (milliseconds: number) => clock.increment(milliseconds),
    say: (text: string, kind: ToastKind = 'error') => actor.send({ type: 'toast.requested', kind, text }),
    shown: () => selectToasts(actor.getSnapshot()),
    texts: () => selectToasts(actor.getSnapshot()).map(({ text }) => text),
    remembered: () => actor.getSnapshot().context.recent.map(({ text }) => text),
  }
}

describe('the area of the toasts', () => {
  it('is needed 100 ms after a page expects toasts, or at once for a toast, and stays', () => {
    const [awaiting, saying] = [start(), start()]
    const needed = ({ actor }: ReturnType<typeof start>) => selectIsToasterNeeded(actor.getSnapshot())
    expect(needed(awaiting)).toBe(false)
    awaiting.actor.send({ type: 'toasts.awaited' })
    saying.say('Settings updated')
    awaiting.passes(99)
    expect([needed(awaiting), needed(saying)]).toEqual([false, true])
    awaiting.passes(1)
    saying.passes(60_000)
    expect([needed(awaiting), needed(saying), saying.texts()]).toEqual([true, true, []])
  })
})

describe('a toast', () => {
  it.each([
    ['success', 3_000],
    ['info', 3_000],
    ['warning', 4_000],
    ['error', 5_000],
  ] as const)('of kind %s is visible for %i ms', (kind, duration) => {
    const { say, shown, passes } = start()
    say('Settings updated', kind)
    passes(duration - 1)
    expect(shown()).toEqual([{ id: 1, kind, text: 'Settings updated' }])
    passes(1)
    expect(shown()).toEqual([])
  })

  it('about a mention stays until staff close it', () => {
    const { actor, passes, texts } = start()
    const mention = (text: string, stays: boolean) =>
      actor.send({
        type: 'toast.requested',
        kind: 'info',
        text,
        news: { line: 'Pls check', conversationId: 'c1', stays },
      })
    mention('elsewhere', true)
    mention('in the open conversation', false)
    passes(3_600_000)
    expect(texts()).toEqual(['elsewhere'])
  })

  it('disappears when staff close it, and the others stay', () => {
    const { actor, say, texts } = start()
    say('one')
    say('two')
    actor.send({ type: 'toast.dismissed', id: 1 })
    expect(texts()).toEqual(['two'])
  })

  it('with the undo of a change disappears when that change is undone', () => {
    const { actor, texts } = start()
    for (const undo of ['k1', 'k2', undefined]) {
      const text = `${undo} is done`
      actor.send({ type: 'toast.requested', kind: 'success', text, ...(undo !== undefined && { undo }) })
    }
    actor.send({ type: 'change.undone', key: 'k1' })
    expect(texts()).toEqual(['k2 is done', 'undefined is done'])
  })

  it('is not repeated within 3000 ms', () => {
    const { say, shown, passes } = start()
    say('Failed to load messages')
    passes(2_999)
    say('Failed to load messages')
    expect(shown()).toEqual([{ id: 1, kind: 'error', text: 'Failed to load messages' }])
  })

  it('is repeated after 3000 ms, although the first one is still visible', () => {
    const { say, shown, passes } = start()
    say('Failed to load messages')
    passes(3_000)
    say('Failed to load messages')
    expect(shown().map(({ id }) => id)).toEqual([1, 2])
  })

  it('that was suppressed does not extend the time of suppression', () => {
    const { say, shown, passes } = start()
    say('Failed to load messages')
    passes(2_000)
    say('Failed to load messages')
    passes(1_000)
    say('Failed to load messages')
    expect(shown().map(({ id }) => id)).toEqual([1, 2])
  })

  it('is a duplicate if its text is the same, also after the first one was closed', () => {
    const { actor, say, texts } = start()
    say('Failed to load messages')
    actor.send({ type: 'toast.dismissed', id: 1 })
    say('Failed to load messages', 'warning')
    expect(texts()).toEqual([])
  })

  it('with another text is not a duplicate', () => {
    const { say, texts } = start()
    say('Failed to load messages')
    say('Failed to load conversations')
    expect(texts()).toEqual(['Failed to load messages', 'Failed to load conversations'])
  })
})

it('of two people with the same name is one for each conversation and each thread of comments, once', () => {
  const { actor, shown } = start()
  const say = (news: NonNullable<ToastText['news']>) =>
    actor.send({ type: 'toast.requested', kind: 'info', text: 'New message from Maria', news })
  const comments = (threadId: string) => say({ line: 'Opo', conversationId: null, comments: { threadId } })
  for (const conversationId of ['c1', 'c2', 'c1']) say({ line: 'Opo', conversationId })
  for (const threadId of ['t1', 't2', 't1']) comments(threadId)
  expect(shown().map(({ id }) => id)).toEqual([1, 2, 3, 4])
})

describe('the text of a past toast', () => {
  it('is forgotten after 6000 ms', () => {
    const { say, remembered, passes } = start()
    say('one')
    passes(5_999)
    expect(remembered()).toEqual(['one'])
    passes(1)
    expect(remembered()).toEqual([])
  })

  it('is forgotten individually, so that memory does not grow', () => {
    const { actor, say, remembered, passes } = start()
    say('one')
    passes(4_000)
    say('two')
    passes(6_000)
    expect(remembered()).toEqual([])
    expect(actor.getSnapshot().value).toBe('idle')
  })

  it('is forgotten on time, regardless of later toasts', () => {
    const { say, remembered, passes } = start()
    say('one')
    passes(5_900)
    say('two')
    passes(5_999)
    expect(remembered()).toEqual(['two'])
    for (let n = 0; n < 100; n++) {
      passes(1_000)
      say(`toast ${n}`)
    }
    expect(remembered()).toEqual([94, 95, 96, 97, 98, 99].map((n) => `toast ${n}`))
  })

  it('is remembered from its latest display, and texts in between are forgotten first', () => {
    const { say, remembered, passes } = start()
    say('one')
    passes(1_000)
    say('two')
    passes(2_000)
    say('one')
    expect(remembered()).toEqual(['two', 'one'])
    passes(4_000)
    expect(remembered()).toEqual(['one'])
    passes(2_000)
    expect(remembered()).toEqual([])
  })
})

describe('the tests of the notifier', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
