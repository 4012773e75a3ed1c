import { describe, expect, it } from 'vitest'
import { createActor, fromTransition, setup } from 'xstate'
import {
  messagesAroundMachine,
  selectConversation,
  selectFoundMessage,
  selectHasNewer,
  selectHasOlder,
  selectIsMissing,
  selectMessages,
} from '../../../src/machines/thread/messages-around.ts'
import { faults } from '../client/clients-fixture.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { followBeside } from '../reference.ts'
import {
  answer,
  aroundModel,
  aroundReference,
  arrival,
  atMessage,
  gone,
  message,
  phaseOf,
  startAround,
} from './messages-around-fixture.ts'

const coverage = createCoverage(messagesAroundMachine)
const start = () => startAround(coverage.inspect)
type Sut = ReturnType<typeof start>

const idsOf = ({ actor }: Sut) =>
  selectMessages(actor.getSnapshot()).map(({ message_id }) => Number(message_id.slice(1)))
const shownBy = (sut: Sut) => {
  const snapshot = sut.actor.getSnapshot()
  return {
    phase: phaseOf(snapshot),
    ids: idsOf(sut),
    hasOlder: selectHasOlder(snapshot),
    hasNewer: selectHasNewer(snapshot),
    failures: sut.toasts.length,
  }
}
const requested = { type: 'message.requested', conversationId: 'ana', messageId: 'm5' } as const

async function opened(first = atMessage) {
  const sut = start()
  sut.actor.send(requested)
  await sut.load.resolve(first)
  return sut
}

describe('the messages around a message', () => {
  it('are asked for around it, then before the first and after the last one held', async () => {
    const sut = await opened()
    sut.actor.send({ type: 'older.requested' })
    await sut.load.resolve(answer([1, 2, 3], false, false))
    sut.actor.send({ type: 'newer.requested' })
    await sut.load.resolve(answer([7, 8], false, false))
    const ofAna = { conversationId: 'ana' }
    expect([sut.load.inputs(), idsOf(sut), selectFoundMessage(sut.actor.getSnapshot())]).toEqual([
      [
        { ...ofAna, messageId: 'm5', at: null, side: 'both' },
        { ...ofAna, messageId: 'm4', at: message(4).timestamp_fb, side: 'older' },
        { ...ofAna, messageId: 'm6', at: message(6).timestamp_fb, side: 'newer' },
      ],
      [1, 2, 3, 4, 5, 6, 7, 8],
      'm5',
    ])
  })

  it('leave out a live message until the newest page is reached, also if the page was read before', async () => {
    const sut = await opened()
    sut.actor.send({ type: 'messages.changed', changes: [arrival] })
    expect(idsOf(sut)).toEqual([4, 5, 6])
    sut.actor.send({ type: 'newer.requested' })
    sut.actor.send({ type: 'messages.changed', changes: [arrival] })
    await sut.load.resolve(answer([7, 8], false, false))
    expect(idsOf(sut)).toEqual([4, 5, 6, 7, 8, 9])
  })

  it('remember a change only while a page is on its way', async () => {
    const sut = await opened()
    const remembered = () => sut.actor.getSnapshot().context.receivedMeanwhile
    const change = () => sut.actor.send({ type: 'messages.changed', changes: [arrival] })
    change()
    expect(remembered()).toEqual([])
    sut.actor.send({ type: 'newer.requested' })
    change()
    expect(remembered()).toEqual([arrival])
    await sut.load.resolve(answer([7], false, true))
    change()
    expect(remembered()).toEqual([])
    sut.actor.send({ type: 'refetch.requested' })
    change()
    expect(remembered()).toEqual([arrival])
    await sut.load.reject(faults.noAnswer)
    change()
    expect(remembered()).toEqual([])
  })

  it('ignore changes of other conversations', async () => {
    const sut = await opened(answer([4, 5], false, false))
    const record = { ...message(9), primary_user_id: 'zoe', fb_user_id: 'zoe-p1' }
    sut.actor.send({
      type: 'messages.changed',
      changes: [{ type: 'INSERT', record, committedAt: '2026-03-01T10:00:00Z' }],
    })
    expect(idsOf(sut)).toEqual([4, 5])
  })

  it('ask for no further page at either end', async () => {
    const sut = await opened(answer([4, 5], false, false))
    sut.actor.send({ type: 'older.requested' })
    sut.actor.send({ type: 'newer.requested' })
    expect(sut.load.calls.length).toBe(1)
  })

  it('are fetched again after a gap, from the first one held to the former end', async () => {
    const sut = await opened()
    sut.actor.send({ type: 'resync.requested' })
    await sut.load.resolve(answer([4, 5], false, true))
    await sut.load.resolve(answer([6, 7], false, true))
    expect([
      idsOf(sut),
      selectHasOlder(sut.actor.getSnapshot()),
      selectHasNewer(sut.actor.getSnapshot()),
      sut.load.inputs().map(({ messageId, side }) => [messageId, side]),
    ]).toEqual([
      [4, 5, 6, 7],
      true,
      true,
      [
        ['m5', 'both'],
        ['m4', 'from'],
        ['m5', 'newer'],
      ],
    ])
  })

  it('are gone with the last of them', async () => {
    const sut = await opened(answer([5], false, false))
    sut.actor.send({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'm5' }] })
    expect(selectIsMissing(sut.actor.getSnapshot())).toBe(true)
  })

  it('say that the message does not exist, without a toast', async () => {
    const sut = start()
    sut.actor.send(requested)
    await sut.load.reject(gone)
    expect([selectIsMissing(sut.actor.getSnapshot()), sut.toasts]).toEqual([true, []])
  })

  it('begin anew at another message, and abort the first call', () => {
    const sut = start()
    sut.actor.send(requested)
    sut.actor.send({ ...requested, messageId: 'm7' })
    expect([sut.load.calls[0]?.signal.aborted, sut.load.inputs().map(({ messageId }) => messageId)]).toEqual([
      true,
      ['m5', 'm7'],
    ])
  })

  it('end when the conversation is closed or another one opens, and stay when it is opened itself', () => {
    const { actor } = start()
    actor.send(requested)
    actor.send({ type: 'conversation.opened', id: 'ana' })
    expect(selectConversation(actor.getSnapshot())).toBe('ana')
    actor.send({ type: 'conversation.opened', id: 'zoe' })
    expect(selectConversation(actor.getSnapshot())).toBeNull()
  })

  it.each([
    ['the thread that is open', { id: 'ana-p1', conversationId: 'ana' }, ['end.left', 'end.left']],
    ['a thread whose conversation is not found yet', { id: 'ana', conversationId: null }, ['end.left', 'end.left']],
    ['no thread of another conversation', { id: 'zoe', conversationId: 'zoe' }, []],
  ])('tell %s that its newest message is out of view, also when it starts afterwards', async (_, context, told) => {
    const heard: string[] = []
    const thread = fromTransition((same, { type }: { type: string }) => {
      heard.push(type)
      return same
    }, context)
    const root = createActor(
      setup({ actors: { thread, around: messagesAroundMachine } }).createMachine({
        invoke: { src: 'around', systemId: 'around' },
        on: { start: '.started' },
        initial: 'waiting',
        states: { waiting: {}, started: { invoke: { src: 'thread', systemId: 'thread' } } },
      }),
    ).start()
    const around = root.system.get('around')
    around.send(requested)
    root.send({ type: 'start' })
    await Promise.resolve()
    around.send({ type: 'conversation.opened', id: 'ana' })
    await Promise.resolve()
    expect(heard).toEqual(told)
    root.stop()
  })
})

describe('every transition of the messages around a message, beside the reference', () => {
  it.each(
    aroundModel()
      .everyTransitionInFewPaths()
      .map((path) => [path.title.slice(0, 300), path] as const),
  )('%s', async (_, path) => {
    const sut = start()
    const drive = driverOf((event) => sut.actor.send(event), {
      calls: { loadAround: sut.load, loadOlderAround: sut.load, loadNewerAround: sut.load, refetchAround: sut.load },
      delays: {},
    })
    await followBeside(path, drive, aroundReference, () => shownBy(sut))
  })
})

describe('the tests of the messages around a message', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
