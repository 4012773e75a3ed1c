import { SimulatedClock } from 'xstate'
import type { SettingsSave, SettingsSaveResult } from '../../src/domain/settings-calls.ts'
import type { settingsForm } from '../../src/machines/settings-form.ts'
import { createControl, createToastLog, driverOf, type Inspect, inspectAll, modelOf } from './harness.ts'
import { faults } from './inbox-fixture.ts'
import { startWithRecords } from './records-fixture.ts'
import { ends, type Reference, when } from './reference.ts'

type Form<Settings, Facts> = ReturnType<typeof settingsForm<Settings, Facts>>
type Loaded<Settings, Facts> = { saved: { settings: Settings | null; version: number }; facts: Facts }

/** Starts the machine of a dialog with settings. */
export function startSettingsForm<Settings, Facts>({ machine }: Form<Settings, Facts>, inspect: Inspect) {
  const load = createControl<Loaded<Settings, Facts>>()
  const save = createControl<SettingsSaveResult<Settings>, SettingsSave<Settings>>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const { actor } = startWithRecords(
    machine.provide({ actors: { loadSettings: load.logic, saveSettings: save.logic } }),
    {
      input: undefined,
      clock,
      inspect: inspectAll(inspect, log.inspect),
    },
  )
  return { actor, load, save, clock, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}

/** The model of a dialog with settings: `changed` can be saved, `incomplete` cannot, `others` are those of a colleague. */
export const settingsFormModel = <Settings, Facts>(
  { machine }: Form<Settings, Facts>,
  {
    facts,
    empty,
    changed,
    incomplete,
    others,
  }: { facts: Facts } & Record<'empty' | 'changed' | 'incomplete' | 'others', Settings>,
) =>
  modelOf(machine, {
    input: undefined,
    vertex: ({ context: { saved, typed, isOvertaken, failures } }) => ({
      saved,
      typed,
      isOvertaken,
      failed: failures > 0,
    }),
    cases: {
      'settings.edited': [{ settings: changed }, { settings: incomplete }, { settings: empty }],
      'settings.submitted': [{}],
      'refetch.requested': [{}],
      'dialog.dismissed': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'xstate.done.actor.loadSettings': [{ output: { saved: { settings: null, version: 0 }, facts } }],
      'xstate.error.actor.loadSettings': [{ error: faults.noAnswer }, { error: faults.refused }],
      'xstate.done.actor.saveSettings': [
        { output: { settings: changed, version: 2, isSaved: true } },
        { output: { settings: others, version: 3, isSaved: false } },
      ],
      'xstate.error.actor.saveSettings': [{ error: faults.noAnswer }],
    },
  })

type State<Settings> = {
  at: 'loading' | 'waiting' | 'refused' | 'editing' | 'leaving' | 'saving' | 'dismissed'
  saved: Settings
  typed: Settings | null
  isOvertaken: boolean
  toasts: number
  failures: number
}

/** The events that a dialog with settings accepts, and what the dialog shows. */
export function settingsReference<Settings>(
  id: string,
  start: Settings,
  canBeSaved: (typed: Settings) => boolean,
): Reference<State<Settings>> {
  const retry = `xstate.after.retryDelay.${id}.failed.waiting`
  return {
    start: { at: 'loading', saved: start, typed: null, isOvertaken: false, toasts: 0, failures: 0 },
    accepts: (state) => [
      ...when(['loading', 'waiting', 'refused', 'editing', 'leaving'].includes(state.at), 'dialog.dismissed'),
      ...when(state.at === 'loading', ...ends('loadSettings')),
      ...when(state.at === 'waiting' || state.at === 'refused', 'refetch.requested'),
      ...when(state.at === 'waiting', retry),
      ...when(state.at === 'editing', 'settings.edited'),
      ...when(state.at === 'editing' && state.typed !== null && canBeSaved(state.typed), 'settings.submitted'),
      ...when(state.at === 'leaving', 'discard.confirmed', 'discard.refused'),
      ...when(state.at === 'saving', ...ends('saveSettings')),
    ],
    rules: {
      'dialog.dismissed': ({ at: state, typed }) => {
        if (state === 'editing') return { at: typed === null ? 'dismissed' : 'leaving' }
        return { at: state === 'leaving' ? 'editing' : 'dismissed' }
      },
      'discard.confirmed': () => ({ at: 'dismissed' }),
      'discard.refused': () => ({ at: 'editing' }),
      'refetch.requested': () => ({ at: 'loading', failures: 0 }),
      [retry]: () => ({ at: 'loading' }),
      'xstate.done.actor.loadSettings': () => ({ at: 'editing', failures: 0 }),
      'xstate.error.actor.loadSettings': ({ toasts, failures }, { error }) =>
        error === faults.refused
          ? { at: 'refused', toasts: toasts + 1 }
          : { at: 'waiting', toasts: toasts + (failures === 0 ? 1 : 0), failures: failures + 1 },
      'settings.edited': ({ saved }, { settings: typed }) => ({
        typed: JSON.stringify(typed) === JSON.stringify(saved) ? null : typed,
      }),
      'settings.submitted': () => ({ at: 'saving' }),
      'xstate.done.actor.saveSettings': ({ toasts }, { output }) =>
        output.isSaved
          ? { at: 'editing', saved: output.settings, typed: null, isOvertaken: false, toasts: toasts + 1 }
          : { at: 'editing', saved: output.settings, isOvertaken: true },
      'xstate.error.actor.saveSettings': ({ toasts }) => ({ at: 'editing', toasts: toasts + 1 }),
    },
    shown: (state) => ({
      settings: ['loading', 'waiting', 'refused'].includes(state.at) ? null : (state.typed ?? state.saved),
      hasFailed: state.at === 'waiting' || state.at === 'refused',
      isSaving: state.at === 'saving',
      asks: state.at === 'leaving',
      isOvertaken: state.isOvertaken,
      isDismissed: state.at === 'dismissed',
      toasts: state.toasts,
    }),
  }
}

type Sut<Settings, Facts> = ReturnType<typeof startSettingsForm<Settings, Facts>>

export const driveSettings = <Settings, Facts>(sut: Omit<Sut<Settings, Facts>, 'toasts'>) =>
  driverOf(sut.actor.send, {
    calls: { loadSettings: sut.load, saveSettings: sut.save },
    delays: { retryDelay: () => sut.clock.increment(sut.snapshot().context.retryDelay) },
  })

export const shownSettings = <Settings, Facts>(
  form: Form<Settings, Facts>,
  { snapshot: read, toasts }: Pick<Sut<Settings, Facts>, 'snapshot' | 'toasts'>,
) => {
  const snapshot = read()
  return {
    settings: form.selectSettings(snapshot),
    hasFailed: form.selectHasFailed(snapshot),
    isSaving: form.selectIsSaving(snapshot),
    asks: form.selectAsksToDiscard(snapshot),
    isOvertaken: form.selectIsOvertaken(snapshot),
    isDismissed: snapshot.status === 'done',
    toasts: toasts.length,
  }
}
