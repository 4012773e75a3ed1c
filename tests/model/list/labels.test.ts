import { describe, expect, it } from 'vitest'
import { selectError } from '../../../src/machines/item-forms.ts'
import { labelFormMachine, selectBlockedReason, selectKeywordProblem } from '../../../src/machines/list/label-form.ts'
import { labelManagerMachine, selectAskedAbout, selectUsage } from '../../../src/machines/list/label-manager.ts'
import { type LabelTarget, labelPickerMachine } from '../../../src/machines/list/label-picker.ts'
import { labelsMachine, selectLabels } from '../../../src/machines/list/labels.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Label, LabelUsage } from '../../../src/schemas/label.ts'
import { labelLimits } from '../../../src/schemas/labels-of-row.ts'
import { createCoverage, driverOf, inspectAll } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  labelManagerModel,
  labelPickerModel,
  labelsModel,
  late,
  startLabelManager,
  startLabelPicker,
  startLabelSession,
  toldOf,
  vip,
  withLabels,
  withoutLabels,
} from './labels-fixture.ts'

const labelsCoverage = createCoverage(labelsMachine)
const pickerCoverage = createCoverage(labelPickerMachine)
const formCoverage = createCoverage(labelFormMachine)
const managerCoverage = createCoverage(labelManagerMachine)
const inspect = inspectAll(
  labelsCoverage.inspect,
  pickerCoverage.inspect,
  formCoverage.inspect,
  managerCoverage.inspect,
)

const startSession = (person?: AuthUser) => startLabelSession({ inspect, ...(person && { person }) })
const startPicker = (target: LabelTarget) => startLabelPicker(target, inspect)
const startManager = () => startLabelManager(inspect)

const network = 'Network error. Please check your connection.'

describe('The labels', () => {
  type State = { calls: number; labels: readonly Label[]; step: 'loading' | 'known' | 'waiting' | 'refused' }
  /** Written by hand: a fetch begins with the session, after a temporary failure, and when something may be old. */
  const asking = (state: State): State => ({ ...state, calls: state.calls + 1, step: 'loading' })
  const reference: Reference<State> = {
    start: { calls: 1, labels: [], step: 'loading' },
    accepts: ({ step }) => [
      'user.confirmed',
      'labels.invalidated',
      'labels.told',
      ...when(step !== 'loading', 'refetch.requested'),
      ...when(step === 'loading', ...ends('loadLabels')),
      ...when(step === 'waiting', 'xstate.after.retryDelay.labels.failed.waiting'),
    ],
    rules: {
      'refetch.requested': asking,
      'labels.invalidated': asking,
      'labels.told': (_, { labels }) => ({ labels, step: 'known' }),
      'xstate.done.actor.loadLabels': (_, { output }) => ({ labels: output, step: 'known' }),
      'xstate.error.actor.loadLabels': (_, { error }) => ({ step: error === faults.noAnswer ? 'waiting' : 'refused' }),
      'xstate.after.retryDelay.labels.failed.waiting': asking,
    },
    shown: ({ calls, labels }) => ({ calls, labels }),
  }
  const paths = labelsModel().everyTransition()

  it(`are fetched as the reference says on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const { session, clock, load, labels } = startSession()
      const drive = driverOf((event: never) => labels.send(event), {
        calls: { loadLabels: load },
        delays: { retryDelay: () => clock.increment(60_000) },
      })
      await followBeside(path, drive, reference, () => ({
        calls: load.calls.length,
        labels: selectLabels(labels.getSnapshot()),
      }))
      session.stop()
    }
  })

  it('are reported to the session whenever they are known, so that the filter of a deleted one ends', async () => {
    const sut = startSession()
    await sut.load.resolve([late, vip])
    sut.labels.send({ type: 'labels.told', labels: [late] })
    expect(toldOf(sut, 'labels.loaded')).toEqual([
      { type: 'labels.loaded', labels: [late, vip] },
      { type: 'labels.loaded', labels: [late] },
    ])
  })

  it('are not fetched from an API that does not offer them, until a confirmed user has them', () => {
    const { labels, load } = startSession(withoutLabels)
    for (const type of ['refetch.requested', 'labels.invalidated']) labels.send({ type })
    const before = load.calls.length
    labels.send({ type: 'user.confirmed', user: withLabels })
    expect([before, load.calls.length]).toEqual([0, 1])
  })
})

const toggle = (id: string) => ({ type: 'label.toggled', id }) as const
const created = (name: string) => ({ type: 'label.created', name, labels: [late, vip] }) as const
const dismissed = { type: 'dialog.dismissed' } as const

describe('The dialog of labels', () => {
  it('applies what was chosen as one change when it closes', () => {
    const sut = startPicker({ ids: ['c1', 'c2'] })
    sut.actor.send(toggle('l1'))
    sut.actor.send(toggle('l2'))
    sut.actor.send(dismissed)
    expect(toldOf(sut, 'change.requested')).toEqual([
      { type: 'change.requested', ids: ['c1', 'c2'], decision: { labels: { add: ['l2'], remove: ['l1'] } } },
    ])
  })

  it.each([
    ['a label that all have', 'l1', [{ l1: false }, {}]],
    ['a label that some have', 'l2', [{ l2: true }, { l2: false }, { l2: true }]],
    ['a label that none have', 'l9', [{ l9: true }, {}]],
  ])('turns %s on and off, and forgets a choice that changes nothing', (_, id, shown) => {
    const sut = startPicker({ ids: ['c1', 'c2'] })
    const seen = shown.map(() => {
      sut.actor.send(toggle(id))
      return sut.choices()
    })
    expect(seen).toEqual(shown)
  })

  it('closes without a change if nothing was chosen', () => {
    for (const target of [{ ids: ['c1'] }, { clientId: 'k1', labelIds: ['l2'] }]) {
      const sut = startPicker(target)
      sut.actor.send(toggle('l9'))
      sut.actor.send(toggle('l9'))
      sut.actor.send(dismissed)
      expect([sut.actor.getSnapshot().status, sut.change.calls, toldOf(sut, 'change.requested')]).toEqual([
        'done',
        [],
        [],
      ])
    }
  })

  it('creates what is typed in the colour that the fewest labels have, tells all labels, and chooses the new one', async () => {
    const sut = startPicker({ ids: ['c1'] })
    sut.actor.send(created(' Wholesale '))
    sut.actor.send(created('Second press'))
    sut.actor.send(toggle('l1'))
    const labels: Label[] = [late, vip, { id: 'l3', name: 'Wholesale', colour: 'blue', keywords: [] }]
    await sut.create.resolve({ id: 'l3', labels })
    expect([sut.create.inputs(), sut.choices(), toldOf(sut, 'labels.told')]).toEqual([
      [{ id: null, body: { name: 'Wholesale', colour: 'blue', keywords: [] } }],
      { l1: false, l3: true },
      [{ type: 'labels.told', labels }],
    ])
  })

  it.each(['', '  ', 'vip', ' LATE', 'x'.repeat(41)])('creates no label with the name %j', (name) => {
    const sut = startPicker({ ids: ['c1'] })
    sut.actor.send(created(name))
    expect(sut.create.calls).toEqual([])
  })

  it('keeps the choices after a failed creation, and fetches the labels, because the label may exist', async () => {
    const sut = startPicker({ ids: ['c1'] })
    sut.actor.send(toggle('l2'))
    sut.actor.send(created('New'))
    await sut.create.reject(faults.noAnswer)
    expect([sut.choices(), toldOf(sut, 'labels.invalidated'), sut.toasts]).toEqual([
      { l2: true },
      [{ type: 'labels.invalidated' }],
      [{ kind: 'error', text: network }],
    ])
  })

  it('waits for the answer about a client, can try again, and leaves without a change after a failure', async () => {
    const sut = startPicker({ clientId: 'k1', labelIds: ['l2'] })
    sut.actor.send(toggle('l1'))
    sut.actor.send(toggle('l2'))
    sut.actor.send(dismissed)
    sut.actor.send(dismissed)
    expect(sut.change.inputs()).toEqual([{ clientId: 'k1', change: { add: ['l1'], remove: ['l2'] } }])
    await sut.change.reject(faults.refused)
    sut.actor.send({ type: 'change.retried' })
    await sut.change.reject(faults.noAnswer)
    sut.actor.send(toggle('l2'))
    sut.actor.send(dismissed)
    expect(sut.change.last().input.change).toEqual({ add: ['l1'], remove: [] })
    const labels = { version: 4, label_ids: ['l2', 'l1'] }
    await sut.change.resolve(labels)
    expect([sut.actor.getSnapshot().status, toldOf(sut, 'clientLabels.told', 'change.requested')]).toEqual([
      'done',
      [{ type: 'clientLabels.told', clientId: 'k1', labels }],
    ])

    const left = startPicker({ clientId: 'k1', labelIds: ['l2'] })
    left.actor.send(toggle('l1'))
    left.actor.send(dismissed)
    await left.change.reject(faults.noAnswer)
    left.actor.send(dismissed)
    expect([left.actor.getSnapshot().status, toldOf(left, 'clientLabels.told')]).toEqual(['done', []])
  })

  describe('over every transition', () => {
    type State = { step: string; choices: Record<string, boolean>; isClient: boolean }
    const isOn = { l1: true, l2: false }
    const reference = (isClient: boolean): Reference<State> => ({
      start: { step: 'choosing', choices: {}, isClient },
      accepts: ({ step }) =>
        ({
          choosing: ['label.toggled', 'label.created', 'dialog.dismissed'],
          creating: ['label.toggled', ...ends('createLabel')],
          saving: ends('changeClientLabels'),
          failed: ['label.toggled', 'change.retried', 'dialog.dismissed'],
        })[step] ?? [],
      rules: {
        'label.toggled': ({ choices, step }, { id }) => {
          const { [id]: known, ...others } = choices
          const was = isOn[id as keyof typeof isOn]
          const choicesAfter = known === undefined ? { ...others, [id]: !was } : others
          return { choices: choicesAfter, step: step === 'failed' ? 'choosing' : step }
        },
        'label.created': () => ({ step: 'creating' }),
        'xstate.done.actor.createLabel': ({ choices }) => ({ step: 'choosing', choices: { ...choices, l3: true } }),
        'xstate.error.actor.createLabel': () => ({ step: 'choosing' }),
        'dialog.dismissed': ({ choices, isClient, step }) => ({
          step: step === 'choosing' ? (isClient && Object.keys(choices).length > 0 ? 'saving' : 'closed') : 'left',
        }),
        'change.retried': () => ({ step: 'saving' }),
        'xstate.done.actor.changeClientLabels': () => ({ step: 'closed' }),
        'xstate.error.actor.changeClientLabels': () => ({ step: 'failed' }),
      },
      shown: ({ step, choices }) => ({ step, choices }),
    })
    const targets: [string, LabelTarget][] = [
      ['a conversation', { ids: ['c1'] }],
      ['a client', { clientId: 'unknown', labelIds: [] }],
    ]

    it.each(targets)('for %s', async (_, target) => {
      for (const path of labelPickerModel(target).everyTransition()) {
        const sut = startPicker(target)
        const drive = driverOf((event: never) => sut.actor.send(event), {
          calls: { createLabel: sut.create, changeClientLabels: sut.change },
        })
        await followBeside(path, drive, reference('clientId' in target), () => ({
          step: sut.actor.getSnapshot().value,
          choices: sut.choices(),
        }))
        sut.session.stop()
      }
    })
  })
})

const edited = (item: Label) => ({ type: 'item.edited', item }) as const
const deletion = { type: 'deletion.requested', item: late } as const

describe('The manager of labels', () => {
  it('creates a label with the keyword that was typed last, and tells all labels', async () => {
    const sut = startManager()
    sut.actor.send({ type: 'item.added' })
    expect(sut.form()?.getSnapshot().context.fields).toEqual({ name: '', colour: 'blue', keywords: [], keyword: '' })
    sut.submit()
    sut.type({ name: ' Order ', colour: 'teal', keyword: ' my order ' })
    sut.form()?.send({ type: 'keyword.added' })
    sut.form()?.send({ type: 'keyword.added' })
    sut.type({ keyword: 'invoice' })
    sut.form()?.send({ type: 'keyword.removed', keyword: 'nothing' })
    sut.submit()
    expect(sut.save.inputs()).toEqual([
      { id: null, body: { name: 'Order', colour: 'teal', keywords: ['my order', 'invoice'] } },
    ])
    await sut.save.resolve({ id: 'l3', labels: [late, vip] })
    expect([sut.state(), toldOf(sut, 'labels.told').length, sut.toasts]).toEqual([
      'list',
      1,
      [{ kind: 'success', text: 'Label created' }],
    ])
  })

  it('keeps what is typed after each failure, and says when the label may have been created', async () => {
    const sut = startManager()
    sut.actor.send({ type: 'item.added' })
    sut.type({ name: 'Order' })
    const failed = async (error: unknown) => {
      sut.submit()
      await sut.save.reject(error)
      const snapshot = sut.form()?.getSnapshot()
      return [snapshot?.context.fields.name, snapshot && selectError(snapshot)]
    }
    expect(await failed(faults.refused)).toEqual(['Order', expect.any(String)])
    expect(await failed(faults.noAnswer)).toEqual(['Order', expect.stringContaining('may have been created')])
    sut.form()?.send({ type: 'form.cancelled' })
    sut.form()?.send({ type: 'discard.confirmed' })
    sut.actor.send(edited(late))
    sut.type({ colour: 'pink' })
    expect(await failed(faults.noAnswer)).toEqual(['Late', network])
    sut.submit()
    await sut.save.resolve({ id: 'l2', labels: [] })
    expect(sut.save.last().input).toEqual({
      id: 'l2',
      body: { name: 'Late', colour: 'pink', keywords: ['late', 'delayed'] },
    })
  })

  it('asks before typed text is discarded, and closes with the form if the whole dialog was dismissed', () => {
    const sut = startManager()
    sut.actor.send(edited(late))
    sut.actor.send(dismissed)
    expect(sut.actor.getSnapshot().status).toBe('done')

    const typed = startManager()
    typed.actor.send(edited(late))
    typed.type({ name: 'Later' })
    for (const answer of ['discard.refused', 'dialog.dismissed'] as const) {
      typed.actor.send(dismissed)
      expect(typed.form()?.getSnapshot().value).toBe('leaving')
      typed.form()?.send({ type: answer })
      expect(typed.form()?.getSnapshot().context.fields.name).toBe('Later')
    }
    typed.form()?.send({ type: 'form.cancelled' })
    typed.form()?.send({ type: 'discard.confirmed' })
    expect([typed.state(), typed.save.calls]).toEqual(['list', []])
  })

  it.each([
    ['no name', { name: '  ' }, 'A name is missing'],
    ['41 characters', { name: 'x'.repeat(41) }, 'Name: use at most 40 characters.'],
    ['a keyword of signs', { keyword: '?!' }, 'A keyword needs a letter or a number'],
    ['a keyword twice', { keyword: 'LATE' }, 'This keyword is already in the list'],
    ['a long keyword', { keyword: 'x'.repeat(61) }, 'Use at most 60 characters.'],
    [
      'too many keywords',
      { keywords: Array.from({ length: labelLimits.keywords }, (_, index) => `k${index}`), keyword: 'more' },
      'At most 30 keywords',
    ],
  ])('does not save a label with %s, and says why', (_, change, reason) => {
    const sut = startManager()
    sut.actor.send(edited(late))
    sut.type(change)
    sut.submit()
    sut.form()?.send({ type: 'keyword.added' })
    const snapshot = sut.form()?.getSnapshot()
    if (snapshot === undefined) throw new Error('the form is open')
    expect([selectBlockedReason(snapshot), sut.save.calls.length]).toEqual([reason, 0])
    if ('keyword' in change) expect(selectKeywordProblem(snapshot)).toBe(reason)
  })

  describe('over every transition', () => {
    type State = { step: string; asked: Label | null; usage: LabelUsage | null; told: number }
    const closed = { step: 'list', asked: null }
    const reference: Reference<State> = {
      start: { step: 'list', asked: null, usage: null, told: 0 },
      accepts: ({ step }) =>
        ({
          list: ['item.added', 'item.edited', 'deletion.requested', 'dialog.dismissed'],
          form: ['dialog.dismissed', 'xstate.done.actor.labelForm'],
          counting: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed', ...ends('loadLabelUsage')],
          counted: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed'],
          notCounted: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed'],
          deleting: ends('deleteLabel'),
        })[step] ?? [],
      rules: {
        'item.added': () => ({ step: 'form', usage: null }),
        'item.edited': () => ({ step: 'form', usage: null }),
        'deletion.requested': (_, { item }) => ({ step: 'counting', asked: item, usage: null }),
        'xstate.done.actor.loadLabelUsage': (_, { output }) => ({ step: 'counted', usage: output }),
        'xstate.error.actor.loadLabelUsage': () => ({ step: 'notCounted' }),
        'deletion.confirmed': () => ({ step: 'deleting' }),
        'deletion.cancelled': () => closed,
        'dialog.dismissed': ({ step }) => (step === 'list' || step === 'form' ? { step: 'dismissed' } : closed),
        'xstate.done.actor.deleteLabel': ({ told }) => ({ ...closed, told: told + 1 }),
        'xstate.error.actor.deleteLabel': () => closed,
      },
      shown: ({ step, asked, usage, told }) => ({ step, asked, usage, told }),
    }
    const paths = labelManagerModel().everyTransition()

    it(`on ${paths.length} paths, one for each transition`, async () => {
      for (const path of paths) {
        const sut = startManager()
        const drive = driverOf((event: never) => sut.actor.send(event), {
          calls: { deleteLabel: sut.remove, loadLabelUsage: sut.usage },
        })
        await followBeside(path, drive, reference, () => {
          const snapshot = sut.actor.getSnapshot()
          const { value } = snapshot
          return {
            step: typeof value === 'string' ? value : value.asking,
            asked: selectAskedAbout(snapshot),
            usage: selectUsage(snapshot),
            told: toldOf(sut, 'labels.told').length,
          }
        })
        sut.session.stop()
      }
    })
  })

  it('fetches the labels after a failed deletion, because the label may be deleted', async () => {
    const sut = startManager()
    sut.actor.send(deletion)
    sut.actor.send({ type: 'deletion.confirmed' })
    await sut.remove.reject(faults.noAnswer)
    expect([toldOf(sut, 'labels.invalidated'), sut.toasts]).toEqual([
      [{ type: 'labels.invalidated' }],
      [{ kind: 'error', text: network }],
    ])
  })
})

describe('Every state and transition is tested', () => {
  it('of the labels', () =>
    expect([labelsCoverage.statesMissed(), labelsCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the dialog', () =>
    expect([pickerCoverage.statesMissed(), pickerCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the form', () => expect([formCoverage.statesMissed(), formCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the manager', () =>
    expect([managerCoverage.statesMissed(), managerCoverage.transitionsMissed()]).toEqual([[], []]))
})
