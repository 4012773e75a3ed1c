import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchMachine } from '../../../src/machines/shell/search.ts'
import { createCoverage, driverOf } from '../../model/harness.ts'
import { followBeside } from '../../model/reference.ts'
import { answerOf } from '../../model/shell/palette-fixture.ts'
import { type SearchShown, searchModel, searchReference } from '../../model/shell/search-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const coverage = createCoverage(searchMachine)

beforeAll(() => import('../../../src/views/shell/PaletteDialog.tsx'))

async function openPalette() {
  const inbox = await showInbox({
    person: { ...user, permissions: ['conversations.read'], features: ['search'] },
    inspect: coverage.inspect,
  })
  await inbox.answer('loadTop', listOf([]))
  await act(async () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }))
  await screen.findByRole('dialog', { name: 'Find people and actions' })
  await waitFor(() => expect(document.activeElement).toBe(input()))
  return inbox
}
type Inbox = Awaited<ReturnType<typeof openPalette>>

const input = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Find people and actions' })
const type = (value: string) => act(async () => fireEvent.change(input(), { target: { value } }))

const idOf = (hit: HTMLElement) => /Magkano po ang (\w+)\?/.exec(hit.textContent ?? '')?.[1]

function seen(inbox: Inbox) {
  const dialog = within(screen.getByRole('dialog'))
  const messages = dialog.queryByRole('group', { name: 'Messages' })
  const says = dialog.getByRole('status').textContent ?? ''
  return {
    isSearching: says.includes('Searching…'),
    hasFailed: says.includes('We could not search clients, orders and messages.'),
    mayRetry: dialog.queryByRole('button', { name: 'Try again' }) !== null,
    ids: messages
      ? within(messages)
          .getAllByRole('option')
          .flatMap((option) => idOf(option) ?? [])
      : [],
    marked: [...(messages?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent),
    hasMore: dialog.queryByRole('option', { name: 'Show more messages' }) !== null,
    calls: inbox.waiting('search'),
    failures: inbox.app.system
      .get('notifier')
      .getSnapshot()
      .context.toasts.filter(({ kind }: { kind: string }) => kind === 'error').length,
  }
}

const callsIn = ({ phase, term, found }: SearchShown) => {
  if (phase === 'searching') return [{ term, kinds: ['clients', 'orders', 'messages'], after: null }]
  return phase === 'loadingMore' ? [{ term: found, kinds: ['messages'], after: 'next' }] : []
}

const expected = (state: SearchShown): ReturnType<typeof seen> => {
  const { phase, found, ids, hasMore, failures } = state
  return {
    isSearching: phase === 'debouncing' || phase === 'searching',
    hasFailed: phase === 'failed',
    mayRetry: phase === 'failed',
    ids: [...ids],
    // Each hit has the word "po", and none has the word "bag".
    marked: found === 'po' ? ids.map(() => 'po') : [],
    hasMore,
    calls: callsIn(state),
    // The same toast twice within 3 s is one.
    failures: Math.min(failures, 1),
  }
}

describe('every transition of the search, through the palette', () => {
  it.each(
    searchModel()
      .everyTransitionInFewPaths()
      .map((path) => [path.title.slice(0, 200), path] as const),
  )('%s', async (_, path) => {
    const inbox = await openPalette()
    const search = inbox.control('search')
    const drive = driverOf(
      (event: { type: string; term: string }) => {
        const steps: Readonly<Record<string, () => unknown>> = {
          'term.typed': async () => {
            // The same text again is no change, so another one comes before.
            if (input().value === event.term) await type(`${event.term}x`)
            await type(event.term)
          },
          'refetch.requested': () =>
            act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' }))),
          'more.requested': () =>
            act(async () => fireEvent.click(screen.getByRole('option', { name: 'Show more messages' }))),
        }
        return steps[event.type]?.()
      },
      {
        calls: { search, searchMore: search },
        delays: {
          searchDebounce: async () => {
            await inbox.pass(300)
            await inbox.answer('loadPage', answerOf([]))
          },
        },
      },
    )
    await followBeside(path, drive, { ...searchReference, shown: expected }, () => seen(inbox))
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
