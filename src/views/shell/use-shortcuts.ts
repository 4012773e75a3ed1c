import { type RefObject, useEffect, useMemo } from 'react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { firstView } from '../../domain/list/list-query.ts'
import { rowById } from '../../domain/list/records.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { selectMarked } from '../../machines/list/displayed-list.ts'
import { recordsIn } from '../../machines/list/records.ts'
import { selectIsOpen } from '../../machines/shell/dialog.ts'
import type { StateDecision } from '../../schemas/conversation-state.ts'
import { useNotifier, useSession } from '../actors.tsx'
import { isApple } from '../components/is-apple.ts'
import { isComposing } from '../components/is-composing.ts'
import { write } from '../components/message-box.ts'
import type { ListHandle } from '../list/ConversationList.tsx'
import { useDialog } from '../use-inbox.ts'
import {
  useDisplayedListActor,
  useLabelsDialog,
  useLabelsOffer,
  useList,
  useNextUnread,
  useNextWaiting,
  useStateChange,
  useStateDialog,
  useStatesOffer,
} from '../use-list.ts'
import { commandByKey, type KeyCommands } from './key-commands.ts'

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null

type Places = {
  search: RefObject<HTMLInputElement | null>
  list: RefObject<ListHandle | null>
  /** The open row, where the search for the next unread row starts. */
  selectedId: string | null
  /** Closes the open conversation. */
  onLeave: () => void
}

/**
 * Handles the global keyboard shortcuts, which are inactive in a dialog and, except for the palette's, in a field.
 * Returns the commands of the screen.
 */
export function useShortcuts({ search, list, selectedId, onLeave }: Places): KeyCommands {
  const dialog = useDialog()
  const notifier = useNotifier()
  const nextUnread = useNextUnread()
  const { offered } = useStatesOffer()
  const stateCommands = useStateCommands({ list, selectedId, onLeave })
  const commands: KeyCommands = useMemo(
    () => ({
      search: () => search.current?.focus(),
      shortcuts: () => dialog.send({ type: 'dialog.requested', dialog: { name: 'shortcuts' } }),
      next: () => list.current?.move(1),
      previous: () => list.current?.move(-1),
      nextConversation: () => {
        const row = nextUnread(selectedId)
        if (row !== null) list.current?.open(rowIdOf(row))
        else notifier.send({ type: 'toast.requested', ...listToasts.noneUnread })
      },
      reply: () => write('reply'),
      note: () => write('note'),
      back: onLeave,
      ...(offered && stateCommands),
    }),
    [dialog, notifier, nextUnread, search, list, selectedId, onLeave, offered, stateCommands],
  )
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented, target } = event
      if (altKey || defaultPrevented || isComposing(event) || selectIsOpen(dialog.getSnapshot())) return
      if (ctrlKey || metaKey) {
        if (key.toLowerCase() !== 'k' || metaKey !== isApple() || ctrlKey === metaKey) return
        dialog.send({ type: 'dialog.requested', dialog: { name: 'palette' } })
      } else {
        const act = Object.hasOwn(commandByKey, key) && commands[commandByKey[key as keyof typeof commandByKey]]
        if (!act || isEditable(target)) return
        act()
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [dialog, commands])
  return commands
}

/** The commands of an API with views and states of conversations. They concern the marked rows, or the active row. */
function useStateCommands({ list, selectedId, onLeave }: Omit<Places, 'search'>): KeyCommands {
  const session = useSession()
  const displayed = useDisplayedListActor()
  const notifier = useNotifier()
  const nextWaiting = useNextWaiting()
  const change = useStateChange()
  const choose = useStateDialog()
  const { mayChange } = useStatesOffer()
  const labels = useLabelsOffer()
  const openLabels = useLabelsDialog()
  const { query, chooseView } = useList()
  return useMemo(() => {
    const active = () => list.current?.focusedId() ?? selectedId
    const targets = (): readonly string[] => {
      const marked = selectMarked(displayed.getSnapshot())
      const id = active()
      return marked.length > 0 ? marked : id === null ? [] : [id]
    }
    const stateOf = (id: string) => rowById(recordsIn(session.system), id)?.state
    const decide = (decision: (ids: readonly string[]) => StateDecision) => {
      const ids = targets()
      if (ids.length > 0) change(ids, decision(ids))
      displayed.send({ type: 'marks.cleared' })
    }
    const openNext = () => {
      const id = nextWaiting(selectedId)
      if (id !== null) list.current?.open(id)
      else if (query.view !== firstView) chooseView(firstView)
      else notifier.send({ type: 'toast.requested', ...listToasts.noneWaits })
    }
    if (!mayChange) return { nextConversation: openNext }
    return {
      nextConversation: openNext,
      done: () => decide((ids) => ({ done: !ids.every((id) => stateOf(id)?.done_at != null) })),
      snooze: () => targets().length > 0 && choose('snooze', targets()),
      assign: () => targets().length > 0 && choose('assign', targets()),
      ...(labels.mayChange && { labels: () => targets().length > 0 && openLabels({ ids: targets() }) }),
      markUnread: () => {
        // An open thread would mark the conversation as read again.
        if (selectedId !== null && targets().includes(selectedId)) onLeave()
        decide(() => ({ unread: true }))
      },
      mark: () => {
        const id = active()
        if (id !== null) displayed.send({ type: 'row.marked', id })
      },
      undo: () => session.send({ type: 'undo.requested' }),
    }
  }, [
    session,
    displayed,
    notifier,
    nextWaiting,
    change,
    choose,
    mayChange,
    labels.mayChange,
    openLabels,
    query.view,
    chooseView,
    list,
    selectedId,
    onLeave,
  ])
}
