import { describe, expect, it } from 'vitest'
import { type ActorRefFrom, createActor, SimulatedClock } from 'xstate'
import { composeApp } from '../../src/compose-app.ts'
// Loaded here because the app loads it on demand, which takes real time.
import '../../src/compose-session.ts'
import { appMachine, selectPhase, selectSession } from '../../src/machines/app.ts'
import type { AuthActor } from '../../src/machines/session/auth.ts'
import type { SessionServices } from '../../src/services-port.ts'
import { fakeSessionServices } from '../fake-services.ts'
import { createCoverage, settled } from './harness.ts'
import { ana, controlAuth, promoted } from './session/auth-fixture.ts'

const coverage = createCoverage(appMachine)

function start({ loadSessionServices = async () => fakeSessionServices() } = {}) {
  const { services, ...auth } = controlAuth()
  const clock = new SimulatedClock()
  const app: ActorRefFrom<typeof appMachine> = createActor(composeApp({ ...services, loadSessionServices }), {
    input: { now: () => clock.now() },
    clock,
    systemId: 'app',
    inspect: coverage.inspect,
  }).start()
  const authActor: AuthActor = app.system.get('auth')
  return {
    ...auth,
    app,
    authActor,
    phase: () => selectPhase(app.getSnapshot()),
    session: () => selectSession(app.getSnapshot()),
    signIn: async (session = 1) => {
      await auth.provider.resolve(true)
      await auth.exchange.resolve({ user: ana, session })
    },
  }
}

describe('the app', () => {
  it('is starting until auth knows who is there', async () => {
    const { phase, session, provider } = start()
    expect([phase(), session()]).toEqual(['starting', undefined])
    await provider.resolve(true)
    expect([phase(), session()]).toEqual(['starting', undefined])
  })

  it('has no session while nobody is signed in', async () => {
    const { phase, session, provider, me } = start()
    await provider.resolve(false)
    await me.resolve(null)
    expect([phase(), session()]).toEqual(['signedOut', undefined])
  })

  it('gives whoever signs in a session of their own', async () => {
    const { phase, session, signIn } = start()
    await signIn()
    expect([phase(), session()?.getSnapshot().context.user]).toEqual(['signedIn', ana])
  })

  it('is starting until the code of the session has come', async () => {
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

  it('keeps the session through a refresh, whatever comes of it', async () => {
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

  it('ends the session, and all that lives in it, at the moment of signing out', async () => {
    const { app, authActor, phase, session, signIn } = start()
    await signIn()
    const before = session()
    const children = Object.values(before?.getSnapshot().children ?? {})
    authActor.send({ type: 'signOut.requested' })
    expect([phase(), session(), before?.getSnapshot().status]).toEqual(['signedOut', undefined, 'stopped'])
    expect(children.map((child) => child?.getSnapshot().status)).toEqual(children.map(() => 'stopped'))
    expect(app.getSnapshot().context.identity).toBe(null)
  })

  it('takes the session down while it asks who another tab signed in, and starts another', async () => {
    const { app, authActor, phase, session, signIn } = start()
    await signIn()
    const before = session()
    authActor.send({ type: 'tokens.changed', session: 2 })
    expect([phase(), session(), app.getSnapshot().context.identity]).toEqual(['starting', undefined, null])
    await signIn(2)
    expect([phase(), session() === before, before?.getSnapshot().status]).toEqual(['signedIn', false, 'stopped'])
  })

  it('goes back to starting when another tab signs in at the form', async () => {
    const { authActor, phase, provider, me } = start()
    await provider.resolve(false)
    await me.resolve(null)
    authActor.send({ type: 'tokens.changed', session: 1 })
    expect(phase()).toBe('starting')
  })

  it('starts another session where auth goes straight from one to the next', async () => {
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

  it('does not die of a session that breaks, and can still sign out', async () => {
    const { app, authActor, phase, signIn } = start()
    await signIn()
    app.send({ type: 'xstate.error.actor.session', error: new Error('broken') } as never)
    expect([phase(), app.getSnapshot().status]).toEqual(['broken', 'active'])
    authActor.send({ type: 'signOut.requested' })
    expect(phase()).toBe('signedOut')
  })

  it('is broken when the code of the session cannot be loaded, until somebody signs in anew', async () => {
    const { phase, session, signIn } = start({ loadSessionServices: () => Promise.reject(new Error('no answer')) })
    await signIn()
    await settled()
    expect([phase(), session()]).toEqual(['broken', undefined])
  })

  it('entered every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
