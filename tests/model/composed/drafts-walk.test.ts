import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { composeSession } from '../../../src/compose-session.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { newKey } from '../../../src/domain/new-key.ts'
import type { StoredDraft } from '../../../src/domain/send/draft.ts'
import type { DraftSave, ServerDraft } from '../../../src/domain/send/saved-drafts.ts'
import { fakeServices, fakeSessionServices } from '../../fake-services.ts'
import { settled } from '../harness.ts'
import { draftUser } from '../send/draft-sync-fixture.ts'

/**
 * Two devices of one person and a server that keeps drafts, in random steps. Texts are numbered, and each says which
 * text was in the composer when it was typed, so the test knows which texts may be gone: those that a person replaced,
 * removed, or gave up by a choice.
 */

const conversations = ['c1', 'c2'] as const
const noAnswer = () => new Failure({ kind: 'noAnswer', method: 'PUT', path: '/drafts' })

function createWorld() {
  const drafts = new Map<string, ServerDraft>()
  const current = (id: string) => drafts.get(id) ?? null
  return {
    drafts,
    load: (): readonly ServerDraft[] => [...drafts.values()],
    /** As the server does: tests/server/database/drafts.test.ts. */
    save: ({ conversationId: id, text, extras, version, replaces }: DraftSave) => {
      const before = current(id)
      if (before?.version === version) return { isSaved: true, draft: before }
      if ((before?.version ?? null) !== replaces) return { isSaved: text === '' && before === null, draft: before }
      if (text === '') drafts.delete(id)
      else drafts.set(id, { conversationId: id, text, extras, version })
      return { isSaved: true, draft: current(id) }
    },
  }
}

type World = ReturnType<typeof createWorld>
type Call = { serve: () => unknown; resolve: (answer: never) => void; reject: (error: unknown) => void }

function createDevice(world: World) {
  const stored = new Map<string, StoredDraft>()
  const clock = new SimulatedClock()
  let calls: Call[] = []
  let isLeaving = false
  const call = <Result>(serve: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      calls.push({ serve, resolve, reject })
    })
  const machine = composeSession(
    fakeSessionServices({
      loadServerDrafts: async () => ({
        loadDrafts: () => call(world.load),
        saveDraft: (save: DraftSave) => call(() => world.save(save)),
      }),
      draftStorage: {
        store: ({ conversationId, draft, saved }) => {
          if (draft.text === '' && (saved?.version ?? null) === null) stored.delete(conversationId)
          else
            stored.set(
              conversationId,
              saved === undefined ? { conversationId, draft } : { conversationId, draft, saved },
            )
        },
        watch: (_, tell) => {
          for (const one of stored.values()) tell({ type: 'draft.received', ...one })
          return () => {}
        },
        forgetAll: () => stored.clear(),
      },
    }),
    { deviceCache: fakeServices().deviceCache, wasLeft: () => isLeaving },
  )
  const open = () => createActor(machine, { systemId: 'session', clock, input: { user: draftUser } }).start()
  let session = open()
  const actor = () => {
    const { drafts } = session.getSnapshot().children
    if (drafts === undefined) throw new Error('the drafts do not run')
    return drafts
  }
  const context = () => actor().getSnapshot().context
  const device = {
    text: (id: string) => context().drafts.get(id)?.text ?? '',
    other: (id: string) => context().differing.get(id)?.text ?? null,
    type: (conversationId: string, text: string) =>
      actor().send({ type: 'draft.changed', conversationId, draft: { id: newKey(), text, pageId: null } }),
    choose: (conversationId: string, choice: 'this' | 'other' | 'both') =>
      actor().send({ type: 'difference.settled', conversationId, choice }),
    select: (id: string) => session.send({ type: 'conversation.selected', id }),
    show: () => session.send({ type: 'tab.shown' }),
    pass: () => clock.increment(60_000),
    answer: () => {
      for (const { serve, resolve } of calls.splice(0)) resolve(serve() as never)
    },
    /** The server executes the calls, and their answers are lost. */
    loseAnswers: () => {
      for (const { serve, reject } of calls.splice(0)) {
        serve()
        reject(noAnswer())
      }
    },
    beOffline: () => {
      for (const { reject } of calls.splice(0)) reject(noAnswer())
    },
    /** The calls of the closed page stay without an effect. */
    reload: () => {
      session.stop()
      calls = []
      session = open()
    },
    /** Signs out if nothing would be lost, as the question before a sign-out counts it, and signs in again. */
    signOut: () => {
      const lost = conversations.some(
        (id) => device.text(id).trim() !== '' && device.text(id) !== (context().saved.get(id)?.text ?? ''),
      )
      if (lost) return
      isLeaving = true
      session.stop()
      isLeaving = false
      // A real disposer deletes them: see compose-session.ts.
      stored.clear()
      calls = []
      session = open()
    },
    stop: () => session.stop(),
  }
  return device
}

const steps = [
  'type',
  'type',
  'type',
  'answer',
  'answer',
  'pass',
  'select',
  'show',
  'loseAnswers',
  'beOffline',
  'reload',
  'signOut',
  'send',
  'choose',
] as const
const step = fc.record({
  what: fc.constantFrom(...steps),
  device: fc.constantFrom(0, 1),
  id: fc.constantFrom(...conversations),
  choice: fc.constantFrom('this' as const, 'other' as const, 'both' as const),
})

describe('Drafts of one person on two devices', () => {
  it('lose no text that the person did not replace, send or give up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (walk) => {
        const world = createWorld()
        const devices = [createDevice(world), createDevice(world)] as const
        /** The texts that must be somewhere: each with its conversation. */
        const alive = new Map<string, string>()
        let count = 0
        const has = (whole: string, text: string) => whole.split('\n\n').includes(text)
        const end = (whole: string | null) => {
          for (const part of whole?.split('\n\n') ?? []) alive.delete(part)
        }
        for (const { what, device: which, id, choice } of walk) {
          const device = devices[which === 0 ? 0 : 1]
          if (what === 'type') {
            count += 1
            end(device.text(id))
            device.type(id, `text ${count}`)
            alive.set(`text ${count}`, id)
          } else if (what === 'send') {
            end(device.text(id))
            device.type(id, '')
          } else if (what === 'choose') {
            if (device.other(id) !== null && choice === 'this') end(device.other(id))
            if (device.other(id) !== null && choice === 'other') end(device.text(id))
            device.choose(id, choice)
          } else if (what === 'select') device.select(id)
          else device[what]()
          await settled()
          for (const [text, conversation] of alive) {
            const places = [
              world.drafts.get(conversation)?.text ?? '',
              ...devices.flatMap((one) => [one.text(conversation), one.other(conversation) ?? '']),
            ]
            if (!places.some((place) => has(place, text))) throw new Error(`${text} is gone after ${what}`)
          }
        }
        // Once both devices have reached the server and every question is answered, all have the same texts.
        for (let round = 0; round < 6; round += 1) {
          for (const device of devices) {
            for (const id of conversations) device.choose(id, 'both')
            device.show()
            for (let times = 0; times < 6; times += 1) {
              device.pass()
              await settled()
              device.answer()
              await settled()
            }
          }
        }
        for (const id of conversations) {
          const onServer = world.drafts.get(id)?.text ?? ''
          expect(devices.map((device) => [device.text(id), device.other(id)])).toEqual([
            [onServer, null],
            [onServer, null],
          ])
          for (const [text, conversation] of alive) if (conversation === id) expect(has(onServer, text)).toBe(true)
        }
        for (const device of devices) device.stop()
      }),
      { seed: 1717, numRuns: 150 },
    )
  })
})
