import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { autoSyncControlToasts } from '../../domain/sync/dialog-toasts.ts'
import { configOf, isSameSettings, settingsBlockedReason, type TypedSettings } from '../../domain/sync/sync-settings.ts'
import type { AutoSyncConfig, AutoSyncStatus } from '../../schemas/auto-sync.ts'
import { askingToDiscard, type FormDismissal } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    autoSyncControl: typeof autoSyncControlMachine
  }
}

type Context = {
  /** The typed settings; null if the form shows the saved settings. */
  typed: TypedSettings | null
  /** The requested state of the automatic sync: on or off. */
  on: boolean
}

/** `shown`: the current settings, which the form shows without typed ones. */
type Edited = { settings: TypedSettings; shown: TypedSettings }

export type AutoSyncControlEvent =
  | ({ type: 'settings.edited' } & Edited)
  /** Ignored if nothing differs from the current settings, or a number is out of range. */
  | ({ type: 'settings.submitted' } & Edited)
  | { type: 'start.requested' }
  | { type: 'stop.requested' }
  | FormDismissal

const configIn = ({ typed }: Context): AutoSyncConfig => {
  const config = typed && configOf(typed)
  if (config === null) throw new Error('saving requires settings within their ranges')
  return config
}

/** The report to the session after a change: the new status, or that the status must be fetched. */
const reportOf = (status: AutoSyncStatus | null) =>
  status === null ? ({ type: 'autoSync.invalidated' } as const) : ({ type: 'autoSync.received', status } as const)

/** The dialog that controls the automatic sync (spec section 2). The session holds the status. */
export const autoSyncControlMachine = setup({
  types: { context: {} as Context, events: {} as AutoSyncControlEvent },
  actors: {
    saveConfig: fromPromise<AutoSyncStatus | null, { config: AutoSyncConfig }>(mustBeProvided('saveConfig')),
    toggle: fromPromise<AutoSyncStatus | null, { on: boolean }>(mustBeProvided('toggle')),
  },
  guards: {
    'can be saved': (_, { settings, shown }: Edited) => settingsBlockedReason(settings, shown) === null,
    'has no typed text': ({ context }) => context.typed === null,
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    tellSession,
    'keep the typed settings': assign({
      typed: (_, { settings, shown }: Edited) => (isSameSettings(settings, shown) ? null : settings),
    }),
    'show the saved settings': assign({ typed: null }),
    'set the requested state': assign({ on: (_, { on }: { on: boolean }) => on }),
  },
}).createMachine({
  id: 'autoSyncControl',
  context: { typed: null, on: false },
  initial: 'editing',
  entry: { type: 'tellSession', params: { type: 'autoSync.invalidated' } },
  states: {
    editing: {
      on: {
        'settings.edited': { actions: { type: 'keep the typed settings', params: ({ event }) => event } },
        'settings.submitted': {
          guard: { type: 'can be saved', params: ({ event }) => event },
          target: 'saving',
          actions: { type: 'keep the typed settings', params: ({ event }) => event },
        },
        'start.requested': { target: 'toggling', actions: { type: 'set the requested state', params: { on: true } } },
        'stop.requested': { target: 'toggling', actions: { type: 'set the requested state', params: { on: false } } },
        'dialog.dismissed': 'leaving',
      },
    },
    leaving: askingToDiscard('dismissed'),
    saving: {
      invoke: {
        id: 'saveConfig',
        src: 'saveConfig',
        input: ({ context }) => ({ config: configIn(context) }),
        onDone: {
          target: 'editing',
          actions: [
            'show the saved settings',
            { type: 'notify', params: autoSyncControlToasts.saved },
            { type: 'tellSession', params: ({ event }) => reportOf(event.output) },
          ],
        },
        onError: {
          target: 'editing',
          actions: [
            reportFailure(autoSyncControlToasts.saveFailed),
            { type: 'tellSession', params: { type: 'autoSync.invalidated' } },
          ],
        },
      },
    },
    toggling: {
      invoke: {
        id: 'toggle',
        src: 'toggle',
        input: ({ context }) => ({ on: context.on }),
        onDone: {
          target: 'editing',
          actions: { type: 'tellSession', params: ({ event }) => reportOf(event.output) },
        },
        onError: {
          target: 'editing',
          actions: [
            reportFailure(autoSyncControlToasts.toggleFailed),
            { type: 'tellSession', params: { type: 'autoSync.invalidated' } },
          ],
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof autoSyncControlMachine>

export const selectTyped = (snapshot: Snapshot): TypedSettings | null => snapshot.context.typed
/** The dialog asks whether to discard the typed settings. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
export const selectIsToggling = (snapshot: Snapshot): boolean => snapshot.matches('toggling')
