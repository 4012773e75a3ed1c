import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { defaultSettings } from '../../domain/list/notices.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { SettingsSave, SettingsSaveResult } from '../../domain/shell/notification-calls.ts'
import { isSameSettings, notificationToasts, settingsBlockedReason } from '../../domain/shell/notification-form.ts'
import type { NotificationSettings, SavedNotificationSettings } from '../../schemas/notification-settings.ts'
import { askingToDiscard, type FormDismissal } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import {
  afterFailedRead,
  readingActions,
  readingDelays,
  readingGuards,
  refetchTo,
  waitingOrRefused,
} from '../reading.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

declare module './dialog.ts' {
  interface DialogLogics {
    notifications: typeof notificationSettingsMachine
  }
}

/** The settings on the server, and the time zone of the browser. */
type Loaded = { saved: SavedNotificationSettings; timeZone: string }

type Context = Retries &
  Loaded & {
    /** The changed settings; null if the form shows the saved ones. */
    typed: NotificationSettings | null
    /** Other settings were saved elsewhere while these were changed. */
    isOvertaken: boolean
  }

export type NotificationSettingsEvent =
  | { type: 'settings.edited'; settings: NotificationSettings }
  /** Ignored if nothing was changed, or quiet hours lack a time or a day. */
  | { type: 'settings.submitted' }
  | { type: 'refetch.requested' }
  | FormDismissal

const savedIn = ({ saved, timeZone }: Loaded): NotificationSettings => saved.settings ?? defaultSettings(timeZone)

/** The dialog in which a person chooses what to be notified about. */
export const notificationSettingsMachine = setup({
  types: { context: {} as Context, events: {} as NotificationSettingsEvent },
  actors: {
    loadSettings: fromPromise<Loaded>(mustBeProvided('loadSettings')),
    saveSettings: fromPromise<SettingsSaveResult, SettingsSave>(mustBeProvided('saveSettings')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'can be saved': ({ context }) => settingsBlockedReason(context.typed) === null,
    'has no typed text': ({ context }) => context.typed === null,
    'was saved': (_, { isSaved }: { isSaved: boolean }) => isSaved,
  },
  actions: {
    notify,
    ...readingActions,
    tellSession,
    'show the loaded settings': assign((_, loaded: Loaded) => ({ ...loaded, ...noRetries })),
    'keep the changed settings': assign({
      typed: ({ context }, { settings }: { settings: NotificationSettings }) =>
        isSameSettings(settings, savedIn(context)) ? null : settings,
    }),
    'show the saved settings': assign((_, { settings, version }: SettingsSaveResult) => ({
      saved: { settings, version },
      typed: null,
      isOvertaken: false,
    })),
    'show that others were saved': assign((_, { settings, version }: SettingsSaveResult) => ({
      saved: { settings, version },
      isOvertaken: true,
    })),
  },
}).createMachine({
  id: 'notificationSettings',
  context: {
    saved: { settings: null, version: 0 },
    timeZone: 'UTC',
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
        onError: afterFailedRead(notificationToasts.failed),
      },
      on: { 'dialog.dismissed': 'dismissed' },
    },
    failed: {
      ...waitingOrRefused('#notificationSettings.loading'),
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
              { type: 'notify', params: notificationToasts.saved },
              {
                type: 'tellSession',
                params: ({ event: { output } }) => ({
                  type: 'settings.saved',
                  saved: { settings: output.settings, version: output.version },
                }),
              },
            ],
          },
          {
            target: 'editing',
            actions: { type: 'show that others were saved', params: ({ event }) => event.output },
          },
        ],
        onError: { target: 'editing', actions: reportFailure(notificationToasts.saveFailed) },
      },
    },
    dismissed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof notificationSettingsMachine>

/** The settings that the form shows; null until they are loaded. */
export const selectSettings = (snapshot: Snapshot): NotificationSettings | null =>
  snapshot.matches('loading') || snapshot.matches('failed')
    ? null
    : (snapshot.context.typed ?? savedIn(snapshot.context))
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectBlockedReason = (snapshot: Snapshot): string | null => settingsBlockedReason(snapshot.context.typed)
export const selectIsOvertaken = (snapshot: Snapshot): boolean => snapshot.context.isOvertaken
export const selectTimeZone = (snapshot: Snapshot): string => snapshot.context.timeZone
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
/** The dialog asks whether to discard the changes. */
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
