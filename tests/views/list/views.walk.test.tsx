import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { displayedListMachine, selectIsHeld } from '../../../src/machines/list/displayed-list.ts'
import { stateChangesMachine } from '../../../src/machines/list/state-changes.ts'
import { stateDialogMachine } from '../../../src/machines/list/state-dialog.ts'
import { teamMachine } from '../../../src/machines/list/team.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { ViewCounts } from '../../../src/schemas/conversation-state.ts'
import { createCoverage, createToastLog, followByHand } from '../../model/harness.ts'
import { faults, row, stateOf } from '../../model/inbox-fixture.ts'
import { found } from '../found.ts'
import { listOf, showInbox, statsOf, userWithStates } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const displayed = createCoverage(displayedListMachine)
const changes = createCoverage(stateChangesMachine)
const team = createCoverage(teamMachine)
const choosing = createCoverage(stateDialogMachine)

const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()

/** A person who waits since this many hours. */
const waits = (id: string, hours: number, more: Partial<Conversation> = {}): Conversation =>
  row(id, 0, { last_message_at: ago(hours), state: stateOf(1, { waiting_since: ago(hours) }), ...more })

const members = [
  { id: 's1', name: 'Maria Santos', is_active: true },
  { id: 's2', name: 'Ana Lim', is_active: true },
  { id: 's3', name: 'Ben Cruz', is_active: false },
  { id: 's4', name: 'Vic Uy', is_active: true, may_answer: false },
]

async function start(rows: readonly Conversation[], person: AuthUser = userWithStates, more = {}) {
  await Promise.all([
    import('../../../src/views/list/SnoozeDialog.tsx'),
    import('../../../src/views/list/AssignDialog.tsx'),
    import('../../../src/views/list/ListFilters.tsx'),
    import('../../../src/views/list/ListHeadTools.tsx'),
    import('../../../src/views/list/RowDue.tsx'),
    import('../../../src/views/list/RowLabels.tsx'),
  ])
  const log = createToastLog()
  const inbox = await showInbox({
    person,
    inspect: (event) => {
      displayed.inspect(event)
      changes.inspect(event)
      team.inspect(event)
      choosing.inspect(event)
      log.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf(rows, more))
  return { ...inbox, toasts: () => log.toasts.map(({ text }) => text) }
}

const pane = () => found(document.querySelector('section[aria-label="Conversations"]'), 'the list')
const options = () => [...pane().querySelectorAll<HTMLElement>('[role="option"]')]
const ids = () => options().map((option) => option.id.replace('conversation-', ''))
const option = (id: string) => found(document.getElementById(`conversation-${id}`), id)
const rail = () => screen.getByRole('navigation', { name: 'Views' })
const key = (name: string, target: Element = document.body) =>
  act(async () => void fireEvent.keyDown(target, { key: name }))
const press = (name: string | RegExp) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))
const mouse = { pointerType: 'mouse' }
const point = (id: string) => act(async () => void fireEvent.pointerMove(option(id), mouse))
const enter = () => act(async () => void fireEvent.pointerEnter(found(pane().firstElementChild, 'the pane'), mouse))
const leave = () => act(async () => void fireEvent.pointerLeave(found(pane().firstElementChild, 'the pane'), mouse))
const done = (id: string, version: number) => ({ id, state: stateOf(version, { done_at: ago(0) }), refusal: null })

describe('The rail', () => {
  const counts: ViewCounts = {
    waiting: 13,
    urgent: 2,
    unassigned: 1_000,
    snoozed: 0,
    done: 7,
    assigned: { s1: 4, s2: 9 },
  }

  it('names the views with their counts, red only for Waiting when a reply window closes soon', async () => {
    const inbox = await start([waits('c1', 1)])
    await inbox.answer('loadStats', { ...statsOf(223, 0), views: counts })
    const buttons = within(rail()).getAllByRole('button')
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      'Waiting13, 2 reply windows close within 4 hours',
      'Mine4',
      'Unassigned999+',
      'All223',
      'Snoozed',
      'Done',
    ])
    expect(buttons.filter((button) => button.querySelector('.text-bad')).length).toBe(1)
    expect(buttons.map((button) => button.getAttribute('aria-current'))).toEqual(['true', null, null, null, null, null])
    await inbox.changeStates([{ id: 'c1', state: stateOf(2) }])
    await inbox.pass(1_000)
    await inbox.answer('loadStats', { ...statsOf(223, 0), views: { ...counts, waiting: 0, urgent: 0 } })
    expect([buttons[0]?.textContent, within(rail()).queryByText(/closes/)]).toEqual(['Waiting', null])
    inbox.unmount()
  })

  it('is also used by key: each view has its number', async () => {
    const inbox = await start([waits('c1', 1)])
    const shown: unknown[] = []
    for (const name of ['2', '3', '4', '5', '6', '1']) {
      await key(name)
      shown.push(within(rail()).getByRole('button', { current: true }).textContent)
    }
    expect(shown).toEqual(['Mine', 'Unassigned', 'All', 'Snoozed', 'Done', 'Waiting'])
    inbox.unmount()
  })

  it('is absent, like everything about states, if the API does not offer them', async () => {
    const { features: _, ...without } = userWithStates
    const inbox = await start([row('c1', 0), row('c2', 0)], without)
    for (const name of ['e', 's', 'a', 'U', 'M', 'w', 'x', 'z', '2']) await key(name)
    await enter()
    await point('c1')
    expect([
      screen.queryByRole('navigation', { name: 'Views' }),
      screen.queryByRole('group'),
      screen.queryByRole('dialog'),
      inbox.waiting('loadTeam'),
      inbox.waiting('changeStates'),
    ]).toEqual([null, null, null, [], []])
    inbox.unmount()
  })

  it('stands beside rows without actions for a user who may not change states', async () => {
    const inbox = await start([waits('c1', 1)], { ...userWithStates, permissions: [] })
    await point('c1')
    await key('e')
    await inbox.open('c1')
    expect([
      screen.queryByRole('group'),
      within(screen.getByRole('region', { name: 'Thread' })).queryByRole('button', { name: 'Done' }),
      inbox.waiting('changeStates'),
    ]).toEqual([null, null, []])
    inbox.unmount()
  })
})

describe('A row of Waiting', () => {
  it('shows its wait, its assignee and its marks, and folds away 24 hours after the last message', async () => {
    const inbox = await start([
      waits('c1', 21, { state: stateOf(1, { waiting_since: ago(21), assigned_to: 's2', returned_at: ago(1) }) }),
      waits('c2', 13, { state: stateOf(1, { waiting_since: ago(13), assigned_to: 's1' }) }),
      waits('c3', 30),
    ])
    await inbox.answer('loadTeam', members)
    expect(ids()).toEqual(['c1', 'c2'])
    const texts = options().map(({ textContent }) => textContent)
    expect(texts[0]).toMatch(/waits for 21h.*Back from snooze.*Assigned to Ana Lim/)
    expect(texts[1]).toMatch(/waits for 13h.*Assigned to you/)
    await press(/^Wrote more than 24 hours ago/)
    expect([ids(), option('c3').textContent?.includes('waits for 30h')]).toEqual([['c1', 'c2', 'c3'], true])
    await expectScreen()
    await press(/^Wrote more than 24 hours ago/)
    inbox.unmount()
  })
})

describe('The order of Waiting', () => {
  const withAmounts = { ...userWithStates, features: [...(userWithStates.features ?? []), 'outstanding'] }
  const choice = () => screen.queryByRole<HTMLSelectElement>('combobox', { name: 'Order' })
  const due = (id: string) => option(id).textContent?.match(/(₱.* due, )?Linked/)?.[0] ?? null

  it('is chosen in the head of the list, kept in other views, and the rows say what is due', async () => {
    const rows = [
      waits('c1', 5, { client_id: 'k1', outstanding: 0 }),
      waits('c2', 4, { client_id: 'k2', outstanding: 120_050 }),
      waits('c3', 3),
    ]
    const inbox = await start(rows, withAmounts)
    expect([choice()?.value, ids(), due('c1'), due('c2'), due('c3')]).toEqual([
      '',
      ['c1', 'c2', 'c3'],
      'Linked',
      '₱1,200.50 due, Linked',
      null,
    ])
    expect(option('c2').querySelector('[title="Linked"]')?.textContent).toBe('₱1,200.50 due, Linked')
    await act(async () => void fireEvent.change(found(choice(), 'the choice'), { target: { value: 'urgent' } }))
    expect(inbox.waiting('loadTop')).toMatchObject([{ query: { view: 'waiting', order: 'urgent' } }])
    await inbox.answer('loadTop', listOf([rows[1], rows[0], rows[2]].filter((each) => each !== undefined)))
    expect([choice()?.value, ids()]).toEqual(['urgent', ['c2', 'c1', 'c3']])
    // A payment is fetched, and the row moves only after the pointer has left.
    await enter()
    await inbox.tell({ type: 'clientData.changed', clientIds: ['k2'] })
    const paid = { ...rows[1], outstanding: 0 } as Conversation
    await inbox.answer('loadTop', listOf([rows[0], paid, rows[2]].filter((each) => each !== undefined)))
    expect([ids(), due('c2')]).toEqual([['c2', 'c1', 'c3'], 'Linked'])
    await leave()
    await inbox.pass(300)
    expect(ids()).toEqual(['c1', 'c2', 'c3'])
    await act(async () => void fireEvent.click(within(rail()).getByRole('button', { name: /^Done/ })))
    await inbox.answer('loadTop', listOf([]))
    expect(choice()).toBe(null)
    await act(async () => void fireEvent.click(within(rail()).getByRole('button', { name: /^Waiting/ })))
    expect([choice()?.value, inbox.waiting('loadTop')]).toMatchObject(['urgent', [{ query: { order: 'urgent' } }]])
    inbox.unmount()
  })

  it.each<[string, AuthUser]>([
    ['an API without amounts', userWithStates],
    ['a person who may not read orders', { ...withAmounts, permissions: ['conversations.read'] }],
  ])('is not offered for %s, and an address cannot ask for it', async (_, person) => {
    const inbox = await start([waits('c1', 5)], person)
    const query = { search: '', pageId: null, unreadOnly: true, view: 'waiting', order: 'urgent' } as const
    await inbox.tell({ type: 'query.opened', query })
    expect([choice(), inbox.waiting('loadTop')]).toMatchObject([null, [{ query: { order: undefined } }]])
    inbox.unmount()
  })
})

describe('The fold of closed reply windows', () => {
  it('asks for more rows on a scroll only while it is open', async () => {
    const rows = [waits('c1', 2), waits('c2', 30)]
    const inbox = await start(rows, userWithStates, { hasNext: true, total: 73 })
    const scroll = () => act(async () => void fireEvent.scroll(found(screen.getByRole('listbox').parentElement, 'it')))
    await scroll()
    expect(inbox.waiting('loadPage')).toEqual([])
    await press(/^Wrote more than 24 hours ago/)
    await scroll()
    expect(inbox.waiting('loadPage')).toHaveLength(1)
    inbox.unmount()
  })

  it('tells their number only if all rows are loaded, because a number that grows by scrolling says nothing', async () => {
    for (const [hasNext, text] of [
      [true, 'Wrote more than 24 hours ago'],
      [false, 'Wrote more than 24 hours ago1'],
    ] as const) {
      const inbox = await start([waits('c1', 2), waits('c2', 30)], userWithStates, { hasNext, total: 73 })
      expect(screen.getByRole('button', { name: /^Wrote more than 24 hours ago/ }).textContent).toBe(text)
      inbox.unmount()
    }
  })
})

describe('An open conversation', () => {
  it('says who closed it and when, also to a viewer, until it is open again', async () => {
    const doneAt = new Date()
    doneAt.setSeconds(0, 0)
    const closed = (version: number, done_by: string) => stateOf(version, { done_at: doneAt.toISOString(), done_by })
    const inbox = await start([waits('c1', 1, { state: closed(1, 's2') })], { ...userWithStates, permissions: [] })
    await inbox.answer('loadTeam', members)
    await inbox.open('c1')
    const line = () =>
      within(screen.getByRole('region', { name: 'Thread' }))
        .queryByText(/^Done/)
        ?.textContent?.replace(/\d+:\d\d [AP]M/, '5:12 PM') ?? null
    expect(line()).toBe('Done by Ana Lim, 5:12 PM')
    await inbox.changeStates([{ id: 'c1', state: closed(2, 's1'), changedBy: 's1' }])
    expect(line()).toBe('Done by you, 5:12 PM')
    await inbox.changeStates([{ id: 'c1', state: closed(3, 's9'), changedBy: 's9' }])
    expect(line()).toBe('Done, 5:12 PM')
    await inbox.changeStates([{ id: 'c1', state: stateOf(4) }])
    expect(line()).toBe(null)
    inbox.unmount()
  })

  it('has a button that shows whether it is snoozed', async () => {
    const inbox = await start([waits('c1', 1)])
    await inbox.open('c1')
    const look = (name: string) =>
      within(screen.getByRole('region', { name: 'Thread' }))
        .getAllByRole('button', { name })
        .flatMap(({ classList }) => [...classList].filter((each) => /^(bg|text|border)-(accent|panel)/.test(each)))
    expect(look('Snooze')).toEqual(['bg-panel'])
    await inbox.changeStates([{ id: 'c1', state: stateOf(2, { snoozed_at: ago(0) }) }])
    expect(look('Snoozed until they write')).toEqual(['border-accent', 'bg-accent-soft', 'text-accent'])
    inbox.unmount()
  })
})

describe('A row of All', () => {
  it('says until when it is snoozed, or that it is done, with who and when, and follows a new decision', async () => {
    const until = new Date(Date.now() + 30 * 24 * hour)
    const rows = [
      waits('c1', 1, { state: stateOf(1, { snoozed_at: ago(1), snoozed_until: until.toISOString() }) }),
      waits('c2', 1, { state: stateOf(1, { snoozed_at: ago(1) }) }),
      waits('c3', 1, { state: stateOf(1, { done_at: ago(0), done_by: 's2' }) }),
      waits('c4', 1, { state: stateOf(1, { done_at: ago(0), done_by: 's9' }) }),
    ]
    const inbox = await start([])
    await inbox.answer('loadTeam', members)
    await act(async () => void fireEvent.click(within(rail()).getByRole('button', { name: 'All' })))
    await inbox.answer('loadTop', listOf(rows))
    const decided = (id: string) => {
      const place = found(option(id).querySelector('[title^="Snoozed"], [title^="Done"]'), id)
      return [place.querySelector('[aria-hidden=true]:not(svg)')?.textContent, place.getAttribute('title')]
    }
    const atTime = /\d+:\d\d [AP]M$/
    expect(decided('c1')).toEqual([
      expect.stringMatching(/^until \w{3} \d+/),
      expect.stringMatching(/^Snoozed until .*\d{4}/),
    ])
    expect(decided('c2')).toEqual(['until they write', 'Snoozed until they write'])
    expect(decided('c3')).toEqual([expect.stringMatching(atTime), expect.stringMatching(/^Done by Ana Lim, .*\d{4}/)])
    expect(decided('c4')).toEqual([expect.stringMatching(atTime), expect.stringMatching(/^Done, .*\d{4}/)])
    const later = new Date(until.getTime() + 24 * hour)
    const [first, last] = [decided('c1'), decided('c3')]
    await inbox.changeStates([
      { id: 'c1', state: stateOf(2, { snoozed_at: ago(0), snoozed_until: later.toISOString() }), changedBy: 's2' },
      { id: 'c3', state: stateOf(2, { done_at: ago(48), done_by: 's2' }), changedBy: 's2' },
    ])
    expect(
      [decided('c1'), decided('c3')].map((texts, row) =>
        texts.map((text, index) => text !== [first, last][row]?.[index]),
      ),
    ).toEqual([
      [true, true],
      [true, true],
    ])
    inbox.unmount()
  })
})

describe('The displayed order', () => {
  it('is not held by a finger that passes over the list, nor after a press that became a scroll', async () => {
    const inbox = await start([waits('c1', 5), waits('c2', 4)])
    const isHeld = () => selectIsHeld(inbox.app.system.get('displayedList').getSnapshot())
    const inPane = found(pane().firstElementChild, 'the pane')
    await act(async () => void fireEvent.pointerEnter(inPane, { pointerType: 'touch' }))
    expect(isHeld()).toBe(false)
    await act(async () => void fireEvent.pointerDown(screen.getByRole('listbox'), { pointerType: 'touch' }))
    expect(isHeld()).toBe(true)
    await act(async () => void fireEvent.pointerCancel(document.body))
    await inbox.pass(100)
    await inbox.pass(300)
    expect(isHeld()).toBe(false)
    inbox.unmount()
  })

  it('says why a row that stays has left the view, and that a person who was assigned still waits', async () => {
    const inbox = await start([waits('c1', 5), waits('c2', 4), waits('c3', 3), waits('c4', 2), waits('c5', 1)])
    await act(async () => void fireEvent.click(within(rail()).getByRole('button', { name: 'Unassigned' })))
    const rows = ['c1', 'c2', 'c3', 'c4', 'c5'].map((id, index) => waits(id, 5 - index))
    await inbox.answer('loadTop', listOf(rows))
    await enter()
    const since = (hours: number) => ({ waiting_since: ago(hours) })
    await inbox.changeStates([
      { id: 'c1', state: stateOf(2, { assigned_to: 's2', ...since(5) }), changedBy: 's2' },
      { id: 'c2', state: stateOf(2, { done_at: ago(0) }), changedBy: 's2' },
      { id: 'c3', state: stateOf(2, { snoozed_at: ago(0), ...since(3) }), changedBy: 's2' },
      { id: 'c4', state: stateOf(2, { muted_at: ago(0), ...since(2) }), changedBy: 's2' },
      { id: 'c5', state: stateOf(2, { assigned_to: 's2' }), changedBy: 's2' },
    ])
    const reason = /waits for \d+h|Done|Snoozed|Muted|Answered/
    expect(options().map(({ textContent }) => reason.exec(textContent)?.[0])).toEqual([
      'waits for 5h',
      'Done',
      'Snoozed',
      'Muted',
      'Answered',
    ])
    await leave()
    inbox.unmount()
  })

  it('holds still while the pointer, the focus or a press is in the list', async () => {
    const inbox = await start([waits('c1', 5), waits('c2', 4)])
    const refresh = async (...rows: Conversation[]) => {
      await inbox.tell({ type: 'inbox.invalidated' })
      await inbox.pass(1_000)
      while (inbox.waiting('loadTop').length > 0) await inbox.answer('loadTop', listOf(rows))
    }
    const news = () => screen.queryByRole('button', { name: /new or moved/ })?.textContent ?? null
    const listbox = () => screen.getByRole('listbox')
    await followByHand(displayedListMachine, [
      { name: 'the mouse enters', run: enter, check: () => expect(news()).toBe(null) },
      {
        name: 'a row is answered by a colleague and another person writes',
        run: async () => {
          await inbox.changeStates([{ id: 'c1', state: stateOf(2), changedBy: 's2' }])
          await refresh(waits('c2', 4), waits('c3', 0))
        },
        check: () =>
          expect([ids(), option('c1').textContent?.includes('Answered'), news()]).toEqual([
            ['c1', 'c2'],
            true,
            '1 new',
          ]),
      },
      {
        name: 'the person takes the new rows',
        run: () => key('.'),
        check: () => expect([ids(), news()]).toEqual([['c2', 'c3'], null]),
      },
      {
        name: 'the mouse leaves, and enters before the rows move',
        run: async () => {
          await leave()
          await inbox.changeStates([{ id: 'c2', state: stateOf(2), changedBy: 's2' }])
          await enter()
        },
        check: () => expect(ids()).toEqual(['c2', 'c3']),
      },
      {
        name: 'the mouse leaves',
        run: async () => {
          await leave()
          await inbox.pass(300)
          await refresh(waits('c3', 0))
        },
        check: () => expect(ids()).toEqual(['c3']),
      },
      {
        name: 'a finger presses twice, while rows change',
        run: async () => {
          await act(async () => void fireEvent.pointerDown(listbox(), { pointerType: 'touch' }))
          await act(async () => void fireEvent.pointerUp(document.body))
          await act(async () => void fireEvent.pointerDown(listbox(), { pointerType: 'touch' }))
          await refresh(waits('c4', 9), waits('c3', 0))
          await act(async () => void fireEvent.pointerUp(document.body))
        },
        check: () => expect(ids()).toEqual(['c3']),
      },
      {
        name: 'the click has arrived',
        run: async () => {
          await inbox.pass(100)
          await inbox.pass(300)
        },
        check: () => expect(ids()).toEqual(['c4', 'c3']),
      },
      {
        name: 'the keyboard moves into the list, while rows change',
        run: async () => {
          await act(async () => inbox.app.system.get('displayedList').send({ type: 'focus.entered' }))
          await refresh(waits('c3', 0))
        },
        check: () => expect(ids()).toEqual(['c4', 'c3']),
      },
      {
        name: 'another view is chosen',
        run: async () => {
          await act(async () => void fireEvent.click(within(rail()).getByRole('button', { name: 'All' })))
          await inbox.answer('loadTop', listOf([row('c9', 0, { state: stateOf(1) })]))
        },
        check: () => expect(ids()).toEqual(['c9']),
      },
      {
        name: 'the keyboard leaves, another view is chosen, and half a minute passes',
        run: async () => {
          await act(async () => inbox.app.system.get('displayedList').send({ type: 'focus.left' }))
          await act(async () => void fireEvent.click(within(rail()).getByRole('button', { name: 'Mine' })))
          await inbox.answer('loadTop', listOf([]))
          await inbox.pass(300)
          await inbox.pass(30_000)
        },
        check: () => expect(screen.getByText('No conversations found')).toBeTruthy(),
      },
    ])
    inbox.unmount()
  })
})

describe('The chosen rows', () => {
  it('are a range by Shift and a click or an arrow, and all by a key or the bar', async () => {
    const inbox = await start(['c1', 'c2', 'c3', 'c4'].map((id, index) => waits(id, 9 - index)))
    const listbox = () => screen.getByRole('listbox')
    const chosen = () =>
      options().flatMap(({ id, textContent }) => (textContent?.includes('chosen') ? [id.slice(-2)] : []))
    const shift = (name: string) => act(async () => void fireEvent.keyDown(listbox(), { key: name, shiftKey: true }))
    const all = () => screen.queryByRole('button', { name: /^Choose all/ })?.textContent ?? null

    await point('c2')
    const boxes = () => screen.queryAllByRole('checkbox', { name: /^Choose Person/ }).map(({ ariaLabel }) => ariaLabel)
    const before = boxes()
    await act(async () => void fireEvent.pointerLeave(found(listbox().parentElement, 'the scroller'), mouse))
    expect([before, boxes()]).toEqual([['Choose Person c2'], []])
    await point('c2')
    await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Person c2' })))
    expect([chosen(), document.activeElement, all()]).toEqual([['c2'], listbox(), 'Choose all 4'])
    const press1 = new MouseEvent('mousedown', { bubbles: true, cancelable: true, shiftKey: true })
    await act(async () => void fireEvent(option('c4'), press1))
    await act(async () => void fireEvent.click(option('c4'), { shiftKey: true }))
    // The text of the rows stays unselected, and no row opens.
    expect([press1.defaultPrevented, inbox.opened, chosen()]).toEqual([true, [], ['c2', 'c3', 'c4']])

    await point('c1')
    await act(
      async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Person c1' }), { shiftKey: true }),
    )
    expect(chosen()).toEqual(['c1', 'c2'])
    await shift('ArrowDown')
    await shift('ArrowDown')
    expect(chosen()).toEqual(['c2', 'c3'])
    await shift('End')
    expect([chosen(), screen.getByRole('toolbar').querySelector('p')?.textContent]).toEqual([
      ['c2', 'c3', 'c4'],
      '3 chosen',
    ])
    await press('Choose all 4')
    expect([chosen(), all()]).toEqual([['c1', 'c2', 'c3', 'c4'], null])
    await press('Clear the choice')

    const selectAll = new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true })
    await act(async () => void fireEvent(listbox(), selectAll))
    expect([chosen(), selectAll.defaultPrevented]).toEqual([['c1', 'c2', 'c3', 'c4'], true])
    inbox.unmount()
  })

  it('are none for a user who may not change states: Shift and a click opens, and Ctrl A is the browser’s', async () => {
    const inbox = await start([waits('c1', 2), waits('c2', 1)], { ...userWithStates, permissions: [] })
    await act(async () => void fireEvent.click(option('c2'), { shiftKey: true }))
    const selectAll = new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true })
    await act(async () => void fireEvent(screen.getByRole('listbox'), selectAll))
    expect([inbox.opened, selectAll.defaultPrevented, screen.queryByRole('toolbar')]).toEqual([['c2'], false, null])
    inbox.unmount()
  })
})

describe('A change', () => {
  it('by the actions of a row, by keys and for several rows, with its undo', async () => {
    const inbox = await start([waits('c1', 5), waits('c2', 4), waits('c3', 3)])
    await inbox.answer('loadTeam', members)
    const asked = () => inbox.waiting('changeStates')[0]
    const decisions = () =>
      (asked() as { changes: { id: string; decision: unknown }[] }).changes.map(({ id, decision }) => [id, decision])
    const listbox = () => screen.getByRole('listbox')
    await followByHand(stateChangesMachine, [
      {
        name: 'Done at a row',
        run: async () => {
          await point('c1')
          await act(
            async () => void fireEvent.click(within(screen.getByRole('group')).getByRole('button', { name: 'Done' })),
          )
        },
        check: () => expect([decisions(), ids()]).toEqual([[['c1', { done: true }]], ['c2', 'c3']]),
      },
      {
        name: 'the answer, and z',
        run: async () => {
          await inbox.answer('changeStates', [done('c1', 2)])
          await key('z')
        },
        check: () => expect([decisions(), inbox.toasts()]).toEqual([[['c1', { done: false }]], ['Person c1 is done']]),
      },
      {
        name: 'the answer, then two rows are marked and closed',
        run: async () => {
          await inbox.answer('changeStates', [
            { id: 'c1', state: stateOf(3, { waiting_since: ago(5) }), refusal: null },
          ])
          act(() => listbox().focus())
          await key('x')
          await key('ArrowDown', listbox())
          await key('x')
          await key('e')
        },
        check: () =>
          expect(decisions()).toEqual([
            ['c1', { done: true }],
            ['c2', { done: true }],
          ]),
      },
      {
        name: 'the call fails',
        run: () => inbox.fail('changeStates', faults.refused),
        check: () => expect([ids(), inbox.toasts().at(-1)]).toEqual([['c1', 'c2', 'c3'], 'No such filter']),
      },
      {
        name: 'a row is marked with the mouse, the bar mutes it, and the choice of another one is cleared',
        run: async () => {
          await point('c3')
          await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Person c3' })))
          await press('Mute')
          await point('c2')
          await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Person c2' })))
          act(() => screen.getByRole('button', { name: 'Clear the choice' }).focus())
          await press('Clear the choice')
        },
        check: () =>
          expect([decisions(), screen.queryByRole('toolbar'), document.activeElement]).toEqual([
            [['c3', { muted: true }]],
            null,
            listbox(),
          ]),
      },
      {
        name: 'a row is chosen while the focus is at a filter, which the bar covers',
        run: async () => {
          act(() => screen.getByRole('checkbox', { name: 'Unread only' }).focus())
          await act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Person c2' })))
        },
        check: () =>
          expect([
            screen.getByRole('toolbar').textContent,
            document.activeElement,
            within(listbox())
              .getAllByRole('option')
              .map((row) => row.getAttribute('aria-checked')),
          ]).toEqual(['1 chosenChoose all 2', listbox(), ['false', 'true', 'false']]),
      },
      {
        name: 'the row is taken out of the choice',
        run: () => act(async () => void fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Person c2' }))),
        check: () => expect(screen.queryByRole('toolbar')).toBe(null),
      },
      {
        name: 'the thread snoozes until they write',
        run: async () => {
          await inbox.answer('changeStates', [{ id: 'c3', state: stateOf(9, { muted_at: ago(0) }), refusal: null }])
          await inbox.open('c2')
          await act(
            async () => void fireEvent.click(found(screen.getAllByRole('button', { name: 'Snooze' })[0], 'Snooze')),
          )
          await act(async () => void fireEvent.click(await screen.findByRole('button', { name: 'Until they write' })))
        },
        check: () =>
          expect([decisions(), screen.queryByRole('dialog')]).toEqual([
            [['c2', { snooze: { until: 'message' } }]],
            null,
          ]),
      },
      {
        name: 'it is refused, and the dialog to assign is closed without a choice',
        run: async () => {
          await inbox.answer('changeStates', [
            { id: 'c2', state: stateOf(8, { waiting_since: ago(4) }), refusal: 'written' },
          ])
          await key('a')
          await screen.findByRole('dialog', { name: 'Assign' })
          await press('Close')
        },
        check: () => expect(inbox.toasts().at(-1)).toBe('They have just written. Look before you close.'),
      },
      {
        name: 'a key assigns to the person, who stands first; colleagues who are inactive or may not answer are not offered',
        run: async () => {
          await key('a')
          const dialog = await screen.findByRole('dialog', { name: 'Assign' })
          expect(
            within(dialog)
              .getAllByRole('button')
              .map(({ textContent }) => textContent)
              .slice(1),
          ).toEqual(['MSMaria Santos (you)', 'ALAna Lim', 'Nobody'])
          await waitFor(() => expect(document.activeElement?.textContent).toBe('MSMaria Santos (you)'))
          await press(/Maria Santos/)
        },
        check: () => expect(decisions()).toEqual([['c2', { assigned_to: 's1' }]]),
      },
      {
        name: 'a key ends a snooze, and without one keeps the chosen conversations',
        run: async () => {
          const assigned = { waiting_since: ago(4), assigned_to: 's1' }
          await inbox.answer('changeStates', [{ id: 'c2', state: stateOf(10, assigned), refusal: null }])
          await key('x')
          await key('w')
          expect([inbox.waiting('changeStates'), screen.queryAllByRole('option', { checked: true }).length]).toEqual([
            [],
            1,
          ])
          await inbox.changeStates([{ id: 'c2', state: stateOf(11, { ...assigned, snoozed_at: ago(0) }) }])
          await key('w')
        },
        check: () =>
          expect([decisions(), inbox.toasts().at(-1)]).toEqual([
            [['c2', { snooze: null }]],
            'Person c2 is assigned to Maria Santos',
          ]),
      },
      {
        name: 'a key mutes',
        run: async () => {
          await inbox.answer('changeStates', [{ id: 'c2', state: stateOf(12, { assigned_to: 's1' }), refusal: null }])
          await key('M')
        },
        check: () => expect(decisions()).toEqual([['c2', { muted: true }]]),
      },
      {
        name: 'and the same key ends it',
        run: async () => {
          const muted = { assigned_to: 's1', muted_at: ago(0) }
          await inbox.answer('changeStates', [{ id: 'c2', state: stateOf(13, muted), refusal: null }])
          await key('M')
        },
        check: () => expect(decisions()).toEqual([['c2', { muted: false }]]),
      },
      {
        name: 'unread in the open thread returns to the list',
        run: async () => {
          await inbox.answer('changeStates', [
            { id: 'c2', state: stateOf(14, { waiting_since: ago(4), assigned_to: 's1' }), refusal: null },
          ])
          await key('U')
        },
        check: () =>
          expect([decisions(), inbox.opened.at(-1), inbox.toasts().at(-1)]).toEqual([
            [['c2', { unread: true }]],
            null,
            'Person c2 is no longer muted',
          ]),
      },
      {
        name: 'u opens the first conversation that waits',
        run: () => key('u'),
        check: () => expect(inbox.opened.at(-1)).toBe('c1'),
      },
      {
        name: 'no key acts while somebody types',
        run: () => key('e', screen.getByRole('searchbox')),
        check: () => expect(inbox.waiting('changeStates').length).toBe(1),
      },
    ])
    inbox.unmount()
  })

  it('u opens those who wait one after the other, and begins again', async () => {
    const inbox = await start([waits('c1', 5), waits('c2', 4), row('c3', 1), waits('c4', 3)])
    for (let press = 0; press < 4; press += 1) await key('u')
    expect(inbox.opened).toEqual(['c1', 'c2', 'c4', 'c1'])
    inbox.unmount()
  })

  it('until a chosen time, which must be in the future', async () => {
    const inbox = await start([waits('c1', 5)])
    act(() => screen.getByRole('listbox').focus())
    await key('s')
    const dialog = await screen.findByRole('dialog', { name: 'Snooze' })
    const field = within(dialog).getByLabelText('At a time')
    fireEvent.change(field, { target: { value: '2020-01-01T09:00' } })
    await press('Snooze until then')
    expect(within(dialog).getByRole('alert').textContent).toBe('Choose a time in the future.')
    fireEvent.change(field, { target: { value: '2099-01-01T09:00' } })
    await press('Snooze until then')
    expect(inbox.waiting('changeStates')).toEqual([
      {
        changes: [
          expect.objectContaining({
            id: 'c1',
            decision: { snooze: { until: new Date('2099-01-01T09:00').toISOString() } },
          }),
        ],
      },
    ])
    inbox.unmount()
  })
})

describe('The names of the team', () => {
  const assigned = waits('c1', 1, { state: stateOf(1, { waiting_since: ago(1), assigned_to: 's2' }) })
  const assignee = () => option('c1').textContent?.match(/Assigned to .*?(?=\d|$)/)?.[0]

  it('are fetched again after a failure and on request; until then the assignee is somebody else', async () => {
    const inbox = await start([assigned])
    await followByHand(teamMachine, [
      {
        name: 'the call has no answer',
        run: () => inbox.fail('loadTeam', faults.noAnswer),
        check: () => expect(assignee()).toBe('Assigned to somebody else'),
      },
      {
        name: 'the retry is refused',
        run: async () => {
          await inbox.pass(60_000)
          await inbox.fail('loadTeam', faults.refused)
        },
        check: () => expect(assignee()).toBe('Assigned to somebody else'),
      },
      {
        name: 'the person refreshes',
        run: async () => {
          await press('Refresh conversations')
          await inbox.answer('loadTeam', members)
        },
        check: () => expect(assignee()).toBe('Assigned to Ana Lim'),
      },
      {
        name: 'the person refreshes again',
        run: () => press('Refresh conversations'),
        check: () => expect(inbox.waiting('loadTeam').length).toBe(1),
      },
      {
        name: 'the confirmed user is the same',
        run: () => inbox.tell({ type: 'user.confirmed', user: userWithStates }),
        check: () => expect(inbox.waiting('loadTeam').length).toBe(1),
      },
    ])
    inbox.unmount()
  })
})

describe('The walks through the views', () => {
  it('enter every state', () =>
    expect([displayed.statesMissed(), changes.statesMissed(), team.statesMissed(), choosing.statesMissed()]).toEqual(
      Array(4).fill([]),
    ))

  it('take every transition', () =>
    expect([
      displayed.transitionsMissed(),
      changes.transitionsMissed(),
      team.transitionsMissed(),
      choosing.transitionsMissed(),
    ]).toEqual(Array(4).fill([])))
})
