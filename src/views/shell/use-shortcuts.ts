import { type RefObject, useEffect } from 'react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { selectIsOpen } from '../../machines/shell/dialog.ts'
import { useNotifier } from '../actors.tsx'
import { messageBox } from '../components/message-box.ts'
import type { ListHandle } from '../list/ConversationList.tsx'
import { useDialog, useNextUnread } from '../use-inbox.ts'

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null

type Places = {
  search: RefObject<HTMLInputElement | null>
  list: RefObject<ListHandle | null>
  /** The open row, where the search for the next unread row starts. */
  selectedId: string | null
}

/** Handles the global keyboard shortcuts, which are inactive in a field or a dialog. */
export function useShortcuts({ search, list, selectedId }: Places): void {
  const dialog = useDialog()
  const notifier = useNotifier()
  const nextUnread = useNextUnread()
  useEffect(() => {
    const openNextUnread = () => {
      const row = nextUnread(selectedId)
      if (row !== null) list.current?.open(rowIdOf(row))
      else notifier.send({ type: 'toast.requested', ...listToasts.noneUnread })
    }
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => search.current?.focus(),
      '?': () => dialog.send({ type: 'dialog.requested', dialog: { name: 'shortcuts' } }),
      j: () => list.current?.move(1),
      k: () => list.current?.move(-1),
      u: openNextUnread,
      r: () => messageBox()?.focus(),
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return
      const act = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
      if (act === undefined || isEditable(event.target) || selectIsOpen(dialog.getSnapshot())) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [dialog, notifier, nextUnread, search, list, selectedId])
}
