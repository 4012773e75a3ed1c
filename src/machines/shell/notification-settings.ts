import { defaultSettings } from '../../domain/list/notices.ts'
import { isSameSettings, notificationToasts, settingsBlockedReason } from '../../domain/shell/notification-form.ts'
import type { NotificationSettings } from '../../schemas/notification-settings.ts'
import { settingsForm } from '../settings-form.ts'

declare module './dialog.ts' {
  interface DialogLogics {
    notifications: typeof notificationSettingsMachine
  }
}

/** The dialog in which a person chooses what to be notified about, with the time zone of the browser. */
export const notificationSettings = settingsForm<NotificationSettings, { timeZone: string }>({
  id: 'notificationSettings',
  facts: { timeZone: 'UTC' },
  defaults: ({ timeZone }) => defaultSettings(timeZone),
  isSame: isSameSettings,
  blockedReason: settingsBlockedReason,
  toasts: notificationToasts,
  told: (saved) => ({ type: 'settings.saved', saved }),
})
export const notificationSettingsMachine = notificationSettings.machine
