import { memo } from 'react'
import { knownNameOf, nameOf, previewOf, unreadBadge } from '../../domain/conversation-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import { Avatar } from '../components/Avatar.tsx'
import { Badge } from '../components/Badge.tsx'
import { classNames } from '../components/class-names.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useRow } from './use-inbox.ts'

type ConversationRowProps = {
  /** What the row is, read from the list by its id, so that a row is drawn again only when it has changed itself. */
  id: string
  domId: string
  index: number
  /** Rows in the whole list, loaded or not; null when that is not known. */
  total: number | null
  selected: boolean
  /** Where the keyboard stands. */
  active: boolean
  onOpen: (id: string) => void
}

/** One row of the list (spec section 2). Its height is fixed, so that nothing moves when badges come and go. */
export const ConversationRow = memo(function ConversationRow({
  id,
  domId,
  index,
  total,
  selected,
  active,
  onOpen,
}: ConversationRowProps) {
  const conversation = useRow(id)
  if (conversation === null) return null
  const badge = unreadBadge(conversation.unread_messages)
  const unread = badge !== null
  const pageName = conversation.last_message_page_name
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox around it has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the listbox holds the focus and names its active option
    <div
      id={domId}
      role="option"
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={total ?? -1}
      data-active={active || undefined}
      className={classNames(
        'group relative grid h-20 grid-cols-[2.5rem_minmax(0,1fr)_auto] grid-rows-[auto_auto_1.25rem] content-center gap-x-3 border-line border-b px-3.5',
        'group-focus-visible/list:data-active:outline-2 group-focus-visible/list:data-active:outline-accent group-focus-visible/list:data-active:-outline-offset-2',
        selected
          ? 'bg-accent-soft before:absolute before:inset-y-0 before:left-0 before:w-0.75 before:bg-accent'
          : 'hover:bg-sunken',
      )}
      onClick={() => onOpen(id)}
    >
      <span className="row-span-3 self-center">
        <Avatar name={knownNameOf(conversation)} picture={conversation.profile_pic} platform={conversation.platform} />
      </span>
      <span className="flex min-w-0 items-center gap-1.5">
        <span dir="auto" className={classNames('truncate', unread ? 'font-semibold' : 'font-medium')}>
          {nameOf(conversation)}
        </span>
        {conversation.client_id != null && <Badge tone="ok">Linked</Badge>}
      </span>
      <span className="justify-self-end text-2xs text-ink-3">
        {conversation.last_message_at != null && <RelativeTime moment={conversation.last_message_at} />}
      </span>
      <span className="col-span-2 flex min-w-0 items-baseline text-2xs text-ink-2">
        <span className="truncate">{pageName == null ? '' : safeName(pageName)}</span>
        {conversation.page_count > 1 && (
          <span className="shrink-0 whitespace-pre">
            {pageName == null ? '' : ' · '}
            {conversation.page_count} pages
          </span>
        )}
      </span>
      <span dir="auto" className={classNames('truncate', unread ? 'font-semibold text-ink' : 'text-ink-2')}>
        {previewOf(conversation)}
      </span>
      <span className="justify-self-end">
        {badge !== null && (
          <Badge tone="accent">
            {badge}
            <span className="sr-only"> unread</span>
          </Badge>
        )}
      </span>
    </div>
  )
})

/** The shape of a row that is still to come. */
export function ConversationRowSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="grid h-20 animate-breathe grid-cols-[2.5rem_minmax(0,1fr)] content-center gap-x-3 border-line border-b px-3.5"
    >
      <span className="row-span-3 size-10 self-center rounded-full bg-line" />
      <span className="my-1 h-3 w-2/5 rounded-tag bg-line" />
      <span className="my-1 h-2.5 w-1/3 rounded-tag bg-line" />
      <span className="my-1 h-3 w-4/5 rounded-tag bg-line" />
    </div>
  )
}
