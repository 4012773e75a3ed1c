import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { noRetries, type Retries } from '../domain/retries.ts'
import type { SavedSettings, SettingsSave, SettingsSaveResult } from '../domain/settings-calls.ts'
import type { ToastText } from '../domain/toast.ts'
import { askingToDiscard, type FormDismissal } from './leaving-forms.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { reportFailure } from './on-failure.ts'
import {
  afterFailedRead,
  readingActions,
  readingDelays,
  readingGuards,
  refetchTo,
  waitingOrRefused,
} from './reading.ts'
import { type SessionReport, tellSession } from './session-events.ts'
import { notify } from './system.ts'

/** The settings on the server, and the `facts` that the dialog needs to show them, for example the time zone. */
type Loaded<Settings, Facts> = { saved: SavedSettings<Settings>; facts: Facts }

type Context<Settings, Facts> = Retries &
  Loaded<Settings, Facts> & {
    /** The changed settings; null if the form shows the saved ones. */
    typed: Settings | null
    /** A colleague or another tab saved other settings while this person edited. */
    isOvertaken: boolean
  }

type SettingsFormEvent<Settings> =
  | { type: 'settings.edited'; settings: Settings }
  /** Ignored if there is a reason against it. */
  | { type: 'settings.submitted' }
  | { type: 'refetch.requested' }
  | FormDismissal

type Parts<Settings, Facts> = {
  id: string
  /** The facts until they are loaded. */
  facts: Facts
  /** The settings before the first save. */
  defaults: (facts: Facts) => Settings
  isSame: (one: Settings, other: Settings) => boolean
  /** The reason why the settings cannot be saved; null if they can. `typed` is null if nothing was changed. */
  blockedReason: (typed: Settings | null) => string | null
  toasts: { saved: ToastText; failed: ToastText; saveFailed: ToastText }
  /** The report to the session after a save. */
  told?: (saved: SavedSettings<Settings>) => SessionReport
}

/**
 * A dialog with one document of settings. The version of the document keeps two people from overwriting each other's
 * changes unseen: if a colleague has saved a newer version, the dialog says so, and the next press replaces that version.
 */
export function settingsForm<Settings, Facts>({
  id,
  facts,
  defaults,
  isSame,
  blockedReason,
  toasts,
  told,
}: Parts<Settings, Facts>) {
  const savedIn = (loaded: Loaded<Settings, Facts>): Settings => loaded.saved.settings ?? defaults(loaded.facts)

  const machine = setup({
    types: { context: {} as Context<Settings, Facts>, events: {} as SettingsFormEvent<Settings> },
    actors: {
      loadSettings: fromPromise<Loaded<Settings, Facts>>(mustBeProvided('loadSettings')),
      saveSettings: fromPromise<SettingsSaveResult<Settings>, SettingsSave<Settings>>(mustBeProvided('saveSettings')),
    },
    delays: readingDelays,
    guards: {
      ...readingGuards,
      'can be saved': ({ context }) => blockedReason(context.typed) === null,
      'has no typed text': ({ context }) => context.typed === null,
      'was saved': (_, { isSaved }: { isSaved: boolean }) => isSaved,
    },
    actions: {
      notify,
      ...readingActions,
      tellSession,
      'show the loaded settings': assign((_, loaded: Loaded<Settings, Facts>) => ({ ...loaded, ...noRetries })),
      'keep the changed settings': assign({
        typed: ({ context }, { settings }: { settings: Settings }) =>
          isSame(settings, savedIn(context)) ? null : settings,
      }),
      'show the saved settings': assign((_, { settings, version }: SettingsSaveResult<Settings>) => ({
        saved: { settings, version },
        typed: null,
        isOvertaken: false,
      })),
      'show that others were saved': assign((_, { settings, version }: SettingsSaveResult<Settings>) => ({
        saved: { settings, version },
        isOvertaken: true,
      })),
    },
  }).createMachine({
    id,
    context: {
      saved: { settings: null, version: 0 },
      facts,
      typed: null,
      isOvertaken: false,
      ...noRetries,
    },
    initial: 'loading',
    states: {
      loading: {
        invoke: {
          id: 'loadSettings',
          src: 'loadSettings',
          onDone: {
            target: 'editing',
            actions: { type: 'show the loaded settings', params: ({ event }) => event.output },
          },
          onError: afterFailedRead(toasts.failed),
        },
        on: { 'dialog.dismissed': 'dismissed' },
      },
      failed: {
        ...waitingOrRefused(`#${id}.loading`),
        on: { ...refetchTo('loading'), 'dialog.dismissed': 'dismissed' },
      },
      editing: {
        on: {
          'settings.edited': { actions: { type: 'keep the changed settings', params: ({ event }) => event } },
          'settings.submitted': { guard: 'can be saved', target: 'saving' },
          'dialog.dismissed': 'leaving',
        },
      },
      leaving: askingToDiscard('dismissed'),
      saving: {
        invoke: {
          id: 'saveSettings',
          src: 'saveSettings',
          input: ({ context }) => ({
            settings: context.typed ?? savedIn(context),
            replaces: context.saved.version,
          }),
          onDone: [
            {
              guard: { type: 'was saved', params: ({ event }) => event.output },
              target: 'editing',
              actions: [
                { type: 'show the saved settings', params: ({ event }) => event.output },
                { type: 'notify', params: toasts.saved },
                ...(told === undefined
                  ? []
                  : [
                      {
                        type: 'tellSession' as const,
                        params: ({ event: { output } }: { event: { output: SavedSettings<Settings> } }) =>
                          told({ settings: output.settings, version: output.version }),
                      },
                    ]),
              ],
            },
            {
              target: 'editing',
              actions: { type: 'show that others were saved', params: ({ event }) => event.output },
            },
          ],
          onError: { target: 'editing', actions: reportFailure(toasts.saveFailed) },
        },
      },
      dismissed: { type: 'final' },
    },
  })

  type Snapshot = SnapshotFrom<typeof machine>

  return {
    machine,
    /** The settings that the form shows; null until they are loaded. */
    selectSettings: (snapshot: Snapshot): Settings | null =>
      snapshot.matches('loading') || snapshot.matches('failed')
        ? null
        : (snapshot.context.typed ?? savedIn(snapshot.context)),
    selectHasFailed: (snapshot: Snapshot): boolean => snapshot.matches('failed'),
    selectBlockedReason: (snapshot: Snapshot): string | null => blockedReason(snapshot.context.typed),
    selectIsOvertaken: (snapshot: Snapshot): boolean => snapshot.context.isOvertaken,
    selectFacts: (snapshot: Snapshot): Facts => snapshot.context.facts,
    selectIsSaving: (snapshot: Snapshot): boolean => snapshot.matches('saving'),
    /** The dialog asks whether to discard the changes. */
    selectAsksToDiscard: (snapshot: Snapshot): boolean => snapshot.matches('leaving'),
  }
}
