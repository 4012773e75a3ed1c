import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import { type PersonalDataEvent, personalDataMachine, selectStep } from '../../../src/machines/client/personal-data.ts'
import type { Erasable, Erasure } from '../../../src/schemas/person.ts'
import { createControl, createCoverage, createToastLog, follow, inspectAll, modelOf } from '../harness.ts'

const coverage = createCoverage(personalDataMachine)
const everything = { conversationId: 'ana', name: 'Ana', mayExport: true, mayErase: true }
const erasable: Erasable = {
  messages: 3,
  files: 1,
  client: { name: 'Ana Reyes', orders: 2, payments: 1, is_shared: false },
}
const running: Erasure = { id: 'x1', state: 'running' }
const completed: Erasure = { id: 'x1', state: 'completed' }
const refused = new Failure({ kind: 'status', status: 400, method: 'POST', path: '/persons/ana/erase' })
const noAnswer = new Failure({ kind: 'noAnswer', method: 'GET', path: '/erasures/x1' })

function start(input = everything) {
  const save = createControl<void, { conversationId: string }>()
  const count = createControl<Erasable, { conversationId: string }>()
  const erase = createControl<Erasure, { conversationId: string; withClient: boolean }>()
  const look = createControl<Erasure, { id: string }>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const told: unknown[] = []
  const actor = createActor(
    personalDataMachine.provide({
      actors: {
        exportPerson: save.logic,
        loadErasable: count.logic,
        erasePerson: erase.logic,
        loadErasure: look.logic,
      },
      actions: { tellSession: (_, report) => void told.push(report) },
    }),
    {
      input,
      clock,
      inspect: inspectAll(coverage.inspect, log.inspect),
    },
  ).start()
  return {
    actor,
    save,
    count,
    erase,
    look,
    clock,
    told,
    toasts: log.toasts,
    send: (event: PersonalDataEvent) => actor.send(event),
    state: () => actor.getSnapshot().value,
    step: () => selectStep(actor.getSnapshot()),
  }
}

/** The dialog after it counted what would be erased. */
const counted = async (found = erasable, input = everything) => {
  const sut = start(input)
  if (input.mayErase) await sut.count.resolve(found)
  return sut
}

const erasing = async () => {
  const sut = await counted()
  sut.send({ type: 'word.typed', word: ' Erase ' })
  sut.send({ type: 'erase.requested' })
  await sut.erase.resolve(running)
  return sut
}

describe('the export', () => {
  it('asks once, and says that the file was saved', async () => {
    const sut = await counted()
    sut.send({ type: 'export.requested' })
    sut.send({ type: 'export.requested' })
    expect(sut.save.inputs()).toEqual([{ conversationId: 'ana' }])
    await sut.save.resolve()
    expect([sut.state(), sut.toasts]).toEqual(['asking', [{ kind: 'success', text: 'Personal data exported' }]])
  })

  it('is cancelled when the dialog is closed', async () => {
    const sut = await counted()
    sut.send({ type: 'export.requested' })
    sut.send({ type: 'dialog.dismissed' })
    expect([sut.state(), sut.save.last().signal.aborted]).toEqual(['closed', true])
  })

  it('is refused without the permission', async () => {
    const sut = await counted(erasable, { ...everything, mayExport: false })
    sut.send({ type: 'export.requested' })
    expect(sut.save.inputs()).toEqual([])
  })
})

describe('the erasure', () => {
  it.each([
    ['', everything],
    ['eras', everything],
    ['erase', { ...everything, mayErase: false }],
  ])('needs the typed word and the permission: %j', async (word, input) => {
    const sut = await counted(erasable, input)
    sut.send({ type: 'word.typed', word })
    sut.send({ type: 'erase.requested' })
    expect(sut.erase.inputs()).toEqual([])
  })

  it('begins only after what it erases was counted, which can be tried again', async () => {
    const sut = start()
    await sut.count.reject(refused)
    sut.send({ type: 'word.typed', word: 'erase' })
    sut.send({ type: 'erase.requested' })
    expect([sut.state(), sut.erase.inputs(), sut.toasts]).toEqual([
      'asking',
      [],
      [{ kind: 'error', text: 'Failed to count what would be erased' }],
    ])
    sut.send({ type: 'refetch.requested' })
    await sut.count.resolve(erasable)
    sut.send({ type: 'refetch.requested' })
    sut.send({ type: 'erase.requested' })
    expect([sut.count.inputs().length, sut.state()]).toEqual([2, 'starting'])
  })

  it.each([
    ['without the client if nobody asks', erasable, false, false],
    ['with the client if that is chosen', erasable, true, true],
    ['never with a client of others', { ...erasable, client: { ...erasable.client, is_shared: true } }, true, false],
    ['never with a client that does not exist', { ...erasable, client: null }, true, false],
  ])('erases %s', async (_, found, chosen, withClient) => {
    const sut = await counted(found as Erasable)
    sut.send({ type: 'client.toggled', withClient: chosen })
    sut.send({ type: 'word.typed', word: 'erase' })
    sut.send({ type: 'erase.requested' })
    expect(sut.erase.inputs()).toEqual([{ conversationId: 'ana', withClient }])
  })

  it('shows that it runs until the server says that it is completed, then tells the session', async () => {
    const sut = await erasing()
    expect([sut.erase.inputs(), sut.step()]).toEqual([[{ conversationId: 'ana', withClient: false }], 'erasing'])
    sut.clock.increment(1_000)
    await sut.look.resolve(running)
    expect([sut.step(), sut.told]).toEqual(['erasing', []])
    sut.clock.increment(1_000)
    await sut.look.resolve(completed)
    expect([sut.look.inputs(), sut.step(), sut.told]).toEqual([
      [{ id: 'x1' }, { id: 'x1' }],
      'done',
      [{ type: 'person.erased', conversationId: 'ana' }],
    ])
  })

  it('cannot be closed before the server has answered, and goes on when closed afterwards', async () => {
    const sut = await counted()
    sut.send({ type: 'word.typed', word: 'erase' })
    sut.send({ type: 'erase.requested' })
    sut.send({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('starting')
    await sut.erase.resolve(running)
    sut.send({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('closed')
  })

  it('that is refused can be tried again without typing', async () => {
    const sut = await counted()
    sut.send({ type: 'word.typed', word: 'erase' })
    sut.send({ type: 'erase.requested' })
    await sut.erase.reject(refused)
    expect([sut.step(), sut.toasts]).toEqual(['failed', [{ kind: 'error', text: 'Failed to erase the personal data' }]])
    sut.send({ type: 'erase.requested' })
    expect(sut.erase.inputs().length).toBe(2)
  })

  it('asks for its state again after a lost answer, and says so once', async () => {
    const sut = await erasing()
    sut.clock.increment(1_000)
    await sut.look.reject(noAnswer)
    sut.clock.increment(60_000)
    await sut.look.reject(noAnswer)
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'Network error. Please check your connection.' }])
    sut.clock.increment(60_000)
    await sut.look.resolve(completed)
    expect(sut.step()).toBe('done')
  })
})

describe('the walk through the dialog', () => {
  type Snapshot = SnapshotFrom<typeof personalDataMachine>
  const paths = modelOf(personalDataMachine, {
    input: everything,
    vertex: ({ context: { word, withClient, erasable: found } }: Snapshot) => [word, withClient, found !== null],
    cases: {
      'word.typed': [{ word: 'erase' }, { word: '' }],
      'client.toggled': [{ withClient: true }, { withClient: false }],
      'refetch.requested': [{}],
      'xstate.done.actor.loadErasable': [{ output: erasable }],
      'xstate.error.actor.loadErasable': [{ error: refused }],
      'export.requested': [{}],
      'erase.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.exportPerson': [{ output: undefined }],
      'xstate.error.actor.exportPerson': [{ error: refused }],
      'xstate.done.actor.erasePerson': [{ output: running }],
      'xstate.error.actor.erasePerson': [{ error: refused }],
      'xstate.done.actor.loadErasure': [{ output: running }, { output: completed }],
      'xstate.error.actor.loadErasure': [{ error: refused }, { error: noAnswer }],
      'xstate.after.progressInterval.personalData.erasing.waiting': [{}],
      'xstate.after.retryDelay.personalData.erasing.backingOff': [{}],
    },
  }).everyTransition()
  start({ ...everything, mayErase: false })

  it(`matches its model on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const tell = (event: object) => sut.send(event as PersonalDataEvent)
      await follow(
        path,
        {
          'word.typed': tell,
          'client.toggled': tell,
          'refetch.requested': tell,
          'xstate.done.actor.loadErasable': ({ output }) => sut.count.resolve(output),
          'xstate.error.actor.loadErasable': ({ error }) => sut.count.reject(error),
          'export.requested': tell,
          'erase.requested': tell,
          'dialog.dismissed': tell,
          'xstate.done.actor.exportPerson': () => sut.save.resolve(),
          'xstate.error.actor.exportPerson': ({ error }) => sut.save.reject(error),
          'xstate.done.actor.erasePerson': ({ output }) => sut.erase.resolve(output),
          'xstate.error.actor.erasePerson': ({ error }) => sut.erase.reject(error),
          'xstate.done.actor.loadErasure': ({ output }) => sut.look.resolve(output),
          'xstate.error.actor.loadErasure': ({ error }) => sut.look.reject(error),
          'xstate.after.progressInterval.personalData.erasing.waiting': () => sut.clock.increment(1_000),
          'xstate.after.retryDelay.personalData.erasing.backingOff': () => sut.clock.increment(60_000),
        },
        ({ expected }) => expect(sut.state(), path.title).toEqual(expected.value),
      )
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
