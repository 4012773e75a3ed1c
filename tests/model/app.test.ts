import { describe, expect, it } from 'vitest'
import { type ActorRefFrom, createActor, SimulatedClock } from 'xstate'
import { composeApp } from '../../src/compose-app.ts'
// Imported statically, because the dynamic import of the app takes real time.
import '../../src/compose-session.ts'
import { appMachine, selectPhase, selectSession } from '../../src/machines/app.ts'
import type { AuthActor } from '../../src/machines/session/auth.ts'
import type { SavedInbox } from '../../src/schemas/saved-inbox.ts'
import type { SessionServices } from '../../src/services-port.ts'
import { fakeSessionServices } from '../fake-services.ts'
import { createCoverage, settled } from './harness.ts'
import { row } from './inbox-fixture.ts'
import { ana, controlAuth, promoted } from './session/auth-fixture.ts'

const coverage = createCoverage(appMachine)

const saved: SavedInbox = {
  user: ana,
  conversations: [row('c1', 10)],
  list: { ids: ['c1'], total: 1, hasNext: false },
  thread: null,
}

function start({
  loadSessionServices = async () => fakeSessionServices(),
  readSavedInbox = async (): Promise<SavedInbox | null> => null,
} = {}) {
  const { services, ...auth } = controlAuth()
  let clearings = 0
  const clear = async () => {
    clearings += 1
  }
  const deviceCache = { ...services.deviceCache, read: readSavedInbox, clear }
  const clock = new SimulatedClock()
  const app: ActorRefFrom<typeof appMachine> = createActor(
    composeApp({ ...services, deviceCache, loadSessionServices }),
    { input: { now: () => clock.now() }, clock, systemId: 'app', inspect: coverage.inspect },
  ).start()
  const authActor: AuthActor = app.system.get('auth')
  return {
    ...auth,
    app,
    clock,
    authActor,
    clearings: () => clearings,
    phase: () => selectPhase(app.getSnapshot()),
    session: () => selectSession(app.getSnapshot()),
    signIn: async (session = 1) => {
      await auth.provider.resolve(true)
      await auth.exchange.resolve({ user: ana, session })
    },
  }
}

describe('the app', () => {
  it('is starting until auth has identified the user', async () => {
    const { phase, session, provider } = start()
    expect([phase(), session()]).toEqual(['starting', undefined])
    await provider.resolve(true)
    expect([phase(), session()]).toEqual(['starting', undefined])
  })

  it('has no session while no user is signed in', async () => {
    const { phase, session, provider, me } = start()
    await provider.resolve(false)
    await me.resolve(null)
    expect([phase(), session()]).toEqual(['signedOut', undefined])
  })

  it('starts a new session for each user who signs in', async () => {
    const { phase, session, signIn } = start()
    await signIn()
    expect([phase(), session()?.getSnapshot().context.user]).toEqual(['signedIn', ana])
  })

  it('is starting until the code of the session is loaded', async () => {
    let come = (_: SessionServices) => {}
    const code = new Promise<SessionServices>((resolve) => {
      come = resolve
    })
    const { phase, session, signIn } = start({ loadSessionServices: () => code })
    await signIn()
    const before = [phase(), session()]
    come(fakeSessionServices())
    await settled()
    expect([before, phase()]).toEqual([['starting', undefined], 'signedIn'])
  })

  it('keeps the session during a token refresh, whatever its result', async () => {
    const { authActor, session, signIn, refresh } = start()
    await signIn()
    const before = session()
    authActor.send({ type: 'refresh.requested' })
    await refresh.reject(new Error('no answer'))
    expect(session()).toBe(before)
    authActor.send({ type: 'connection.returned' })
    await refresh.resolve({ user: promoted, session: 1 })
    expect([session() === before, session()?.getSnapshot().status]).toEqual([true, 'active'])
  })

  it('stops the session and its children at the moment of the sign-out', async () => {
    const { app, authActor, phase, session, signIn } = start()
    await signIn()
    const before = session()
    const children = Object.values(before?.getSnapshot().children ?? {})
    authActor.send({ type: 'signOut.requested' })
    expect([phase(), session(), before?.getSnapshot().status]).toEqual(['signedOut', undefined, 'stopped'])
    expect(children.map((child) => child?.getSnapshot().status)).toEqual(children.map(() => 'stopped'))
    expect(app.getSnapshot().context.signedIn).toBe(null)
  })

  it('stops the session while it identifies the user of another tab, then starts a new one', async () => {
    const { app, authActor, phase, session, signIn } = start()
    await signIn()
    const before = session()
    authActor.send({ type: 'tokens.changed', session: 2 })
    expect([phase(), session(), app.getSnapshot().context.signedIn]).toEqual(['starting', undefined, null])
    await signIn(2)
    expect([phase(), session() === before, before?.getSnapshot().status]).toEqual(['signedIn', false, 'stopped'])
  })

  it('returns to starting when another tab signs in while this tab shows the form', async () => {
    const { authActor, phase, provider, me } = start()
    await provider.resolve(false)
    await me.resolve(null)
    authActor.send({ type: 'tokens.changed', session: 1 })
    expect(phase()).toBe('starting')
  })

  it('starts a new session if auth changes directly from one session to the next', async () => {
    const { app, session, signIn } = start()
    await signIn()
    const before = session()
    app.send({ type: 'auth.signedIn', user: promoted, session: 2 })
    expect(session()).toBeUndefined()
    await settled()
    expect([session() === before, session()?.getSnapshot().context.user]).toEqual([false, promoted])
  })

  it('signs in from the form', async () => {
    const { authActor, phase, provider, me, password, exchange } = start()
    await provider.resolve(false)
    await me.resolve(null)
    authActor.send({ type: 'signIn.requested', email: 'ana@example.com', password: 'x' })
    expect(phase()).toBe('signedOut')
    await password.resolve()
    await exchange.resolve({ user: ana, session: 1 })
    expect(phase()).toBe('signedIn')
  })

  it('survives a session that throws an error, and can still sign out', async () => {
    const { app, authActor, phase, signIn } = start()
    await signIn()
    app.send({ type: 'xstate.error.actor.session', error: new Error('broken') } as never)
    expect([phase(), app.getSnapshot().status]).toEqual(['broken', 'active'])
    authActor.send({ type: 'signOut.requested' })
    expect(phase()).toBe('signedOut')
  })

  it('is broken if the code of the session cannot be loaded, until the next sign-in', async () => {
    const { phase, session, signIn } = start({ loadSessionServices: () => Promise.reject(new Error('no answer')) })
    await signIn()
    await settled()
    expect([phase(), session()]).toEqual(['broken', undefined])
  })

  describe('with a saved inbox', () => {
    const recalled = async (settings: Parameters<typeof start>[0] = {}) => {
      const sut = start({ readSavedInbox: async () => saved, ...settings })
      await settled()
      return sut
    }

    it('shows the saved inbox during the start, and keeps its session if auth confirms the user', async () => {
      const sut = await recalled()
      const shown = sut.session()
      expect([sut.phase(), shown?.getSnapshot().context.user, sut.app.getSnapshot().context.signedIn]).toEqual([
        'signedIn',
        ana,
        null,
      ])
      const named = { ...ana, role: 'administrator', deviceCache: true }
      await sut.provider.resolve(true)
      await sut.exchange.resolve({ user: named, session: 1 })
      expect([sut.session() === shown, shown?.getSnapshot().context.user]).toEqual([true, named])
      expect(sut.clearings()).toBe(0)
    })

    it('shows the saved inbox even if the browser reads it slowly, as long as auth has no answer', async () => {
      const read = Promise.withResolvers<SavedInbox | null>()
      const sut = await recalled({ readSavedInbox: () => read.promise })
      sut.clock.increment(10_000)
      read.resolve(saved)
      await settled()
      expect([sut.phase(), sut.app.getSnapshot().context.signedIn]).toEqual(['signedIn', null])
    })

    it('stops its session if auth names another user or none, and deletes the saved inbox if none', async () => {
      const other = await recalled()
      const shown = other.session()
      await other.provider.resolve(true)
      await other.exchange.resolve({ user: { ...ana, id: 'u2' }, session: 1 })
      expect([shown?.getSnapshot().status, other.app.getSnapshot().context.saved]).toEqual(['stopped', null])

      const nobody = await recalled()
      await nobody.provider.resolve(false)
      await nobody.me.resolve(null)
      expect([nobody.phase(), nobody.session(), nobody.clearings()]).toEqual(['signedOut', undefined, 1])
    })

    it('stops its session at once when another tab changes the stored session', async () => {
      const answers = [saved, null]
      const sut = await recalled({ readSavedInbox: async () => answers.shift() ?? null })
      const shown = sut.session()
      sut.authActor.send({ type: 'tokens.changed', session: 2 })
      expect([sut.phase(), shown?.getSnapshot().status]).toEqual(['starting', 'stopped'])
      await settled()
      expect(sut.phase()).toBe('starting')
    })

    it('does not show the saved inbox if another tab changes the stored session while the code loads', async () => {
      const answers = [saved, null]
      const arrived = Promise.withResolvers<SessionServices>()
      const sut = start({
        readSavedInbox: async () => answers.shift() ?? null,
        loadSessionServices: () => arrived.promise,
      })
      await settled()
      sut.authActor.send({ type: 'tokens.changed', session: 2 })
      arrived.resolve(fakeSessionServices())
      await settled()
      expect([sut.phase(), sut.session(), answers]).toEqual(['starting', undefined, []])
    })

    it('can sign out', async () => {
      const sut = await recalled()
      sut.authActor.send({ type: 'signOut.requested' })
      expect([sut.phase(), sut.session(), sut.clearings()]).toEqual(['signedOut', undefined, 1])
    })

    it('is broken if its session breaks', async () => {
      const sut = await recalled()
      sut.app.send({ type: 'xstate.error.actor.session', error: new Error('broken') } as never)
      expect([sut.phase(), sut.session()]).toEqual(['broken', undefined])
    })

    it('starts without the saved inbox if the browser does not answer, or if the code does not arrive', async () => {
      const failing = await recalled({ readSavedInbox: () => Promise.reject(new Error('blocked')) })
      await failing.signIn()
      await settled()
      expect(failing.phase()).toBe('signedIn')

      const silent = await recalled({ readSavedInbox: () => new Promise(() => {}) })
      silent.clock.increment(500)
      expect(silent.phase()).toBe('starting')
      await silent.signIn()
      silent.clock.increment(500)
      await settled()
      expect(silent.phase()).toBe('signedIn')

      const codeless = await recalled({ loadSessionServices: () => Promise.reject(new Error('no answer')) })
      expect([codeless.phase(), codeless.session()]).toEqual(['starting', undefined])
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
