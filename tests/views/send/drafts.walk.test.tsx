import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { type Draft, isBlank } from '../../../src/domain/send/draft.ts'
import { draftsMachine } from '../../../src/machines/send/drafts.ts'
import type { SessionEvent } from '../../../src/machines/session-events.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { row } from '../../model/inbox-fixture.ts'
import { draftsModel, serverDraftsModel } from '../../model/send/drafts-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(draftsMachine)
const rows = [row('c1', 2, { page_ids: 'p1, p2', page_names: 'Bakery, Flowers', page_count: 2 }), row('c2', 1)]

/** Opens two conversations, the first of them visible, with the stored drafts. */
async function showTwo(drafts: ReadonlyMap<string, Draft> = new Map()) {
  const inbox = await showInbox({ drafts, inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf(rows))
  let at = ''
  const open = async (id: string) => {
    if (id === at) return
    await inbox.open(id)
    at = id
  }
  await open('c1')
  return { ...inbox, open, openId: () => at }
}

type Shown = Awaited<ReturnType<typeof showTwo>>

const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...')
const sender = () => screen.queryByLabelText<HTMLSelectElement>('Send from')
const isMarked = (id: string) => {
  const marked = within(screen.getByRole('region', { name: 'Conversations' })).queryAllByText('Draft:')
  return marked.some((mark) => mark.closest('[role=option]')?.textContent?.includes(`Person ${id}`))
}

/**
 * The text in both composers, each read while its conversation is open, and which row shows a draft while another
 * conversation is open.
 */
async function shown(inbox: Shown) {
  const first = inbox.openId()
  const second = first === 'c1' ? 'c2' : 'c1'
  const composer = () => ({ text: box().value, from: sender()?.value ?? null })
  const atFirst = { ...composer(), rows: { [first]: isMarked(first), [second]: isMarked(second) } }
  await inbox.open(second)
  const atSecond = { ...composer(), rows: { [first]: isMarked(first), [second]: isMarked(second) } }
  await inbox.open(first)
  return { [first]: atFirst, [second]: atSecond }
}

/** The row of the open conversation shows no draft mark, because the composer shows the draft. */
function expected({ context: { drafts } }: SnapshotFrom<typeof draftsMachine>) {
  const one = drafts.get('c1')
  const two = drafts.get('c2')
  return {
    c1: { text: one?.text ?? '', from: one?.pageId ?? '', rows: { c1: false, c2: two !== undefined } },
    c2: { text: two?.text ?? '', from: null, rows: { c1: (one?.text ?? '') !== '', c2: false } },
  }
}

/** What a reload would find. Ids differ on each screen, and a blank draft is not stored. */
const kept = (drafts: ReadonlyMap<string, Draft>) =>
  Object.fromEntries(
    [...drafts].flatMap(([id, draft]) => (isBlank(draft) ? [] : [[id, { text: draft.text, pageId: draft.pageId }]])),
  )

describe('Each composer has its own draft, shared between tabs and stored for a reload, over every transition', () => {
  const paths = draftsModel().everyTransitionInFewPaths()

  it.each(paths)('path %$', async (path) => {
    const inbox = await showTwo()
    const type = (text: string) => act(async () => fireEvent.change(box(), { target: { value: text } }))
    await follow(
      path,
      {
        'draft.changed': async ({ conversationId, draft }) => {
          await inbox.open(conversationId)
          if (box().value === draft.text) await type('something else')
          await type(draft.text)
          const from = sender()
          if (from === null || from.value === (draft.pageId ?? '')) return
          await act(async () => fireEvent.change(from, { target: { value: draft.pageId ?? '' } }))
        },
        'conversation.gone': ({ id }) => inbox.tell({ type: 'conversation.gone', id }),
        'draft.received': ({ conversationId, draft }) => inbox.hearDraft(conversationId, draft),
      },
      async (step) => {
        expect(await shown(inbox)).toEqual(expected(step.expected))
        expect(kept(inbox.keptDrafts)).toEqual(kept(step.expected.context.drafts))
      },
    )
    inbox.unmount()
    const reloaded = await showTwo(inbox.keptDrafts)
    const end = path.steps.at(-1)?.expected
    if (end !== undefined) expect(await shown(reloaded)).toEqual(expected(end))
    reloaded.unmount()
  })
})

const settleButtons = { this: /^(Keep the text below|Delete that text)$/, other: 'Use that text', both: 'Keep both' }
const notice = () => screen.queryByText(/^On another device you wrote to/)?.parentElement ?? null

describe('The composer offers the text of another device beside its own, over every transition', () => {
  const paths = serverDraftsModel().everyTransitionInFewPaths()

  it.each(paths)('path %$', async (path) => {
    const inbox = await showTwo()
    await follow(
      path,
      {
        'draft.changed': async ({ draft }) => {
          if (box().value === draft.text) await act(async () => fireEvent.change(box(), { target: { value: 'x' } }))
          await act(async () => fireEvent.change(box(), { target: { value: draft.text } }))
        },
        'conversation.gone': (event) => inbox.tell(event as SessionEvent),
        'drafts.fetched': (event) => inbox.tell(event as SessionEvent),
        'draft.saving': (event) => inbox.tell(event as SessionEvent),
        'draft.answered': (event) => inbox.tell(event as SessionEvent),
        'draft.refused': (event) => inbox.tell(event as SessionEvent),
        'difference.settled': async ({ choice }) => {
          const button = screen.queryByRole('button', { name: settleButtons[choice as keyof typeof settleButtons] })
          if (button === null) return
          await act(async () => fireEvent.click(button))
          expect(document.activeElement).toBe(box())
        },
      },
      async ({ expected: { context } }) => {
        const other = context.differing.get('c1') ?? null
        expect([box().value, notice()?.querySelector('blockquote')?.textContent ?? null]).toEqual([
          context.drafts.get('c1')?.text ?? '',
          other?.text ?? null,
        ])
      },
    )
    inbox.unmount()
  })

  it('is found by no rule of axe', async () => {
    const inbox = await showTwo()
    await act(async () => fireEvent.change(box(), { target: { value: 'here' } }))
    await inbox.tell({
      type: 'drafts.fetched',
      drafts: [{ conversationId: 'c1', text: 'elsewhere', extras: null, version: 'v1' }],
    })
    await expectScreen(notice() ?? document.body)
    inbox.unmount()
  })
})

describe('The walk of the drafts in the composers', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
