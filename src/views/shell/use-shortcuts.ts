import { type RefObject, useCallback, useEffect, useMemo } from 'react'
import { selectIsOpen, selectIsPalette } from '../../machines/shell/dialog.ts'
import { isApple } from '../components/is-apple.ts'
import { isComposing } from '../components/is-composing.ts'
import { write } from '../components/message-box.ts'
import type { ListHandle } from '../list/ConversationList.tsx'
import { useDialog } from '../use-inbox.ts'
import { commandByKey, type KeyCommands, type RunKeyCommand } from './key-commands.ts'

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null

/** In a dialog or a toast. */
const isInFront = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog], [data-sonner-toast]') !== null

type Places = {
  search: RefObject<HTMLInputElement | null>
  list: RefObject<ListHandle | null>
  /** The commands about conversations, once their code is loaded (`ConversationKeys.tsx`). */
  loaded: RefObject<KeyCommands>
  /** Closes the open conversation. */
  onLeave: () => void
}

/**
 * Handles the global keyboard shortcuts, which are inactive in a dialog and, except for the palette's, in a field.
 * Returns the function that runs a command of the screen.
 */
export function useShortcuts({ search, list, loaded, onLeave }: Places): RunKeyCommand {
  const dialog = useDialog()
  const commands: KeyCommands = useMemo(
    () => ({
      search: () => search.current?.focus(),
      shortcuts: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'shortcuts' } }),
      next: () => list.current?.move(1),
      previous: () => list.current?.move(-1),
      reply: () => write('reply'),
      note: () => write('note'),
      back: onLeave,
    }),
    [dialog, search, list, onLeave],
  )
  const run: RunKeyCommand = useCallback(
    (id, named) => {
      const act = commands[id] ?? loaded.current[id]
      act?.(named)
      return act !== undefined
    },
    [commands, loaded],
  )
  useEffect(() => {
    /** Before its field has the focus, the palette gets what is typed, wherever the focus is. */
    const onEarlyKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, target } = event
      if (isComposing(event) || !selectIsPalette(dialog.getSnapshot()) || isInFront(target)) return
      const isText = [...key].length === 1 && ((!ctrlKey && !metaKey) || event.getModifierState('AltGraph'))
      if (isText || key === 'Backspace') dialog.send({ type: 'key.typed', key })
      else if (key === 'Escape') dialog.send({ type: 'dialog.dismissed' })
      // Enter would send a message or press a button.
      else if (key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented, target } = event
      if (altKey || defaultPrevented || isComposing(event) || selectIsOpen(dialog.getSnapshot())) return
      if (ctrlKey || metaKey) {
        if (key.toLowerCase() !== 'k' || metaKey !== isApple() || ctrlKey === metaKey) return
        dialog.send({ type: 'dialog.requested', dialog: { name: 'palette' } })
      } else if (
        !Object.hasOwn(commandByKey, key) ||
        isEditable(target) ||
        !run(commandByKey[key as keyof typeof commandByKey])
      )
        return
      event.preventDefault()
    }
    document.addEventListener('keydown', onEarlyKeyDown, true)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onEarlyKeyDown, true)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [dialog, run])
  return run
}
