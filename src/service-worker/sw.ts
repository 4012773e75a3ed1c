import { openSubject, replaceSubscription, showPush, type WorkerScope } from './handlers.ts'

// The service worker of Web Push. It has no cache and answers no requests: the inbox needs its server.

type Extendable = Event & { waitUntil(work: Promise<unknown>): void }
type Handlers = {
  install: Extendable
  push: Extendable & { data: { json(): unknown } | null }
  notificationclick: Extendable & { notification: Notification }
  pushsubscriptionchange: Extendable & { oldSubscription?: PushSubscription | null }
}

declare const self: WorkerScope & {
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof Handlers>(name: Name, handle: (event: Handlers[Name]) => void): void
}

// A new version has nothing to wait for.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('push', (event) => event.waitUntil(showPush(self, event.data)))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openSubject(self, event.notification.data ?? {}))
})
self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(replaceSubscription(self, event.oldSubscription)),
)
