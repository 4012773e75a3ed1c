import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ActorRefFrom, AnyEventObject, InspectionEvent } from 'xstate'
import { labelFormMachine } from '../../../src/machines/list/label-form.ts'
import { labelManagerMachine } from '../../../src/machines/list/label-manager.ts'
import { type LabelTarget, labelPickerMachine } from '../../../src/machines/list/label-picker.ts'
import { labelsMachine } from '../../../src/machines/list/labels.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Label } from '../../../src/schemas/label.ts'
import { SessionProvider, type SessionRef } from '../../../src/views/actors.tsx'
import LabelManagerDialog from '../../../src/views/list/LabelManagerDialog.tsx'
import LabelsDialog from '../../../src/views/list/LabelsDialog.tsx'
import { clientOf } from '../../model/client/clients-fixture.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { row, stateOf } from '../../model/inbox-fixture.ts'
import {
  labelFormModel,
  labelManagerModel,
  labelPickerModel,
  labelsModel,
  late,
  newKeyword,
  newLabel,
  savedLabel,
  startLabelManager,
  startLabelPicker,
  startLabelSession,
  toldOf,
  vip,
  withLabels,
  withoutLabels,
} from '../../model/list/labels-fixture.ts'
import { answered, headings, inQuestion, press } from '../driving.ts'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const list = createCoverage(labelsMachine)
const picker = createCoverage(labelPickerMachine)
const form = createCoverage(labelFormMachine)
const manager = createCoverage(labelManagerMachine)
const inspect = (event: InspectionEvent) => {
  list.inspect(event)
  picker.inspect(event)
  form.inspect(event)
  manager.inspect(event)
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const typeInto = (name: string, value: string) =>
  act(async () => void fireEvent.change(field(name), { target: { value } }))
const pressEnterIn = (name: string) => act(async () => void fireEvent.keyDown(field(name), { key: 'Enter' }))
const textsOf = (elements: readonly Element[]) => elements.map(({ textContent }) => textContent)
const namesOf = (labels: readonly Label[]) => labels.map(({ name }) => name)

describe('The walk through the labels', () => {
  const paths = labelsModel().everyTransitionInFewPaths()
  const since = new Date().toISOString()
  const waiting = row('c1', 0, {
    last_message_at: since,
    state: stateOf(1, { waiting_since: since, label_ids: ['l1', 'l2'] }),
  })
  const show = async (person: AuthUser) => {
    await import('../../../src/views/list/RowLabels.tsx')
    const inbox = await showInbox({ person, inspect })
    await inbox.answer('loadTop', listOf([waiting]))
    return inbox
  }
  /** The labels in the filter, and those in the row of the list. */
  const shown = () => ({
    filter: textsOf(within(screen.getByRole('group', { name: 'Labels' })).queryAllByRole('button', { pressed: false })),
    chips: [...screen.getByRole('option', { name: /Person c1/ }).querySelectorAll('bdi[title]')].map(
      ({ textContent }) => textContent,
    ),
  })
  const chipsOf = (labels: readonly Label[]) => namesOf([vip, late].filter((label) => labels.includes(label)))

  it(`shows the known labels on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await show(withLabels)
      const drive = driverOf((event: AnyEventObject) => inbox.tell(event as { type: 'labels.invalidated' }), {
        calls: { loadLabels: inbox.control('loadLabels') },
        delays: { retryDelay: () => inbox.pass(2_000) },
      })
      await follow(path, drive, ({ expected }) => {
        const { labels } = expected.context
        expect({ ...shown(), calls: inbox.waiting('loadLabels').length }).toEqual({
          filter: namesOf(labels),
          chips: chipsOf(labels),
          calls: expected.matches('loading') ? 1 : 0,
        })
      })
      inbox.unmount()
    }
  })

  it('shows no labels until the confirmed user has them', async () => {
    const inbox = await show(withoutLabels)
    expect([screen.queryByRole('group', { name: 'Labels' }), inbox.waiting('loadLabels')]).toEqual([null, []])
    await inbox.tell({ type: 'user.confirmed', user: withLabels })
    await inbox.answer('loadLabels', [late, vip])
    expect(shown()).toEqual({ filter: ['Late', 'VIP'], chips: ['VIP', 'Late'] })
  })

  it('shows two labels in a row, and names the others', async () => {
    const inbox = await showInbox({ person: withLabels, inspect })
    await import('../../../src/views/list/RowLabels.tsx')
    const labelled = (id: string, minute: number, label_ids: string[]) =>
      row(id, minute, { last_message_at: since, state: stateOf(1, { waiting_since: since, label_ids }) })
    await inbox.answer(
      'loadTop',
      listOf([labelled('c1', 3, ['l1', 'l2', 'l3', 'gone']), labelled('c2', 2, ['l1']), labelled('c3', 1, ['gone'])]),
    )
    await inbox.answer('loadLabels', [late, newLabel, vip])
    const chips = ['c1', 'c2', 'c3'].map((id) => {
      const option = screen.getByRole('option', { name: new RegExp(`Person ${id}`) })
      return [...option.querySelectorAll('[title]')].flatMap((one) =>
        ['VIP', 'Late', 'New'].some((name) => one.getAttribute('title') === name) ? [one.textContent] : [],
      )
    })
    expect(chips).toEqual([['VIP', 'Late', '+1New'], ['VIP'], []])
    inbox.unmount()
  })

  it.each<[string, string[], string[]]>([
    ['no change of labels to a person who only reads', ['conversations.read'], []],
    [
      'the change of both kinds of labels to a person who manages conversations',
      ['conversations.read', 'conversations.manage'],
      ['Change the labels of the client', 'Change the labels of the conversation'],
    ],
  ])('beside the thread offers %s', async (_, permissions, buttons) => {
    const inbox = await showInbox({ person: { ...withLabels, permissions }, inspect })
    const state = stateOf(1, { waiting_since: since, label_ids: ['l2'] })
    await inbox.answer('loadTop', listOf([row('c1', 0, { last_message_at: since, state, client_id: 'k1' })]))
    await inbox.answer('loadLabels', [late, vip])
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
    await inbox.answer('loadProfile', { client: clientOf('k1', { labels: { label_ids: [], version: 1 } }) })
    await act(() => vi.dynamicImportSettled())
    const offered = screen.queryAllByRole('button', { name: /^Change the labels/ })
    const dialog = inbox.app.system.get('dialog')
    const requests = offered.map((button) => {
      fireEvent.click(button)
      const { request } = dialog.getSnapshot().context
      dialog.send({ type: 'dialog.dismissed' })
      return request
    })
    expect([
      offered.map((one) => one.getAttribute('aria-label')),
      requests,
      screen.getAllByText('No labels').length,
    ]).toEqual([
      buttons,
      buttons.length === 0
        ? []
        : [
            { name: 'labels', input: { clientId: 'k1', labelIds: [] } },
            { name: 'labels', input: { ids: ['c1'] } },
          ],
      1,
    ])
    inbox.unmount()
  })

  it('enters every state', () => expect(list.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(list.transitionsMissed()).toEqual([]))
})

describe('The walk through the dialog of labels', () => {
  const targets: [string, LabelTarget, string[]][] = [
    ['a conversation', { ids: ['c1'] }, ['l1']],
    ['a client', { clientId: 'unknown', labelIds: ['l1'] }, ['l1']],
  ]
  const search = 'Search or type a new label'
  const buttonIn: Record<string, string> = { creating: 'Creating…', saving: 'Saving...', failed: 'Try again' }

  it.each(targets)('shows the expected state for %s', async (_, target, before) => {
    for (const path of labelPickerModel(target).everyTransitionInFewPaths()) {
      const sut = startLabelPicker(target, inspect)
      const view = render(
        <SessionProvider session={sut.session as unknown as SessionRef}>
          <LabelsDialog
            actor={sut.actor}
            title="Labels"
            onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
          />
        </SessionProvider>,
      )
      const drive = driverOf(
        async (event: AnyEventObject) => {
          switch (event.type) {
            case 'label.toggled':
              return act(async () => fireEvent.click(screen.getByRole('option', { name: 'Late' })))
            case 'label.created':
              await typeInto(search, 'New')
              return 'ids' in target
                ? pressEnterIn(search)
                : act(async () => fireEvent.click(screen.getByRole('option', { name: 'Create “New”' })))
            case 'change.retried':
              return press('Try again')
            default:
              return press(screen.queryByRole('button', { name: 'Apply' }) ? 'Apply' : 'Close')
          }
        },
        { calls: { createLabel: answered(sut.create), changeClientLabels: answered(sut.change) } },
      )
      await follow(path, drive, ({ expected }) => {
        const { choices } = expected.context
        const chosen = Object.keys(choices)
        if (expected.status !== 'active') {
          const decision = { labels: { add: chosen, remove: [] } }
          expect(toldOf(sut, 'change.requested').map((event) => event['decision'])).toEqual(
            'ids' in target && chosen.length > 0 ? [decision] : [],
          )
          return
        }
        const options = screen.getAllByRole('option')
        expect({
          labels: textsOf(options),
          selected: textsOf(options.filter((option) => option.ariaSelected === 'true')),
          typed: field(search).value,
          button: textsOf(screen.getAllByRole('button')).at(-1),
          mayManage: !screen.getByRole<HTMLButtonElement>('button', { name: 'Manage labels' }).disabled,
        }).toEqual({
          labels: namesOf(choices['l3'] ? [late, newLabel, vip] : [late, vip]),
          selected: namesOf([late, newLabel, vip].filter(({ id }) => choices[id] ?? before.includes(id))),
          typed: '',
          button: buttonIn[`${expected.value}`] ?? 'Apply',
          mayManage: chosen.length === 0,
        })
      })
      sut.session.stop()
      view.unmount()
    }
  })

  it.each([
    [
      'an agent that an administrator makes labels, and nothing can be applied',
      ['conversations.read', 'conversations.manage'],
      'There are no labels yet. An administrator makes them.',
      true,
    ],
    [
      'an administrator only that there are none, because they can be made here',
      withLabels.permissions,
      'There are no labels yet',
      false,
    ],
  ] as const)('without labels tells %s', async (_, permissions, text, isDisabled) => {
    const sut = startLabelSession({
      inspect,
      person: { ...withLabels, permissions: [...(permissions ?? [])] },
      dialog: labelPickerMachine,
      input: { ids: ['c1'] },
    })
    sut.session.send({ type: 'dialog.opened' })
    const actor: ActorRefFrom<typeof labelPickerMachine> = sut.session.system.get('dialog')
    const view = render(
      <SessionProvider session={sut.session as unknown as SessionRef}>
        <LabelsDialog actor={actor} title="Labels" onDismiss={() => {}} />
      </SessionProvider>,
    )
    expect([
      screen.getByRole('status').textContent,
      screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' }).disabled,
    ]).toEqual([text, isDisabled])
    sut.session.stop()
    view.unmount()
  })

  it('enters every state', () => expect(picker.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(picker.transitionsMissed()).toEqual([]))
})

/** Renders the manager on its real machine. The test controls the answers. */
function showManager() {
  const sut = startLabelManager(inspect)
  const view = render(
    <SessionProvider session={sut.session as unknown as SessionRef}>
      <LabelManagerDialog
        actor={sut.actor}
        title="Manage labels"
        onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
      />
    </SessionProvider>,
  )
  const dismiss = async () => {
    // Hidden behind a question: only the closing of the whole dialog dismisses it there.
    if (screen.queryByRole('button', { name: 'Close' })) return press('Close')
    return act(async () => sut.actor.send({ type: 'dialog.dismissed' }))
  }
  return { ...sut, dismiss, unmount: view.unmount }
}
const formNow = () => screen.getByRole('dialog', { hidden: true }).querySelector('form')
/** The names in the list; undefined while the form is open. */
const shownNames = () =>
  formNow() === null
    ? textsOf([...screen.getByRole('list', { name: 'Labels', hidden: true }).querySelectorAll('bdi')])
    : undefined

describe('The walk through the form', () => {
  const paths = [null, late].flatMap((label) =>
    labelFormModel(label)
      .everyTransitionInFewPaths()
      .map((path) => ({ label, path })),
  )

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const { label, path } of paths) {
      const sut = showManager()
      await press(label === null ? 'New label' : 'Edit Late')
      const presses: Record<string, (event: AnyEventObject) => Promise<unknown>> = {
        'fields.typed': ({ change }) =>
          change.name === undefined ? typeInto('Keywords', change.keyword) : typeInto('Name', change.name),
        'keyword.added': () => pressEnterIn('Keywords'),
        'keyword.removed': ({ keyword }) => press(`Remove keyword ${keyword}`),
        'form.submitted': () => act(async () => void fireEvent.submit(found(formNow(), 'the form'))),
        'form.cancelled': () => press('Cancel'),
        'discard.confirmed': () => inQuestion('Discard'),
        'discard.refused': () => inQuestion('Keep editing'),
        'dialog.dismissed': sut.dismiss,
      }
      const drive = driverOf((event: AnyEventObject) => found(presses[event.type], event.type)(event), {
        calls: { saveLabel: answered(sut.save) },
      })
      await follow(path, drive, ({ expected: { value, context, status } }) => {
        if (status !== 'active') {
          expect({ isClosed: sut.actor.getSnapshot().status === 'done', open: formNow() }).toEqual({
            isClosed: context.isDismissed,
            open: null,
          })
          expect(shownNames()).toEqual(namesOf(value === 'saved' ? savedLabel(label).labels : [late, vip]))
          return
        }
        expect({
          heading: headings(),
          name: field('Name').value,
          keyword: field('Keywords').value,
          keywords: textsOf([...(formNow()?.querySelectorAll('li') ?? [])]),
          error: screen.queryByRole('alert', { hidden: true })?.textContent ?? null,
          asks: screen.queryByRole('alertdialog') !== null,
          saving: screen.queryByText('Saving...') !== null,
        }).toEqual({
          heading: [label === null ? 'New label' : 'Edit label'],
          name: context.fields.name,
          keyword: context.fields.keyword,
          keywords: context.fields.keywords,
          error: context.error,
          asks: value === 'leaving',
          saving: value === 'saving',
        })
      })
      sut.session.stop()
      sut.unmount()
    }
  })

  it('sends the keyword that was added', async () => {
    const sut = showManager()
    await press('New label')
    await typeInto('Name', newLabel.name)
    await typeInto('Keywords', newKeyword)
    await press('Add')
    await press('Save label')
    expect(sut.save.inputs()).toEqual([{ id: null, body: { name: 'New', colour: 'blue', keywords: ['invoice'] } }])
  })

  it('enters every state', () => expect(form.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(form.transitionsMissed()).toEqual([]))
})

describe('The walk through the manager', () => {
  const paths = labelManagerModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = showManager()
      const presses: Record<string, () => Promise<unknown>> = {
        'item.added': () => press('New label'),
        'item.edited': () => press('Edit Late'),
        'deletion.requested': () => press('Delete Late'),
        'deletion.confirmed': async () => {
          const confirm = within(screen.getByRole('alertdialog')).getByRole<HTMLButtonElement>('button', {
            name: 'Delete label',
          })
          if (!confirm.disabled) return act(async () => fireEvent.click(confirm))
          return act(async () => sut.actor.send({ type: 'deletion.confirmed' }))
        },
        'deletion.cancelled': () => inQuestion('Cancel'),
        'dialog.dismissed': sut.dismiss,
      }
      const drive = driverOf(
        async (event: AnyEventObject) => {
          // A colleague creates the deleted label again.
          await act(async () => sut.labels.send({ type: 'labels.told', labels: [late, vip] }))
          return found(presses[event.type], event.type)()
        },
        { calls: { deleteLabel: answered(sut.remove), loadLabelUsage: answered(sut.usage) } },
      )
      await follow(path, drive, ({ event, expected }) => {
        if (expected.status !== 'active') return
        const isForm = expected.matches('form')
        const usage = expected.matches({ asking: 'counting' })
          ? 'Counting where it is used…'
          : expected.context.usage
            ? '2 conversations have it, and 1 client. It is taken off everywhere.'
            : 'It is taken off all conversations and clients.'
        const asks = expected.matches('asking') || expected.matches('deleting')
        const question = screen.queryByRole('alertdialog')
        expect({
          names: shownNames(),
          heading: headings(),
          question: question && within(question).getByText(/^Delete the label/).textContent,
          usage: question && within(question).getByRole('status').textContent,
          deleting: screen.queryByText('Deleting...') !== null,
          mayDelete: screen.queryByRole<HTMLButtonElement>('button', { name: 'Delete label' })?.disabled === false,
        }).toEqual({
          names: isForm ? undefined : namesOf(event.type === 'xstate.done.actor.deleteLabel' ? [vip] : [late, vip]),
          heading: isForm ? [expected.context.item ? 'Edit label' : 'New label'] : [],
          question: asks ? 'Delete the label “Late”?' : null,
          usage: asks ? usage : null,
          deleting: expected.matches('deleting'),
          mayDelete: expected.matches('asking') && !expected.matches({ asking: 'counting' }),
        })
      })
      sut.session.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(manager.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(manager.transitionsMissed()).toEqual([]))
})
