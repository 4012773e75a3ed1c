import { newKey } from '../../domain/new-key.ts'
import type { PushAnswer, PushDevice, PushReport } from '../../domain/shell/push-calls.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import { pushKeyAnswer, pushSubscription, pushSubscriptionAnswer, workerMessage } from '../../schemas/web-push.ts'
import type { Http } from '../http.ts'

const path = '/facebook/push'
const workerPath = '/sw.js'
/** Whose subscription this browser has: the id of the staff member. */
const ownerKey = 'staff-inbox:push-owner'

const inPath = (part: string) => encodeURIComponent(part)

/** The bytes of base64url text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function isSameKey(key: ArrayBuffer | null, wanted: Uint8Array): boolean {
  if (key === null) return false
  const bytes = new Uint8Array(key)
  return bytes.length === wanted.length && bytes.every((byte, index) => byte === wanted[index])
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => {
    createScriptURL: (address: string) => string
  }
}

/** The calls of Web Push (feature 'web-push'), and what the browser does for it. */
export function createWebPush(http: Http, window: Window & typeof globalThis) {
  const { navigator } = window
  const tab = newKey()
  let workerAddress: string | null = null
  /** Calls about this tab are sent one after the other, so that the last one counts. */
  let lastTold: Promise<unknown> = Promise.resolve()

  /** Trusted Types allow the address of the worker only from a policy (server/security-headers.ts). */
  function trustedWorker(): string {
    const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
    workerAddress ??=
      trustedTypes?.createPolicy('service-worker', { createScriptURL: () => workerPath }).createScriptURL(workerPath) ??
      workerPath
    return workerAddress
  }

  const registration = (): Promise<ServiceWorkerRegistration | undefined> =>
    navigator.serviceWorker.getRegistration('/')

  async function forgetSubscription(): Promise<void> {
    window.localStorage.removeItem(ownerKey)
    const registered = await registration()
    await (await registered?.pushManager.getSubscription())?.unsubscribe()
  }

  /** Closes the notifications of a conversation that the service worker shows; of all without `tag`. */
  async function closeShown(tag?: string): Promise<void> {
    if (!('serviceWorker' in navigator)) return
    const shown = await (await registration())?.getNotifications(tag === undefined ? {} : { tag })
    for (const notification of shown ?? []) notification.close()
  }

  /** Subscribes the browser, or takes its subscription for the same key of the server, and tells the server. */
  async function subscribeBrowser(userId: string, registered: ServiceWorkerRegistration): Promise<PushAnswer> {
    const { public_key: key } = (await http.get(path, { schema: pushKeyAnswer })).data
    const wanted = bytesOf(key)
    let subscription = await registered.pushManager.getSubscription()
    if (subscription !== null && !isSameKey(subscription.options.applicationServerKey, wanted)) {
      await subscription.unsubscribe()
      subscription = null
    }
    subscription ??= await registered.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted })
    const body = pushSubscription.parse(subscription.toJSON())
    const { data } = await http.put(`${path}/subscription`, { schema: pushSubscriptionAnswer, body })
    window.localStorage.setItem(ownerKey, userId)
    return { outcome: 'on', id: data.id }
  }

  const tell = (call: () => Promise<unknown>): Promise<unknown> => {
    lastTold = lastTold.then(call, call)
    return lastTold
  }

  return {
    /** Removes a subscription that another person has left in this browser. */
    readDevice: async (userId: string): Promise<PushDevice> => {
      const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
      // Safari of iPhones and iPads has Web Push in installed pages only.
      if (!isSupported)
        return (navigator as { standalone?: boolean }).standalone === false ? 'uninstalled' : 'unsupported'
      if (window.Notification.permission === 'denied') return 'denied'
      const subscription = await (await registration())?.pushManager.getSubscription()
      if (!subscription) return 'off'
      if (window.localStorage.getItem(ownerKey) === userId) return 'on'
      await forgetSubscription()
      return 'off'
    },

    /** Call it while the press of a person is handled, as browsers demand. */
    subscribe: async (userId: string): Promise<PushAnswer> => {
      const permission = await window.Notification.requestPermission()
      if (permission !== 'granted') return { outcome: permission === 'denied' ? 'denied' : 'off' }
      await navigator.serviceWorker.register(trustedWorker(), { scope: '/' })
      return subscribeBrowser(userId, await navigator.serviceWorker.ready)
    },

    renewSubscription: async (userId: string): Promise<PushAnswer> => {
      const registered = await registration()
      if (registered === undefined || window.Notification.permission !== 'granted') return { outcome: 'off' }
      return subscribeBrowser(userId, registered)
    },

    /** Without an answer of the server, the push service tells it with the next notification. */
    unsubscribe: async (id: string | null): Promise<void> => {
      await forgetSubscription()
      if (id === null) return
      await http.delete(`${path}/subscription/${inPath(id)}`, { schema: successAnswer }).catch(() => {})
    },

    tellVisible: async (): Promise<void> => {
      await tell(() => http.put(`${path}/tabs/${inPath(tab)}`, { schema: successAnswer }))
    },

    tellHidden: (): void => {
      void tell(() => http.delete(`${path}/tabs/${inPath(tab)}`, { schema: successAnswer })).catch(() => {})
    },

    close: closeShown,

    /** Reports the messages of the service worker, until the returned function is called. */
    watch: (report: (event: PushReport) => void): (() => void) => {
      if (!('serviceWorker' in navigator)) return () => {}
      const hear = ({ data, ports: [port] }: MessageEvent) => {
        const message = workerMessage.safeParse(data)
        if (!message.success) return
        report(message.data)
        port?.postMessage('heard')
      }
      navigator.serviceWorker.addEventListener('message', hear)
      return () => navigator.serviceWorker.removeEventListener('message', hear)
    },

    /** After a sign-out nothing about conversations is shown in this browser. */
    forget: async (): Promise<void> => {
      await closeShown()
      if ('serviceWorker' in navigator) await forgetSubscription()
    },
  }
}
