import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { appMachine, selectSession } from '../../src/machines/app.ts'
import type { SavedInbox } from '../../src/schemas/saved-inbox.ts'
import { useAuth } from '../../src/views/actors.tsx'
import { everyMove, titleOf } from '../model/hand-model.ts'
import { createCoverage, followByHand } from '../model/harness.ts'
import { ana, promoted } from '../model/session/auth-fixture.ts'
import { type ShownApp, showApp } from './app-harness.tsx'
import { found } from './found.ts'
import { expectToasts } from './shown-toasts.ts'

vi.mock('../../src/views/shell/InboxScreen.tsx', () => ({
  InboxScreen: function InboxScreen() {
    const auth = useAuth()
    return (
      <button type="button" onClick={() => auth.send({ type: 'signOut.requested' })}>
        Sign out of the inbox
      </button>
    )
  },
}))

const coverage = createCoverage(appMachine)

type Place = 'starting' | 'login' | 'loading' | 'broken' | 'inbox'

/** What the screen shows in each state. `status` is the message shown instead of a page. */
const screens = {
  starting: { status: 'Loading…', form: false, inbox: false, alert: false },
  login: { status: null, form: true, inbox: false, alert: false },
  loading: { status: 'Loading…', form: false, inbox: false, alert: false },
  broken: { status: null, form: false, inbox: false, alert: true },
  inbox: { status: null, form: false, inbox: true, alert: false },
} as const satisfies Record<Place, unknown>

const seen = () => ({
  status: screen.queryByText(/^(Loading|Connecting)…$/)?.textContent ?? null,
  form: screen.queryByRole('form', { name: 'Sign in' }) !== null,
  inbox: screen.queryByText('Sign out of the inbox') !== null,
  alert: screen.queryByRole('button', { name: 'Load again' }) !== null,
})

type World = { app: ShownApp; session: number }
type Deed = { to: Place; run: (world: World) => unknown; expires?: true }

const signsInAs =
  (user: typeof ana) =>
  async ({ app, session }: World) => {
    await app.provider.resolve(true)
    await app.exchange.resolve({ user, session })
  }

const leave = async ({ app }: World) => {
  fireEvent.click(screen.getByText('Sign out of the inbox'))
  await app.end.resolve()
}

const anotherTab = (world: World) => {
  world.session += 1
  world.app.actor.send({ type: 'tokens.changed', session: world.session })
}

const refused = async ({ app, session }: World) => {
  app.actor.send({ type: 'session.refused', session })
  await app.end.resolve()
}

/** Spec sections 2 and 4: every sign-in event in each state, and the state it leads to. */
const deeds: Readonly<Record<Place, Readonly<Record<string, Deed>>>> = {
  starting: {
    'nobody is signed in': {
      to: 'login',
      run: async ({ app }) => {
        await app.provider.resolve(false)
        await app.me.resolve(null)
      },
    },
    'somebody is': { to: 'loading', run: signsInAs(ana) },
  },
  login: {
    'a person signs in': {
      to: 'loading',
      run: async (world) => {
        world.session += 1
        fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ana@example.com' } })
        fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } })
        fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
        await world.app.password.resolve()
        await world.app.exchange.resolve({ user: ana, session: world.session })
      },
    },
    'another tab signs in': { to: 'starting', run: anotherTab },
  },
  loading: {
    'the code comes': { to: 'inbox', run: ({ app }) => app.code.come() },
    'the code does not come': { to: 'broken', run: ({ app }) => app.code.fail() },
    'the session is refused': { to: 'login', run: refused, expires: true },
    'another tab signs in': { to: 'starting', run: anotherTab },
  },
  inbox: {
    'a person signs out': { to: 'login', run: leave },
    'the session is refused': { to: 'login', run: refused, expires: true },
    'another tab signs in': { to: 'starting', run: anotherTab },
    'another tab signs out': {
      to: 'login',
      run: async ({ app }) => {
        app.actor.send({ type: 'tokens.changed', session: null })
        await app.end.resolve()
      },
    },
    'a refresh finds the same person': {
      to: 'inbox',
      run: async ({ app, session }) => {
        app.actor.send({ type: 'refresh.requested' })
        await app.refresh.resolve({ user: promoted, session })
      },
    },
    'a refresh finds another session': {
      to: 'loading',
      run: async (world) => {
        world.session += 1
        world.app.actor.send({ type: 'refresh.requested' })
        await world.app.refresh.resolve({ user: promoted, session: world.session })
      },
    },
    'auth goes straight to somebody else': {
      to: 'loading',
      run: (world) => {
        world.session += 1
        world.app.app.send({ type: 'auth.signedIn', user: promoted, session: world.session })
      },
    },
    'the session breaks': {
      to: 'broken',
      run: ({ app }) => {
        const session = selectSession(app.app.getSnapshot())
        if (session) app.app.send({ type: 'xstate.error.actor.session', error: new Error('broken') })
      },
    },
  },
  broken: { 'the session is refused': { to: 'login', run: refused, expires: true } },
}

const moves = (place: Place) => Object.fromEntries(Object.entries(deeds[place]).map(([name, { to }]) => [name, to]))

describe('The page shows the state of the app', () => {
  const paths = everyMove<Place>('starting', moves).map((path) => [titleOf(path), path] as const)

  it.each(paths)(
    'when %s',
    async (_, path) => {
      const app = await showApp('/u1', coverage.inspect, { holdsSession: true })
      const world: World = { app, session: 1 }
      expect(seen()).toEqual(screens.starting)
      let hasExpired = false
      await followByHand(
        appMachine,
        path.map(({ name, from, place }) => ({
          name,
          run: () => act(async () => found(deeds[from][name], name).run(world)),
          check: async () => {
            hasExpired ||= deeds[from][name]?.expires === true
            expect(seen()).toEqual(screens[place])
            // A session exists only while a user is signed in, and the address is one of that user.
            expect(selectSession(app.app.getSnapshot()) !== undefined).toBe(screens[place].inbox)
            if (screens[place].form) expect(app.paths.at(-1)).toBe('/login')
            if (screens[place].inbox) expect(app.paths.at(-1)).toMatch(/^\/(u1)?$/)
            await expectToasts(hasExpired ? ['error: Session expired. Please log in again.'] : [])
          },
        })),
      )
      app.stop()
    },
    60_000,
  )

  const saved: SavedInbox = {
    user: ana,
    conversations: [],
    list: { ids: [], total: 0, hasNext: false },
    thread: null,
  }

  it.each<[string, (app: ShownApp) => Promise<unknown>, Place]>([
    ['auth confirms the same person', (app) => signsInAs(ana)({ app, session: 1 }), 'inbox'],
    ['the person signs out', (app) => leave({ app, session: 1 }), 'login'],
    ['another tab signs in another person', async (app) => anotherTab({ app, session: 1 }), 'starting'],
    [
      'the session breaks',
      async (app) => app.app.send({ type: 'xstate.error.actor.session', error: new Error('broken') } as never),
      'broken',
    ],
  ])('shows a saved inbox before auth responds, until %s', async (_, happens, place) => {
    const answers = [saved]
    const app = await showApp('/u1', coverage.inspect, { readSavedInbox: async () => answers.shift() ?? null })
    expect(seen()).toEqual(screens.inbox)
    await act(async () => happens(app))
    expect(seen()).toEqual(screens[place])
    app.stop()
  })

  it('shows no saved inbox if another tab signs in while the code of the session loads', async () => {
    const answers = [saved]
    const readSavedInbox = async () => answers.shift() ?? null
    const app = await showApp('/u1', coverage.inspect, { holdsSession: true, readSavedInbox })
    await act(async () => anotherTab({ app, session: 1 }))
    await act(async () => app.code.come())
    expect(seen()).toEqual(screens.starting)
    app.stop()
  })

  it('starts without a saved inbox if the browser storage fails or hangs, or the code does not arrive', async () => {
    for (const readSavedInbox of [() => Promise.reject(new Error('blocked')), () => new Promise<never>(() => {})]) {
      const app = await showApp('/u1', coverage.inspect, { readSavedInbox })
      await act(async () => app.clock.increment(500))
      expect(seen()).toEqual(screens.starting)
      await act(() => signsInAs(ana)({ app, session: 1 }))
      await act(async () => app.clock.increment(500))
      expect(seen()).toEqual(screens.inbox)
      app.stop()
      cleanup()
    }
    const app = await showApp('/u1', coverage.inspect, { holdsSession: true, readSavedInbox: async () => saved })
    await act(async () => app.code.fail())
    expect(seen()).toEqual(screens.starting)
    app.stop()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
