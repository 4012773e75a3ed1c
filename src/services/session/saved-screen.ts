import * as z from 'zod/mini'
import { savedDatabase, savedStore, screenKey } from './saved-database.ts'
import { tokenKeys } from './tokens.ts'

/** An element as its tag, its attributes and its children; a text. */
export type SavedNode = string | readonly [tag: string, attributes: Readonly<Record<string, string>>, ...SavedNode[]]

/** The list or the open thread. Lengths are CSS pixels, from the left and the top of the window. */
const savedPart = z.object({
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
  /** States that the content is saved and not up to date. */
  notice: z.string(),
  startsAt: z.enum(['top', 'end']),
  content: z.unknown(),
})

const savedScreen = z.object({
  /** The subject of the token. */
  owner: z.string(),
  build: z.string(),
  /** Path and search of the address. */
  address: z.string(),
  width: z.number(),
  height: z.number(),
  parts: z.array(savedPart),
})
export type SavedScreen = z.infer<typeof savedScreen>

/** What must be the same for a saved screen to be drawn: its classes belong to a build, its places to a window. */
export const situationOf = ({ document, location, innerWidth, innerHeight }: Window) => ({
  build: document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '',
  address: location.pathname + location.search,
  width: innerWidth,
  height: innerHeight,
})

const tags = new Set(
  'a article bdi br button circle div ellipse em figcaption figure h3 img li line ol p path polygon polyline rect section span strong svg time ul'.split(
    ' ',
  ),
)
const attributeName =
  /^(?:alt|aria-[a-z]+|class|cx|cy|d|data-[a-z-]+|dir|fill|height|lang|points|r|role|rx|ry|src|stroke[a-z-]*|style|transform|viewBox|width|x[12]?|y[12]?)$/
const pictureAddress = /^(?:https?:|\/)/

/** Whether a saved attribute is drawn: none that runs a script, and no address but that of a picture at a server. */
export const isDrawnAttribute = (tag: string, name: string, value: string): boolean =>
  attributeName.test(name) && (name !== 'src' || (tag === 'img' && pictureAddress.test(value)))

export const isDrawnTag = (tag: string): boolean => tags.has(tag)

const svg = 'http://www.w3.org/2000/svg'

function draw(node: unknown, namespace: string | null, document: Document): Node | null {
  if (typeof node === 'string') return document.createTextNode(node)
  if (!Array.isArray(node)) return null
  const [tag, attributes, ...children]: unknown[] = node
  if (typeof tag !== 'string' || !isDrawnTag(tag)) return null
  const space = tag === 'svg' ? svg : namespace
  const element = space === null ? document.createElement(tag) : document.createElementNS(space, tag)
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'string' && isDrawnAttribute(tag, name, value)) element.setAttribute(name, value)
  }
  for (const child of children) {
    const drawn = draw(child, space, document)
    if (drawn !== null) element.append(drawn)
  }
  return element
}

/** Milliseconds after which a drawn screen is removed at the latest. */
const longestDrawn = 4_000

/**
 * Draws the saved screen over the page, if it was saved by this build for this window and address. It is removed when the
 * inbox or another screen is shown, or the stored session ends. Resolves when it is painted. Rejects if none can be read.
 *
 * @param isWanted Whether the screen of this owner may still be drawn; `owner` is the subject of a token.
 */
export async function drawSavedScreen(window: Window, isWanted: (owner: string) => boolean): Promise<void> {
  const saved = await readScreen()
  const { build, address, width, height } = situationOf(window)
  if (!isWanted(saved.owner) || saved.build !== build || saved.address !== address) return
  if (saved.width !== width || saved.height !== height) return

  const { document } = window
  const screen = document.createElement('div')
  // Takes the presses that would otherwise reach the page behind.
  screen.className = 'fixed inset-0 z-50 bg-panel'
  screen.dataset['savedScreen'] = ''
  screen.setAttribute('aria-hidden', 'true')
  for (const { left, top, width, height, notice, startsAt, content } of saved.parts) {
    const drawn = draw(content, null, document)
    if (drawn === null) continue
    const box = document.createElement('div')
    box.className = 'fixed flex flex-col'
    box.setAttribute('inert', '')
    Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
    const line = document.createElement('p')
    line.className = 'saved-notice'
    line.textContent = notice
    box.append(line, drawn)
    screen.append(box)
    document.body.append(screen)
    if (startsAt === 'end' && drawn instanceof Element) drawn.scrollTop = drawn.scrollHeight
  }
  if (!screen.isConnected) return
  removeWhenReplaced(window, screen)
  // Without this wait the code that runs next would delay the frame.
  await new Promise((resolve) => window.requestAnimationFrame(() => window.setTimeout(resolve)))
}

const answerOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function readScreen(): Promise<SavedScreen> {
  const opening = indexedDB.open(savedDatabase)
  // An open of a database that is gone would create one without its object store.
  opening.onupgradeneeded = () => opening.transaction?.abort()
  const database = await answerOf(opening)
  try {
    return savedScreen.parse(await answerOf(database.transaction(savedStore).objectStore(savedStore).get(screenKey)))
  } finally {
    database.close()
  }
}

/**
 * The inbox replaces the screen with its rows, and with its messages if the screen has some. What has a button and no rows
 * is another screen: the empty inbox, the sign-in, or a start that does not succeed.
 */
function removeWhenReplaced(window: Window, screen: HTMLElement): void {
  const { document } = window
  const { address } = situationOf(window)
  const root = document.getElementById('root')
  const shows = (selector: string) => root?.querySelector(selector) != null
  const hasMessages = screen.querySelector('article') !== null
  const isReplaced = () =>
    situationOf(window).address !== address ||
    (shows('[role=option]') ? !hasMessages || shows('article') : shows('button'))
  const ended = new AbortController()
  const remove = () => {
    observer.disconnect()
    ended.abort()
    window.clearTimeout(timer)
    screen.remove()
  }
  const observer = new MutationObserver(() => isReplaced() && remove())
  if (root) observer.observe(root, { childList: true, subtree: true })
  const timer = window.setTimeout(remove, longestDrawn)
  // After a resize the places are wrong. After a press or a key the person sees the page itself.
  for (const type of ['resize', 'pointerdown', 'keydown']) window.addEventListener(type, remove, ended)
  window.addEventListener(
    'storage',
    ({ key }) => {
      if (key === null || key === tokenKeys.token) remove()
    },
    ended,
  )
}
