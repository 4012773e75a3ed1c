import { fromPromise } from 'xstate'
import type { DialogEntries } from './entry.ts'

export const shellDialogs = {
  alarms: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.alarms'),
    numbersInReports: [],
    loadView: () => import('../views/shell/AlarmsDialog.tsx'),
    loadMachine: async () => (await import('../machines/shell/info-dialog.ts')).infoDialogMachine,
  },
  clearDevice: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.clearDeviceTitle'),
    numbersInReports: [],
    loadView: () => import('../views/shell/ClearDeviceDialog.tsx'),
    loadMachine: async () => (await import('../machines/shell/info-dialog.ts')).infoDialogMachine,
  },
  notifications: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.noticesTitle'),
    numbersInReports: [],
    loadView: () => import('../views/shell/NotificationsDialog.tsx'),
    loadMachine: async (services) => {
      const [{ notificationSettingsMachine }, notifications] = await Promise.all([
        import('../machines/shell/notification-settings.ts'),
        services.loadNotifications(),
      ])
      return notificationSettingsMachine.provide({
        actors: {
          loadSettings: fromPromise(async ({ signal }) => ({
            saved: await notifications.loadSettings(signal),
            facts: { timeZone: notifications.timeZone() },
          })),
          saveSettings: fromPromise(({ input }) => notifications.saveSettings(input)),
        },
      })
    },
  },
  palette: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.palette'),
    numbersInReports: [],
    loadView: () => import('../views/shell/PaletteDialog.tsx'),
    loadMachine: async ({ conversations, loadSearch }) => {
      const [{ paletteMachine }, { searchMachine }] = await Promise.all([
        import('../machines/shell/palette.ts'),
        import('../machines/shell/search.ts'),
      ])
      return paletteMachine.provide({
        actors: {
          search: searchMachine.provide({
            actors: { search: fromPromise(async ({ input, signal }) => (await loadSearch()).search(input, signal)) },
          }),
          findPeople: fromPromise(({ input, signal }) => {
            const query = { search: input.term, pageId: null, unreadOnly: false }
            return conversations.loadPage({ query, page: 1 }, signal)
          }),
        },
      })
    },
  },
  shortcuts: {
    loadTitle: async () => (await import('../texts/shell-on-demand.ts')).t('shell.keyboardShortcuts'),
    numbersInReports: [],
    loadView: () => import('../views/shell/ShortcutsDialog.tsx'),
    loadMachine: async () => (await import('../machines/shell/info-dialog.ts')).infoDialogMachine,
  },
} satisfies Partial<DialogEntries>
