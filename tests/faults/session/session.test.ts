import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { contentOf, createArea } from '../memory-storage.ts'
import { migrationOf } from './migration-of.ts'
import { createBrowser, createWorld, openTab, quiet, start, type World } from './session-world.ts'

/** At least one test for each row of the table of faults, "Sign-in and session". */

const work = z.object({ data: z.object({ of: z.string() }) })
const ask = (tab: ReturnType<typeof openTab>) => tab.http.get('/work', { schema: work })

const stored = (world: World, personAt = 0) => {
  const person = world.people[personAt]
  if (!person) throw new Error('there is nobody')
  const { token, refreshToken } = world.issue(person)
  return { token, refreshToken, tokenTimestamp: String(world.now()) }
}

type Tab = ReturnType<typeof openTab>

const signIn = async (tab: Tab, email = 'ana@example.com', password = 'ana') => {
  tab.actor.send({ type: 'signIn.requested', email, password })
  await quiet()
}

async function signedIn(settings: Partial<Parameters<typeof openTab>[0]> = {}) {
  const world = settings.world ?? createWorld()
  const browser = settings.browser ?? createBrowser(createArea(stored(world)))
  const tab = openTab({ ...settings, world, browser })
  await quiet()
  expect([tab.phase(), tab.user()]).toEqual(['signedIn', 'u1'])
  return { world, browser, tab }
}

const passes = async (world: World, milliseconds: number) => {
  world.clock.increment(milliseconds)
  await quiet()
}
const minutes = 60_000

describe('A token that expired before the start', () => {
  it('is refreshed while only the splash is shown', async () => {
    const world = createWorld()
    const area = createArea(stored(world))
    world.clock.increment(20 * minutes)
    world.endAccessTokens()
    const tab = openTab({ world, browser: createBrowser(area) })
    await quiet()
    expect([tab.phases, tab.user(), world.calls]).toEqual([
      ['starting', 'signedIn'],
      'u1',
      ['GET /auth/me', 'POST /auth/refresh', 'GET /auth/me'],
    ])
  })

  it('is cleared, with nobody signed in, if the refresh is refused', async () => {
    const world = createWorld()
    const area = createArea(stored(world))
    world.endAccessTokens()
    world.endRefreshTokens()
    const tab = openTab({ world, browser: createBrowser(area) })
    await quiet()
    expect([tab.phases, tab.user(), contentOf(area), tab.toasts()]).toEqual([['starting', 'signedOut'], null, {}, []])
  })
})

describe('Two tabs that refresh at once', () => {
  it('use the refresh token once and both stay signed in', async () => {
    const { world, browser, tab } = await signedIn()
    const other = openTab({ world, browser })
    await quiet()
    world.endAccessTokens()
    const answers = await Promise.all([ask(tab), ask(other)])
    await quiet()
    expect([answers.map(({ data }) => data.of), tab.phase(), other.phase()]).toEqual([
      ['u1', 'u1'],
      'signedIn',
      'signedIn',
    ])
    expect(world.count('POST /auth/refresh')).toBe(1)
  })

  it('send one refresh for ten calls of each tab', async () => {
    const { world, browser, tab } = await signedIn()
    const other = openTab({ world, browser })
    await quiet()
    world.clock.increment(11 * minutes)
    await Promise.all(Array.from({ length: 10 }, () => [ask(tab), ask(other)]).flat())
    expect(world.count('POST /auth/refresh')).toBe(1)
  })
})

describe('A failed refresh', () => {
  it.each(['offline', 500, 503] as const)('with %s keeps the session and is retried from 200 ms', async (fault) => {
    const { world, tab } = await signedIn()
    const session = tab.session()
    world.endAccessTokens()
    world.fault = fault
    world.faultAt = '/auth/refresh'
    await expect(ask(tab)).rejects.toMatchObject({ method: 'POST', path: '/auth/refresh' })
    const tries = [world.count('POST /auth/refresh')]
    for (const wait of [199, 1, 399, 1, 800]) {
      await passes(world, wait)
      tries.push(world.count('POST /auth/refresh'))
    }
    expect(tries).toEqual([1, 1, 2, 2, 3, 4])
    world.fault = null
    await passes(world, 1_600)
    expect([tab.session() === session, (await ask(tab)).data.of, tab.toasts()]).toEqual([true, 'u1', []])
  })

  it('during two minutes offline keeps the session, although the token becomes due', async () => {
    const { world, tab } = await signedIn()
    const session = tab.session()
    await passes(world, 14 * minutes)
    world.fault = 'offline'
    await expect(ask(tab)).rejects.toMatchObject({ kind: 'noAnswer' })
    for (let second = 0; second < 120; second += 1) await passes(world, 1_000)
    world.endAccessTokens()
    expect([tab.phase(), tab.session() === session]).toEqual(['signedIn', true])
    world.fault = null
    tab.window.dispatchEvent(new Event('online'))
    await quiet()
    expect([(await ask(tab)).data.of, tab.session() === session, tab.toasts()]).toEqual(['u1', true, []])
  })

  it('ends the session only after a refusal, once and with a message', async () => {
    const { world, tab } = await signedIn()
    world.endAccessTokens()
    world.endRefreshTokens()
    await Promise.allSettled([ask(tab), ask(tab), ask(tab)])
    await quiet()
    expect([tab.phase(), tab.toasts(), contentOf(tab.area), world.count('POST /auth/refresh')]).toEqual([
      'signedOut',
      ['Session expired. Please log in again.'],
      {},
      1,
    ])
  })
})

describe('A session on a machine with a wrong clock', () => {
  it.each([
    ['an hour fast', 60 * minutes],
    ['an hour slow', -60 * minutes],
  ])('%s refreshes when the token is due, without a refresh loop', async (_, clockError) => {
    const world = createWorld()
    const tab = openTab({ world, clockError })
    await quiet()
    await signIn(tab)
    for (let call = 0; call < 5; call += 1) await ask(tab)
    expect(world.count('POST /auth/refresh')).toBe(0)
    await passes(world, 11 * minutes)
    for (let call = 0; call < 5; call += 1) await ask(tab)
    expect([world.count('POST /auth/refresh'), tab.phase()]).toEqual([1, 'signedIn'])
  })

  it('that is corrected during the session refreshes after a 401 of the server', async () => {
    const { world, tab } = await signedIn({ clockError: -60 * minutes })
    world.endAccessTokens()
    expect((await ask(tab)).data.of).toBe('u1')
    expect(world.count('POST /auth/refresh')).toBe(1)
  })

  it('and tokens without an issue time has no refresh loop', async () => {
    const world = createWorld()
    world.tellsIssue = false
    const tab = openTab({ world, clockError: 60 * minutes })
    await quiet()
    await signIn(tab)
    for (let call = 0; call < 5; call += 1) await ask(tab)
    expect([world.count('POST /auth/refresh'), tab.phase()]).toEqual([0, 'signedIn'])
    world.endAccessTokens()
    await ask(tab)
    expect([world.count('POST /auth/refresh'), tab.phase()]).toEqual([1, 'signedIn'])
  })
})

describe('Browser storage', () => {
  const notice = 'This browser cannot keep you signed in. After you close this tab, you will have to sign in again.'
  const refusing = (...methods: (keyof Storage)[]): Storage => {
    const refuse = () => {
      throw new DOMException('no', 'QuotaExceededError')
    }
    return Object.assign(createArea(), Object.fromEntries(methods.map((method) => [method, refuse])))
  }

  it.each([
    ['blocked', refusing('getItem', 'setItem', 'removeItem')],
    ['full', refusing('setItem')],
  ])('that is %s keeps the session in memory and shows one notice', async (_, area) => {
    const world = createWorld()
    const tab = openTab({ world, browser: createBrowser(area) })
    await quiet()
    await signIn(tab)
    expect([(await ask(tab)).data.of, tab.phase(), tab.toasts()]).toEqual(['u1', 'signedIn', [notice]])
    world.endAccessTokens()
    expect((await ask(tab)).data.of).toBe('u1')
    tab.actor.send({ type: 'signOut.requested' })
    await quiet()
    expect([tab.phase(), tab.toasts()]).toEqual(['signedOut', [notice]])
  })

  it('that is corrupt is cleared, and the person can sign in again', async () => {
    const area = createArea({ token: 'two words', refreshToken: '\u0000', tokenTimestamp: 'yesterday' })
    const world = createWorld()
    const tab = openTab({ world, browser: createBrowser(area) })
    await quiet()
    expect([tab.phase(), tab.stored().token, tab.toasts()]).toEqual(['signedOut', null, []])
    await signIn(tab)
    expect([tab.phase(), contentOf(area)['tokenTimestamp']]).toEqual(['signedIn', String(start)])
  })
})

describe('Another tab', () => {
  it('that signs out also ends the session of this tab, with one call to the server', async () => {
    const { world, browser, tab } = await signedIn()
    const other = openTab({ world, browser })
    await quiet()
    const session = tab.session()
    other.actor.send({ type: 'signOut.requested' })
    await quiet()
    expect([tab.phase(), tab.user(), session?.getSnapshot().status, tab.toasts()]).toEqual([
      'signedOut',
      null,
      'stopped',
      [],
    ])
    expect(world.count('POST /auth/logout')).toBe(1)
  })

  it('that signs in as another person makes this tab drop its data and switch to that person', async () => {
    const { world, browser, tab } = await signedIn()
    const before = tab.session()
    const { token, refreshToken } = stored(world, 1)
    browser.area.setItem('refreshToken', refreshToken)
    browser.area.setItem('token', token)
    tab.window.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
    expect([tab.user(), before?.getSnapshot().status, tab.session()]).toEqual([null, 'stopped', undefined])
    await quiet()
    expect([tab.user(), tab.phase(), tab.phases.slice(-2)]).toEqual(['u2', 'signedIn', ['starting', 'signedIn']])
  })

  it('that signs in does not cause a running call to be repeated with its token', async () => {
    const { world, browser, tab } = await signedIn()
    world.endAccessTokens()
    const { token, refreshToken } = stored(world, 1)
    const call = ask(tab)
    browser.area.setItem('refreshToken', refreshToken)
    browser.area.setItem('token', token)
    tab.window.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
    await expect(call).rejects.toMatchObject({ kind: 'aborted' })
    expect(world.count('GET /work')).toBe(1)
  })

  it('that signs in also signs this tab in', async () => {
    const world = createWorld()
    const browser = createBrowser()
    const [tab, other] = [openTab({ world, browser }), openTab({ world, browser })]
    await quiet()
    await signIn(other)
    expect([tab.phase(), tab.user()]).toEqual(['signedIn', 'u1'])
  })
})

describe('Another tab that signs in while this tab', () => {
  const benSignsIn = (world: World, browser: ReturnType<typeof createBrowser>) => {
    const { token, refreshToken } = stored(world, 1)
    browser.area.setItem('refreshToken', refreshToken)
    browser.area.setItem('token', token)
    browser.area.setItem('supabase.auth.token', 'u2')
    return token
  }
  const hears = async (tab: Tab) => {
    tab.window.dispatchEvent(Object.assign(new Event('storage'), { key: 'token' }))
    await quiet()
  }

  it('is refused keeps its tokens, which also sign this tab in', async () => {
    const { world, browser, tab } = await signedIn()
    world.endAccessTokens()
    world.endRefreshTokens()
    const token = benSignsIn(world, browser)
    tab.actor.send({ type: 'session.refused', session: tab.actor.getSnapshot().context.session ?? 0 })
    expect([tab.phase(), tab.stored()]).toEqual(['signedOut', { token, provider: 'u2' }])
    await hears(tab)
    expect([tab.phase(), tab.user()]).toEqual(['signedIn', 'u2'])
  })

  it('signs out keeps its tokens', async () => {
    const { world, browser, tab } = await signedIn()
    const token = benSignsIn(world, browser)
    tab.actor.send({ type: 'signOut.requested' })
    expect([tab.phase(), tab.stored().token, world.count('POST /auth/logout')]).toEqual(['signedOut', token, 1])
    await hears(tab)
    expect([tab.phase(), tab.user()]).toEqual(['signedIn', 'u2'])
  })

  it('also signs in determines the session, and later answers here do not change it', async () => {
    const world = createWorld()
    const browser = createBrowser()
    const tab = openTab({ world, browser })
    await quiet()
    tab.actor.send({ type: 'signIn.requested', email: 'ana@example.com', password: 'wrong' })
    benSignsIn(world, browser)
    await hears(tab)
    expect([tab.phase(), tab.user(), tab.form(), tab.stored().provider]).toEqual(['signedIn', 'u2', null, 'u2'])
  })
})

describe('A migration that was interrupted after the sign-up', () => {
  const legacy = { email: 'old@example.com', password: 'old' }
  const choose = async (tab: Tab, password: string) => {
    migrationOf(tab.actor)?.send({ type: 'migration.submitted', password, repeatedPassword: password })
    await quiet()
  }

  it('gets "already registered" on the next attempt, signs in and completes', async () => {
    const world = createWorld()
    const browser = createBrowser()
    const first = openTab({ world, browser })
    await quiet()
    await signIn(first, legacy.email, legacy.password)
    expect(first.form()).toBe('Please set a new password to continue')
    world.fault = 'offline'
    world.faultAt = '/auth/complete-migration'
    await choose(first, 'new password')
    expect(migrationOf(first.actor)?.getSnapshot().value).toBe('interrupted')
    first.close()
    browser.area.clear()
    world.fault = null
    const before = world.calls.length

    const second = openTab({ world, browser })
    await quiet()
    await signIn(second, legacy.email, legacy.password)
    await choose(second, 'new password')
    expect([second.phase(), second.user()]).toEqual(['signedIn', 'u3'])
    expect(world.calls.slice(before)).toEqual([
      'provider: sign in',
      'POST /auth/check-migration',
      'provider: sign up',
      'provider: sign in',
      'POST /auth/complete-migration',
      'POST /auth/supabase-login',
    ])
  })

  it('resumes from the failed step while the dialog is open', async () => {
    const world = createWorld()
    const tab = openTab({ world })
    await quiet()
    await signIn(tab, legacy.email, legacy.password)
    world.fault = 503
    world.faultAt = '/auth/complete-migration'
    await choose(tab, 'new password')
    world.fault = null
    migrationOf(tab.actor)?.send({ type: 'migration.resumed' })
    await quiet()
    expect([tab.phase(), tab.user(), world.count('provider: sign up')]).toEqual(['signedIn', 'u3', 1])
  })

  it('leaves no provider session in storage after Cancel', async () => {
    const world = createWorld()
    const tab = openTab({ world })
    await quiet()
    await signIn(tab, legacy.email, legacy.password)
    world.fault = 'offline'
    world.faultAt = '/auth/complete-migration'
    await choose(tab, 'new password')
    expect(tab.stored().provider).toBe('u3')
    migrationOf(tab.actor)?.send({ type: 'dialog.dismissed' })
    await quiet()
    expect([tab.phase(), contentOf(tab.area)]).toEqual(['signedOut', {}])
  })
})

describe('The sign-out', () => {
  it.each(['offline', 500] as const)(
    'clears all local data at once, even if its call to the server fails (%s)',
    async (fault) => {
      const world = createWorld()
      const tab = openTab({ world })
      await quiet()
      await signIn(tab)
      world.fault = fault
      tab.actor.send({ type: 'signOut.requested' })
      expect([tab.phase(), contentOf(tab.area)]).toEqual(['signedOut', {}])
      await quiet()
      expect([tab.phase(), tab.user(), contentOf(tab.area), tab.toasts()]).toEqual(['signedOut', null, {}, []])
      const calls = world.calls.length
      await passes(world, 10 * minutes)
      expect(world.calls.length).toBe(calls)
    },
  )

  it('leaves no actor of the session running and no token for a call', async () => {
    const { world, tab } = await signedIn()
    const session = tab.session()
    const children = Object.values(session?.getSnapshot().children ?? {})
    expect(children.length).toBeGreaterThan(4)
    tab.actor.send({ type: 'signOut.requested' })
    await quiet()
    expect([session?.getSnapshot().status, ...children.map((child) => child?.getSnapshot().status)]).toEqual([
      'stopped',
      ...children.map(() => 'stopped'),
    ])
    await expect(ask(tab)).rejects.toMatchObject({ status: 401 })
    expect(world.count('POST /auth/refresh')).toBe(0)
  })

  it('during a refresh is not undone by the answer of the refresh', async () => {
    const { world, tab } = await signedIn()
    world.endAccessTokens()
    const call = ask(tab)
    tab.actor.send({ type: 'refresh.requested' })
    tab.actor.send({ type: 'signOut.requested' })
    await expect(call).rejects.toMatchObject({ kind: 'aborted' })
    await quiet()
    expect([tab.phase(), contentOf(tab.area)]).toEqual(['signedOut', {}])
  })
})
