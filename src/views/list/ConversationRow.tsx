import { Check, Unplug } from 'lucide-react'
import { memo } from 'react'
import { nameOf, previewOf, unreadBadge } from '../../domain/list/conversation-text.ts'
import { safeText } from '../../domain/shown-text.ts'
import type { SendProblem } from '../../machines/send/outbox-selectors.ts'
import { t } from '../../texts/list.ts'
import { Badge } from '../components/Badge.tsx'
import { classNames } from '../components/class-names.ts'
import { onDemand } from '../components/on-demand.tsx'
import { Skeleton } from '../components/Skeleton.tsx'
import { usePreviewReader, useRow, useUnfinishedWork } from '../use-list.ts'
import { useIsDisconnected, usePageName } from '../use-pages.ts'
import { PageDot } from './PageDot.tsx'
import { PersonAvatar } from './PersonAvatar.tsx'
import { Mark, RowMarks, RowTime } from './RowState.tsx'

const RowDue = onDemand(() => import('./RowDue.tsx'))
const RowSeen = onDemand(() => import('./RowSeen.tsx'))
const RowLabels = onDemand(() => import('./RowLabels.tsx'))

type ConversationRowProps = {
  /** Read from the list by id, so that a row renders again only when its own data changes. */
  id: string
  selected: boolean
  /** The row still stands in the list although it left the view. */
  leaving?: boolean
  /** The row is one of those that the next change concerns. */
  marked?: boolean
  /** The row was saved by an earlier page load. What is due may be outdated. */
  saved?: boolean
}

/** The content of a row of the list (spec section 2). The list positions the row. */
export const ConversationRow = memo(function ConversationRow({
  id,
  selected,
  leaving = false,
  marked = false,
  saved = false,
}: ConversationRowProps) {
  const conversation = useRow(id)
  const pageId = conversation?.last_message_page_id ?? conversation?.page_id
  const disconnected = useIsDisconnected(pageId)
  const pageName = usePageName(conversation?.last_message_page_id, conversation?.last_message_page_name)
  const { draft, notSent, sendProblem } = useUnfinishedWork(id)
  const reader = usePreviewReader(conversation?.last_message_author)
  if (conversation === null) return null
  const labelIds = conversation.state?.label_ids
  const badge = unreadBadge(conversation.unread_messages)
  const unread = badge !== null
  const pageCount = conversation.page_count > 1 ? t('shared.pageCount', { count: conversation.page_count }) : null
  return (
    <>
      {marked ? <Marked /> : <PersonAvatar conversation={conversation} size="md" />}
      <span className="min-w-0 flex-1">
        <span className="flex h-5 items-center gap-1.5">
          <bdi className={classNames('truncate', unread ? 'font-semibold' : 'font-medium')}>{nameOf(conversation)}</bdi>
          {conversation.client_id != null &&
            (conversation.outstanding && !saved ? (
              <RowDue cents={conversation.outstanding} />
            ) : (
              <Badge tone="ok">{t('list.linked')}</Badge>
            ))}
          <RowTime conversation={conversation} leaving={leaving} />
        </span>
        <span className="flex h-5 items-center gap-1.5 text-xs">
          <span
            title={[pageName, pageCount].filter((word) => word !== null).join(' · ')}
            className="flex min-w-0 max-w-3/10 items-center gap-1"
          >
            <PageDot pageId={pageId} />
            {/* On wide screens the pages and their colours stand beside the list. Without a dot there is only one page. */}
            <bdi className="truncate text-2xs text-ink-2 first:sr-only xl:sr-only">{pageName}</bdi>
            {pageCount !== null && (
              <>
                <span className="sr-only"> · {pageCount}</span>
                <span aria-hidden="true" className="text-2xs text-ink-2">
                  +{conversation.page_count - 1}
                </span>
              </>
            )}
          </span>
          {disconnected && (
            <Mark label={t('list.tokenRefused')} icon={<Unplug size={13} aria-hidden="true" />} className="text-bad" />
          )}
          <span dir="auto" className={classNames('min-w-1/4 flex-1 truncate', unread ? 'font-semibold' : 'text-ink-2')}>
            {notSent !== null ? (
              <Unfinished word={t('list.notSentYet')} tone="text-bad" text={notSent} />
            ) : draft !== null && !selected ? (
              <Unfinished word={t('list.draft')} tone="text-warn" text={draft} />
            ) : (
              previewOf(conversation, reader)
            )}
          </span>
          {conversation.receipts != null && <RowSeen conversation={conversation} />}
          {sendProblem !== null && <SendProblemMark sendProblem={sendProblem} />}
          {labelIds !== undefined && labelIds.length > 0 && <RowLabels ids={labelIds} />}
          <RowMarks conversation={conversation} />
          {badge !== null && (
            <Badge tone="accent">
              {badge}
              <span className="sr-only"> {t('list.unread')}</span>
            </Badge>
          )}
        </span>
      </span>
    </>
  )
})

/** Stands in the place of the picture. */
function Marked() {
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-full bg-accent text-accent-ink">
      <Check size={18} aria-hidden="true" />
      <span className="sr-only">{t('list.chosen')}</span>
    </span>
  )
}

/** Shown instead of the last message: what staff have not finished. */
function Unfinished({ word, tone, text }: { word: string; tone: string; text: string }) {
  return (
    <span data-not-saved>
      <span className={classNames('font-semibold', tone)}>{word}</span> {safeText(text)}
    </span>
  )
}

const problemMarks = {
  notSent: { tone: 'bad', text: 'list.notSent' },
  unconfirmed: { tone: 'warn', text: 'list.unconfirmed' },
} as const satisfies Record<SendProblem, unknown>

/** Shown if a message of staff was not sent or is unconfirmed. */
function SendProblemMark({ sendProblem }: { sendProblem: SendProblem }) {
  const { tone, text } = problemMarks[sendProblem]
  const words = t(text)
  return (
    <Badge tone={tone} title={words}>
      <span aria-hidden="true">!</span>
      <span className="sr-only">{words}</span>
    </Badge>
  )
}

/** The placeholder of a row that is loading. */
export function ConversationRowSkeleton() {
  return (
    <div aria-hidden="true" className="flex h-14.5 items-center gap-2.5 border-line border-b pr-3 pl-3.75">
      <Skeleton shape="disc" className="size-9 shrink-0" />
      <span className="grid flex-1 gap-2">
        <Skeleton className="h-3 w-2/5" />
        <Skeleton className="h-3 w-4/5" />
      </span>
    </div>
  )
}
