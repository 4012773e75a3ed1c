import { act, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { composeSession } from '../../../src/compose-session.ts'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import { selectConversations } from '../../../src/machines/session/session.ts'
import type { Label } from '../../../src/schemas/label.ts'
import type { Page } from '../../../src/schemas/page.ts'
import type { SessionServices } from '../../../src/services-port.ts'
import { SessionProvider, type SessionRef } from '../../../src/views/actors.tsx'
import { QueryInUrl } from '../../../src/views/list/QueryInUrl.tsx'
import { BrowserRouter } from '../../../src/views/shell/BrowserRouter.tsx'
import { fakeServices, fakeSessionServices } from '../../fake-services.ts'
import { createControl } from '../../model/harness.ts'
import { vip } from '../../model/list/labels-fixture.ts'
import { inQuickSuccession } from '../in-quick-succession.ts'

const pages: Page[] = [
  { page_id: 'p1', page_name: 'Kapamilya Prints', is_active: true },
  { page_id: 'p2', page_name: 'Tarps Express', is_active: true },
]
const all: ListQuery = { search: '', pageId: null, unreadOnly: false }

async function showAt(address: string) {
  const top = createControl<ListAnswer, { query: ListQuery; count: number }>()
  const more = createControl<ListAnswer, { query: ListQuery; page: number }>()
  const loadPages = createControl<readonly Page[]>()
  const loadLabels = createControl<readonly Label[]>()
  const clock = new SimulatedClock()
  const session = createActor(
    composeSession(
      fakeSessionServices({
        conversations: { loadTop: top.call, loadPage: more.call },
        pages: { loadPages: (signal) => loadPages.call(undefined, signal) },
        loadLabelService: async () =>
          ({ loadLabels: (signal) => loadLabels.call(undefined, signal) }) as Awaited<
            ReturnType<SessionServices['loadLabelService']>
          >,
      }),
      { deviceCache: fakeServices().deviceCache, wasLeft: () => false },
    ),
    {
      clock,
      systemId: 'session',
      input: {
        user: { id: 's1', email: 'a@b.c', role: 'agent', permissions: [], features: ['labels', 'assignee-filter'] },
      },
    },
  ).start()
  window.history.pushState(null, '', address)
  render(
    <StrictMode>
      <SessionProvider session={session as SessionRef}>
        <BrowserRouter>
          <QueryInUrl />
        </BrowserRouter>
      </SessionProvider>
    </StrictMode>,
  )
  const step = (work: () => unknown) => act(async () => void (await work()))
  await step(() => {})
  return {
    step,
    clock,
    loadPages,
    loadLabels,
    session,
    /** The query of the list, and the address of the page. */
    standing: () => {
      const list = selectConversations(session.getSnapshot())
      return [list?.getSnapshot().context.query, window.location.pathname + window.location.search]
    },
    choose: (filter: Partial<Pick<ListQuery, 'labelId' | 'assignedTo'>>) =>
      selectConversations(session.getSnapshot())?.send({ type: 'filter.chosen', filter }),
    go: (steps: number) =>
      step(async () => {
        const moved = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
        window.history.go(steps)
        await moved
      }),
    /** The queries sent to the server and not aborted. */
    asked: () => top.calls.filter(({ signal }) => !signal.aborted).map(({ input }) => input.query),
    type: (text: string) =>
      step(() => selectConversations(session.getSnapshot())?.send({ type: 'search.typed', text })),
  }
}

describe('The search and the filters in the URL', () => {
  it('determine the query after a reload', async () => {
    const app = await showAt('/c1?q=ana&page=p1&unread=1')
    const query = { search: 'ana', pageId: 'p1', unreadOnly: true }
    expect([app.standing(), app.asked()]).toEqual([[query, '/c1?q=ana&page=p1&unread=1'], [query]])
  })

  it('change once typing has stopped, without a new history entry', async () => {
    const app = await showAt('/c1')
    const entries = window.history.length
    await app.type('ana')
    expect(app.standing()).toEqual([{ ...all, search: 'ana' }, '/c1'])
    await app.step(() => app.clock.increment(500))
    expect(app.standing()).toEqual([{ ...all, search: 'ana' }, '/c1?q=ana'])
    expect(window.history.length).toBe(entries)
  })

  it('follow back and forward', async () => {
    const app = await showAt('/')
    await app.step(() => app.session.send({ type: 'page.chosen', pageId: 'p1' }))
    await app.step(() =>
      selectConversations(app.session.getSnapshot())?.send({ type: 'unreadOnly.chosen', unreadOnly: true }),
    )
    expect(app.standing()).toEqual([{ ...all, pageId: 'p1', unreadOnly: true }, '/?page=p1&unread=1'])
    await app.go(-1)
    expect(app.standing()).toEqual([{ ...all, pageId: 'p1' }, '/?page=p1'])
    await app.go(-1)
    expect(app.standing()).toEqual([all, '/'])
    await app.go(2)
    expect(app.standing()).toEqual([{ ...all, pageId: 'p1', unreadOnly: true }, '/?page=p1&unread=1'])
    expect(app.asked()).toEqual([{ ...all, pageId: 'p1', unreadOnly: true }])
  })

  it.each([
    ['page', 'p1', { type: 'page.chosen', pageId: null }],
    ['label', vip.id, { type: 'filter.chosen', filter: { labelId: undefined } }],
  ] as const)('lead back to a %s that was left and still exists', async (name, id, leave) => {
    const app = await showAt(`/?${name}=${id}`)
    await app.step(() => app.loadPages.resolve(pages))
    await app.step(() => app.loadLabels.resolve([vip]))
    await app.step(() => selectConversations(app.session.getSnapshot())?.send(leave))
    expect(app.standing()).toEqual([all, '/'])
    await app.go(-1)
    expect(app.standing()[1]).toBe(`/?${name}=${id}`)
  })

  it.each(['page', 'label'])(
    'drop a %s that no longer exists, without a history entry that leads back to it',
    async (name) => {
      const app = await showAt(`/?${name}=gone&q=ana`)
      const entries = window.history.length
      await app.step(() => app.loadPages.resolve(pages))
      await app.step(() => app.loadLabels.resolve([vip]))
      expect(app.standing()).toEqual([{ ...all, search: 'ana' }, '/?q=ana'])
      expect(window.history.length).toBe(entries)
    },
  )
})

describe('Right after the choice of a filter, the query and the URL', () => {
  it('keep it beside a second one', async () => {
    const app = await showAt('/c1')
    await inQuickSuccession(
      () => app.choose({ labelId: vip.id }),
      () => app.choose({ assignedTo: 'nobody' }),
    )
    const both = { ...all, labelId: vip.id, assignedTo: 'nobody' }
    expect([app.standing(), app.asked()]).toEqual([[both, `/c1?label=${vip.id}&assigned=nobody`], [both]])
  })

  it('lose it on the way back', async () => {
    const app = await showAt('/c1')
    await inQuickSuccession(
      () => app.choose({ labelId: vip.id }),
      () => {
        // `history.back()` would come a task later, when React has rendered the choice in any case.
        window.history.replaceState(null, '', '/c1')
        window.dispatchEvent(new PopStateEvent('popstate'))
      },
    )
    expect([app.standing(), app.asked()]).toEqual([[all, '/c1'], [all]])
  })
})
