import { flushSync } from 'react-dom'

type TextField = HTMLInputElement | HTMLTextAreaElement

/**
 * Focuses the field and selects a part of the text that an event has just changed. At once: what is typed before the next
 * frame would otherwise be written at the end of the field. For event handlers only.
 */
export function selectText(field: TextField | null, selection: readonly [start: number, end: number]): void {
  field?.focus()
  flushSync(() => undefined)
  field?.setSelectionRange(...selection)
}
