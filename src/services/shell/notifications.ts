import type { Notice } from '../../domain/list/notices.ts'
import type { SettingsSave, SettingsSaveResult } from '../../domain/settings-calls.ts'
import type { NotificationPermissionState, NotificationReport } from '../../domain/shell/notification-calls.ts'
import {
  type NotificationSettings,
  notificationSettingsAnswer,
  type SavedNotificationSettings,
  saveNotificationSettingsAnswer,
} from '../../schemas/notification-settings.ts'
import type { Http } from '../http.ts'
import { createWebPush } from './web-push.ts'

const path = '/facebook/notification-settings'

/** The tones of the sound: the start in seconds and the frequency in hertz. */
const tones = [
  [0, 880],
  [0.11, 1175],
] as const
/** In seconds. */
const toneLength = 0.16
/** Of 1. */
const volume = 0.06

const stateOf = (permission: NotificationPermission): NotificationPermissionState =>
  permission === 'default' ? 'undecided' : permission

/** The calls for the notification settings (feature 'notifications'), and what the browser does to notify a person. */
export function createNotifications(http: Http, window: Window & typeof globalThis) {
  const { document, navigator } = window
  const shown = new Map<string, Notification>()
  let audio: AudioContext | null = null
  let tellWatcher = (_: NotificationReport) => {}
  const push = createWebPush(http, window)

  const permission = (): NotificationPermissionState =>
    'Notification' in window ? stateOf(window.Notification.permission) : 'unsupported'

  function close(tag: string): void {
    shown.get(tag)?.close()
    shown.delete(tag)
  }

  /** Also what the service worker shows. */
  function closeEverywhere(tag: string): void {
    close(tag)
    void push.close(tag).catch(() => {})
  }

  return {
    loadSettings: async (signal: AbortSignal): Promise<SavedNotificationSettings> =>
      (await http.get(path, { schema: notificationSettingsAnswer, signal })).data,

    /** Not aborted, because the server may have saved the settings in any case. */
    saveSettings: async (
      body: SettingsSave<NotificationSettings>,
    ): Promise<SettingsSaveResult<NotificationSettings>> => {
      const { data } = await http.put(path, { schema: saveNotificationSettingsAnswer, body })
      return { settings: data.settings, version: data.version, isSaved: data.is_saved }
    },

    /** The IANA name of the browser's time zone. */
    timeZone: (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone,

    requestPermission: async (): Promise<NotificationPermissionState> =>
      stateOf(await window.Notification.requestPermission()),

    /** Two short quiet tones. Silent before the person has used the page, as browsers demand. */
    play: (): void => {
      if (navigator.userActivation?.hasBeenActive === false) return
      audio ??= new window.AudioContext()
      const { currentTime, destination } = audio
      void audio.resume()
      for (const [start, frequency] of tones) {
        const [tone, gain] = [audio.createOscillator(), audio.createGain()]
        const at = currentTime + start
        tone.frequency.value = frequency
        gain.gain.setValueAtTime(volume, at)
        gain.gain.exponentialRampToValueAtTime(0.001, at + toneLength)
        tone.connect(gain).connect(destination)
        tone.start(at)
        tone.stop(at + toneLength)
      }
    },

    /** Shows notifications. Each replaces the one with its tag, so that the browser announces it again. */
    show: (notices: readonly Notice[]): void => {
      for (const { tag, title, body, conversationId, comments } of notices) {
        close(tag)
        try {
          // The sound is a choice of its own.
          const notification = new window.Notification(title, { tag, silent: true, ...(body !== null && { body }) })
          shown.set(tag, notification)
          notification.onclick = () => {
            window.focus()
            close(tag)
            if (conversationId !== null) tellWatcher({ type: 'notice.clicked', conversationId })
            if (comments !== undefined) tellWatcher({ type: 'notice.commentsClicked', ...comments })
          }
        } catch {
          // Browsers of phones have the constructor and refuse to use it outside of a service worker.
          tellWatcher({ type: 'permission.changed', permission: 'unsupported' })
        }
      }
    },

    close: closeEverywhere,

    push,

    /**
     * Watches permission, focus and lead of this tab until the returned function is called, which closes all shown
     * notifications. The lead is a lock with the name of the person, which a tab takes when the person begins to use it.
     */
    watch: (userId: string, report: (event: NotificationReport) => void): (() => void) => {
      let isOpen = true
      let release = () => {}
      let isLeading = false
      let queued = new AbortController()
      const tell = (event: NotificationReport) => {
        if (isOpen) report(event)
      }

      function compete(how: { steal: true } | { signal: AbortSignal }): void {
        const hold = () =>
          new Promise<void>((resolve) => {
            if (!isOpen) return resolve()
            isLeading = true
            release = resolve
            tell({ type: 'lead.gained' })
          })
        navigator.locks.request(`notifications:${userId}`, how, hold).catch(() => {
          // Another tab has taken the lock. A request that this tab has withdrawn fails too, and held no lock.
          if (!isLeading || !isOpen) return
          isLeading = false
          tell({ type: 'lead.lost' })
          wait()
        })
      }
      function wait(): void {
        queued = new AbortController()
        compete({ signal: queued.signal })
      }

      function look(): void {
        const isFocused = !document.hidden && document.hasFocus()
        tell({ type: isFocused ? 'window.focused' : 'window.left' })
        if (!isFocused || isLeading) return
        queued.abort()
        compete({ steal: true })
      }

      const tellPermission = () => tell({ type: 'permission.changed', permission: permission() })
      let status: PermissionStatus | null = null
      tellPermission()
      navigator.permissions
        ?.query({ name: 'notifications' })
        .then((found) => {
          status = found
          if (isOpen) status.addEventListener('change', tellPermission)
        })
        // The permission is read again with the next page load.
        .catch(() => {})
      wait()
      look()
      window.addEventListener('focus', look)
      window.addEventListener('blur', look)
      document.addEventListener('visibilitychange', look)

      tellWatcher = tell
      return () => {
        isOpen = false
        queued.abort()
        release()
        window.removeEventListener('focus', look)
        window.removeEventListener('blur', look)
        document.removeEventListener('visibilitychange', look)
        status?.removeEventListener('change', tellPermission)
        for (const tag of [...shown.keys()]) close(tag)
        void audio?.close()
        audio = null
      }
    },
  }
}
