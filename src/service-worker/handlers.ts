import { type PushPayload, pushPayload, type WorkerMessage } from '../schemas/web-push.ts'

/** The parts of a service worker's global object that the handlers use. TypeScript has them in a library without the DOM. */
export type WorkerScope = {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'pushManager'>
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly WindowClient[]>
    openWindow(address: string): Promise<unknown>
  }
}
/** Of several, the window that was used last comes first. */
type WindowClient = { focus(): Promise<unknown>; postMessage(message: WorkerMessage, transfer?: Transferable[]): void }

/** In milliseconds. A page that does not answer a click within this time shows no inbox. */
const answerTimeout = 1_000

/** The payload of a push message; null if it has none that is known. */
function readPayload(data: { json(): unknown } | null): PushPayload | null {
  try {
    const parsed = pushPayload.safeParse(data?.json())
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const windowsOf = ({ clients }: WorkerScope) => clients.matchAll({ type: 'window', includeUncontrolled: true })

/** Shows a notification in place of an earlier one about the same conversation. Browsers demand one for each message. */
export function showPush({ registration }: WorkerScope, data: { json(): unknown } | null): Promise<void> {
  const payload = readPayload(data)
  if (payload === null) return registration.showNotification('Inbox', { icon: '/icon-192.png' })
  const { title, body, conversationId } = payload
  return registration.showNotification(title, {
    tag: conversationId,
    data: { conversationId },
    icon: '/icon-192.png',
    // Announces a notification that replaces another one too.
    ...({ renotify: true } as object),
    ...(body !== null && { body }),
  })
}

/** Opens a conversation in the tab that was used last; in a new tab if there is none that shows the inbox. */
export async function openConversation(scope: WorkerScope, conversationId: string | undefined): Promise<void> {
  const address = conversationId === undefined ? '/' : `/${encodeURIComponent(conversationId)}`
  const [last] = await windowsOf(scope)
  if (last !== undefined) {
    await last.focus().catch(() => {})
    if (conversationId === undefined || (await isHeard(last, conversationId))) return
  }
  await scope.clients.openWindow(address)
}

function isHeard(page: WindowClient, conversationId: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), answerTimeout)
    page.postMessage({ type: 'push.clicked', conversationId }, [port2])
  }).finally(() => port1.close())
}

/** Subscribes again. An open page tells the server; otherwise the next start does. */
export async function replaceSubscription(
  scope: WorkerScope,
  old: Pick<PushSubscription, 'options'> | null | undefined,
): Promise<void> {
  const key = old?.options.applicationServerKey
  if (key) await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  for (const page of await windowsOf(scope)) page.postMessage({ type: 'push.replaced' })
}
