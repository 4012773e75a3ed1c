import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { InspectionEvent, SnapshotFrom } from 'xstate'
import { automaticKeyOf } from '../../../src/domain/faq/automatic.ts'
import { faqMachine } from '../../../src/machines/faq/faq.ts'
import { faqFormMachine } from '../../../src/machines/faq/faq-form.ts'
import { faqTestMachine } from '../../../src/machines/faq/faq-test.ts'
import type { FaqEntry } from '../../../src/schemas/faq.ts'
import { SessionProvider, type SessionRef } from '../../../src/views/actors.tsx'
import FaqDialog from '../../../src/views/faq/FaqDialog.tsx'
import { Bubble } from '../../../src/views/thread/Bubble.tsx'
import { messageOf } from '../../domain/message-fixture.ts'
import { categories, complete, entryOf, faqFaults, startFaq } from '../../model/faq/faq-fixture.ts'
import { createCoverage, follow, modelOf } from '../../model/harness.ts'
import { blockedReasonOf } from '../blocked-reason.ts'
import { neededIn } from '../needed.ts'
import { expectScreen } from '../screen.ts'
import { SignedIn } from '../signed-in.tsx'
import userEvent from '../user-event.ts'

const list = createCoverage(faqMachine)
const form = createCoverage(faqFormMachine)
const test = createCoverage(faqTestMachine)
const inspect = (event: InspectionEvent) => {
  list.inspect(event)
  form.inspect(event)
  test.inspect(event)
}

const pay = entryOf('e1', { title: 'How to pay', keywords: ['GCash', 'bank transfer'], response: 'By GCash.' })
const late = entryOf('e2', {
  title: 'Late orders',
  category_id: 'c2',
  category_name: null,
  is_active: false,
  created_by_name: null,
  created_at: null,
})

const quiet = { subscribe: () => ({ unsubscribe: () => undefined }) }
const none = { context: { pages: { inOrder: [] } }, matches: () => false }
const noPages = { ...quiet, getSnapshot: () => none }

/** The session of a person with these permissions, with an API without the feature 'faq-matching'. */
const sessionOf = (permissions: readonly string[]) => {
  const signedIn = { context: { user: { id: 'u1', permissions } } }
  return {
    ...quiet,
    getSnapshot: () => signedIn,
    system: { get: (id: string) => (id === 'pages' ? noPages : undefined) },
  } as unknown as SessionRef
}

/** Renders the dialog on its real machine. The test controls the responses. */
async function show(entries: readonly FaqEntry[] | null = [pay, late], permissions = ['faq.manage']) {
  const sut = startFaq(inspect)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(
    <SessionProvider session={sessionOf(permissions)}>
      <FaqDialog actor={sut.actor} title="FAQ Management" onDismiss={dismiss} />
    </SessionProvider>,
  )
  const settle = async (answer: () => Promise<void>) => act(answer)
  if (entries !== null) {
    await settle(() => sut.categories.resolve(categories))
    await settle(() => sut.entries.resolve(entries))
  }
  return { ...sut, settle, unmount: view.unmount }
}

const dialog = () => within(screen.getByRole('dialog', { name: 'FAQ Management' }))
const button = (name: string) => dialog().getByRole<HTMLButtonElement>('button', { name })
const field = (name: string | RegExp) => dialog().getByLabelText<HTMLInputElement>(name)
const titles = () =>
  dialog()
    .queryAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent)
const added = () =>
  [...(dialog().queryByRole('list', { name: 'Added keywords' })?.children ?? [])].map((item) => item.textContent)
const question = () => within(screen.getByRole('alertdialog'))

/** Fills the field in one step, without a key event for each character. */
function fill() {
  fireEvent.change(field('Title'), { target: { value: 'Hours' } })
  fireEvent.change(field('Category'), { target: { value: 'c2' } })
  fireEvent.change(field(/^Keywords/), { target: { value: 'open' } })
  fireEvent.keyDown(field(/^Keywords/), { key: 'Enter' })
  fireEvent.change(field('Response'), { target: { value: 'From 9.' } })
}

describe('The FAQ list', () => {
  it('shows that it is loading, and then that it is empty', async () => {
    const sut = await show(null)
    expect(dialog().getByText('Loading FAQs...')).toBeDefined()
    await sut.settle(() => sut.entries.resolve([]))
    expect(dialog().getByText('No FAQs found. Add your first FAQ entry!')).toBeDefined()
    await expectScreen()
  })

  it('shows the content, category, priority, state and author of each entry', async () => {
    await show()
    const [first, second] = dialog().getByRole('list', { name: 'FAQs' }).children
    expect([first?.textContent, second?.textContent]).toEqual([
      `How to payPaymentsPriority 5ActiveGCashbank transferBy GCash.Created by Ana Reyes on ${new Date('2026-01-05T12:00:00Z').toLocaleDateString(undefined, { dateStyle: 'medium' })}`,
      'Late ordersUncategorizedPriority 5Inactivekeyword e2Response e2Created by Unknown',
    ])
    await expectScreen()
  })

  it('is read without the permission to change it, and then offers no change', async () => {
    await show([pay, late], ['conversations.read', 'faq.read'])
    expect([titles(), dialog().queryAllByRole('button', { name: /^(Add FAQ|Edit|Delete)/ })]).toEqual([
      ['How to pay', 'Late orders', 'Test FAQ Matching'],
      [],
    ])
  })

  it('filters by category, initially All Categories', async () => {
    await show()
    const filter = field('Category')
    expect([...filter.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'All Categories',
      'Payments',
      'Delivery',
    ])
    await userEvent.selectOptions(filter, 'Delivery')
    expect(titles()).toEqual(['Late orders', 'Test FAQ Matching'])
    await userEvent.selectOptions(filter, 'All Categories')
    expect(titles()).toEqual(['How to pay', 'Late orders', 'Test FAQ Matching'])
  })

  it('offers a retry if it failed to load', async () => {
    const sut = await show(null)
    await sut.settle(() => sut.entries.reject(faqFaults.unreadable))
    await sut.settle(() => sut.categories.resolve(categories))
    await userEvent.click(button('Try again'))
    await sut.settle(() => sut.entries.resolve([pay]))
    expect([titles(), sut.toasts]).toEqual([
      ['How to pay', 'Test FAQ Matching'],
      [
        { kind: 'error', text: 'Failed to load FAQs' },
        { kind: 'success', text: 'FAQs refreshed' },
      ],
    ])
  })

  it('shows markup as plain text', async () => {
    await show([entryOf('e1', { title: '<b>x</b>\u202e', keywords: ['<img>'], response: '<script>' })])
    expect(dialog().getByRole('heading', { name: '<b>x</b>' }).textContent).toBe('<b>x</b>')
  })
})

describe('The FAQ form', () => {
  it('focuses its first field and disables Save until it is complete', async () => {
    await show()
    await userEvent.click(button('Add FAQ'))
    expect([document.activeElement === field('Title'), blockedReasonOf(button('Add FAQ'))]).toEqual([
      true,
      'Enter a title.',
    ])
    fill()
    expect(blockedReasonOf(button('Add FAQ'))).toBe(false)
    await expectScreen()
  })

  it('warns of a variable that is not filled in', async () => {
    await show()
    await userEvent.click(button('Add FAQ'))
    fireEvent.change(field('Response'), { target: { value: 'Hi {userName}, {balance} is left.' } })
    expect(dialog().getByText('{balance} is not filled in. Customers would see it as {balance}.')).toBeDefined()
  })

  it('adds keywords by Enter and Add, trimmed and without duplicates, and does not save the form', async () => {
    const sut = await show()
    await userEvent.click(button('Add FAQ'))
    await userEvent.type(field(/^Keywords/), '  opening hours {Enter}')
    await userEvent.type(field(/^Keywords/), 'open')
    await userEvent.click(button('Add'))
    expect([added(), field(/^Keywords/).value, document.activeElement === field(/^Keywords/)]).toEqual([
      ['opening hours', 'open'],
      '',
      true,
    ])
    await userEvent.type(field(/^Keywords/), 'OPEN!{Enter}')
    expect([added(), field(/^Keywords/).value, button('Add').disabled]).toEqual([
      ['opening hours', 'open'],
      'OPEN!',
      true,
    ])
    expect(dialog().getByText('You already added this keyword')).toBeDefined()
    expect(sut.save.calls.length).toBe(0)
  })

  it('adds each keyword of a typed or a pasted list, as the description of the field says', async () => {
    await show()
    await userEvent.click(button('Add FAQ'))
    const description = document.getElementById(field(/^Keywords/).getAttribute('aria-describedby') ?? '')
    expect(description?.textContent).toMatch(/Separate several keywords with commas or semicolons\.$/)
    const paste = (text: string) => fireEvent.paste(field(/^Keywords/), { clipboardData: { getData: () => text } })
    await userEvent.type(field(/^Keywords/), 'delivery fee, shipping{Enter}')
    expect([added(), field(/^Keywords/).value]).toEqual([['delivery fee', 'shipping'], ''])
    await userEvent.type(field(/^Keywords/), 'my ')
    // What is not a list is left to the browser.
    expect([paste('order\nlate;Shipping\n'), paste('one phrase')]).toEqual([false, true])
    expect([added(), field(/^Keywords/).value]).toEqual([['delivery fee', 'shipping', 'my order', 'late'], ''])
  })

  it('removes keywords by keyboard and keeps the focus on the keywords', async () => {
    await show()
    await userEvent.click(button('Add FAQ'))
    await userEvent.type(field(/^Keywords/), 'a{Enter}b{Enter}c{Enter}')
    button('Remove b').focus()
    await userEvent.keyboard('{Enter}')
    expect([added(), document.activeElement]).toEqual([['a', 'c'], button('Remove c')])
    await userEvent.keyboard(' ')
    expect([added(), document.activeElement]).toEqual([['a'], button('Remove a')])
    await userEvent.keyboard('{Enter}')
    expect([added(), document.activeElement]).toEqual([[], field(/^Keywords/)])
  })

  it('shows an error for an invalid priority', async () => {
    await show()
    await userEvent.click(button('Edit How to pay'))
    await userEvent.clear(field(/^Priority/))
    await userEvent.type(field(/^Priority/), '101')
    expect([dialog().getByText('A whole number from 0 to 100').tagName, button('Update FAQ').disabled]).toEqual([
      'P',
      true,
    ])
  })

  it('warns about a response that is too long for Instagram', async () => {
    await show([entryOf('e1', { title: 'Long', response: 'é'.repeat(501) })])
    await userEvent.click(button('Edit Long'))
    expect(dialog().getByText('Too long for Instagram. This FAQ will reply on Messenger only.')).toBeDefined()
  })

  it('saves once, shows a toast, and returns the focus to the button that opened it', async () => {
    const sut = await show()
    await userEvent.click(button('Edit How to pay'))
    expect(added()).toEqual(['GCash', 'bank transfer'])
    await userEvent.click(field('Active'))
    await userEvent.dblClick(button('Update FAQ'))
    expect([sut.save.inputs().map(({ id, body }) => [id, body.is_active]), button('Saving...').disabled]).toEqual([
      [['e1', false]],
      true,
    ])
    await sut.settle(() => sut.save.resolve())
    expect([sut.toasts, document.activeElement]).toEqual([
      [{ kind: 'success', text: 'FAQ updated successfully' }],
      button('Edit How to pay'),
    ])
  })

  it.each([
    ['a rejection', faqFaults.refused, 'There is no such category'],
    ['a connection failure', faqFaults.noAnswer, 'We do not know whether the FAQ was created.'],
  ])('shows the reason and keeps the input after %s', async (_, failure, text) => {
    const sut = await show()
    await userEvent.click(button('Add FAQ'))
    fill()
    await userEvent.type(field(/^Keywords/), 'half')
    await userEvent.click(button('Add FAQ'))
    await sut.settle(() => sut.save.reject(failure))
    expect(dialog().getByRole('alert').textContent).toContain(text)
    expect([field('Title').value, field('Category').value, added(), field(/^Keywords/).value]).toEqual([
      'Hours',
      'c2',
      ['open'],
      'half',
    ])
    expect(field('Response').value).toBe('From 9.')
    await expectScreen()
  })

  it('marks required fields, visibly and for screen readers', async () => {
    await show()
    await userEvent.click(button('Add FAQ'))
    expect(neededIn(document.querySelector('form[novalidate]'))).toEqual({
      shown: ['Title', 'Category', 'Keywords', 'Response'],
      said: ['Title', 'Category', 'Keywords', 'Response'],
    })
  })

  it('asks before Cancel or Escape discards typed input', async () => {
    const sut = await show()
    await userEvent.click(button('Add FAQ'))
    await userEvent.type(field('Title'), 'Hours')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(question().getByRole('button', { name: 'Keep editing' })))
    await userEvent.click(question().getByRole('button', { name: 'Keep editing' }))
    expect(field('Title').value).toBe('Hours')
    await userEvent.click(button('Cancel'))
    await userEvent.click(question().getByRole('button', { name: 'Discard' }))
    expect([titles().includes('How to pay'), sut.actor.getSnapshot().status]).toEqual([true, 'active'])
    expect(document.activeElement).toBe(button('Add FAQ'))
  })
})

describe('Deleting a FAQ entry', () => {
  it('asks with the focus on Cancel, deletes once and shows a toast', async () => {
    const sut = await show()
    await userEvent.click(button('Delete How to pay'))
    expect(question().getByText('Are you sure you want to delete this FAQ entry?')).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(question().getByRole('button', { name: 'Cancel' })))
    await expectScreen()
    await userEvent.keyboard('{Enter}')
    expect([screen.queryByRole('alertdialog'), sut.remove.calls.length]).toEqual([null, 0])
    await userEvent.click(button('Delete How to pay'))
    await userEvent.dblClick(question().getByRole('button', { name: 'Delete' }))
    expect(sut.remove.inputs()).toEqual([{ id: 'e1' }])
    await sut.settle(() => sut.remove.resolve())
    expect([titles(), sut.toasts]).toEqual([
      ['Late orders', 'Test FAQ Matching'],
      [{ kind: 'success', text: 'FAQ deleted successfully' }],
    ])
    await waitFor(() => expect(document.activeElement).toBe(button('Add FAQ')))
  })

  it('keeps the entry and shows an error if it fails', async () => {
    const sut = await show()
    await userEvent.click(button('Delete How to pay'))
    await userEvent.click(question().getByRole('button', { name: 'Delete' }))
    await sut.settle(() => sut.remove.reject(faqFaults.unnamed))
    expect([screen.queryByRole('alertdialog'), titles().includes('How to pay'), sut.toasts]).toEqual([
      null,
      true,
      [{ kind: 'error', text: 'Failed to delete FAQ' }],
    ])
  })
})

describe('Test FAQ Matching', () => {
  const match = { id: 'e1', title: 'How to pay', category: 'Payments', priority: 5, matched_keywords: ['GCash'] }

  it('needs a message, and shows every match and the one that would be sent', async () => {
    const sut = await show()
    expect(button('Test').disabled).toBe(true)
    await userEvent.type(field('Message to test'), ' gcash? ')
    fireEvent.keyDown(field('Message to test'), { key: 'Enter', shiftKey: true })
    expect(sut.test.inputs()).toEqual([])
    fireEvent.keyDown(field('Message to test'), { key: 'Enter' })
    expect([sut.test.inputs(), button('Testing...').disabled]).toEqual([[{ message: 'gcash?', pageId: null }], true])
    const other = { ...match, id: 'e9', title: 'Other', category: null, matched_keywords: ['gcash', 'cash'] }
    await sut.settle(() => sut.test.resolve({ message: 'gcash?', matches: [match, other] }))
    const results = within(dialog().getByRole('region', { name: 'Test FAQ Matching' })).getAllByRole('listitem')
    expect(results.map(({ textContent }) => textContent)).toEqual([
      'How to payThis FAQ would replyPayments · Priority 5Matched: GCash',
      'OtherUncategorized · Priority 5Matched: gcash, cash',
    ])
    await expectScreen()
  })

  it('folds and unfolds by its heading', async () => {
    await show()
    const shown: (string | null)[] = []
    for (const _ of ['before', 'unfolded', 'folded']) {
      shown.push(button('Test FAQ Matching').ariaExpanded)
      await userEvent.click(button('Test FAQ Matching'))
    }
    expect(shown).toEqual(['false', 'true', 'false'])
  })

  it('runs again if the list is reloaded while the test is running', async () => {
    const sut = await show()
    await userEvent.type(field('Message to test'), 'gcash?{Enter}')
    await userEvent.click(button('Refresh'))
    await sut.settle(() => sut.entries.resolve([pay]))
    expect(sut.test.calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
    await sut.settle(() => sut.test.resolve({ message: 'gcash?', matches: [match] }))
    expect(dialog().getByText('This FAQ would reply').tagName).toBe('SPAN')
  })

  it('shows at most five entries that the message is similar to', async () => {
    const sut = await show()
    await userEvent.type(field('Message to test'), 'gcsh?{Enter}')
    const near = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((title) => ({
      ...match,
      id: title,
      title,
      score: 0.5,
      keyword: 'gcash',
      reasons: [],
    }))
    await sut.settle(() => sut.test.resolve({ message: 'gcsh?', matches: [], near }))
    const similar = within(dialog().getByRole('list', { name: 'Similar FAQs' })).getAllByRole('listitem')
    expect(similar.map(({ textContent }) => textContent?.match(/^(?:One|Two|Three|Four|Five|Six)/)?.[0])).toEqual([
      'One',
      'Two',
      'Three',
      'Four',
      'Five',
    ])
  })

  it('shows that no entry matches, and that the test failed', async () => {
    const sut = await show()
    await userEvent.type(field('Message to test'), 'hello{Enter}')
    await sut.settle(() => sut.test.resolve({ message: 'hello', matches: [] }))
    expect(dialog().getByText(/^No FAQ would reply/).textContent).toBe('No FAQ would reply to “hello”.')
    await userEvent.click(button('Test'))
    await sut.settle(() => sut.test.reject(faqFaults.unnamed))
    expect([sut.toasts, field('Message to test').value]).toEqual([
      [{ kind: 'error', text: 'Failed to test FAQ match' }],
      'hello',
    ])
  })
})

describe('The bubble of an automatic reply', () => {
  it('is marked visibly and for screen readers, unlike a message of staff', () => {
    const automatic = messageOf('m1', 1, { direction: 'outgoing', idempotency_key: automaticKeyOf('m0') })
    const own = messageOf('m2', 2, { direction: 'outgoing', idempotency_key: 'k1' })
    render(
      <>
        <Bubble message={automatic} author="Ana" by={null} via={null} endsGroup />
        <Bubble message={own} author="Ana" by={null} via={null} endsGroup />
      </>,
      { wrapper: SignedIn },
    )
    const seen = screen
      .getAllByRole('article')
      .map((article) => [
        article.getAttribute('aria-label')?.split(',')[0],
        /Automatic$/.test(article.textContent ?? ''),
      ])
    expect(seen).toEqual([
      ['Automatic reply', true],
      ['You', false],
    ])
  })
})

describe('The FAQ form, on every path of its model,', () => {
  type Snapshot = SnapshotFrom<typeof faqFormMachine>
  const paths = modelOf(faqFormMachine, {
    input: { item: null, entries: [] },
    vertex: ({ context }: Snapshot) => context,
    cases: {
      'fields.typed': ({ context }) => (context.fields.title === '' ? [{ change: complete }] : []),
      'keyword.added': [],
      'keyword.removed': [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.saveFaq': [{ output: undefined }],
      'xstate.error.actor.saveFaq': [{ error: faqFaults.refused }],
    },
  }).everyTransitionInFewPaths()

  const expected = ({ value, context: { fields, error } }: Snapshot) =>
    value === 'saved' || value === 'left'
      ? null
      : {
          main: value === 'saving' ? 'Saving...' : 'Add FAQ',
          asks: value === 'leaving',
          title: fields.title,
          keywords: fields.keywords,
          error,
        }
  const seen = () => {
    const form = document.querySelector('form[novalidate]')
    return form === null
      ? null
      : {
          main: form.querySelector('button[type=submit]')?.textContent,
          asks: screen.queryByRole('alertdialog') !== null,
          title: form.querySelector('input')?.value,
          keywords: [...form.querySelectorAll('ul[aria-label="Added keywords"] bdi')].map((word) => word.textContent),
          error: form.querySelector('[role=alert]')?.textContent ?? null,
        }
  }
  const press = async (name: string) => {
    const shown = screen.queryByRole('alertdialog') ?? screen.getByRole('dialog')
    await userEvent.click(within(shown).getByRole('button', { name }))
  }

  it.each(paths)('path %$', async (path) => {
    const sut = await show()
    await userEvent.click(button('Add FAQ'))
    await follow(
      path,
      {
        'fields.typed': fill,
        'form.submitted': () => press('Add FAQ'),
        'form.cancelled': () => press('Cancel'),
        'discard.confirmed': () => press('Discard'),
        'discard.refused': () => press('Keep editing'),
        'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
        'xstate.done.actor.saveFaq': () => sut.settle(() => sut.save.resolve()),
        'xstate.error.actor.saveFaq': ({ error }) => sut.settle(() => sut.save.reject(error)),
      },
      (step) => {
        const ended = sut.actor.getSnapshot().status === 'done'
        expect(ended ? null : seen()).toEqual(expected(step.expected))
      },
    )
    sut.unmount()
  })
})

describe('The FAQ matching test, on every path of its model,', () => {
  const result = {
    message: 'open?',
    matches: [{ id: 'e1', title: 'Hours', category: null, priority: 0, matched_keywords: ['open'] }],
  }
  const paths = modelOf(faqTestMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'message.typed': [{ message: 'open?' }, { message: '' }],
      // Without the feature 'faq-matching' no page can be chosen.
      'page.chosen': [],
      'test.requested': [{}],
      // The list sends this event after a reload; here a press of Refresh causes it.
      'result.invalidated': [],
      'xstate.done.actor.testMatch': [{ output: result }],
      'xstate.error.actor.testMatch': [{ error: faqFaults.unnamed }],
    },
  }).everyTransitionInFewPaths()
  const typed = () => field('Message to test')

  it.each(paths)('path %$', async (path) => {
    const sut = await show()
    await follow(
      path,
      {
        'message.typed': ({ message }) => {
          fireEvent.change(typed(), { target: { value: message } })
        },
        'test.requested': () => userEvent.click(button('Test')),
        'xstate.done.actor.testMatch': ({ output }) => sut.settle(() => sut.test.resolve(output)),
        'xstate.error.actor.testMatch': ({ error }) => sut.settle(() => sut.test.reject(error)),
      },
      ({ expected: { value, context } }) => {
        const isTesting = value === 'testing'
        const press = button(isTesting ? 'Testing...' : 'Test')
        expect([typed().value, press.disabled, dialog().queryByText('This FAQ would reply') !== null]).toEqual([
          context.message,
          isTesting || context.message === '',
          context.result !== null,
        ])
      },
    )
    sut.unmount()
  })
})

describe('The FAQ list', () => {
  type Snapshot = SnapshotFrom<typeof faqMachine>
  const isQuiet = (snapshot: Snapshot) =>
    !snapshot.matches({ open: { categories: 'loading' } }) &&
    snapshot.matches({ open: { work: 'list' } }) &&
    (snapshot.matches({ open: { entries: 'showing' } }) || snapshot.matches({ open: { entries: 'failed' } }))
  const showsAll = (snapshot: Snapshot) =>
    isQuiet(snapshot) && snapshot.context.categories !== null && snapshot.context.categoryId === null
  const paths = modelOf(faqMachine, {
    input: undefined,
    vertex: ({ context: { entries, categories: known, categoryId } }: Snapshot) => [entries, known, categoryId],
    limit: 20_000,
    cases: {
      'refetch.requested': (snapshot) =>
        showsAll(snapshot) || (isQuiet(snapshot) && snapshot.matches({ open: { categories: 'waiting' } })) ? [{}] : [],
      'category.chosen': (snapshot) => (showsAll(snapshot) ? [{ categoryId: 'c2' }] : []),
      // Offered with the feature 'faq-matching' alone.
      'page.chosen': [],
      'wrongAnswers.opened': [],
      'wrongAnswers.left': [],
      'deletion.requested': (snapshot) =>
        showsAll(snapshot) && snapshot.context.entries?.includes(pay) ? [{ item: pay }] : [],
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'dialog.dismissed': (snapshot) => (snapshot.matches({ open: { work: 'list' } }) ? [{}] : []),
      'item.added': [],
      'item.edited': [],
      'entries.invalidated': [],
      'xstate.done.actor.faqTest': [],
      'xstate.error.actor.faqTest': [],
      'xstate.done.actor.faqDryRun': [],
      'xstate.error.actor.faqDryRun': [],
      'xstate.done.actor.faqWrongAnswers': [],
      'xstate.error.actor.faqWrongAnswers': [],
      'xstate.done.actor.loadCategories': [{ output: categories }],
      'xstate.error.actor.loadCategories': [{ error: faqFaults.unreadable }, { error: faqFaults.unnamed }],
      'xstate.done.actor.loadEntries': [{ output: [pay, late] }],
      'xstate.error.actor.loadEntries': [{ error: faqFaults.unreadable }, { error: faqFaults.unnamed }],
      'xstate.done.actor.refreshEntries': [{ output: [pay, late] }],
      'xstate.error.actor.refreshEntries': [{ error: faqFaults.unreadable }, { error: faqFaults.unnamed }],
      'xstate.done.actor.deleteFaq': [{ output: undefined }],
      'xstate.error.actor.deleteFaq': [{ error: faqFaults.unnamed }],
    },
  }).everyTransitionInFewPaths()

  it(`matches its model over ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = await show(null)
      await follow(
        path,
        {
          'refetch.requested': () => userEvent.click(button('Refresh')),
          'category.chosen': ({ categoryId }) => userEvent.selectOptions(field('Category'), categoryId),
          'deletion.requested': () => userEvent.click(button('Delete How to pay')),
          'deletion.confirmed': () => userEvent.click(question().getByRole('button', { name: 'Delete' })),
          'deletion.cancelled': () => userEvent.click(question().getByRole('button', { name: 'Cancel' })),
          'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
          'xstate.done.actor.loadCategories': ({ output }) => sut.settle(() => sut.categories.resolve(output)),
          'xstate.error.actor.loadCategories': ({ error }) => sut.settle(() => sut.categories.reject(error)),
          'xstate.done.actor.loadEntries': ({ output }) => sut.settle(() => sut.entries.resolve(output)),
          'xstate.error.actor.loadEntries': ({ error }) => sut.settle(() => sut.entries.reject(error)),
          'xstate.after.retryDelay.faq.open.entries.failed.waiting': () =>
            sut.settle(async () => void sut.clock.increment(30_000)),
          'xstate.after.categoryRetryDelay.faq.open.categories.waiting': () =>
            sut.settle(async () => void sut.clock.increment(30_000)),
          'xstate.done.actor.refreshEntries': ({ output }) => sut.settle(() => sut.entries.resolve(output)),
          'xstate.error.actor.refreshEntries': ({ error }) => sut.settle(() => sut.entries.reject(error)),
          'xstate.done.actor.deleteFaq': () => sut.settle(() => sut.remove.resolve()),
          'xstate.error.actor.deleteFaq': ({ error }) => sut.settle(() => sut.remove.reject(error)),
        },
        ({ expected }) => {
          const { entries, categoryId } = expected.context
          const listed = (entries ?? []).filter((entry) => categoryId === null || entry.category_id === categoryId)
          const isOver = expected.status === 'done'
          expect(sut.actor.getSnapshot().status).toBe(expected.status)
          if (isOver) return
          const asks =
            expected.matches({ open: { work: 'asking' } }) || expected.matches({ open: { work: 'deleting' } })
          const shown = within(screen.getByRole('dialog', { name: 'FAQ Management', hidden: true }))
          expect([
            shown.queryAllByRole('heading', { level: 3, hidden: true }).map((heading) => heading.textContent),
            screen.queryByRole('alertdialog') !== null,
          ]).toEqual([[...listed.map(({ title }) => title), 'Test FAQ Matching'], asks])
        },
      )
      sut.unmount()
    }
  }, 120_000)
})

describe('The FAQ tests together', () => {
  /** The confirmation dialog handles Escape itself. */
  const escapes = {
    list: 'faq.open.work.asking -- dialog.dismissed --> faq.open.work.list',
    form: 'faqForm.leaving -- dialog.dismissed --> faqForm.editing',
  }

  /** They need the feature 'faq-matching': faq-matching.walk.test.tsx. */
  const withMatching = {
    list: [
      'faq.open.filter -- page.chosen --> stays',
      'faq.open.work.list -- wrongAnswers.opened --> faq.open.work.wrongAnswers',
      'faq.open.work.wrongAnswers -- item.edited --> faq.open.work.form',
      'faq.open.work.wrongAnswers -- wrongAnswers.left --> faq.open.work.list',
      'faq.open.work.wrongAnswers -- dialog.dismissed --> faq.dismissed',
    ],
    test: ['faqTest.idle -- page.chosen --> stays', 'faqTest.testing -- page.chosen --> faqTest.testing'],
  }

  it('enter every state of the list', () => expect(list.statesMissed()).toEqual(['faq.open.work.wrongAnswers']))
  it('take every transition of the list', () =>
    expect(list.transitionsMissed().toSorted()).toEqual([...withMatching.list, escapes.list].toSorted()))
  it('enter every state of the form', () => expect(form.statesMissed()).toEqual([]))
  it('take every transition of the form', () => expect(form.transitionsMissed()).toEqual([escapes.form]))
  it('enter every state of the matching test', () => expect(test.statesMissed()).toEqual([]))
  it('take every transition of the matching test', () => expect(test.transitionsMissed()).toEqual(withMatching.test))
})
