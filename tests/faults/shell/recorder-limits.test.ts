import { describe, expect, it } from 'vitest'
import { assign, createActor, fromCallback, fromPromise, fromTransition, setup } from 'xstate'
import { shownInReports } from '../../../src/dialog-registry.ts'
import { createRecorder } from '../../../src/recorder/recorder.ts'
import { writeReport } from '../../../src/recorder/report.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')

const counting = setup({
  types: {
    context: {} as { count: number; at: number },
    events: {} as { type: 'count'; by: unknown } | { type: 'ignored' },
  },
  actions: { count: assign({ count: ({ context }) => context.count + 1 }) },
  actors: {
    promise: fromPromise(() => new Promise(() => {})),
    callback: fromCallback(() => {}),
    transition: fromTransition(() => 1, 0),
  },
}).createMachine({
  id: 'counting',
  context: { count: 0, at: 0 },
  on: { count: { actions: 'count' } },
  invoke: [
    { src: 'promise', id: 'promise' },
    { src: 'callback', id: 'callback' },
    { src: 'transition', id: 'transition' },
  ],
})

function recorded(events: readonly unknown[] = []) {
  const recorder = createRecorder(() => noon)
  const actor = createActor(counting, { inspect: recorder.inspect, id: 'counter' }).start()
  for (const by of events) actor.send({ type: 'count', by })
  const report = () =>
    JSON.parse(writeReport(recorder.recordings(), { takenAt: noon, commit: null, shown: shownInReports }))
  return { recorder, actor, report }
}

it('a report has of each machine its start, its events and its end, and nothing of other actors', () => {
  const { actor, report } = recorded([7])
  const children = ['promise', 'callback', 'transition']
  expect(report()).toEqual({
    format: 'staff-inbox-report',
    version: 1,
    takenAt: '2026-03-01T12:00:00.000Z',
    commit: null,
    actors: [
      {
        session: actor.sessionId,
        id: 'counter',
        systemId: null,
        parent: null,
        machine: 'counting',
        input: null,
        dropped: 0,
        from: { value: {}, status: 'active', context: { count: 0, at: 0 }, children, seq: 0 },
        events: [{ seq: 1, at: noon, event: { type: 'count', by: 7 }, drawn: [] }],
        to: { value: {}, status: 'active', context: { count: 1, at: 0 }, children },
      },
    ],
  })
})

describe('The recorder measures an event', () => {
  const texts = Array.from({ length: 400 }, (_, index) => `row ${index}`)

  it.each<[string, unknown]>([
    ['a list', texts],
    ['a list beside an empty one', { none: [], nothing: new Map(), texts }],
    ['a map', new Map(texts.map((text, index) => [index, { text }]))],
    ['a set', new Set(texts)],
    ['an object', { deep: { deeper: Object.fromEntries(texts.map((text) => [text, text])) } }],
    ['one text', 'x'.repeat(10_000)],
  ])('with %s, and keeps fewer large ones', (_, by) => {
    const { recorder } = recorded(Array.from({ length: 300 }, () => by))
    const [recording] = recorder.recordings()
    const kept = recording?.stretches.flatMap(({ events }) => events).length ?? 0
    expect([kept > 0 && kept < 60, kept + (recording?.dropped ?? 0)]).toEqual([true, 300])
  })

  it('without what actors and snapshots hold', () => {
    const { recorder, actor } = recorded()
    for (let sent = 0; sent < 90; sent += 1) actor.send({ type: 'count', by: [actor, actor.getSnapshot()] })
    expect(recorder.recordings()[0]?.stretches.map(({ events }) => events.length)).toEqual([90])
  })
})

it('the recorder drops all earlier events at once when it forgets, and records the next ones', () => {
  const { recorder, actor, report } = recorded([1, 2, 3])
  recorder.forget()
  actor.send({ type: 'count', by: 4 })
  expect(report().actors).toMatchObject([
    {
      dropped: 0,
      from: { context: { count: 3 } },
      events: [{ seq: 4, event: { by: 4 } }],
      to: { context: { count: 4 } },
    },
  ])
})
