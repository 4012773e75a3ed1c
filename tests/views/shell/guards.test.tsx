import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { selectSession } from '../../../src/machines/app.ts'
import { selectPageId } from '../../../src/machines/session/session.ts'
import { fakeSessionServices } from '../../fake-services.ts'
import { promoted } from '../../model/session/auth-fixture.ts'
import { type ShownApp, showApp } from '../app-harness.tsx'
import { inQuickSuccession } from '../in-quick-succession.ts'

vi.mock('../../../src/views/shell/InboxScreen.tsx', () => ({
  InboxScreen: function InboxScreen({ onOpen, onLeave }: { onOpen: (id: string) => void; onLeave: () => void }) {
    return (
      <>
        <p>The inbox</p>
        <button type="button" onClick={() => onOpen('u/7')}>
          Open u/7
        </button>
        <button type="button" onClick={onLeave}>
          Leave
        </button>
      </>
    )
  },
}))

const here = (app: ShownApp) => ({
  paths: app.paths,
  inbox: screen.queryByText('The inbox') !== null,
  form: screen.queryByRole('form', { name: 'Sign in' }) !== null,
})

const answer = (work: () => Promise<void>) => act(work)
const signedIn = (app: ShownApp, session = 1) =>
  answer(async () => {
    await app.provider.resolve(true)
    await app.exchange.resolve({ user: promoted, session })
  })
const signedOut = (app: ShownApp) =>
  answer(async () => {
    await app.provider.resolve(false)
    await app.me.resolve(null)
  })
const signsIn = (app: ShownApp) =>
  answer(async () => {
    app.actor.send({ type: 'signIn.requested', email: 'ana@example.com', password: 'x' })
    await app.password.resolve()
    await app.exchange.resolve({ user: promoted, session: 2 })
  })
const click = (name: string) => act(async () => screen.getByRole('button', { name }).click())

describe('Until auth has decided who is signed in,', () => {
  it.each(['/', '/u1', '/login', '/nowhere/at/all'])('%s shows neither the inbox nor the form', async (path) => {
    const app = await showApp(path)
    expect(here(app)).toMatchObject({ inbox: false, form: false })
  })
})

describe('After a sign-in, a page that another site named', () => {
  it.each(['//evil.example/x', 'https://evil.example/', 'javascript:alert(1)', '', 7])(
    '%j is not opened',
    async (wanted) => {
      window.history.replaceState({ usr: { wanted } }, '', '/login')
      const app = await showApp('a reload')
      await signedOut(app)
      await signsIn(app)
      expect(here(app)).toEqual({ paths: ['/login', '/'], inbox: true, form: false })
    },
  )
})

describe('An application start that fails', () => {
  it('shows why, and leads to the login form and after a sign-in back to the requested page', async () => {
    const app = await showApp('/u1')
    await answer(async () => {
      await app.provider.resolve(false)
      await app.me.reject(new Failure({ kind: 'status', method: 'GET', path: '/auth/me', status: 500 }))
    })
    expect(screen.getByText('Server error. Please try again later.').tagName).toBe('P')
    await click('Sign in again')
    await answer(() => app.end.resolve())
    await signsIn(app)
    expect(here(app)).toEqual({ paths: ['/u1', '/login', '/u1'], inbox: true, form: false })
  })
})

describe('A link for a new password, opened while somebody is signed in', () => {
  it('keeps its token and offers to sign out, then shows the login form', async () => {
    const app = await showApp('/login#reset=token')
    await signedIn(app)
    expect(here(app)).toEqual({ paths: ['/login'], inbox: false, form: false })
    expect(screen.getByRole('status').textContent).toBe(
      'You are signed in. Sign out to choose a new password with this link.',
    )
    await click('Sign out')
    await answer(() => app.end.resolve())
    expect([here(app), window.location.hash]).toEqual([{ paths: ['/login'], inbox: false, form: true }, '#reset=token'])
  })

  it('also leads to the inbox', async () => {
    const app = await showApp('/login#reset=token')
    await signedIn(app)
    await click('Inbox')
    expect(here(app)).toEqual({ paths: ['/login', '/'], inbox: true, form: false })
  })
})

describe('A page that needs a sign-in', () => {
  it.each(['/', '/u1'])('redirects a guest at %s to the login form without showing itself first', async (path) => {
    const app = await showApp(path)
    await signedOut(app)
    expect(here(app)).toEqual({ paths: [path, '/login'], inbox: false, form: true })
  })

  it.each(['/', '/u1'])('shows itself to a signed-in user at %s without showing the login form first', async (path) => {
    const app = await showApp(path)
    await signedIn(app)
    expect(here(app)).toEqual({ paths: [path], inbox: true, form: false })
  })

  it('opens after a guest signs in on the way to it', async () => {
    const app = await showApp('/u1')
    await signedOut(app)
    await signsIn(app)
    expect(here(app)).toEqual({ paths: ['/u1', '/login', '/u1'], inbox: true, form: false })
  })

  it('closes at once on sign-out, and the next user starts at the bare inbox', async () => {
    const app = await showApp('/u1')
    await signedIn(app)
    await answer(async () => {
      app.actor.send({ type: 'signOut.requested' })
      await app.end.resolve()
    })
    expect(here(app)).toEqual({ paths: ['/u1', '/login'], inbox: false, form: true })
    await signsIn(app)
    expect(here(app)).toEqual({ paths: ['/u1', '/login', '/'], inbox: true, form: false })
  })

  it('opens again after a sign-in if the session had expired on it', async () => {
    const app = await showApp('/u1')
    await signedIn(app)
    await answer(async () => {
      app.actor.send({ type: 'session.refused', session: 1 })
      await app.end.resolve()
    })
    await signsIn(app)
    expect(app.paths).toEqual(['/u1', '/login', '/u1'])
  })
})

describe('The page for guests', () => {
  it('redirects a signed-in user to the inbox without showing the login form first', async () => {
    const app = await showApp('/login')
    await signedIn(app)
    expect(here(app)).toEqual({ paths: ['/login', '/'], inbox: true, form: false })
  })

  it('stays open for guests', async () => {
    const app = await showApp('/login')
    await signedOut(app)
    expect(here(app)).toEqual({ paths: ['/login'], inbox: false, form: true })
  })
})

describe('An unknown address', () => {
  it('redirects to the inbox', async () => {
    const app = await showApp('/nowhere/at/all')
    await signedIn(app)
    expect(here(app)).toEqual({ paths: ['/nowhere/at/all', '/'], inbox: true, form: false })
  })
})

describe('The address', () => {
  it('selects the conversation in the session', async () => {
    const app = await showApp('/u%2F1')
    await signedIn(app)
    expect(app.selections.at(-1)).toEqual({ type: 'conversation.selected', id: 'u/1' })
  })

  it('selects no conversation if it names none', async () => {
    const app = await showApp('/')
    await signedIn(app)
    expect(app.selections).toEqual([])
  })

  it('changes when the inbox opens and closes a conversation', async () => {
    const app = await showApp('/')
    await signedIn(app)
    await click('Open u/7')
    expect([app.paths, app.selections.at(-1)]).toEqual([['/', '/u%2F7'], { type: 'conversation.selected', id: 'u/7' }])
    await click('Leave')
    expect([app.paths, app.selections.at(-1)]).toEqual([['/', '/u%2F7', '/'], { type: 'conversation.deselected' }])
  })

  it.each(['before', 'after'])('keeps a filter that is chosen right %s a conversation is opened', async (when) => {
    const app = await showApp('/')
    await signedIn(app)
    const session = selectSession(app.app.getSnapshot())
    const choose = () => session?.send({ type: 'page.chosen', pageId: 'p1' })
    const open = () => screen.getByRole('button', { name: 'Open u/7' }).click()
    await inQuickSuccession(...(when === 'before' ? [choose, open] : [open, choose]))
    expect([window.location.pathname + window.location.search, session && selectPageId(session.getSnapshot())]).toEqual(
      ['/u%2F7?page=p1', 'p1'],
    )
    expect(app.selections.at(-1)).toEqual({ type: 'conversation.selected', id: 'u/7' })
  })

  it('selects the conversation in a new session too', async () => {
    const app = await showApp('/u1')
    await signedIn(app)
    await act(async () => app.actor.send({ type: 'tokens.changed', session: 2 }))
    const before = app.selections.length
    await signedIn(app, 2)
    expect(app.selections.slice(before)).toContainEqual({ type: 'conversation.selected', id: 'u1' })
  })
})

describe('A conversation without a primary user id', () => {
  const row = { fb_user_id: 'u/7', page_count: 1, unread_messages: 0, total_messages: 0 }
  const session = fakeSessionServices({
    conversations: { loadTop: async () => ({ rows: [row], unreadable: 0, hasNext: false, total: 1 }) },
  })
  const show = async (at: string) => {
    const app = await showApp(at, undefined, { session })
    await signedIn(app)
    return app
  }
  const address = () => window.location.pathname + window.location.search
  const lastSelection = (app: ShownApp) => [address(), app.selections.at(-1)]
  const opened = { type: 'conversation.selected', id: 'u/7' }
  const go = (steps: number) =>
    act(async () => {
      const moved = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
      window.history.go(steps)
      await moved
    })

  it('opens at the bare inbox and can be reached by back and forward', async () => {
    const app = await show('/')
    await click('Open u/7')
    expect(lastSelection(app)).toEqual(['/', opened])
    await go(-1)
    expect(lastSelection(app)).toEqual(['/', { type: 'conversation.deselected' }])
    await go(1)
    expect(lastSelection(app)).toEqual(['/', opened])
    await click('Leave')
    expect(lastSelection(app)).toEqual(['/', { type: 'conversation.deselected' }])
  })

  it('removes the previously open conversation from the address', async () => {
    const app = await show('/u1')
    await click('Open u/7')
    expect(lastSelection(app)).toEqual(['/', opened])
    await go(-1)
    expect(lastSelection(app)).toEqual(['/u1', { type: 'conversation.selected', id: 'u1' }])
  })

  it('stays open when a filter is chosen and after a reload', async () => {
    const before = await show('/')
    await click('Open u/7')
    await act(async () => {
      const current = selectSession(before.app.getSnapshot())
      current?.send({ type: 'page.chosen', pageId: 'p1' })
    })
    expect(lastSelection(before)).toEqual(['/?page=p1', opened])
    before.stop()
    const app = await show('a reload')
    expect(lastSelection(app)).toEqual(['/?page=p1', opened])
  })

  it('opens again for the user who signs in after the session expired', async () => {
    const app = await show('/')
    await click('Open u/7')
    await answer(async () => {
      app.actor.send({ type: 'session.refused', session: 1 })
      await app.end.resolve()
    })
    await signsIn(app)
    expect(lastSelection(app)).toEqual(['/', opened])
  })
})

describe('A session that crashes', () => {
  it('shows an error and a button that loads the page again', async () => {
    const app = await showApp('/')
    await signedIn(app)
    await act(async () => {
      const session = selectSession(app.app.getSnapshot())
      if (!session) throw new Error('nobody is signed in')
      app.app.send({ type: 'xstate.error.actor.session', error: new Error('x') })
    })
    expect(screen.getByRole('alert').textContent).toContain('Something went wrong')
    expect(screen.getByRole('button', { name: 'Load again' })).toBeDefined()
  })
})
