import { act, fireEvent, screen, within } from '@testing-library/react'
import type { AnyEventObject, SimulatedClock } from 'xstate'
import { type Drive, driverOf } from '../model/harness.ts'
import type { ServiceName, ShownInbox } from './inbox-harness.tsx'
import userEvent from './user-event.ts'

export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
export const press = (name: string | RegExp) => act(async () => void fireEvent.click(button(name)))
/** Presses a button of the question that is asked. */
export const inQuestion = (name: string) =>
  act(async () => void fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name })))
export const submit = (form = screen.getByRole('form')) => act(async () => void fireEvent.submit(form))

export const isShown = (text: string) => screen.queryByText(text) !== null
/** The headings of a list in a dialog, or of its form. */
export const headings = () =>
  screen.queryAllByRole('heading', { level: 3, hidden: true }).map(({ textContent }) => textContent)

type Control = { resolve: (output: never) => Promise<void>; reject: (error: unknown) => Promise<void> }

/** A call that the test answers, for `driverOf`. */
export const answered = (call: Control) => ({
  resolve: (output: never) => act(() => call.resolve(output)),
  reject: (error: unknown) => act(() => call.reject(error)),
})

/** Presses a button if it is shown. */
export const pressIfShown = (name: string) =>
  screen.queryByRole('button', { name }) === null ? undefined : press(name)

/** What a person does to cause an event, by its type. Undefined: the person cannot do it now. */
type Actions = Readonly<Record<string, (event: AnyEventObject) => Promise<unknown> | undefined>>

/** How a person leaves a form. */
export const leavesForm: Actions = {
  'form.cancelled': () => press('Cancel'),
  'discard.confirmed': () => inQuestion('Discard'),
  'discard.refused': () => inQuestion('Keep editing'),
}

/** Drives the machine of a dialog by what a person does. Other events are sent to it. The test answers `calls`. */
export function dialogDriver(
  { actor, clock }: { actor: { send: (event: never) => void }; clock: SimulatedClock },
  actions: Actions,
  calls: Readonly<Record<string, Control>>,
  delays: Readonly<Record<string, number>> = {},
): Drive {
  const all: Actions = { 'refetch.requested': () => pressIfShown('Try again'), ...actions }
  const drive = driverOf((event) => act(async () => actor.send(event)), {
    calls: mapValues(calls, answered),
    delays: mapValues(
      { retryDelay: 2_000, ...delays },
      (milliseconds) => () => act(async () => void clock.increment(milliseconds)),
    ),
  })
  return (event) => all[event.type]?.(event) ?? drive(event)
}

/** Drives the open dialog of shared settings. `edit`: what a person does to edit them, undefined if the event is sent. */
export function settingsDriver(
  inbox: ShownInbox,
  calls: { load: ServiceName; save: ServiceName },
  edit: Actions[string] = () => undefined,
): Drive {
  const actor = () => inbox.app.system.get('dialog').getSnapshot().context.opened.actor
  const answer = (name: string) =>
    userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name }))
  const actions: Actions = {
    'settings.edited': edit,
    'settings.submitted': () => userEvent.click(button('Save')),
    'refetch.requested': () => userEvent.click(button('Try again')),
    'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
    'discard.confirmed': () => answer('Discard'),
    'discard.refused': () => answer('Keep editing'),
  }
  const drive = driverOf((event) => act(async () => actor().send(event)), {
    calls: { loadSettings: inbox.control(calls.load), saveSettings: inbox.control(calls.save) },
    delays: { retryDelay: () => inbox.pass(actor().getSnapshot().context.retryDelay) },
  })
  return (event) => actions[event.type]?.(event) ?? drive(event)
}

const mapValues = <Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
