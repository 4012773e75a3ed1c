import { describe, expect, it } from 'vitest'
import { assign, createActor, createMachine, setup } from 'xstate'
import { allMachines } from '../../../scripts/machine-docs/machine-docs.ts'
import { replay, Unreplayable } from '../../../scripts/replay/replay.ts'
import { shownInReports } from '../../../src/dialog-registry.ts'
import { onSignOut } from '../../../src/machines/app.ts'
import { outboxMachine } from '../../../src/machines/send/outbox.ts'
import { createRecorder, type Recorder } from '../../../src/recorder/recorder.ts'
import { createRedactor } from '../../../src/recorder/redact.ts'
import { writeReport } from '../../../src/recorder/report.ts'
import { type ReportFile, reportFile } from '../../../src/recorder/report-file.ts'
import { at, faults, inserted, messageIn, renamed, row } from '../../model/inbox-fixture.ts'
import { whole } from '../../model/list/conversations-fixture.ts'
import { parentOf } from '../../model/records-fixture.ts'
import { startOutbox } from '../../model/send/outbox-fixture.ts'
import { startSession } from '../../model/session/session-fixture.ts'
import { createWorld, openTab, quiet } from '../session/session-world.ts'

const noon = Date.parse(at(0))
const machines = new Map((await allMachines()).map(({ name, machine }) => [name, machine]))
machines.set('parent', parentOf(outboxMachine, { staffId: 's1' }))

const written = (recorder: Recorder) =>
  writeReport(recorder.recordings(), { takenAt: noon, commit: 'c0ffee', shown: shownInReports })
const reportOf = (recorder: Recorder): ReportFile => reportFile.parse(JSON.parse(written(recorder)))
const replayed = (report: ReportFile) => replay(report, machines)
const differing = (report: ReportFile) =>
  replayed(report).flatMap(({ machine, differences }) => differences.map((difference) => `${machine}: ${difference}`))

/** A session with a list, an open thread, new messages, a failure, a search and another conversation. */
async function workedSession() {
  const recorder = createRecorder(() => noon)
  const sut = startSession(recorder.inspect as (event: never) => void)
  sut.connect()
  const maria = row('c1', 10, { unified_name: 'Maria Cruz Santos', first_name: 'Maria', unread_messages: 2 })
  await sut.top.resolve(whole(maria, row('c2', 5, { unified_name: 'José Rizal' })))
  await sut.pages.resolve([{ page_id: 'p1', page_name: 'Lakbay Print', is_active: true }])
  sut.send({ type: 'conversation.selected', id: 'c1' })
  await sut.messages.resolve({ messages: [messageIn('c1', 9), messageIn('c1', 10)], hasMore: true })
  sut.send({ type: 'messages.changed', changes: [inserted('c1', 11), inserted('c2', 12)] })
  sut.send({ type: 'users.changed', changes: [renamed('u1', 'Maria Clara')] })
  sut.clock.increment(1_000)
  await sut.top.reject(faults.noAnswer)
  sut.clock.increment(5_000)
  await sut.top.resolve(whole(maria, row('c2', 5, { unified_name: 'José Rizal' })))
  sut.send({ type: 'query.opened', query: { search: 'Maria', pageId: 'p1', unreadOnly: true } })
  sut.send({ type: 'conversation.selected', id: 'c2' })
  sut.send({ type: 'tab.hidden' })
  sut.send({ type: 'messages.changed', changes: [inserted('c2', 13)] })
  sut.clock.increment(3_000)
  return { recorder, sut }
}

/** A message with a lost answer and two that wait because the network is down. */
async function workedOutbox() {
  const recorder = createRecorder(() => noon)
  const sut = startOutbox(recorder.inspect, recorder.noting)
  await sut.left.resolve([])
  sut.write(' Magkano po? ')
  sut.write('Bukas po kami.')
  await sut.identity.resolve({ psid: 'psid-1' })
  await sut.send.reject(faults.noAnswer)
  sut.connection.isOnline = false
  sut.write('Offline words')
  await sut.identity.resolve({ psid: 'psid-1' })
  sut.clock.increment(2_000)
  await sut.newest.resolve([])
  return recorder
}

async function workedSignIn() {
  const recorder = createRecorder(() => noon)
  const world = createWorld()
  const tab = openTab({ world, inspect: recorder.inspect })
  onSignOut(tab.app, recorder.forget)
  await quiet()
  tab.actor.send({ type: 'signIn.requested', email: 'ana@example.com', password: 'wrong-hunter2' })
  await quiet()
  tab.actor.send({ type: 'signIn.requested', email: 'ana@example.com', password: 'ana' })
  await quiet()
  return { recorder, tab }
}

it('a report contains its time and the commit of the build', () => {
  expect(reportOf(createRecorder(() => noon))).toEqual({
    format: 'staff-inbox-report',
    version: 1,
    takenAt: new Date(noon).toISOString(),
    commit: 'c0ffee',
    actors: [],
  })
})

describe('A report is replayed to the same state', () => {
  it('of a session with its list, thread, realtime and dialogs', async () => {
    const { recorder } = await workedSession()
    const report = reportOf(recorder)
    expect(differing(report)).toEqual([])
    const values = Object.fromEntries(replayed(report).map(({ id, value }) => [id, value]))
    expect(values).toMatchObject({ pages: 'showing', dialog: 'closed' })
    expect(report.actors.map(({ machine }) => machine)).toEqual(
      expect.arrayContaining(['session', 'conversations', 'thread', 'realtime', 'stats', 'outbox']),
    )
    expect(report.actors.reduce((sum, { events }) => sum + events.length, 0)).toBeGreaterThan(40)
  })

  it('of sends, with the recorded keys and network state', async () => {
    const report = reportOf(await workedOutbox())
    expect(differing(report)).toEqual([])
    expect(replayed(report).map(({ id, value }) => [id, value])).toEqual(
      expect.arrayContaining([
        ['send:k1', { unconfirmed: 'pausing' }],
        ['send:k2', 'offline'],
        ['send:k3', 'offline'],
      ]),
    )
  })

  it('of a sign-in, with the loaded session', async () => {
    const { recorder } = await workedSignIn()
    const report = reportOf(recorder)
    expect(differing(report)).toEqual([])
    expect(replayed(report).find(({ id }) => id === 'auth')).toMatchObject({ value: 'authenticated', differences: [] })
  })

  it('from the first stored state if older events were dropped', () => {
    const recorder = createRecorder(() => noon)
    const sut = startSession(recorder.inspect as (event: never) => void)
    for (let minute = 0; minute < 500; minute += 1)
      sut.send({ type: 'messages.changed', changes: [inserted('c1', minute)] })
    const report = reportOf(recorder)
    expect(report.actors.find(({ id }) => id === 'conversations')?.dropped).toBeGreaterThan(200)
    expect(differing(report)).toEqual([])
  })

  it('of a context that holds infinite numbers', () => {
    const counting = setup({
      types: { context: {} as { floor: number }, events: {} as { type: 'ask' } },
      guards: { isEndless: ({ context }) => context.floor === Number.POSITIVE_INFINITY },
    }).createMachine({
      id: 'counting',
      context: { floor: Number.POSITIVE_INFINITY },
      initial: 'idle',
      states: { idle: { on: { ask: { guard: 'isEndless', target: 'endless' } } }, endless: {} },
    })
    const recorder = createRecorder(() => noon)
    const actor = createActor(counting, { inspect: recorder.inspect }).start()
    actor.send({ type: 'ask' })
    const machines = new Map([['counting', counting]])
    expect(replay(reportOf(recorder), machines)).toMatchObject([{ value: 'endless', differences: [] }])
  })

  it('of an actor that failed', () => {
    const broken = setup({ types: { events: {} as { type: 'break' } } }).createMachine({
      id: 'broken',
      context: {},
      on: {
        break: {
          actions: assign(() => {
            throw new Error('of no use')
          }),
        },
      },
    })
    const recorder = createRecorder(() => noon)
    const actor = createActor(broken, { inspect: recorder.inspect })
    actor.subscribe({ error: () => {} })
    actor.start()
    actor.send({ type: 'break' })
    const report = reportOf(recorder)
    expect(report.actors[0]?.events.map(({ event }) => event.type)).toEqual(['break'])
    expect(replay(report, new Map([['broken', broken]]))).toMatchObject([{ status: 'error', differences: [] }])
  })
})

describe('A report that differs from the recording', () => {
  it('is detected if an event is missing', async () => {
    const { recorder } = await workedSession()
    const report = reportOf(recorder)
    for (const actor of report.actors)
      actor.events = actor.events.filter(({ event }) => event.type !== 'conversation.selected')
    expect(differing(report).some((difference) => difference.startsWith('session: value'))).toBe(true)
  })

  it('is detected if the final state was changed', async () => {
    const report = reportOf(await workedOutbox())
    for (const actor of report.actors) if (actor.id === 'send:k3') actor.to.value = 'sent'
    expect(differing(report)).toEqual(['sendFlow: value: "sent" in the report, "offline" now'])
  })

  it('is detected if a text was replaced', async () => {
    const { recorder } = await workedSession()
    const report = reportOf(recorder)
    const query = report.actors.find(({ id }) => id === 'conversations')?.to.context['query']
    Object.assign(query ?? {}, { search: { $text: [[999, 4]] } })
    expect(differing(report)).toHaveLength(1)
  })

  it('is rejected if it names an unknown machine', async () => {
    const report = reportOf(await workedOutbox())
    for (const actor of report.actors) actor.machine = 'typewriter'
    expect(() => replayed(report)).toThrow(
      new Unreplayable('The report holds an actor of the machine "typewriter", which is not known here.'),
    )
  })
})

const isLong = (word: string) => word.length > 3

describe('The contents of a report', () => {
  it('include no password, token, text, name or address', async () => {
    const canaries = {
      password: 'hunter2-hunter2',
      token: 'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
      page_access_token: 'EAAB-page-token',
      message_text: 'Magkano po ang tarpaulin?',
      unified_name: 'Maximiliana Dimaculangan',
      first_name: 'Maximiliana',
      email: 'maxi@example.com',
      phone: '+63 917 555 0101',
      address: '12 Mabini Street',
      anythingElse: 'tomorrows field',
    }
    const machine = createMachine({
      types: { context: {} as Record<string, unknown>, input: {} as Record<string, unknown> },
      id: 'canary',
      context: ({ input }: { input: Record<string, unknown> }) => ({ ...input }),
      on: { '*': { actions: assign({ last: ({ event }) => event }) } },
    })
    const recorder = createRecorder(() => noon)
    const input = { rows: new Map([[canaries.email, canaries]]), deep: [{ again: canaries }] }
    const actor = createActor(machine, { inspect: recorder.inspect, input }).start()
    actor.send({ type: 'canary.sung', ...canaries, [canaries.address]: new Error(canaries.message_text) })
    actor.send({
      type: 'canary.sung',
      url: `/socket?access_token=${canaries.token}`,
      words: [canaries.password],
      id: canaries.page_access_token,
    })
    const text = written(recorder)
    expect(text).toContain('canary.sung')
    const words = Object.values(canaries).flatMap((canary) => [canary, ...canary.split(' ').filter(isLong)])
    expect(words.filter((canary) => text.includes(canary))).toEqual([])
  })

  it('include no input of a session, a send and a sign-in', async () => {
    const { recorder: session } = await workedSession()
    const outbox = await workedOutbox()
    const { recorder: signIn } = await workedSignIn()
    const text = [session, outbox, signIn].map(written).join()
    const given = [
      'Maria',
      'Cruz',
      'Santos',
      'Rizal',
      'Lakbay',
      'Magkano',
      'Bukas',
      'Offline',
      'ana@example',
      'hunter2',
    ]
    expect(given.filter((word) => text.includes(word))).toEqual([])
  })

  it('include neither the text of a quoted message nor an emoji', () => {
    const redactor = createRedactor({ names: [], numbers: [] })
    const held = {
      replyTo: { message: { message_id: 'm1', state: 'known', direction: 'incoming', text: 'canary text' } },
      wished: [{ messageId: 'm1', emoji: '❤' }],
    }
    redactor.learn(held)
    const shown = redactor.redact(held)
    expect(shown).toMatchObject({
      replyTo: { message: { message_id: 'm1', state: 'known', direction: 'incoming' } },
      wished: [{ messageId: 'm1' }],
    })
    expect(JSON.stringify(shown)).not.toMatch(/canary|❤/)
  })

  it('show an id of a list of ids also where it stands alone', () => {
    const { learn, redact } = createRedactor({ names: [], numbers: [] })
    const held = { fb_user_ids: 'c1, c2', rowIds: new Map([['c2', 'c1']]), note: 'c2' }
    learn(held)
    expect(redact(held)).toEqual({ fb_user_ids: 'c1, c2', rowIds: { $map: [['c2', 'c1']] }, note: 'c2' })
  })

  it('keep the length, the outer blanks, the emptiness, the equality and the at sign of a text', () => {
    const { learn, redact } = createRedactor(shownInReports)
    const value = {
      search: ' Maria ',
      last: ['Maria', '', '  '],
      user_name: 'Maria Cruz',
      email: 'Maria@example.com',
      id: 'c1',
      openId: 'c1',
      note: 'c1',
    }
    learn(value)
    expect(redact(value)).toEqual({
      search: { $text: [' ', [1, 5], ' '] },
      last: [{ $text: [[1, 5]] }, '', '  '],
      user_name: { $text: [[1, 5], ' ', [2, 4]] },
      email: { $text: [[1, 5], '@', [3, 11]] },
      id: 'c1',
      openId: 'c1',
      note: 'c1',
    })
  })
})

it('a report masks what a message consists of, but for kinds and ids', () => {
  const { learn, redact } = createRedactor(shownInReports)
  const content = {
    parts: [
      { kind: 'location', latitude: 14.65, longitude: 121.1, title: 'Bahay' },
      { kind: 'share', what: 'post', file: 0, title: 'New', text: null, link: 'https://x.example/', media_id: '1' },
      { kind: 'unknown', type: 'appointment_booking', raw: '{"name":"Maria"}' },
    ],
    fallback: 'Bahay',
    edited_at: '2026-01-05T09:00:00Z',
  }
  learn(content)
  expect(redact(content)).toEqual({
    parts: [
      { kind: 'location', latitude: 0, longitude: 0, title: { $text: [[1, 5]] } },
      {
        kind: 'share',
        what: { $text: [[2, 4]] },
        file: 0,
        title: { $text: [[3, 3]] },
        text: null,
        link: { $text: [[4, 18]] },
        media_id: '1',
      },
      { kind: 'unknown', type: 'appointment_booking', raw: { $text: [[5, 16]] } },
    ],
    fallback: { $text: [[1, 5]] },
    edited_at: '2026-01-05T09:00:00Z',
  })
})

describe('The recorder', () => {
  const burst = (count: number, event: (index: number) => { type: string }) => {
    const recorder = createRecorder(() => noon)
    const machine = createMachine({ id: 'heard', context: {}, on: { '*': { actions: () => {} } } })
    const actor = createActor(machine, { inspect: recorder.inspect }).start()
    for (let index = 0; index < count; index += 1) actor.send(event(index))
    const [recording] = recorder.recordings()
    return {
      recorder,
      actor,
      kept: recording?.stretches.flatMap(({ events }) => events) ?? [],
      dropped: recording?.dropped,
    }
  }

  it('keeps the last events of an actor without copying them', () => {
    const sent = Array.from({ length: 1_000 }, (_, index) => ({ type: 'told', index }))
    const { kept, dropped } = burst(1_000, (index) => sent[index] ?? { type: 'none' })
    expect(kept.length).toBeLessThanOrEqual(200)
    expect(kept.length + (dropped ?? 0)).toBe(1_000)
    expect(kept.map(({ event }) => event)).toEqual(sent.slice(-kept.length))
    expect(kept.at(-1)?.event).toBe(sent.at(-1))
  })

  it('keeps fewer events if they are large', () => {
    const { kept } = burst(1_000, (index) => ({
      type: 'told',
      rows: Array.from({ length: 400 }, () => `row ${index}`),
    }))
    expect(kept.length).toBeLessThan(30)
  })

  it('keeps the last ended actors', () => {
    const recorder = createRecorder(() => noon)
    const child = createMachine({
      id: 'child',
      initial: 'on',
      states: { on: { on: { end: 'off' } }, off: { type: 'final' } },
    })
    for (let index = 0; index < 50; index += 1)
      createActor(child, { inspect: recorder.inspect }).start().send({ type: 'end' })
    expect(recorder.recordings()).toHaveLength(20)
  })

  it('keeps fewer ended actors and fewer events of running ones if the total is large', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `a row of a long list, ${index}`)
    const recorder = createRecorder(() => noon)
    const child = createMachine({
      id: 'child',
      context: { rows },
      initial: 'on',
      states: { on: { on: { end: 'off' } }, off: { type: 'final' } },
    })
    for (let index = 0; index < 10; index += 1)
      createActor(child, { inspect: recorder.inspect }).start().send({ type: 'end' })
    expect(recorder.recordings()).toHaveLength(3)
    const living = createActor(child, { inspect: recorder.inspect }).start()
    for (let index = 0; index < 10; index += 1) living.send({ type: 'told', rows })
    const kept = recorder.recordings().flatMap(({ stretches }) => stretches.flatMap(({ events }) => events))
    expect(kept.length).toBeLessThan(4)
  })

  it('deletes all earlier records at sign-out', async () => {
    const { recorder, tab } = await workedSignIn()
    expect(written(recorder)).toContain('signIn.requested')
    tab.actor.send({ type: 'signOut.requested' })
    await quiet()
    const report = reportOf(recorder)
    const told = JSON.stringify(report)
    expect(report.actors.map(({ machine }) => machine).toSorted()).toEqual(['app', 'auth', 'notifier'])
    expect(['signIn.requested', 'signOut.requested', 'u1'].filter((word) => told.includes(word))).toEqual([])
    expect(differing(report)).toEqual([])
  })
})
