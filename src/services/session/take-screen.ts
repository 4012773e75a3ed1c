import { savedNotices } from '../../domain/session/saved-notices.ts'
import { isDrawnAttribute, isDrawnTag, type SavedNode, type SavedScreen, situationOf } from './saved-screen.ts'

/** Characters of JSON. A larger screen would take long to read. */
const maxSize = 300_000

/** Pixels that a scroll position may differ from the end. */
const tolerance = 4

/**
 * What the copy of the inbox does not hold either (notes, drafts and unsent messages); ages, amounts due and labels of days,
 * which a later start would show wrong; and controls.
 */
const leftOut = '[data-not-saved], time:not(article *), h3'

/**
 * The list and the open thread as this window shows them, if they stand where a start shows them: the list at its top, the
 * thread at its end. Null if neither does, or outside a browser.
 */
export function takeScreen(window: Window | undefined): Omit<SavedScreen, 'owner'> | null {
  const root = window?.document.getElementById('root')
  if (window === undefined || root == null) return null
  const list = root.querySelector('[role=listbox]')?.parentElement
  const thread = root.querySelector('article')?.closest('.scroller')
  const notices = savedNotices()
  const parts: SavedScreen['parts'] = []
  if (list && list.scrollTop === 0) parts.push(partOf(list, 'top', notices.list))
  if (thread && thread.scrollHeight - thread.scrollTop - thread.clientHeight <= tolerance)
    parts.push(partOf(thread, 'end', notices.thread))
  const shown = parts.filter(({ width, height }) => width > 0 && height > 0)
  const screen = { ...situationOf(window), parts: shown }
  return shown.length === 0 || JSON.stringify(screen).length > maxSize ? null : screen
}

function partOf(element: Element, startsAt: 'top' | 'end', notice: string): SavedScreen['parts'][number] {
  const box = element.getBoundingClientRect()
  const { left, top, width, height } = box
  return { left, top, width, height, notice, startsAt, content: nodeOf(element, box) }
}

/** The element without the rows and messages outside the box. */
function nodeOf(element: Element, box: DOMRect): SavedNode {
  const attributes: Record<string, string> = {}
  for (const { name, value } of element.attributes)
    if (isDrawnAttribute(element.localName, name, value)) attributes[name] = value
  const children: SavedNode[] = []
  for (const child of element.childNodes) {
    if (child instanceof Text) children.push(child.data)
    else if (child instanceof Element && isDrawnTag(child.localName) && isTaken(child, box))
      children.push(nodeOf(child, box))
  }
  return [element.localName, attributes, ...children]
}

function isTaken(element: Element, box: DOMRect): boolean {
  if (element.matches(leftOut)) return false
  if (!(element instanceof HTMLElement) || element.style.transform === '') return true
  const { top, bottom } = element.getBoundingClientRect()
  return bottom >= box.top && top <= box.bottom
}
