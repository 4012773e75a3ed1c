import { ArrowLeft, MailOpen, PanelRight } from 'lucide-react'
import { memo, type Ref } from 'react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { type ConversationPage, nameOf } from '../../domain/list/conversation-text.ts'
import { offers } from '../../domain/session/features.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { PersonAvatar } from '../list/PersonAvatar.tsx'
import { ReplyWindow, ReplyWindowWords } from '../send/ReplyWindow.tsx'
import { useMay, useUser } from '../use-inbox.ts'
import { useStatesOffer } from '../use-list.ts'
import { ThreadMenu } from './ThreadMenu.tsx'

const Colleagues = onDemand(() => import('./Colleagues.tsx'))
const RowLabels = onDemand(() => import('../list/RowLabels.tsx'))
const StateActions = onDemand(() => import('./StateActions.tsx'))

/** The button that opens the details on screens too narrow to show them permanently. */
export type DetailsToggle = { open: boolean; toggle: () => void; ref: Ref<HTMLButtonElement> }

type ThreadHeaderProps = {
  conversation: Conversation
  pages: readonly ConversationPage[]
  /** The open conversation has unread messages. */
  unread: boolean
  onRead: () => void
  onBack: () => void
  details: DetailsToggle
}

/**
 * The person's name and the actions of the thread. If the names of several social pages do not fit, the header shows
 * their number, and the details show the names.
 */
export const ThreadHeader = memo(function ThreadHeader({
  conversation,
  pages,
  unread,
  onRead,
  onBack,
  details,
}: ThreadHeaderProps) {
  const { mayChange } = useStatesOffer()
  const mayRead = useMay('conversations.mark_read')
  const labelIds = conversation.state?.label_ids
  const showsColleagues = offers(useUser(), 'presence')
  return (
    <header className="@container flex h-thread-header shrink-0 items-center gap-2 border-line border-b px-4 max-md:gap-1 max-md:px-2">
      <IconButton label={t('thread.backToConversations')} className="md:hidden" onClick={onBack}>
        <ArrowLeft size={18} aria-hidden="true" />
      </IconButton>
      {/* The phone needs the place for the names. */}
      <div className="@max-sm:hidden">
        <PersonAvatar conversation={conversation} size="md" />
      </div>
      <div className="min-w-0 flex-1 pl-1">
        <div className="flex items-center gap-2">
          <h2 dir="auto" className="truncate font-semibold">
            {nameOf(conversation)}
          </h2>
          {labelIds !== undefined && labelIds.length > 0 && (
            <span className="flex min-w-0 shrink-0 @max-2xl:hidden">
              <RowLabels ids={labelIds} />
            </span>
          )}
        </div>
        {/* Beside the name there would be no place for the whole name. */}
        <div className="text-ink-2 text-xs @lg:flex @lg:gap-1.5">
          <ReplyWindowWords
            conversation={conversation}
            className="truncate @max-lg:leading-4 @lg:shrink-0 @lg:after:ml-1.5 @lg:after:content-['·'] @2xl:hidden"
          />
          <p className="truncate @max-lg:leading-4">
            {pages.length > 1 && <span className="@lg:hidden">{t('shared.pageCount', { count: pages.length })}</span>}
            <span className={pages.length > 1 ? '@max-lg:hidden' : undefined}>
              {pages.map((page) => page.name).join(', ')}
            </span>
          </p>
        </div>
      </div>
      {showsColleagues && <Colleagues />}
      <ReplyWindow conversation={conversation} className="@max-2xl:hidden" />
      {unread && mayRead && (
        <Button title={t('thread.markAsRead')} onClick={onRead}>
          {/* Beside the words there would be no place for the name. */}
          <MailOpen size={15} aria-hidden="true" className="@lg:hidden" />
          <span className="@max-lg:sr-only">{t('thread.markAsRead')}</span>
        </Button>
      )}
      {mayChange && <StateActions conversation={conversation} />}
      {/* An open menu closes with its conversation. */}
      <ThreadMenu key={rowIdOf(conversation)} conversation={conversation} onBack={onBack} />
      <IconButton
        label={t('shared.clientDetails')}
        ref={details.ref}
        aria-expanded={details.open}
        className="xl:hidden"
        onClick={details.toggle}
      >
        <PanelRight size={17} aria-hidden="true" />
      </IconButton>
    </header>
  )
})
