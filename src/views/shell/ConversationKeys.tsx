import { type RefObject, useLayoutEffect } from 'react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { firstView } from '../../domain/list/list-query.ts'
import { rowById } from '../../domain/list/records.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { selectMarked } from '../../machines/list/displayed-list.ts'
import { recordsIn } from '../../machines/list/records.ts'
import { conversationViews, type StateDecision } from '../../schemas/conversation-state.ts'
import { useNotifier, useSession } from '../actors.tsx'
import type { ListHandle } from '../list/ConversationList.tsx'
import { newRowsButton } from '../list/new-rows-button.ts'
import { useLabelsDialog, useLabelsOffer } from '../use-labels.ts'
import { useDisplayedListActor, useList, useStateChange, useStateDialog, useStatesOffer } from '../use-list.ts'
import type { KeyCommands } from './key-commands.ts'
import { useNextUnread, useNextWaiting } from './use-next-row.ts'

type ConversationKeysProps = {
  /** Gets the commands. */
  into: RefObject<KeyCommands>
  list: RefObject<ListHandle | null>
  /** The open row, where the search for the next one starts. */
  selectedId: string | null
  onLeave: () => void
}

/**
 * The commands about conversations, whose code loads after the first rows. Those of an API with views and states concern
 * the conversations that the palette names; by key the marked rows, or the active row.
 */
export default function ConversationKeys({ into, list, selectedId, onLeave }: ConversationKeysProps) {
  const session = useSession()
  const displayed = useDisplayedListActor()
  const notifier = useNotifier()
  const nextUnread = useNextUnread()
  const nextWaiting = useNextWaiting()
  const change = useStateChange()
  const choose = useStateDialog()
  const { offered, mayChange } = useStatesOffer()
  const labels = useLabelsOffer()
  const openLabels = useLabelsDialog()
  const { query, chooseView } = useList()

  const active = () => list.current?.focusedId() ?? selectedId
  const targets = (named: readonly string[] | undefined): readonly string[] => {
    if (named !== undefined) return named
    const marked = selectMarked(displayed.getSnapshot())
    const id = active()
    return marked.length > 0 ? marked : id === null ? [] : [id]
  }
  const stateOf = (id: string) => rowById(recordsIn(session.system), id)?.state
  const decide = (ids: readonly string[], decision: (ids: readonly string[]) => StateDecision) => {
    if (ids.length === 0) return
    change(ids, decision(ids))
    displayed.send({ type: 'marks.cleared' })
  }
  const openNextUnread = () => {
    const row = nextUnread(selectedId)
    if (row !== null) list.current?.open(rowIdOf(row))
    else notifier.send({ type: 'toast.requested', ...listToasts.noneUnread })
  }
  const openNextWaiting = () => {
    const id = nextWaiting(selectedId)
    if (id !== null) list.current?.open(id)
    else if (query.view !== firstView) chooseView(firstView)
    else notifier.send({ type: 'toast.requested', ...listToasts.noneWaits })
  }
  const views = Object.fromEntries(conversationViews.map((view) => [`view:${view}`, () => chooseView(view)]))
  const changes: KeyCommands = {
    done: (named) => decide(targets(named), (ids) => ({ done: !ids.every((id) => stateOf(id)?.done_at != null) })),
    snooze: (named) => targets(named).length > 0 && choose('snooze', targets(named)),
    wake: (named) =>
      decide(
        targets(named).filter((id) => stateOf(id)?.snoozed_at != null),
        () => ({ snooze: null }),
      ),
    assign: (named) => targets(named).length > 0 && choose('assign', targets(named)),
    ...(labels.mayChange && {
      labels: (named) => targets(named).length > 0 && openLabels({ ids: targets(named) }),
    }),
    markUnread: (named) => {
      const ids = targets(named)
      // An open thread would mark the conversation as read again.
      if (selectedId !== null && ids.includes(selectedId)) onLeave()
      decide(ids, () => ({ unread: true }))
    },
    mute: (named) => decide(targets(named), (ids) => ({ muted: !ids.every((id) => stateOf(id)?.muted_at != null) })),
    mark: () => {
      const id = active()
      if (id !== null) displayed.send({ type: 'row.marked', id })
    },
    undo: () => session.send({ type: 'undo.requested' }),
  }
  useLayoutEffect(() => {
    into.current = {
      newRows: () => newRowsButton()?.click(),
      nextConversation: offered ? openNextWaiting : openNextUnread,
      ...(offered && views),
      ...(mayChange && changes),
    }
    return () => {
      into.current = {}
    }
  })
  return null
}
