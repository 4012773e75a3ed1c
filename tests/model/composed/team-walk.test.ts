import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StateDecision } from '../../../src/schemas/conversation-state.ts'
import { settled } from '../harness.ts'
import { createTab, type Tab } from './team-tab.ts'
import { createTeamWorld, customers, staffIds } from './team-world.ts'

/**
 * Two members of staff answer the same customers: both answer, assign, snooze, close, mute, label, write notes and drafts,
 * sign out, and lose the network. Every text is numbered and says what it is, so that the test knows where it may be.
 */

const decisions: readonly StateDecision[] = [
  { done: true },
  { done: false },
  { snooze: { until: 'message' } },
  { snooze: null },
  { assigned_to: 's1' },
  { assigned_to: 's2' },
  { assigned_to: null },
  { muted: true },
  { muted: false },
  { labels: { add: ['l1'], remove: [] } },
  { labels: { add: [], remove: ['l1'] } },
]
const views = ['waiting', 'waiting', 'mine', 'unassigned', 'all'] as const

const weights = {
  customerWrites: 6,
  open: 4,
  type: 6,
  send: 6,
  retry: 2,
  decide: 10,
  undo: 2,
  note: 4,
  view: 3,
  assignee: 1,
  answer: 14,
  deliver: 10,
  loseAnswers: 2,
  offline: 2,
  online: 3,
  pass: 5,
  reload: 1,
  signOut: 2,
} as const
type StepName = keyof typeof weights

const step = fc.record({
  what: fc.oneof(
    ...(Object.keys(weights) as StepName[]).map((name) => ({ weight: weights[name], arbitrary: fc.constant(name) })),
  ),
  tab: fc.constantFrom(0, 1),
  id: fc.constantFrom(...customers),
  which: fc.nat(59),
})

const nth = <Item>(items: readonly [Item, ...Item[]], which: number): Item => items[which % items.length] ?? items[0]

function createTeam() {
  const world = createTeamWorld()
  const tabs = [createTab(world, staffIds[0]), createTab(world, staffIds[1])] as const
  /** The drafts that must be somewhere, with their author and conversation. */
  const drafts = new Map<string, { staffId: string; id: string }>()
  const sent = new Set<string>()
  let count = 0

  const partsOf = (whole: string) => whole.split('\n\n')
  const end = (whole: string) => {
    for (const part of partsOf(whole)) drafts.delete(part)
  }
  const next = (kind: string) => {
    count += 1
    return `${kind} ${count}`
  }

  const steps: Record<StepName, (tab: Tab, id: string, which: number) => unknown> = {
    customerWrites: (_, id) => world.customerWrites(id),
    open: (tab, id) => tab.open(id),
    type: (tab, id) => {
      end(tab.textOf(id))
      const text = next('draft')
      tab.type(id, text)
      drafts.set(text, { staffId: tab.staffId, id })
    },
    send: (tab, id) => {
      const text = tab.textOf(id)
      if (text === '') return
      const key = tab.send(id, text)
      if (key === null) return
      end(text)
      sent.add(key)
    },
    retry: (tab) => tab.retry(),
    decide: (tab, id, which) => tab.decide(id, nth(decisions as [StateDecision, ...StateDecision[]], which)),
    undo: (tab) => tab.undo(),
    note: (tab) => tab.note(next('note')),
    view: (tab, _, which) => tab.chooseView(nth(views, which)),
    assignee: (tab, _, which) => tab.chooseAssignee(nth([undefined, undefined, 's1', 'nobody'], which)),
    answer: (tab) => tab.answer(),
    deliver: (tab) => tab.deliver(),
    loseAnswers: (tab) => tab.loseAnswers(),
    offline: (tab) => tab.setOnline(false),
    online: (tab) => tab.setOnline(true),
    pass: (tab, _, which) => tab.pass((which % 8) ** 3 * 10),
    reload: (tab) => tab.reload(),
    signOut: (tab) => tab.signOut(),
  }

  /** The invariants after each step. */
  const check = (after: string) => {
    for (const tab of tabs) {
      expect({ after, who: tab.staffId, missingFromWaiting: tab.missing() }).toEqual({
        after,
        who: tab.staffId,
        missingFromWaiting: [],
      })
      expect(tab.present()).not.toContain(tab.staffId)
      expect(tab.unsent().filter(({ text }) => text.startsWith('note'))).toEqual([])
      expect(tab.faults).toEqual([])
    }
    expect(world.delivered.filter(({ text }) => !partsOf(text).every((part) => part.startsWith('draft')))).toEqual([])
    expect(new Set(world.delivered.map(({ key }) => key)).size).toBe(world.delivered.length)
    for (const [text, { staffId, id }] of drafts) {
      const tab = tabs.find((one) => one.staffId === staffId)
      const places = [world.drafts(staffId, id), tab?.textOf(id) ?? '', tab?.otherTextOf(id) ?? '']
      if (!places.some((place) => partsOf(place).includes(text))) throw new Error(`${text} is gone after ${after}`)
    }
  }

  /** Both are online, and everything is answered and delivered. */
  const rest = async () => {
    for (const tab of tabs) {
      tab.setOnline(true)
      tab.chooseAssignee(undefined)
      tab.chooseView('waiting')
    }
    for (let round = 0; round < 60; round += 1) {
      for (const tab of tabs) {
        tab.settleDrafts()
        tab.answer()
        await settled()
        tab.deliver()
        await settled()
        if (round < 40) tab.retry()
        tab.pass(2_000)
      }
      await settled()
    }
  }

  const checkAtRest = () => {
    for (const tab of tabs) {
      expect(tab.isLive()).toBe(true)
      const waiting = world.list({ search: '', pageId: null, unreadOnly: false, view: 'waiting' }, tab.staffId)
      expect(tab.order()).toEqual(waiting.map(({ primary_user_id }) => primary_user_id))
      for (const id of tab.order()) expect(tab.stateIn(id)).toEqual(world.stateOf(id))
      expect(tab.unsent()).toEqual([])
    }
    const delivered = new Set(world.delivered.map(({ key }) => key))
    expect([...sent].filter((key) => !delivered.has(key))).toEqual([])
  }

  return { tabs, steps, check, rest, checkAtRest, world }
}

describe('Two members of staff and the same customers', () => {
  it('miss nobody who waits, send no note, and lose no draft, after each step', async () => {
    const taken = new Map<StepName, number>()
    let notes = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }), async (walk) => {
        const team = createTeam()
        for (const tab of team.tabs) {
          await tab.areColleaguesReady()
          tab.answer()
        }
        await settled()
        for (const { what, tab: index, id, which } of walk) {
          const tab = team.tabs[index === 0 ? 0 : 1]
          team.steps[what](tab, id, which)
          if (what === 'reload' || what === 'signOut') await tab.areColleaguesReady()
          await settled()
          team.check(what)
          taken.set(what, (taken.get(what) ?? 0) + 1)
        }
        await team.rest()
        team.check('all is quiet')
        team.checkAtRest()
        notes += team.world.notes.length
        for (const tab of team.tabs) tab.stop()
      }),
      { seed: 1718, numRuns: 60 },
    )
    // Every kind of step was taken, and notes were saved.
    expect([...taken.keys()].toSorted()).toEqual(Object.keys(weights).toSorted())
    expect(notes).toBeGreaterThan(20)
  }, 60_000)
})
