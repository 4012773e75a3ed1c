import { commentsMark, commentsTag, type PushPayload, pushPayload, type WorkerMessage } from '../schemas/web-push.ts'

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

/** What a click on a notification opens. */
export type Subject = Pick<PushPayload, 'conversationId' | 'comments'>

/** Shows a notification in place of an earlier one about the same. Browsers demand one for each message. */
export function showPush({ registration }: WorkerScope, data: { json(): unknown } | null): Promise<void> {
  const payload = readPayload(data)
  if (payload === null) return registration.showNotification('Inbox', { icon: '/icon-192.png' })
  const { title, body, conversationId, comments } = payload
  const tag = comments === undefined ? conversationId : commentsTag(comments.threadId)
  return registration.showNotification(title, {
    ...(tag !== undefined && { tag }),
    data: { conversationId, comments } satisfies Subject,
    icon: '/icon-192.png',
    // Announces a notification that replaces another one too.
    ...({ renotify: true } as object),
    ...(body !== null && { body }),
  })
}

const addressOf = ({ conversationId, comments }: Subject): string => {
  if (comments !== undefined) return `/${commentsMark}${encodeURIComponent(comments.threadId ?? '')}`
  return conversationId === undefined ? '/' : `/${encodeURIComponent(conversationId)}`
}

const clickOn = ({ conversationId, comments }: Subject): WorkerMessage | null => {
  if (comments !== undefined) return { type: 'push.commentsClicked', threadId: comments.threadId }
  return conversationId === undefined ? null : { type: 'push.clicked', conversationId }
}

/** Opens the subject in the tab that was used last; in a new tab if there is none that shows the inbox. */
export async function openSubject(scope: WorkerScope, subject: Subject): Promise<void> {
  const click = clickOn(subject)
  const [last] = await windowsOf(scope)
  if (last !== undefined) {
    await last.focus().catch(() => {})
    if (click === null || (await isHeard(last, click))) return
  }
  await scope.clients.openWindow(addressOf(subject))
}

function isHeard(page: WindowClient, click: WorkerMessage): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), answerTimeout)
    page.postMessage(click, [port2])
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
