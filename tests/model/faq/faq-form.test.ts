import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { type FaqFields, fieldsOf } from '../../../src/domain/faq/faq-fields.ts'
import {
  faqFormMachine,
  selectBlockedReason,
  selectConflicts,
  selectKeywordProblem,
  unsavedIn,
} from '../../../src/machines/faq/faq-form.ts'
import type { FaqEntry } from '../../../src/schemas/faq.ts'
import { createCoverage, driverOf, error, modelOf, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { complete, entryOf, faqFaults, startFaqForm } from './faq-fixture.ts'

const coverage = createCoverage(faqFormMachine)
const start = (entry = null as ReturnType<typeof entryOf> | null) => startFaqForm(entry, coverage.inspect)
const hours = entryOf('e1')

const filled = (change: Partial<FaqFields> = {}) => {
  const sut = start()
  sut.type({ ...complete, ...change })
  return sut
}
const keywords = (count: number) => Array.from({ length: count }, (_, index) => `keyword ${index}`)
const tooManyKeywords = 'An entry has at most 50 keywords. Remove one to add another.'
const saving = (change: Partial<FaqFields> = {}) => {
  const sut = filled(change)
  sut.actor.send({ type: 'form.submitted' })
  return sut
}

describe('the form of an entry', () => {
  it('starts active, with priority 0 and all other fields empty', () => {
    expect(start().fields()).toEqual({
      title: '',
      categoryId: '',
      keywords: [],
      keyword: '',
      response: '',
      isActive: true,
      priority: '0',
      pageIds: null,
    })
  })

  it('starts with the values of the edited entry', () => {
    expect(start(entryOf('e1', { is_active: false })).fields()).toEqual({
      title: 'Title e1',
      categoryId: 'c1',
      keywords: ['keyword e1'],
      keyword: '',
      response: 'Response e1',
      isActive: false,
      priority: '5',
      pageIds: null,
    })
  })

  it.each([
    ['a title', { title: '  ' }, 'Enter a title.'],
    ['a category', { categoryId: '' }, 'Select a category.'],
    ['a keyword', { keywords: [], keyword: ' , ' }, 'Add a keyword.'],
    ['a response', { response: ' \n ' }, 'Enter a response.'],
    ['a page, if only chosen ones count', { pageIds: [] }, 'Choose a page, or all pages.'],
    ['a priority', { priority: '' }, 'Priority: A whole number from 0 to 100'],
    ['a priority of at most 100', { priority: '101' }, 'Priority: A whole number from 0 to 100'],
    ['a priority of at least 0', { priority: '-1' }, 'Priority: A whole number from 0 to 100'],
    ['a whole priority', { priority: '1.5' }, 'Priority: A whole number from 0 to 100'],
  ])('cannot be saved without %s, and shows the reason', (_, change, blockedReason) => {
    const sut = saving(change)
    expect([selectBlockedReason(sut.actor.getSnapshot()), sut.state(), sut.save.calls.length]).toEqual([
      blockedReason,
      'editing',
      0,
    ])
  })

  it.each([
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'Title: use at most 200 characters.'],
    ['a response of 1,801 characters', { response: 'x'.repeat(1_801) }, 'Response: use at most 1800 characters.'],
    ['51 keywords', { keywords: keywords(51) }, tooManyKeywords],
    ['50 keywords and one more in the field', { keywords: keywords(50), keyword: 'more' }, tooManyKeywords],
  ])('cannot be saved with %s, and shows the reason', (_, change, blockedReason) => {
    const sut = saving(change)
    expect([selectBlockedReason(sut.actor.getSnapshot()), sut.state(), sut.save.calls.length]).toEqual([
      blockedReason,
      'editing',
      0,
    ])
  })

  it('can be saved with 50 keywords, also if the keyword field contains one of them again', () => {
    const sut = saving({ keywords: keywords(50), keyword: 'keyword 7' })
    expect(sut.save.inputs()[0]?.body.keywords).toEqual(keywords(50))
  })

  it.each(['0', '100', ' 7 '])('can be saved with the priority %j', (priority) => {
    expect(saving({ priority }).save.inputs()[0]?.body.priority).toBe(Number(priority))
  })
})

describe('a keyword', () => {
  const added = (keyword: string) => {
    const sut = filled({ keyword })
    sut.actor.send({ type: 'keyword.added' })
    return [sut.fields().keywords, sut.fields().keyword]
  }

  it.each([
    [' opening hours ', ['open', 'opening hours'], ''],
    ['   ', ['open'], '   '],
    ['open', ['open'], 'open'],
    ['Open!', ['open'], 'Open!'],
    ['?!', ['open'], '?!'],
    ['delivery fee, shipping', ['open', 'delivery fee', 'shipping'], ''],
    [' fee;; Open\nfee ,\r\nlate; ', ['open', 'fee', 'late'], ''],
    ['open, OPEN!', ['open'], 'open, OPEN!'],
    ['fee, ?!', ['open'], 'fee, ?!'],
    [' ,; ', ['open'], ' ,; '],
  ])('%j results in the keywords %j and leaves %j in its field', (typed, keywords, left) =>
    expect(added(typed)).toEqual([keywords, left]),
  )

  it.each([
    ['the entry has 50', { keywords: keywords(50), keyword: 'more' }, tooManyKeywords],
    ['two are typed and the entry has 49', { keywords: keywords(49), keyword: 'more, most' }, tooManyKeywords],
    ['one of several has 101 characters', { keyword: `a, ${'x'.repeat(101)}` }, 'Use at most 100 characters.'],
    ['it has 101 characters', { keyword: 'x'.repeat(101) }, 'Use at most 100 characters.'],
  ])('is refused if %s, and the form shows the reason', (_, change, problem) => {
    const sut = filled(change)
    const before = sut.fields()
    sut.actor.send({ type: 'keyword.added' })
    expect([sut.fields(), selectKeywordProblem(sut.actor.getSnapshot())]).toEqual([before, problem])
  })

  it('can be added beside 49 others, also if more known ones are typed with it', () => {
    const sut = filled({ keywords: keywords(49), keyword: 'keyword 7, more, Keyword 8' })
    sut.actor.send({ type: 'keyword.added' })
    expect(sut.fields().keywords).toEqual([...keywords(49), 'more'])
  })

  it('can be removed', () => {
    const sut = filled({ keywords: ['a', 'b', 'c'] })
    sut.actor.send({ type: 'keyword.removed', keyword: 'b' })
    expect(sut.fields().keywords).toEqual(['a', 'c'])
  })

  it('that was typed but not added is saved with the others', () => {
    expect(saving({ keyword: ' closed ' }).save.inputs()[0]?.body.keywords).toEqual(['open', 'closed'])
    expect(saving({ keywords: [], keyword: 'only' }).save.inputs()[0]?.body.keywords).toEqual(['only'])
  })
})

describe('saving an entry', () => {
  it('creates the entry once, with trimmed input, and shows a toast', async () => {
    const sut = saving({ title: ' Hours ', response: ' From 9. ' })
    sut.actor.send({ type: 'form.submitted' })
    sut.type({ title: 'Other' })
    sut.actor.send({ type: 'form.cancelled' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.save.inputs()).toEqual([
      {
        id: null,
        body: {
          title: 'Hours',
          category_id: 'c2',
          keywords: ['open'],
          response: 'From 9.',
          is_active: true,
          priority: 0,
        },
      },
    ])
    await sut.save.resolve()
    expect([sut.state(), sut.output(), sut.toasts]).toEqual([
      'saved',
      { isDismissed: false, mayHaveSaved: true },
      [success('FAQ created successfully')],
    ])
  })

  it('changes the edited entry and shows a toast', async () => {
    const sut = start(hours)
    sut.type({ isActive: false })
    sut.actor.send({ type: 'form.submitted' })
    expect(sut.save.inputs().map(({ id, body }) => [id, body.is_active])).toEqual([['e1', false]])
    await sut.save.resolve()
    expect([sut.state(), sut.toasts]).toEqual(['saved', [success('FAQ updated successfully')]])
  })

  it.each([
    ['with a reason', faqFaults.refused, 'There is no such category'],
    ['without one', faqFaults.unnamed, 'Failed to save FAQ'],
    ['because of a missing permission', faqFaults.forbidden, 'Access denied. Missing permission: faq.manage'],
  ])('that is refused %s shows the error, and keeps all input', async (_, failure, text) => {
    const sut = saving()
    const typed = sut.fields()
    await sut.save.reject(failure)
    expect([sut.state(), sut.error(), sut.fields(), sut.toasts]).toEqual(['editing', text, typed, [error(text)]])
    sut.actor.send({ type: 'form.submitted' })
    expect(sut.error()).toBe(null)
  })

  it('warns of a second entry after a lost answer if the entry is new, and not if it is edited', async () => {
    const created = saving()
    await created.save.reject(faqFaults.noAnswer)
    const changed = start(hours)
    changed.actor.send({ type: 'form.submitted' })
    await changed.save.reject(faqFaults.noAnswer)
    const network = 'Network error. Please check your connection.'
    expect([created.error(), created.toasts, changed.error(), changed.toasts]).toEqual([
      'We do not know whether the FAQ was created. Look for it in the list before you try again.',
      [error(network)],
      network,
      [error(network)],
    ])
  })
})

describe('leaving the form', () => {
  it.each([
    ['form.cancelled', false],
    ['dialog.dismissed', true],
  ] as const)('without input ends it at once (%s)', (type, isDismissed) => {
    const sut = start(hours)
    sut.actor.send({ type })
    expect([sut.state(), sut.output()]).toEqual(['left', { isDismissed, mayHaveSaved: false }])
  })

  it.each([
    ['form.cancelled', false],
    ['dialog.dismissed', true],
  ] as const)(
    'with input asks first, and keeps the input unless staff confirm that they discard it (%s)',
    (type, isDismissed) => {
      const sut = filled()
      const typed = sut.fields()
      sut.actor.send({ type })
      expect(sut.state()).toBe('leaving')
      sut.actor.send({ type: 'discard.refused' })
      expect([sut.state(), sut.fields()]).toEqual(['editing', typed])
      sut.actor.send({ type })
      sut.actor.send({ type: 'discard.confirmed' })
      expect([sut.state(), sut.output()]).toEqual(['left', { isDismissed, mayHaveSaved: false }])
    },
  )

  it('is forgotten if staff cancel it: the dialog stays open after a save', async () => {
    const sut = filled()
    sut.actor.send({ type: 'dialog.dismissed' })
    sut.actor.send({ type: 'dialog.dismissed' })
    sut.actor.send({ type: 'form.submitted' })
    await sut.save.resolve()
    expect(sut.output()).toEqual({ isDismissed: false, mayHaveSaved: true })
  })
})

describe('the pages and the conflicts of an entry', () => {
  const rush = entryOf('e2', { title: 'Rush', keywords: ['rush order'], priority: 50 })
  const conflictsOf = (sut: ReturnType<typeof startFaqForm>) => selectConflicts(sut.actor.getSnapshot())

  it('are told while staff type, and stay the same object until a field changes', () => {
    const sut = startFaqForm(null, coverage.inspect, [rush])
    sut.type({ ...complete, keyword: 'Rush order po' })
    const told = conflictsOf(sut)
    expect(told).toEqual([
      { keyword: 'Rush order po', other: { id: 'e2', title: 'Rush' }, otherKeyword: 'rush order', isAnswered: false },
    ])
    expect(conflictsOf(sut)).toBe(told)
    sut.type({ priority: '60' })
    expect(conflictsOf(sut).map(({ isAnswered }) => isAnswered)).toEqual([true])
    sut.type({ isActive: false })
    expect(conflictsOf(sut)).toEqual([])
  })

  it('are none between entries of different pages, and none of an entry with its saved self', () => {
    const own = entryOf('e1', { keywords: ['rush order'], page_ids: ['p1'] })
    const sut = startFaqForm(own, coverage.inspect, [own, { ...rush, page_ids: ['p2'] }])
    expect(conflictsOf(sut)).toEqual([])
    sut.type({ pageIds: ['p1', 'p2'] })
    expect(conflictsOf(sut)).toHaveLength(1)
  })

  it('are saved with the entry, and named only if some pages are or were chosen', () => {
    const saved = (entry: FaqEntry | null, pageIds: string[] | null) => {
      const sut = startFaqForm(entry, coverage.inspect)
      sut.type({ ...complete, pageIds })
      sut.actor.send({ type: 'form.submitted' })
      const [{ body } = { body: {} }] = sut.save.inputs()
      return 'page_ids' in body ? body.page_ids : 'not named'
    }
    expect([
      saved(null, null),
      saved(null, ['p1']),
      saved(entryOf('e1', { page_ids: ['p1'] }), null),
      saved(entryOf('e1', { page_ids: null }), null),
    ]).toEqual(['not named', ['p1'], null, 'not named'])
  })

  it('are part of the unsaved entry of a dry run, which is none without a change', () => {
    const sut = startFaqForm(hours, coverage.inspect)
    expect(unsavedIn(sut.actor.getSnapshot())).toBe(null)
    sut.type({ pageIds: ['p1'] })
    expect(unsavedIn(sut.actor.getSnapshot())).toMatchObject({ id: 'e1', title: 'Title e1', page_ids: ['p1'] })
    sut.type({ title: '' })
    expect(unsavedIn(sut.actor.getSnapshot())).toBe(null)
  })
})

describe('the walk through the form', () => {
  const walk = (entry: typeof hours | null) =>
    modelOf(faqFormMachine, {
      input: { item: entry, entries: [] },
      vertex: ({ context }: SnapshotFrom<typeof faqFormMachine>) => context,
      cases: {
        'fields.typed': ({ context }) =>
          context.fields.title === fieldsOf(entry).title ? [{ change: { ...complete, keyword: 'more' } }] : [],
        'keyword.added': [{}],
        'keyword.removed': ({ context }) => context.fields.keywords.map((keyword) => ({ keyword })),
        'form.submitted': [{}],
        'form.cancelled': [{}],
        'discard.confirmed': [{}],
        'discard.refused': [{}],
        'dialog.dismissed': [{}],
        'xstate.done.actor.saveFaq': [{ output: undefined }],
        'xstate.error.actor.saveFaq': [{ error: faqFaults.refused }, { error: faqFaults.noAnswer }],
      },
    })
      .everyTransition()
      .map((path) => ({ entry, path }))
  const paths = [...walk(null), ...walk(hours)]

  type State = {
    entry: FaqEntry | null
    fields: FaqFields
    original: FaqFields
    step: 'editing' | 'leaving' | 'saving' | 'saved' | 'left'
    isDismissed: boolean
    mayHaveSaved: boolean
    error: string | null
    saves: unknown[]
    toasts: unknown[]
  }
  const unchanged = ({ fields, original }: State) => JSON.stringify(fields) === JSON.stringify(original)
  const leave = (state: State, isDismissed: boolean): Partial<State> => ({
    isDismissed,
    step: unchanged(state) ? 'left' : 'leaving',
  })
  const bodyOf = ({ title, categoryId, keywords, keyword, response, isActive, priority }: FaqFields) => ({
    title,
    category_id: categoryId,
    keywords: keyword === '' || keywords.includes(keyword) ? keywords : [...keywords, keyword],
    response,
    is_active: isActive,
    priority: Number(priority),
  })
  const referenceFor = (entry: FaqEntry | null): Reference<State> => {
    const original: FaqFields = {
      title: entry?.title ?? '',
      categoryId: entry?.category_id ?? '',
      keywords: entry?.keywords ?? [],
      keyword: '',
      response: entry?.response ?? '',
      isActive: true,
      priority: entry ? '5' : '0',
      pageIds: null,
    }
    return {
      start: {
        entry,
        fields: original,
        original,
        step: 'editing',
        isDismissed: false,
        mayHaveSaved: false,
        error: null,
        saves: [],
        toasts: [],
      },
      accepts: ({ step, fields: { title, categoryId, keywords, keyword, response } }) =>
        ({
          editing: [
            ...['fields.typed', 'keyword.removed', 'form.cancelled', 'dialog.dismissed'],
            ...when(keyword !== '', 'keyword.added'),
            ...when(Boolean(title && categoryId && (keywords.length > 0 || keyword) && response), 'form.submitted'),
          ],
          leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
          saving: ends('saveFaq'),
          saved: [],
          left: [],
        })[step],
      rules: {
        'fields.typed': ({ fields }, { change }) => ({ fields: { ...fields, ...change } }),
        'keyword.added': ({ fields }) => ({
          fields: { ...fields, keywords: [...fields.keywords, fields.keyword], keyword: '' },
        }),
        'keyword.removed': ({ fields }, { keyword }) => ({
          fields: { ...fields, keywords: fields.keywords.filter((one) => one !== keyword) },
        }),
        'form.submitted': ({ fields, saves }) =>
          fields.title && fields.categoryId && (fields.keywords.length > 0 || fields.keyword) && fields.response
            ? {
                step: 'saving',
                isDismissed: false,
                mayHaveSaved: true,
                error: null,
                saves: [...saves, { id: entry?.id ?? null, body: bodyOf(fields) }],
              }
            : {},
        'form.cancelled': (state) => leave(state, false),
        'dialog.dismissed': (state) => (state.step === 'leaving' ? { step: 'editing' } : leave(state, true)),
        'discard.refused': () => ({ step: 'editing' }),
        'discard.confirmed': () => ({ step: 'left' }),
        'xstate.done.actor.saveFaq': ({ toasts }) => ({
          step: 'saved',
          toasts: [...toasts, success(`FAQ ${entry ? 'updated' : 'created'} successfully`)],
        }),
        'xstate.error.actor.saveFaq': ({ toasts }, { error: failure }) => {
          const network = 'Network error. Please check your connection.'
          const isLost = failure === faqFaults.noAnswer
          const text = isLost ? network : 'There is no such category'
          const unknown = 'We do not know whether the FAQ was created. Look for it in the list before you try again.'
          return { step: 'editing', error: isLost && !entry ? unknown : text, toasts: [...toasts, error(text)] }
        },
      },
      shown: ({ entry: _, original: __, isDismissed, mayHaveSaved, ...state }) => ({
        ...state,
        output: ['saved', 'left'].includes(state.step) ? { isDismissed, mayHaveSaved } : undefined,
      }),
    }
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const { entry, path } of paths) {
      const sut = start(entry)
      const drive = driverOf(sut.actor.send, { calls: { saveFaq: sut.save } })
      await followBeside(path, drive, referenceFor(entry), () => ({
        fields: sut.fields(),
        step: sut.state(),
        error: sut.error(),
        output: sut.output(),
        saves: sut.save.inputs(),
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
