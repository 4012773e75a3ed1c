import { describe, expect, it } from 'vitest'
import {
  pageManagerMachine,
  selectDeletion,
  selectDeletionStep,
  selectPageForm,
  selectRefreshing,
} from '../../../src/machines/pages/page-manager.ts'
import type { PageDeletion } from '../../../src/schemas/page.ts'
import { deletionOf, failures, pageManagerModel, pageOf, startPageManager } from '../dialogs-fixture.ts'
import { createCoverage, driverOf, error, success } from '../harness.ts'
import { ends, followBeside, type Reference } from '../reference.ts'

const coverage = createCoverage(pageManagerMachine)
const start = () => startPageManager(coverage.inspect)
const shop = pageOf('p1', { page_name: 'Shop' })
type Manager = ReturnType<typeof start>

const told = (sut: Manager) => sut.told.map(({ type }) => type)
const step = (sut: Manager) => selectDeletionStep(sut.actor.getSnapshot())
const form = (sut: Manager) => selectPageForm(sut.actor.getSnapshot())

const list = { open: { work: 'list', pictures: 'idle' } }

const asking = () => {
  const sut = start()
  sut.actor.send({ type: 'deletion.requested', item: shop })
  return sut
}

describe('the page manager', () => {
  it('fetches the list when it opens', () => expect(told(start())).toEqual(['pages.invalidated']))

  it('opens an empty form for a new page, and returns to the list', () => {
    const sut = start()
    sut.actor.send({ type: 'item.added' })
    expect(form(sut)?.getSnapshot().context.page).toBe(null)
    form(sut)?.send({ type: 'form.cancelled' })
    expect([form(sut), sut.state()]).toEqual([undefined, { open: { work: 'list', pictures: 'idle' } }])
  })

  it('opens the form of an existing page, without a verified token', () => {
    const sut = start()
    sut.actor.send({ type: 'item.edited', item: shop })
    expect([form(sut)?.getSnapshot().context.name, form(sut)?.getSnapshot().value]).toEqual([
      'Shop',
      { open: { verification: 'unverified', work: 'editing' } },
    ])
  })

  it('returns to the list after a page was saved', async () => {
    const sut = start()
    sut.actor.send({ type: 'item.edited', item: shop })
    form(sut)?.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(form(sut)).toBeDefined()
    await sut.save.resolve()
    expect([sut.state(), told(sut)]).toEqual([
      { open: { work: 'list', pictures: 'idle' } },
      ['pages.invalidated', 'pages.changed'],
    ])
  })

  it('closes when staff dismiss it, in the list and in the form', () => {
    const list = start()
    list.actor.send({ type: 'dialog.dismissed' })
    const written = start()
    written.actor.send({ type: 'item.added' })
    written.actor.send({ type: 'dialog.dismissed' })
    expect([list.state(), written.state()]).toEqual(['dismissed', 'dismissed'])
  })
})

describe('the deletion of a page', () => {
  it('shows what it deletes before staff confirm', async () => {
    const sut = asking()
    expect([step(sut), sut.deletion.inputs()]).toEqual(['lookingUp', [{ pageId: 'p1' }]])
    sut.actor.send({ type: 'deletion.confirmed' })
    expect(sut.remove.calls.length).toBe(0)
    await sut.deletion.resolve(deletionOf())
    expect([step(sut), selectDeletion(sut.actor.getSnapshot())]).toEqual(['known', deletionOf()])
  })

  it('can continue if the data to delete cannot be fetched', async () => {
    const sut = asking()
    await sut.deletion.reject(failures.noAnswer)
    expect([step(sut), sut.toasts]).toEqual(['unknown', []])
    sut.actor.send({ type: 'deletion.confirmed' })
    expect(sut.remove.inputs()).toEqual([{ pageId: 'p1' }])
  })

  it('does nothing if staff cancel it', async () => {
    const sut = asking()
    await sut.deletion.resolve(deletionOf())
    sut.actor.send({ type: 'deletion.cancelled' })
    expect([sut.state(), sut.remove.calls.length]).toEqual([list, 0])
  })

  it.each([
    ['sends a text', 'Page deleted with 12 conversations', 'Page deleted with 12 conversations'],
    ['sends no text', null, 'Page deleted'],
  ])('is done once, with a toast when the server %s, and the list is fetched again', async (_, message, text) => {
    const sut = asking()
    await sut.deletion.resolve(deletionOf())
    sut.actor.send({ type: 'deletion.confirmed' })
    sut.actor.send({ type: 'deletion.confirmed' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([step(sut), sut.remove.inputs()]).toEqual(['deleting', [{ pageId: 'p1' }]])
    await sut.remove.resolve(message)
    expect([sut.state(), sut.toasts, told(sut)]).toEqual([
      list,
      [success(text)],
      ['pages.invalidated', 'pages.changed'],
    ])
  })

  it.each([
    ['with a reason', failures.refused, 'Failed to delete page: The network refused the call.'],
    ['without one', failures.unnamed, 'Failed to delete Facebook page'],
    ['without an answer', failures.noAnswer, 'Network error. Please check your connection.'],
  ])('that fails %s shows the error, and the list is fetched again', async (_, failure, text) => {
    const sut = asking()
    await sut.deletion.resolve(deletionOf())
    sut.actor.send({ type: 'deletion.confirmed' })
    await sut.remove.reject(failure)
    expect([sut.state(), sut.toasts, told(sut)]).toEqual([
      list,
      [error(text)],
      ['pages.invalidated', 'pages.invalidated'],
    ])
  })
})

describe('a refresh of the profile pictures', () => {
  const refreshing = (scope: 'pages' | 'all') => {
    const sut = start()
    sut.actor.send({ type: 'pictures.requested', scope })
    return sut
  }

  it.each(['pages', 'all'] as const)('of %s is requested once, with a toast of the server’s text', async (scope) => {
    const sut = refreshing(scope)
    sut.actor.send({ type: 'pictures.requested', scope: 'all' })
    expect([selectRefreshing(sut.actor.getSnapshot()), sut.pictures.inputs()]).toEqual([scope, [{ scope }]])
    await sut.pictures.resolve({ message: 'Refreshed 2 of 2', failures: [] })
    expect([selectRefreshing(sut.actor.getSnapshot()), sut.toasts, told(sut)]).toEqual([
      null,
      [success('Refreshed 2 of 2')],
      ['pages.invalidated', 'pages.invalidated'],
    ])
  })

  it('has a toast of its own if the server sends no text', async () => {
    const sut = refreshing('pages')
    await sut.pictures.resolve({ message: null, failures: [] })
    expect(sut.toasts).toEqual([success('Page pictures refreshed')])
  })

  it('lists each page that failed', async () => {
    const sut = refreshing('all')
    await sut.pictures.resolve({
      message: 'Refreshed 1 of 2',
      failures: [{ page_id: 'p1', page_name: 'Shop', error: 'Give the page a new token.' }],
    })
    expect(sut.toasts).toEqual([{ kind: 'warning', text: 'Refreshed 1 of 2. Shop: Give the page a new token.' }])
  })

  it.each([
    ['pages', 'Failed to refresh profile pictures'],
    ['all', 'Failed to refresh all profile pictures'],
  ] as const)('of %s that fails shows the error', async (scope, text) => {
    const sut = refreshing(scope)
    await sut.pictures.reject(failures.unnamed)
    expect([sut.toasts, selectRefreshing(sut.actor.getSnapshot())]).toEqual([[error(text)], null])
  })
})

describe('the walk through the page manager', () => {
  const paths = pageManagerModel(shop).everyTransition()

  type State = {
    work: 'list' | 'form' | 'dismissed' | NonNullable<ReturnType<typeof step>>
    deletion: PageDeletion | null
    isRefreshing: boolean
    deleted: string[]
    toasts: unknown[]
    told: string[]
  }
  const reference: Reference<State> = {
    start: { work: 'list', deletion: null, isRefreshing: false, deleted: [], toasts: [], told: ['pages.invalidated'] },
    accepts: ({ work, isRefreshing }) => [
      ...(isRefreshing ? ends('refreshPictures') : ['pictures.requested']),
      ...{
        list: ['item.added', 'item.edited', 'deletion.requested', 'dialog.dismissed'],
        form: ['xstate.done.actor.pageForm'],
        lookingUp: ['deletion.cancelled', ...ends('loadDeletion')],
        known: ['deletion.cancelled', 'deletion.confirmed'],
        unknown: ['deletion.cancelled', 'deletion.confirmed'],
        deleting: ends('deletePage'),
        dismissed: [],
      }[work],
    ],
    rules: {
      'item.added': () => ({ work: 'form', deletion: null }),
      'item.edited': () => ({ work: 'form', deletion: null }),
      'deletion.requested': () => ({ work: 'lookingUp', deletion: null }),
      'deletion.confirmed': ({ deleted }) => ({ work: 'deleting', deleted: [...deleted, 'p1'] }),
      'deletion.cancelled': () => ({ work: 'list' }),
      'pictures.requested': () => ({ isRefreshing: true }),
      'dialog.dismissed': () => ({ work: 'dismissed' }),
      'xstate.done.actor.pageForm': (_, { output }) => ({ work: output.isDismissed ? 'dismissed' : 'list' }),
      'xstate.done.actor.loadDeletion': (_, { output }) => ({ work: 'known', deletion: output }),
      'xstate.error.actor.loadDeletion': () => ({ work: 'unknown' }),
      'xstate.done.actor.deletePage': ({ toasts, told: before }) => ({
        work: 'list',
        toasts: [...toasts, success('Page deleted')],
        told: [...before, 'pages.changed'],
      }),
      'xstate.error.actor.deletePage': ({ toasts, told: before }) => ({
        work: 'list',
        toasts: [...toasts, error('Failed to delete page: The network refused the call.')],
        told: [...before, 'pages.invalidated'],
      }),
      'xstate.done.actor.refreshPictures': ({ toasts, told: before }) => ({
        isRefreshing: false,
        toasts: [...toasts, success('Page pictures refreshed')],
        told: [...before, 'pages.invalidated'],
      }),
      'xstate.error.actor.refreshPictures': ({ toasts }) => ({
        isRefreshing: false,
        toasts: [...toasts, error('Failed to refresh profile pictures')],
      }),
    },
    // A dismissed dialog shows nothing.
    shown: ({ work, deletion, isRefreshing, ...effects }) =>
      work === 'dismissed' ? { ...effects, work } : { ...effects, work, deletion, isRefreshing },
  }
  const seen = (sut: Manager) => {
    const snapshot = sut.actor.getSnapshot()
    const effects = { deleted: sut.remove.inputs().map(({ pageId }) => pageId), toasts: sut.toasts, told: told(sut) }
    if (snapshot.status === 'done') return { ...effects, work: 'dismissed' }
    return {
      ...effects,
      work: step(sut) ?? (form(sut) ? 'form' : 'list'),
      deletion: selectDeletion(snapshot),
      isRefreshing: selectRefreshing(snapshot) !== null,
    }
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const pageForm = {
        resolve: ({ isDismissed }: { isDismissed: boolean }) =>
          isDismissed ? sut.actor.send({ type: 'dialog.dismissed' }) : form(sut)?.send({ type: 'form.cancelled' }),
        reject: () => undefined,
      }
      const { deletion: loadDeletion, remove: deletePage, pictures: refreshPictures } = sut
      const drive = driverOf(sut.actor.send, { calls: { pageForm, loadDeletion, deletePage, refreshPictures } })
      await followBeside(path, drive, reference, () => seen(sut))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
