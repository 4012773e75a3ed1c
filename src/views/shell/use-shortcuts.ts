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
import { messageBox } from '../components/message-box.ts'
import type { ListHandle } from '../list/ConversationList.tsx'
import {
  useDialog,
  useDisplayedListActor,
  useLabelsDialog,
  useLabelsOffer,
  useList,
  useNextUnread,
  useNextWaiting,
  useStateChange,
  useStateDialog,
  useStatesOffer,
} from '../use-inbox.ts'

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

/** Handles the global keyboard shortcuts, which are inactive in a field or a dialog. */
export function useShortcuts({ search, list, selectedId, onLeave }: Places): void {
  const dialog = useDialog()
  const notifier = useNotifier()
  const nextUnread = useNextUnread()
  const { offered } = useStatesOffer()
  const stateKeys = useStateKeys({ list, selectedId, onLeave })
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
      ...(offered && stateKeys),
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
  }, [dialog, notifier, nextUnread, search, list, selectedId, offered, stateKeys])
}

/** The keys of an API with views and states of conversations. They concern the marked rows, or the active row. */
function useStateKeys({ list, selectedId, onLeave }: Omit<Places, 'search'>): Readonly<Record<string, () => void>> {
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
    if (!mayChange) return { u: openNext }
    return {
      u: openNext,
      e: () => decide((ids) => ({ done: !ids.every((id) => stateOf(id)?.done_at != null) })),
      s: () => targets().length > 0 && choose('snooze', targets()),
      a: () => targets().length > 0 && choose('assign', targets()),
      ...(labels.mayChange && { l: () => targets().length > 0 && openLabels({ ids: targets() }) }),
      U: () => {
        // An open thread would mark the conversation as read again.
        if (selectedId !== null && targets().includes(selectedId)) onLeave()
        decide(() => ({ unread: true }))
      },
      x: () => {
        const id = active()
        if (id !== null) displayed.send({ type: 'row.marked', id })
      },
      z: () => session.send({ type: 'undo.requested' }),
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
