import { act, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { reportsMachine } from '../../../src/machines/reports/reports.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { questions, reportFaults, reportsModel, responses, waiting } from '../../model/reports/reports-fixture.ts'
import { conversationOf, listOf, showInbox, user } from '../inbox-harness.tsx'

const coverage = createCoverage(reportsMachine)

/** Opens the dialog in the inbox of a person who may read reports. */
async function show() {
  const inbox = await showInbox({
    person: { ...user, permissions: ['reports.read', 'faq.manage'], features: ['reports'] },
    inspect: coverage.inspect,
  })
  await inbox.answer('loadTop', listOf([conversationOf()]))
  await click(screen.getByText('Reports'))
  return inbox
}

const click = (element: Element) => act(async () => fireEvent.click(element))
const press = (name: string) => click(screen.getByRole('button', { name }))
const dialog = () => within(screen.getByRole('dialog', { name: 'Reports' }))
const choose = (label: string, value: string) =>
  act(async () => fireEvent.change(dialog().getByLabelText(label), { target: { value } }))
const rowTexts = () =>
  dialog()
    .queryAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent).filter(Boolean))

async function violations() {
  const { violations: found } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

describe('The reports', () => {
  it('show who answered, how fast, and the automatic replies apart', async () => {
    const inbox = await show()
    await inbox.answer('loadReport', waiting)
    expect(rowTexts()).toEqual([
      ['Page', 'Waiting', 'Longest'],
      ['Bakery', '2', expect.stringMatching(/./)],
      ['Removed page', '1', expect.stringMatching(/./)],
    ])
    await choose('Report', 'responses')
    await choose('Grouped by', 'person')
    await inbox.pass(300)
    await inbox.answer('loadReport', responses)
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
    expect(await violations()).toEqual([])
  })

  it('show the questions that no entry answers, and lead to the conversation and the FAQ entries', async () => {
    const inbox = await show()
    await choose('Report', 'questions')
    await inbox.pass(300)
    await inbox.answer('loadReport', questions)
    expect(dialog().getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Do you deliver\?5 times/),
      expect.stringMatching(/^Price list\?2 times.*Prices · Menu/),
    ])
    expect(await violations()).toEqual([])
    await press('Add an entry')
    screen.getByRole('dialog', { name: 'FAQ Management' })
  })

  it('open the conversation of a question', async () => {
    const inbox = await show()
    await choose('Report', 'questions')
    await inbox.pass(300)
    await inbox.answer('loadReport', questions)
    await click(found(screen.getAllByRole('button', { name: 'Open the last conversation' })[0]))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(inbox.inputsOf('loadMessages')).toHaveLength(1)
  })

  it('say what to do if there is nothing, and if older messages are not counted yet', async () => {
    const inbox = await show()
    await choose('Report', 'responses')
    await inbox.pass(300)
    await inbox.answer('loadReport', {
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
      const inbox = await show()
      const drive = driverOf(
        async (event) => {
          const { change } = event as { change?: Record<string, string> }
          if (event.type === 'refetch.requested' && screen.queryByRole('button', { name: 'Try again' }))
            return press('Try again')
          if (event.type === 'export.requested' && screen.queryByRole('button', { name: 'Export CSV' }))
            return press('Export CSV')
          if (change?.['report'] !== undefined) return choose('Report', change['report'])
          if (change?.['range'] !== undefined) return choose('Range', change['range'])
          return act(async () => inbox.dialogActor().send(event))
        },
        {
          calls: {
            loadReport: {
              resolve: (report: never) => inbox.answer('loadReport', report),
              reject: (error: unknown) => inbox.fail('loadReport', error),
            },
            exportReport: {
              resolve: (output: never) => inbox.answer('exportReport', output),
              reject: (error: unknown) => inbox.fail('exportReport', error),
            },
          },
          delays: { choiceDelay: () => inbox.pass(300), retryDelay: () => inbox.pass(2_000) },
        },
      )
      await follow(path, drive, ({ expected }) => {
        const isOpen = expected.status === 'active'
        expect(screen.queryByRole('dialog', { name: 'Reports' }) !== null).toBe(isOpen)
        if (!isOpen) return
        const is = (state: string) =>
          expected.matches({ open: { report: state } } as Parameters<typeof expected.matches>[0])
        expect({
          loading: screen.queryByText('Loading the report…') !== null,
          failed: screen.queryByText('The report could not be loaded.') !== null,
          problem: screen.queryByText('Choose the first and the last day.') !== null,
          exporting: screen.queryByText('Exporting…') !== null,
          hasTable: dialog().queryAllByRole('table').length > 0,
        }).toEqual({
          loading: is('loading') || is('settling'),
          failed: is('failed'),
          problem: is('withoutRange'),
          exporting: expected.matches({ open: { export: 'exporting' } }),
          hasTable: is('showing'),
        })
      })
      inbox.unmount()
    }
  })

  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
