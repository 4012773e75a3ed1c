import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { answerMarkMachine } from '../../../src/machines/faq/answer-mark.ts'
import { faqDryRunMachine } from '../../../src/machines/faq/faq-dry-run.ts'
import { faqMatching, faqMatchingMachine } from '../../../src/machines/faq/faq-matching.ts'
import { faqWrongAnswersMachine } from '../../../src/machines/faq/faq-wrong-answers.ts'
import type { DialogName } from '../../../src/machines/shell/dialog.ts'
import type { FaqDryRunPart, FaqWrongAnswers } from '../../../src/schemas/faq.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { pageOf } from '../../model/dialogs-fixture.ts'
import { categories, entryOf, faqFaults } from '../../model/faq/faq-fixture.ts'
import { matchingModel } from '../../model/faq/faq-matching-fixture.ts'
import { createCoverage, driverOf, follow, modelOf } from '../../model/harness.ts'
import { settingsDriver } from '../driving.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const person = {
  ...user,
  features: ['faq-matching' as const],
  permissions: ['conversations.read', 'faq.read', 'faq.manage', 'messages.send'],
}

const matchingCoverage = createCoverage(faqMatchingMachine)
const dryRunCoverage = createCoverage(faqDryRunMachine)
const wrongAnswersCoverage = createCoverage(faqWrongAnswersMachine)
const markCoverage = createCoverage(answerMarkMachine)

type Inspect = ReturnType<typeof createCoverage>['inspect']
async function open(name: Extract<DialogName, 'faq' | 'faqMatching'>, inspect: Inspect, entries = [entryOf('e1')]) {
  const inbox = await showInbox({ person, inspect })
  await inbox.answer('loadPages', [pageOf('p1', { page_name: 'Prints' }), pageOf('p2', { page_name: 'Cakes' })])
  await inbox.answer('loadTop', listOf([]))
  await inbox.openDialog({ name })
  if (name === 'faq') {
    await inbox.answer('loadCategories', categories)
    await inbox.answer('loadEntries', entries)
  }
  return inbox
}
const opened = (inbox: Awaited<ReturnType<typeof open>>) =>
  inbox.app.system.get('dialog').getSnapshot().context.opened.actor
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))

describe('The dialog of FAQ matching', () => {
  const option = (score: number | null) =>
    screen.getByRole<HTMLInputElement>('radio', {
      name: score === null ? /^Never/ : score === 0.9 ? /nearly certain/ : /likely/,
    })

  it('matches its own model on every path', async () => {
    for (const path of matchingModel().everyTransitionInFewPaths()) {
      const inbox = await open('faqMatching', matchingCoverage.inspect)
      const drive = settingsDriver(inbox, { load: 'loadMatching', save: 'saveMatching' }, ({ settings }) => {
        const shown = option(settings.least_score)
        return shown.checked ? undefined : userEvent.click(shown)
      })
      await follow(path, drive, ({ expected }) => {
        const [shown] = screen.queryAllByRole('dialog', { name: 'FAQ matching', hidden: true })
        if (expected.status === 'done') return expect(shown).toBeUndefined()
        const settings = faqMatching.selectSettings(expected)
        const checked = shown?.querySelector<HTMLInputElement>('input:checked')?.closest('label')?.textContent
        expect([
          checked?.slice(0, 5) ?? null,
          screen.queryByText(/A colleague changed this meanwhile/) !== null,
          screen.queryByRole('alertdialog') !== null,
        ]).toEqual([
          settings && (settings.least_score === null ? 'Never' : 'If it'),
          faqMatching.selectIsOvertaken(expected),
          expected.matches('leaving'),
        ])
      })
      inbox.unmount()
    }
    expect([matchingCoverage.statesMissed(), matchingCoverage.transitionsMissed()]).toEqual([
      [],
      // The confirmation dialog handles Escape itself.
      ['faqMatching.leaving -- dialog.dismissed --> faqMatching.editing'],
    ])
  }, 120_000)

  it('is opened beside the list, and is not offered beside a form, which it would close', async () => {
    const inbox = await open('faq', matchingCoverage.inspect)
    await press('Edit Title e1')
    expect(screen.queryByRole('button', { name: 'FAQ matching' })).toBeNull()
    await press('Cancel')
    await press('FAQ matching')
    await act(() => vi.dynamicImportSettled())
    expect(screen.getAllByRole('dialog')).toEqual([screen.getByRole('dialog', { name: 'FAQ matching' })])
    inbox.unmount()
  })

  it('shows a score of another program', async () => {
    const inbox = await open('faqMatching', matchingCoverage.inspect)
    await inbox.answer('loadMatching', { saved: { settings: { least_score: 0.85 }, version: 1 }, facts: null })
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'From 85%' }).checked).toBe(true)
    inbox.unmount()
  })
})

const reasons = [{ kind: 'typing' as const, written: 'mgkano', read: 'magkano' }]
const partOf = (isLast: boolean): FaqDryRunPart => ({
  total: 4,
  done: isLast ? 4 : 2,
  outcomes: { answered: 1, staff: 1, recent: 0, doubtful: 0, none: 0 },
  contested: 0,
  entries: [{ id: 'e1', title: 'Prices', count: 1 }],
  answered: [
    {
      message_id: isLast ? 'm2' : 'm1',
      conversation_id: 'ana',
      page_id: 'p1',
      text: 'mgkano po',
      written_at: '2026-01-15T12:00:00Z',
      outcome: 'answered',
      doubt: null,
      entries: [
        { id: 'e1', title: 'Prices', keyword: 'magkano', score: 0.914, reasons },
        { id: 'e2', title: 'Fees', keyword: 'po', score: 1, reasons: [] },
      ],
    },
  ],
  several: [],
  unanswered: [],
  next: isLast
    ? null
    : { after: 2, last: 4, since: '2026-01-01T00:00:00Z', total: 4, done: 2, version: 'v', recent: [] },
})

describe('The dry run', () => {
  it('matches its own model on every path', async () => {
    const paths = modelOf(faqDryRunMachine, {
      input: undefined,
      vertex: ({ context }) => context,
      cases: {
        'run.requested': [{ entry: null }],
        'run.cancelled': [{}],
        'refetch.requested': [{}],
        'xstate.done.actor.dryRun': ({ context }) => [
          { output: partOf(true) },
          ...(context.next === null ? [{ output: partOf(false) }] : []),
        ],
        'xstate.error.actor.dryRun': ({ context }) => [
          ...(context.failures > 0 ? [] : [{ error: faqFaults.unreadable }]),
          { error: faqFaults.unnamed },
        ],
      },
    }).everyTransitionInFewPaths()
    for (const path of paths) {
      const inbox = await open('faq', dryRunCoverage.inspect)
      await follow(
        path,
        {
          'run.requested': () => press('Start dry run'),
          'run.cancelled': async (event: AnyEventObject) => {
            // A run that stopped is begun anew, or goes on.
            if (screen.queryByRole('button', { name: 'Cancel' })) await press('Cancel')
            else await act(async () => opened(inbox).getSnapshot().children.faqDryRun.send(event))
          },
          'refetch.requested': () => press('Continue'),
          ...inbox.ends('dryRun'),
          'xstate.after.retryDelay.faqDryRun.running.failed.waiting': () => inbox.pass(60_000),
        },
        ({ expected }) => {
          const { result } = expected.context
          expect({
            isStopped: screen.queryByText('The dry run stopped.') !== null,
            progress: screen.queryByRole('progressbar')?.getAttribute('value') ?? null,
            cancelled: screen.queryByText(/^Cancelled after/) !== null,
            answered: screen.queryByText(/messages answered$/)?.textContent ?? null,
          }).toEqual({
            isStopped: expected.matches({ running: 'failed' }),
            progress: expected.matches('running') ? String(result?.done ?? 0) : null,
            cancelled: expected.matches('cancelled'),
            answered:
              result && result.done > 0 ? `${result.outcomes.answered} of ${result.done} messages answered` : null,
          })
        },
      )
      inbox.unmount()
    }
    expect([dryRunCoverage.statesMissed(), dryRunCoverage.transitionsMissed()]).toEqual([[], []])
  }, 120_000)

  const counts = (outcomes: Partial<FaqDryRunPart['outcomes']>) => ({
    answered: 0,
    staff: 0,
    recent: 0,
    doubtful: 0,
    none: 0,
    ...outcomes,
  })
  const nothing = { ...partOf(true), answered: [], entries: [], outcomes: counts({}) }
  it.each<[string, Partial<FaqDryRunPart>, string[], string[]]>([
    ['no messages', { total: 0, done: 0 }, ['No messages in the last 30 days.'], []],
    ['no answers', { outcomes: counts({ none: 4 }) }, ['0 of 4 messages answered'], []],
    [
      'every outcome',
      {
        total: 1_500,
        done: 1_500,
        outcomes: counts({ answered: 1_200, staff: 2, recent: 3, doubtful: 4 }),
        contested: 6,
        entries: [
          { id: 'e1', title: 'Prices', count: 1_100 },
          { id: 'e2', title: ' ', count: 100 },
        ],
      },
      [
        '1,200 of 1,500 messages answered',
        '5 more match, but staff had just written or a reply had just been sent.',
        '4 are similar to a FAQ and left to you.',
        '6 are claimed by two FAQs.',
      ],
      ['Prices1100', 'Untitled100'],
    ],
  ])('says what would have happened to %s', async (_, part, lines, entries) => {
    const inbox = await open('faq', dryRunCoverage.inspect)
    await press('Start dry run')
    await inbox.answer('dryRun', { ...nothing, ...part })
    const region = within(screen.getByRole('region', { name: 'Dry run' }))
    const said = region.queryAllByText(/^No messages in|messages answered$| more match, | are similar | are claimed /)
    expect({
      lines: said.map(({ textContent }) => textContent),
      entries: region.queryAllByRole('row').map(({ textContent }) => textContent),
    }).toEqual({ lines, entries })
    inbox.unmount()
  })

  it('shows examples with their reasons, and includes the entry of the form', async () => {
    const inbox = await open('faq', dryRunCoverage.inspect)
    await press('Edit Title e1')
    expect(screen.getByText(/^Matches whole words, and similar spellings as far as FAQ matching allows\./)).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Priority (0–100, the highest replies first)'), '0')
    await press('Start with your changes')
    expect(inbox.waiting('dryRun')).toEqual([
      { entry: expect.objectContaining({ id: 'e1', priority: 50, keywords: ['keyword e1'] }), next: null },
    ])
    await inbox.answer('dryRun', partOf(true))
    await userEvent.click(screen.getByText(/^Answered · /))
    expect(screen.getByText('With the FAQ that you are editing.')).toBeTruthy()
    const example = screen.getByText('mgkano po').closest('li')
    expect([...(example?.querySelectorAll('p, li') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'mgkano po',
      'Prices',
      '91% similar to “magkano”',
      '“mgkano” read as “magkano” (typing error)',
      'Fees',
      'Matched: po',
    ])
    await expectScreen()
    inbox.unmount()
  })
})

describe('The pages of an entry', () => {
  it('are shown in the list, filter it, and an entry with removed pages only says so', async () => {
    const inbox = await open('faq', () => {}, [
      entryOf('e1', { page_ids: ['p1'] }),
      entryOf('e2', { page_ids: ['gone'] }),
      entryOf('e3', { page_ids: ['p2', 'gone'], keywords: ['hm'] }),
      entryOf('e4', { keywords: ['magkano po'] }),
    ])
    expect([
      screen.getByText('Only on Prints'),
      screen.getByText('Replies on no page: its pages were removed. Choose other pages.'),
      screen.getByText('1 chosen page was removed.'),
      screen.getByText('“hm” is also answered by “Title e4” (“magkano po”). This FAQ replies.'),
      screen.getByText('“magkano po” is also answered by “Title e3” (“hm”), which replies instead.'),
    ]).toHaveLength(5)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Page' }), 'p1')
    expect(screen.getAllByRole('heading', { level: 3, name: /^Title/ }).map(({ textContent }) => textContent)).toEqual([
      'Title e1',
      'Title e4',
    ])
    await expectScreen()
    inbox.unmount()
  })
})

const answerOf = (message_id: string, rest: object = {}) => ({
  message_id,
  conversation_id: 'ana',
  page_id: 'p1',
  question: `Question ${message_id}`,
  answer: 'From 100.',
  faq_id: 'e1',
  faq_title: 'Prices',
  marked_by_name: 'Paolo Cruz',
  marked_at: '2026-01-15T12:00:00Z',
  ...rest,
})

describe('The wrong answers', () => {
  const found: FaqWrongAnswers = {
    answers: [answerOf('m1'), answerOf('m2', { faq_id: null, question: null })],
    total: 2,
  }

  it('match their own model on every path', async () => {
    const paths = modelOf(faqWrongAnswersMachine, {
      input: undefined,
      vertex: ({ context }) => context,
      cases: {
        'refetch.requested': [{}],
        'answer.resolved': ({ context }) => (context.found?.total === 2 ? [{ messageId: 'm1' }] : []),
        'xstate.done.actor.loadWrongAnswers': [{ output: found }],
        'xstate.error.actor.loadWrongAnswers': ({ context }) => [
          ...(context.failures > 0 ? [] : [{ error: faqFaults.unreadable }]),
          { error: faqFaults.unnamed },
        ],
        'xstate.done.actor.resolveWrongAnswer': [{ output: undefined }],
        'xstate.error.actor.resolveWrongAnswer': [{ error: faqFaults.unnamed }],
      },
    }).everyTransitionInFewPaths()
    for (const path of paths) {
      const inbox = await open('faq', wrongAnswersCoverage.inspect)
      await press('Wrong answers')
      await follow(
        path,
        driverOf(
          (event: AnyEventObject) =>
            event.type === 'refetch.requested'
              ? press('Refresh')
              : userEvent.click(screen.getAllByRole('button', { name: 'Resolved' })[0] as Element),
          {
            calls: {
              loadWrongAnswers: inbox.control('loadWrongAnswers'),
              resolveWrongAnswer: inbox.control('resolveWrongAnswer'),
            },
            delays: { retryDelay: () => inbox.pass(60_000), pollDelay: () => inbox.pass(10_000) },
          },
        ),
        ({ expected }) => {
          const { found: known, messageId } = expected.context
          expect({
            questions: screen.queryAllByText(/^Question m|^This message was deleted/).length,
            resolving: screen.queryByText('Resolving...') !== null,
            isLoading: screen.queryByText('Loading wrong answers...') !== null,
            hasFailed: screen.queryByText('The wrong answers could not be loaded.') !== null,
          }).toEqual({
            questions: known?.answers.length ?? 0,
            resolving: messageId !== null,
            isLoading: known === null && expected.matches('loading'),
            hasFailed: known === null && expected.matches('failed'),
          })
        },
      )
      inbox.unmount()
    }
    expect([wrongAnswersCoverage.statesMissed(), wrongAnswersCoverage.transitionsMissed()]).toEqual([[], []])
  }, 120_000)

  it('open their entry, if it still exists, and lead back to the list', async () => {
    const inbox = await open('faq', wrongAnswersCoverage.inspect)
    await press('Wrong answers')
    await inbox.answer('loadWrongAnswers', found)
    expect([screen.getAllByRole('button', { name: 'Edit FAQ' }).length, screen.getByText('Prices (deleted)')]).toEqual([
      1,
      expect.anything(),
    ])
    await expectScreen()
    await press('Back to FAQs')
    expect(document.activeElement?.textContent).toContain('Add FAQ')
    await press('Wrong answers')
    await inbox.answer('loadWrongAnswers', found)
    await press('Edit FAQ')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Title/ }).value).toBe('Title e1')
    inbox.unmount()
  })
})

describe('The mark on an automatic answer', () => {
  const answer = messageOf('m1', 1, {
    direction: 'outgoing',
    idempotency_key: 'auto-reply:q1',
    author: { kind: 'automatic', title: 'Prices', faq_id: 'e1' },
    message_text: 'From 100.',
  })
  const marked = { ...answer, wrong_answer: { by: user.id, at: '2026-01-15T12:00:00Z' } }

  it('is set, shown and taken back, and a failure leaves the answer as it was', async () => {
    const inbox = await showInbox({ person, inspect: markCoverage.inspect })
    await inbox.answer('loadTop', listOf([conversationOf()]))
    await inbox.open('ana')
    await inbox.answer('loadMessages', { messages: [answer], hasMore: false })
    await act(() => vi.dynamicImportSettled())
    await press('Mark wrong')
    expect(inbox.waiting('markAnswer')).toEqual([{ messageId: 'm1', isWrong: true }])
    await inbox.fail('markAnswer', faqFaults.unnamed)
    await press('Mark wrong')
    await inbox.answer('markAnswer', marked)
    // The line is short of space, so the whole text is also the title.
    expect(screen.getByText('Marked wrong by you').title).toBe('Marked wrong by you')
    await press('Undo')
    expect(inbox.waiting('markAnswer')).toEqual([{ messageId: 'm1', isWrong: false }])
    await inbox.answer('markAnswer', answer)
    expect(screen.queryByText(/^Marked wrong/)).toBe(null)
    expect([markCoverage.statesMissed(), markCoverage.transitionsMissed()]).toEqual([[], []])
    inbox.unmount()
  })
})
