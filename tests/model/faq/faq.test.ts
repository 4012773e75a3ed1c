import { describe, expect, it } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { faqMachine, selectAskedAbout, selectForm, selectTest } from '../../../src/machines/faq/faq.ts'
import type { FaqCategory, FaqEntry } from '../../../src/schemas/faq.ts'
import { createCoverage, driverOf, error, modelOf, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { categories, complete, entryOf, faqFaults, startFaq } from './faq-fixture.ts'

const coverage = createCoverage(faqMachine)
const start = () => startFaq(coverage.inspect)
type Faq = ReturnType<typeof start>

const hours = entryOf('e1')
const place = entryOf('e2', { category_id: 'c2' })
const form = (sut: Faq) => selectForm(sut.actor.getSnapshot())
const test = (sut: Faq) => selectTest(sut.actor.getSnapshot())
const askedAbout = (sut: Faq) => selectAskedAbout(sut.actor.getSnapshot())
const at = (sut: Faq) => {
  const value = sut.state()
  if (typeof value === 'string') return value
  const { entries, work } = value.open
  return `${typeof entries === 'string' ? entries : Object.values(entries).join()} ${work}`
}

async function showing() {
  const sut = start()
  await sut.categories.resolve(categories)
  await sut.entries.resolve([hours, place])
  return sut
}

describe('the list of FAQs', () => {
  it('is loaded with its categories when the dialog opens, without a toast', async () => {
    const sut = start()
    expect([at(sut), sut.context().entries, sut.context().categories]).toEqual(['loading list', null, null])
    await sut.categories.resolve(categories)
    await sut.entries.resolve([hours, place])
    expect([at(sut), sut.context().entries, sut.context().categories, sut.toasts]).toEqual([
      'showing list',
      [hours, place],
      categories,
      [],
    ])
  })

  it.each([
    ['categories', 'Failed to load categories'],
    ['entries', 'Failed to load FAQs'],
  ] as const)('shows that the %s could not be loaded, and retries when staff ask', async (what, text) => {
    const sut = start()
    await sut[what].reject(faqFaults.unreadable)
    expect(sut.toasts).toEqual([error(text)])
    await sut[what === 'entries' ? 'categories' : 'entries'].resolve([])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.categories.resolve(categories)
    await sut.entries.resolve([hours])
    expect([sut.context().categories, sut.context().entries, sut.toasts]).toEqual([
      categories,
      [hours],
      [error(text), success('FAQs refreshed')],
    ])
  })

  it('is refetched once at a time with a toast, and stays if the refetch fails', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'refetch.requested' })
    sut.actor.send({ type: 'refetch.requested' })
    expect([at(sut), sut.entries.calls.length, sut.categories.calls.length]).toEqual(['refreshing list', 2, 2])
    await sut.entries.resolve([place])
    expect([at(sut), sut.context().entries, sut.toasts]).toEqual(['showing list', [place], [success('FAQs refreshed')]])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.entries.reject(faqFaults.noAnswer)
    expect([at(sut), sut.context().entries, sut.toasts.at(-1)]).toEqual([
      'waiting list',
      [place],
      error('Network error. Please check your connection.'),
    ])
  })

  it('is loaded again by itself with growing pauses, and a failure shows once until staff ask', async () => {
    const sut = start()
    await sut.categories.resolve(categories)
    for (const pause of [2_000, 4_000]) {
      await sut.entries.reject(faqFaults.noAnswer)
      sut.clock.increment(pause - 1)
      expect(at(sut)).toBe('waiting list')
      sut.clock.increment(1)
      expect(at(sut)).toBe('loading list')
    }
    await sut.entries.reject(faqFaults.noAnswer)
    expect(sut.toasts).toHaveLength(1)
    sut.actor.send({ type: 'refetch.requested' })
    await sut.entries.reject(faqFaults.noAnswer)
    expect(sut.toasts).toHaveLength(2)
    sut.clock.increment(2_000)
    await sut.entries.resolve([hours])
    expect([at(sut), sut.context().entries]).toEqual(['showing list', [hours]])
  })

  it('has its categories loaded again by itself, whose failure shows once until staff ask', async () => {
    const sut = start()
    await sut.entries.resolve([hours])
    for (const pause of [2_000, 4_000]) {
      await sut.categories.reject(faqFaults.unreadable)
      const before = sut.categories.calls.length
      sut.clock.increment(pause - 1)
      expect(sut.categories.calls.length).toBe(before)
      sut.clock.increment(1)
      expect(sut.categories.calls.length).toBe(before + 1)
    }
    await sut.categories.reject(faqFaults.unreadable)
    expect([sut.toasts, sut.entries.calls.length]).toEqual([[error('Failed to load categories')], 1])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.categories.reject(faqFaults.unreadable)
    expect(sut.toasts).toHaveLength(2)
    sut.clock.increment(2_000)
    await sut.categories.resolve(categories)
    expect([sut.context().categories, sut.context().categoryRetries.failures]).toEqual([categories, 0])
  })

  it('does not have its categories loaded again by itself after a refusal', async () => {
    const sut = start()
    await sut.categories.reject(faqFaults.unnamed)
    sut.clock.increment(60_000)
    expect(sut.categories.calls).toHaveLength(1)
  })

  it('can be filtered by one category', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'category.chosen', categoryId: 'c2' })
    expect(sut.context().categoryId).toBe('c2')
    sut.actor.send({ type: 'category.chosen', categoryId: null })
    expect(sut.context().categoryId).toBe(null)
  })
})

describe('the form', () => {
  it('is empty for a new entry and contains the values of an edited entry', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'item.edited', item: hours })
    expect(form(sut)?.getSnapshot().context.fields.title).toBe('Title e1')
    form(sut)?.send({ type: 'form.cancelled' })
    expect([at(sut), form(sut), sut.entries.calls.length]).toEqual(['showing list', undefined, 1])
    sut.actor.send({ type: 'item.added' })
    expect(form(sut)?.getSnapshot().context.fields.title).toBe('')
  })

  it('returns to the list after a save, and the list is loaded again', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'item.added' })
    form(sut)?.send({ type: 'fields.typed', change: complete })
    form(sut)?.send({ type: 'form.submitted' })
    await sut.save.resolve()
    expect([at(sut), sut.context().entries]).toEqual(['loading list', [hours, place]])
    await sut.entries.resolve([hours])
    expect([at(sut), sut.context().entries, sut.toasts]).toEqual([
      'showing list',
      [hours],
      [success('FAQ created successfully')],
    ])
  })

  it('returns to the list after a failed save and loads it again, because the entry may be saved', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'item.edited', item: hours })
    form(sut)?.send({ type: 'form.submitted' })
    await sut.save.reject(faqFaults.noAnswer)
    form(sut)?.send({ type: 'form.cancelled' })
    expect([at(sut), sut.entries.calls.length]).toEqual(['loading list', 2])
  })

  it('closes the dialog at once if it contains no input', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'item.added' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(at(sut)).toBe('dismissed')
  })

  it('stays during a save, whatever staff press', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'item.edited', item: hours })
    form(sut)?.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(at(sut)).toBe('showing form')
  })
})

describe('the deletion of an entry', () => {
  it('asks first, and does nothing if staff cancel', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'deletion.requested', item: hours })
    expect([askedAbout(sut), sut.remove.calls.length]).toEqual([hours, 0])
    sut.actor.send({ type: 'deletion.cancelled' })
    expect([askedAbout(sut), sut.remove.calls.length]).toEqual([null, 0])
    sut.actor.send({ type: 'deletion.requested', item: hours })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([askedAbout(sut), at(sut)]).toEqual([null, 'showing list'])
  })

  it('is done once with a toast, removes the entry from the list at once, and loads the list again', async () => {
    const sut = await showing()
    sut.actor.send({ type: 'deletion.requested', item: hours })
    sut.actor.send({ type: 'deletion.confirmed' })
    sut.actor.send({ type: 'deletion.confirmed' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.remove.inputs(), askedAbout(sut)]).toEqual([[{ id: 'e1' }], hours])
    await sut.remove.resolve()
    expect([at(sut), sut.context().entries, sut.toasts, sut.categories.calls.length]).toEqual([
      'loading list',
      [place],
      [success('FAQ deleted successfully')],
      1,
    ])
  })

  it.each([
    ['with a reason', faqFaults.refused, 'There is no such category'],
    ['without one', faqFaults.unnamed, 'Failed to delete FAQ'],
    ['because of a missing permission', faqFaults.forbidden, 'Access denied. Missing permission: faq.manage'],
    ['without an answer', faqFaults.noAnswer, 'Network error. Please check your connection.'],
  ])('that fails %s shows the error, and the list is loaded again', async (_, failure, text) => {
    const sut = await showing()
    sut.actor.send({ type: 'deletion.requested', item: hours })
    sut.actor.send({ type: 'deletion.confirmed' })
    await sut.remove.reject(failure)
    expect([at(sut), sut.context().entries, sut.toasts]).toEqual(['loading list', [hours, place], [error(text)]])
  })
})

describe('the result of a test', () => {
  it('is dropped when the entries change, and the message stays', async () => {
    const sut = await showing()
    test(sut)?.send({ type: 'message.typed', message: 'open?' })
    test(sut)?.send({ type: 'test.requested' })
    await sut.test.resolve({ message: 'open?', matches: [] })
    sut.actor.send({ type: 'refetch.requested' })
    await sut.entries.resolve([])
    expect(test(sut)?.getSnapshot().context).toEqual({ message: 'open?', pageId: null, result: null })
  })
})

describe('the walk through the dialog', () => {
  /** Simultaneous requests would double the number of paths without new behaviour. */
  const isQuiet = (snapshot: SnapshotFrom<typeof faqMachine>) =>
    snapshot.matches({ open: { categories: 'idle', entries: 'showing' } })
  /** One retry at a time, because both would come at the same moment. */
  const isWaiting = (snapshot: SnapshotFrom<typeof faqMachine>) =>
    snapshot.matches({ open: { categories: 'waiting' } }) ||
    snapshot.matches({ open: { entries: { failed: 'waiting' } } })
  const paths = modelOf(faqMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof faqMachine>) => context,
    limit: 20_000,
    cases: {
      'refetch.requested': (snapshot) =>
        snapshot.matches({ open: { categories: 'idle', work: 'list' } }) && snapshot.context.item === null ? [{}] : [],
      'category.chosen': (snapshot) =>
        isQuiet(snapshot) && snapshot.context.categoryId === null ? [{ categoryId: 'c1' }] : [],
      'page.chosen': (snapshot) =>
        isQuiet(snapshot) && snapshot.context.pageId === null && snapshot.context.categoryId === null
          ? [{ pageId: 'p1' }]
          : [],
      'wrongAnswers.opened': (snapshot) => (isQuiet(snapshot) && snapshot.context.categoryId === null ? [{}] : []),
      'wrongAnswers.left': [{}],
      'xstate.done.actor.faqDryRun': [],
      'xstate.error.actor.faqDryRun': [],
      'xstate.done.actor.faqWrongAnswers': [],
      'xstate.error.actor.faqWrongAnswers': [],
      'item.added': (snapshot) => (isQuiet(snapshot) && snapshot.context.categoryId === null ? [{}] : []),
      'item.edited': (snapshot) => (isQuiet(snapshot) && snapshot.context.categoryId === null ? [{ item: hours }] : []),
      'entries.invalidated': [],
      'deletion.requested': (snapshot) =>
        isQuiet(snapshot) && snapshot.context.categoryId === null ? [{ item: hours }] : [],
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'dialog.dismissed': (snapshot) => (snapshot.matches({ open: { work: 'form' } }) ? [] : [{}]),
      'xstate.done.actor.faqTest': [],
      'xstate.error.actor.faqTest': [],
      'xstate.done.actor.faqForm': ({ context }) =>
        context.item === null
          ? [
              { output: { isDismissed: false, mayHaveSaved: false } },
              { output: { isDismissed: true, mayHaveSaved: false } },
            ]
          : [{ output: { isDismissed: false, mayHaveSaved: true } }],
      'xstate.done.actor.loadCategories': [{ output: categories }],
      'xstate.error.actor.loadCategories': (snapshot) => [
        ...(isWaiting(snapshot) || snapshot.context.categoryRetries.failures > 0
          ? []
          : [{ error: faqFaults.unreadable }]),
        { error: faqFaults.unnamed },
      ],
      'xstate.done.actor.loadEntries': [{ output: [hours] }],
      'xstate.error.actor.loadEntries': (snapshot) => [
        ...(isWaiting(snapshot) || snapshot.context.failures > 0 ? [] : [{ error: faqFaults.unreadable }]),
        { error: faqFaults.unnamed },
      ],
      'xstate.done.actor.refreshEntries': [{ output: [hours] }],
      'xstate.error.actor.refreshEntries': (snapshot) => [
        ...(isWaiting(snapshot) || snapshot.context.failures > 0 ? [] : [{ error: faqFaults.unreadable }]),
        { error: faqFaults.unnamed },
      ],
      'xstate.done.actor.deleteFaq': [{ output: undefined }],
      'xstate.error.actor.deleteFaq': [{ error: faqFaults.unnamed }],
    },
  }).everyTransition()

  type State = {
    categories: readonly FaqCategory[] | null
    categoryList: 'loading' | 'waiting' | 'idle'
    entries: readonly FaqEntry[] | null
    list: 'loading' | 'refreshing' | 'showing' | 'waiting' | 'refused'
    loads: number
    categoryId: string | null
    pageId: string | null
    work: 'list' | 'wrongAnswers' | 'form' | 'asking' | 'deleting' | 'dismissed'
    item: FaqEntry | null
    deletions: string[]
    toasts: unknown[]
  }
  const loadAgain = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: loads + 1 })
  /** An answer that could not be read is asked for again; a refusal is not. */
  const failToLoad = ({ toasts }: State, { error: failure }: AnyEventObject): Partial<State> => ({
    list: failure === faqFaults.unreadable ? 'waiting' : 'refused',
    toasts: [...toasts, error('Failed to load FAQs')],
  })
  const dismiss = (): Partial<State> => ({ work: 'dismissed' })
  const reference: Reference<State> = {
    start: {
      categories: null,
      categoryList: 'loading',
      entries: null,
      list: 'loading',
      loads: 1,
      categoryId: null,
      pageId: null,
      work: 'list',
      item: null,
      deletions: [],
      toasts: [],
    },
    accepts: ({ categoryList, list, work }) => [
      ...['category.chosen', 'page.chosen', 'entries.invalidated', 'refetch.requested'],
      ...[...ends('faqTest'), ...ends('faqDryRun')],
      ...when(categoryList === 'loading', ...ends('loadCategories')),
      ...when(categoryList === 'waiting', 'xstate.after.categoryRetryDelay.faq.open.categories.waiting'),
      ...when(list === 'loading', ...ends('loadEntries')),
      ...when(list === 'waiting', 'xstate.after.retryDelay.faq.open.entries.failed.waiting'),
      ...when(list === 'refreshing', ...ends('refreshEntries')),
      ...{
        list: ['item.added', 'item.edited', 'deletion.requested', 'wrongAnswers.opened', 'dialog.dismissed'],
        wrongAnswers: ['item.edited', 'wrongAnswers.left', 'dialog.dismissed', ...ends('faqWrongAnswers')],
        form: ['xstate.done.actor.faqForm'],
        asking: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed'],
        deleting: ends('deleteFaq'),
        dismissed: [],
      }[work],
    ],
    rules: {
      'refetch.requested': ({ list, loads }) => ({
        categoryList: 'loading',
        ...(list !== 'loading' && list !== 'refreshing' ? { list: 'refreshing', loads: loads + 1 } : {}),
      }),
      'category.chosen': (_, { categoryId }) => ({ categoryId }),
      'page.chosen': (_, { pageId }) => ({ pageId }),
      'wrongAnswers.opened': () => ({ work: 'wrongAnswers' }),
      'wrongAnswers.left': () => ({ work: 'list' }),
      'item.added': () => ({ work: 'form', item: null }),
      'item.edited': (_, { item }) => ({ work: 'form', item }),
      'deletion.requested': (_, { item }) => ({ work: 'asking', item }),
      'deletion.confirmed': ({ deletions }) => ({ work: 'deleting', deletions: [...deletions, 'e1'] }),
      'deletion.cancelled': () => ({ work: 'list' }),
      'dialog.dismissed': ({ work }) => (work === 'asking' ? { work: 'list' } : dismiss()),
      'xstate.done.actor.faqForm': (state, { output }) => {
        if (output.isDismissed) return dismiss()
        return {
          ...(output.mayHaveSaved ? loadAgain(state) : {}),
          work: 'list',
          toasts: output.mayHaveSaved ? [...state.toasts, success('FAQ updated successfully')] : state.toasts,
        }
      },
      'xstate.done.actor.loadCategories': (_, { output }) => ({ categories: output, categoryList: 'idle' }),
      'xstate.error.actor.loadCategories': ({ toasts }, { error: failure }) => ({
        categoryList: failure === faqFaults.unreadable ? 'waiting' : 'idle',
        toasts: [...toasts, error('Failed to load categories')],
      }),
      'xstate.after.categoryRetryDelay.faq.open.categories.waiting': () => ({ categoryList: 'loading' }),
      'xstate.done.actor.loadEntries': (_, { output }) => ({ entries: output, list: 'showing' }),
      'xstate.error.actor.loadEntries': failToLoad,
      'xstate.after.retryDelay.faq.open.entries.failed.waiting': loadAgain,
      'xstate.done.actor.refreshEntries': ({ toasts }, { output }) => ({
        entries: output,
        list: 'showing',
        toasts: [...toasts, success('FAQs refreshed')],
      }),
      'xstate.error.actor.refreshEntries': failToLoad,
      'xstate.done.actor.deleteFaq': (state) => ({
        ...loadAgain(state),
        work: 'list',
        entries: state.entries?.filter(({ id }) => id !== 'e1') ?? null,
        toasts: [...state.toasts, success('FAQ deleted successfully')],
      }),
      // The entry may have been deleted although the answer was lost.
      'xstate.error.actor.deleteFaq': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, error('Failed to delete FAQ')],
      }),
    },
    shown: ({ categories, entries, categoryId, pageId, loads, deletions, toasts, ...state }) => {
      const kept = { categories, entries, categoryId, pageId, loads, deletions, toasts }
      if (state.work === 'dismissed') return { ...kept, isDismissed: true }
      const isAsked = state.work === 'asking' || state.work === 'deleting'
      return {
        ...kept,
        isDismissed: false,
        at: `${state.list} ${state.work}`,
        categoryList: state.categoryList,
        askedAbout: isAsked ? state.item : null,
      }
    },
  }
  const seen = (sut: Faq) => {
    const snapshot = sut.actor.getSnapshot()
    const { categories, entries, categoryId, pageId } = snapshot.context
    const kept = {
      categories,
      entries,
      categoryId,
      pageId,
      loads: sut.entries.calls.length,
      deletions: sut.remove.inputs().map(({ id }) => id),
      toasts: sut.toasts,
    }
    if (snapshot.value === 'dismissed') return { ...kept, isDismissed: true }
    return {
      ...kept,
      isDismissed: false,
      at: at(sut),
      categoryList: snapshot.value.open.categories,
      askedAbout: askedAbout(sut),
    }
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const faqForm = {
        resolve: ({ isDismissed, mayHaveSaved }: { isDismissed: boolean; mayHaveSaved: boolean }) => {
          if (isDismissed) return sut.actor.send({ type: 'dialog.dismissed' })
          if (!mayHaveSaved) return form(sut)?.send({ type: 'form.cancelled' })
          form(sut)?.send({ type: 'form.submitted' })
          return sut.save.resolve()
        },
        reject: () => undefined,
      }
      const drive = driverOf(sut.actor.send, {
        calls: {
          faqForm,
          loadCategories: sut.categories,
          loadEntries: sut.entries,
          refreshEntries: sut.entries,
          deleteFaq: sut.remove,
        },
        delays: {
          retryDelay: () => sut.clock.increment(2_000),
          categoryRetryDelay: () => sut.clock.increment(2_000),
        },
      })
      await followBeside(path, drive, reference, () => seen(sut))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
