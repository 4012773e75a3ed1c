import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { knownNameOf, nameOf } from '../../domain/conversation-text.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { Avatar } from '../components/Avatar.tsx'
import { IconButton } from '../components/Button.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useConversationPages } from './use-inbox.ts'

const count = new Intl.NumberFormat()

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-ui border border-line p-3">
      <h3 className="mb-2 font-semibold text-ink-2 text-xs">{title}</h3>
      {children}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3 py-0.5">
      <dt className="shrink-0 text-ink-2">{name}</dt>
      <dd className="min-w-0 text-right font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

const clientNameOf = ({ client_first_name, client_last_name, company_name }: Conversation): string =>
  [[client_first_name, client_last_name].filter(Boolean).join(' '), company_name].filter(Boolean).join(' · ')

type DetailsPaneProps = {
  conversation: Conversation
  /** It was opened by its button, over the thread. */
  takesFocus: boolean
  onClose: () => void
}

/** Who the person is and what the conversation holds (spec section 2, client details sidebar). */
export function DetailsPane({ conversation, takesFocus, onClose }: DetailsPaneProps) {
  const pages = useConversationPages(conversation)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) close.current?.focus()
  }, [takesFocus])
  const clientName = clientNameOf(conversation)
  return (
    <>
      <header className="flex items-center gap-3">
        <Avatar
          name={knownNameOf(conversation)}
          picture={conversation.profile_pic}
          platform={conversation.platform}
          size="xl"
        />
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="truncate font-semibold text-lg">
            {nameOf(conversation)}
          </h2>
          <p className="text-ink-2 text-xs">{pages.map((page) => page.name).join(' · ')}</p>
        </div>
        <IconButton
          ref={close}
          label="Close details"
          className="self-start xl:hidden"
          onClick={onClose}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose()
          }}
        >
          <X size={16} aria-hidden="true" />
        </IconButton>
      </header>
      <Card title="Client Information">
        {conversation.client_id == null ? (
          <p className="text-ink-2">Not linked to a client</p>
        ) : (
          <>
            <p className="font-medium text-ok">Linked to Client</p>
            {clientName !== '' && <p dir="auto">{clientName}</p>}
          </>
        )}
      </Card>
      <Card title="Conversation Details">
        <dl>
          <Fact name="Total messages">{count.format(conversation.total_messages)}</Fact>
          <Fact name="Unread">{count.format(conversation.unread_messages)}</Fact>
          <Fact name="Pages">{pages.map((page) => page.name).join(', ')}</Fact>
          <Fact name="Last message">
            {conversation.last_message_at == null ? 'None' : <RelativeTime moment={conversation.last_message_at} />}
          </Fact>
        </dl>
      </Card>
    </>
  )
}
