import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import type { Reacted } from '../../../src/domain/thread/reaction-calls.ts'
import { reactionsMachine, selectWish } from '../../../src/machines/send/reactions.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { createControl, createCoverage, createToastLog, driverOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { reactedTo, reactionsModel } from './reactions-fixture.ts'

const coverage = createCoverage(reactionsMachine)

function start() {
  const service = createControl<Message, Reacted>()
  const told: unknown[] = []
  const { inspect, toasts } = createToastLog()
  const actor = createActor(reactionsMachine.provide({ actors: { react: service.logic } }), {
    inspect: (event) => {
      coverage.inspect(event)
      inspect(event)
      if (event.type === '@xstate.event' && event.event.type === 'messages.changed') told.push(event.event)
    },
  }).start()
  const choose = (messageId: string, emoji: string | null) => actor.send({ type: 'reaction.chosen', messageId, emoji })
  return { service, told, toasts, actor, choose, wishOf: (id: string) => selectWish(id)(actor.getSnapshot())?.emoji }
}

const heart = { messageId: 'm-c1-1', emoji: '❤' }
const noneThere = { kind: 'error', text: 'Network error. Please check your connection.' }

describe('reactions of the page', () => {
  it('are shown at once, sent one at a time in their order, and told to the session', async () => {
    const sut = start()
    sut.choose('m-c1-1', '❤')
    sut.choose('m-c1-2', '👍')
    expect([sut.wishOf('m-c1-1'), sut.wishOf('m-c1-2'), sut.service.inputs()]).toEqual(['❤', '👍', [heart]])
    await sut.service.resolve(reactedTo(heart))
    expect(sut.told).toEqual([{ type: 'messages.changed', changes: [{ type: 'UPDATE', record: reactedTo(heart) }] }])
    expect([sut.wishOf('m-c1-1'), sut.service.inputs()]).toEqual([
      undefined,
      [heart, { messageId: 'm-c1-2', emoji: '👍' }],
    ])
  })

  it('send the last of several presses only', async () => {
    const sut = start()
    for (const emoji of ['❤', '👍', null]) sut.choose('m-c1-1', emoji)
    await sut.service.resolve(reactedTo(heart))
    expect([sut.wishOf('m-c1-1'), sut.service.inputs()]).toEqual([null, [heart, { messageId: 'm-c1-1', emoji: null }]])
    await sut.service.resolve(reactedTo({ messageId: 'm-c1-1', emoji: null }))
    expect(sut.wishOf('m-c1-1')).toBe(undefined)
  })

  it('are undone with a reason if they fail, but not a later press', async () => {
    const sut = start()
    sut.choose('m-c1-1', '❤')
    await sut.service.reject(faults.refused)
    expect([sut.wishOf('m-c1-1'), sut.toasts]).toEqual([undefined, [{ kind: 'error', text: 'No such filter' }]])
    sut.choose('m-c1-1', '❤')
    sut.choose('m-c1-1', '👍')
    await sut.service.reject(faults.refused)
    expect([sut.wishOf('m-c1-1'), sut.service.last().input]).toEqual(['👍', { messageId: 'm-c1-1', emoji: '👍' }])
  })
})

describe('the walk through the reactions', () => {
  const paths = reactionsModel().everyTransition()

  type State = { wished: Reacted[]; sent: Reacted | null; isLater: boolean; calls: Reacted[]; toasts: unknown[] }
  const wish = ({ messageId, emoji }: Reacted): Reacted => ({ messageId, emoji })
  /** The next wish is sent at once. */
  const sending = (state: State): State => {
    const [first] = state.wished
    return state.sent !== null || first === undefined
      ? state
      : { ...state, sent: first, isLater: false, calls: [...state.calls, first] }
  }
  const answered = (state: State): State => {
    const wished = state.isLater ? state.wished : state.wished.filter((one) => one.messageId !== state.sent?.messageId)
    return sending({ ...state, wished, sent: null, isLater: false })
  }
  const reference: Reference<State> = {
    start: { wished: [], sent: null, isLater: false, calls: [], toasts: [] },
    accepts: ({ sent }) => ['reaction.chosen', ...when(sent !== null, ...ends('react'))],
    rules: {
      'reaction.chosen': (state, event) => {
        const chosen = wish(event as unknown as Reacted)
        const others = state.wished.filter((one) => one.messageId !== chosen.messageId)
        const isLater = state.isLater || state.sent?.messageId === chosen.messageId
        return sending({ ...state, wished: [...others, chosen], isLater })
      },
      'xstate.done.actor.react': answered,
      'xstate.error.actor.react': (state) => answered({ ...state, toasts: [...state.toasts, noneThere] }),
    },
    shown: ({ wished, calls, toasts }) => ({ wished, calls, toasts }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, { calls: { react: sut.service } })
      await followBeside(path, drive, reference, () => ({
        wished: sut.actor.getSnapshot().context.wished,
        calls: sut.service.inputs(),
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
