import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { reportsMachine } from '../../../src/machines/reports/reports.ts'
import { SessionProvider, type SessionRef } from '../../../src/views/actors.tsx'
import { OpenConversationProvider } from '../../../src/views/open-conversation.tsx'
import ReportsDialog from '../../../src/views/reports/ReportsDialog.tsx'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { questions, reportsModel, responses, startReports, waiting } from '../../model/reports/reports-fixture.ts'
import { dialogDriver, isShown, press, pressIfShown } from '../driving.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectAccessible, expectScreen } from '../screen.ts'

const coverage = createCoverage(reportsMachine)

const still = <Snapshot,>(snapshot: Snapshot) => ({
  getSnapshot: () => snapshot,
  subscribe: () => ({ unsubscribe: () => undefined }),
})

/** Renders the dialog on its real machine, in the session of a person who may change FAQ entries. */
function show() {
  const sut = startReports(coverage.inspect)
  const opened: string[] = []
  const requested: unknown[] = []
  const pages = { inOrder: [{ page_id: 'p1', page_name: 'Bakery' }], byId: new Map() }
  const children: Record<string, object> = {
    pages: still({ context: { pages }, matches: () => false }),
    dialog: { ...still({}), send: (event: unknown) => requested.push(event) },
  }
  const session = {
    ...still({ context: { user: { ...user, permissions: ['reports.read', 'faq.manage'] } } }),
    system: { get: (id: string) => children[id] },
  } as unknown as SessionRef
  const view = render(
    <SessionProvider session={session}>
      <OpenConversationProvider onOpen={(id) => opened.push(id)}>
        <ReportsDialog
          actor={sut.actor}
          title="Reports"
          onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
        />
      </OpenConversationProvider>
    </SessionProvider>,
  )
  return {
    ...sut,
    opened,
    requested,
    unmount: view.unmount,
    answer: (report: Parameters<typeof sut.load.resolve>[0]) => act(() => sut.load.resolve(report)),
    pass: (milliseconds: number) => act(async () => sut.clock.increment(milliseconds)),
  }
}

const click = (element: Element) => act(async () => fireEvent.click(element))
const dialog = () => within(screen.getByRole('dialog', { name: 'Reports' }))
const choose = (label: string, value: string) =>
  act(async () => fireEvent.change(dialog().getByLabelText(label), { target: { value } }))
const rowTexts = () =>
  dialog()
    .queryAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent).filter(Boolean))

const severalPages = 'A conversation on several pages is counted once in all, and in the row of each page.'

describe('The reports', () => {
  it('of who waits by page say why the rows add up to more than the total', async () => {
    const sut = show()
    await sut.answer({ ...waiting, total: { ...waiting.total, count: 2 } })
    dialog().getByText(/^2 conversations are waiting,/)
    dialog().getByText(severalPages)
    await expectAccessible()
    sut.unmount()
  })

  it('show who answered, how fast, and the automatic replies apart', async () => {
    const sut = show()
    await sut.answer(waiting)
    expect(rowTexts()).toEqual([
      ['Page', 'Waiting', 'Longest since'],
      ['Bakery', '2', expect.stringMatching(/./)],
      ['Removed page', '1', expect.stringMatching(/./)],
    ])
    expect(dialog().queryByText(severalPages)).toBeNull()
    await choose('Report', 'responses')
    expect(
      dialog()
        .getAllByRole<HTMLSelectElement>('combobox')
        .map(({ labels, options }) => [labels[0]?.textContent, ...[...options].map(({ text }) => text)]),
    ).toEqual([
      ['Report', 'Waiting now', 'First response', 'Time to Done', 'Messages', 'FAQ coverage'],
      ['Grouped by', 'Page', 'Person', 'Hour of the day', 'Date'],
      ['Social page', 'All Pages', 'Bakery'],
      ['Range', 'Today', 'Last 7 days', 'Last 30 days', 'Own range'],
    ])
    await choose('Grouped by', 'person')
    await sut.pass(300)
    await sut.answer(responses)
    dialog().getByText('7 waits were answered: half within 2 min, 9 of 10 within 1 h 7 min.')
    dialog().getByText('Of 9 that began, 1 ended with Done and without an answer, and 1 are not over.')
    expect(rowTexts()).toEqual([
      ['Person', 'Answered', 'Median', '9 of 10 within'],
      ['Ana', '4', '40 s', '10 min'],
      ['Former member', '2', '2 min', '1 h 7 min'],
      ['Business Suite', '1', '1 d 4 h', '1 d 4 h'],
      ['Person', 'Answered', 'Median', '9 of 10 within'],
      ['Automatic: Price', '5', '3 s', '4 s'],
    ])
    await expectScreen()
  })

  it('show the questions that no entry answers, and lead to the conversation and the FAQ entries', async () => {
    const sut = show()
    await choose('Report', 'questions')
    await sut.pass(300)
    await sut.answer(questions)
    expect(
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^Do you deliver\?5 times/),
      expect.stringMatching(/^Price list\?2 times.*Prices · Menu/),
    ])
    await expectScreen()
    await press('Add an entry')
    expect(sut.requested).toEqual([{ type: 'dialog.requested', dialog: { name: 'faq' } }])
    expect(sut.state()).toBe('dismissed')
  })

  it('open the conversation of a question', async () => {
    const sut = show()
    await choose('Report', 'questions')
    await sut.pass(300)
    await sut.answer(questions)
    await click(found(screen.getAllByRole('button', { name: 'Open the last conversation' })[0]))
    expect([sut.state(), sut.opened]).toEqual(['dismissed', ['ana']])
  })

  it('say what to do if there is nothing, and if older messages are not counted yet', async () => {
    const sut = show()
    await choose('Report', 'responses')
    await sut.pass(300)
    await sut.answer({
      ...responses,
      is_complete: false,
      total: { count: 0, median: null, p90: null },
      rows: [],
      automatic: [],
    })
    dialog().getByText('Nobody was answered in this range. Choose a longer range or all pages.')
    dialog().getByText('Older messages are still being counted. The numbers will grow.')
    expect(rowTexts()).toEqual([])
  })
})

const found = <Value,>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('not found')
  return value
}

it('are not offered to a person without the permission, nor by an API without the feature', async () => {
  for (const person of [
    { ...user, permissions: ['audit.read'], features: ['reports' as const] },
    { ...user, permissions: ['reports.read'], features: [] },
  ]) {
    const inbox = await showInbox({ person })
    await inbox.answer('loadTop', listOf([conversationOf()]))
    expect(screen.queryByText('Reports')).toBeNull()
    inbox.unmount()
  }
})

describe('The walk through the dialog', () => {
  const paths = reportsModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const drive = dialogDriver(
        sut,
        {
          'export.requested': () => pressIfShown('Export CSV'),
          'choice.changed': ({ change }) => {
            if (change.report !== undefined) return choose('Report', change.report)
            if (change.range !== undefined) return choose('Range', change.range)
            return change.to === '' ? choose('Last day', '') : undefined
          },
        },
        { loadReport: sut.load, exportReport: sut.save },
        { choiceDelay: 300 },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return
        const is = (state: string) =>
          expected.matches({ open: { report: state } } as Parameters<typeof expected.matches>[0])
        expect({
          loading: isShown('Loading the report…'),
          failed: isShown('The report could not be loaded.'),
          problem: isShown('Choose the first and the last day.'),
          exporting: isShown('Exporting…'),
          hasTable: dialog().queryAllByRole('table').length > 0,
        }).toEqual({
          loading: is('loading') || is('settling'),
          failed: is('failed'),
          problem: is('withoutRange'),
          exporting: expected.matches({ open: { export: 'exporting' } }),
          hasTable: is('showing'),
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
