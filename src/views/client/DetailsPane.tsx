import { ExternalLink, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { clientNameOf, prefilledFrom } from '../../domain/client/client-linking.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type clientDetailsMachine, selectHasFailed } from '../../machines/client/client-details.ts'
import { selectClientOrders, selectClientProfile, type threadMachine } from '../../machines/thread/thread.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/client-on-demand.ts'
import { clientPagePath } from '../client-page-path.ts'
import { Badge } from '../components/Badge.tsx'
import { Button, IconButton } from '../components/Button.tsx'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { PersonAvatar } from '../list/PersonAvatar.tsx'
import { useClient, useDialog, useMayOpen } from '../use-inbox.ts'
import { useLabelsOffer } from '../use-labels.ts'
import { useConversationPages } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'
import { ClientDetailsSkeleton } from './ClientDetailsSkeleton.tsx'

const LabelsLine = onDemand(() => import('../list/LabelsLine.tsx'))
const ContactLines = onDemand(() => import('./ContactLines.tsx'))
const LanguageLine = onDemand(() => import('./LanguageLine.tsx'))
const PersonActions = onDemand(() => import('./PersonActions.tsx'))
const ClientActions = onDemand(() => import('./ClientActions.tsx'))
const ClientSuggestions = onDemand(() => import('./ClientSuggestions.tsx'))
const ClientDetails = onDemand(() => import('./ClientDetails.tsx'), ClientDetailsSkeleton)

const count = new Intl.NumberFormat()

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section tabIndex={-1} className="rounded-ui border border-line px-3 py-2.5">
      <h3 className="mb-1 font-semibold text-ink-2 text-xs">{title}</h3>
      {children}
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="shrink-0 text-ink-2">{label}</dt>
      <dd className="min-w-0 text-right font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

type DetailsActor = ActorRefFrom<typeof clientDetailsMachine>

type Details = ReturnType<DetailsActor['getSnapshot']> | undefined
const selectIsMissed = (details: Details) => details !== undefined && selectHasFailed(details)

/**
 * The linked client. Until the client is known, the name comes from the conversation. The name is omitted if it equals
 * the chat name, which is shown above.
 */
function LinkedClient({ conversation, profile }: { conversation: Conversation; profile: DetailsActor | undefined }) {
  const client = useClient(conversation.client_id ?? null)
  const isMissed = useSelector(profile, selectIsMissed)
  const labels = useLabelsOffer()
  const name =
    client === null
      ? clientNameOf({ first_name: conversation.client_first_name, last_name: conversation.client_last_name })
      : clientNameOf(client)
  const company = safeName((client ?? conversation).company_name ?? '')
  return (
    <>
      <p className="flex items-center justify-between gap-2">
        <span className="font-semibold text-ok">{t('client.linkedTo')}</span>
        {client?.classification && <Badge>{safeName(client.classification)}</Badge>}
      </p>
      {name !== '' && name !== nameOf(conversation) && (
        <p dir="auto" className="font-medium">
          {name}
        </p>
      )}
      {company !== '' && (
        <p dir="auto" className="text-ink-2 [overflow-wrap:anywhere]">
          {company}
        </p>
      )}
      {client !== null && <ContactLines client={client} />}
      {labels.offered && client !== null && (
        <LabelsLine
          ids={client.labels?.label_ids ?? []}
          target={labels.mayChange ? { clientId: client.id, labelIds: client.labels?.label_ids ?? [] } : null}
          of="client"
        />
      )}
      {client !== null && <LanguageLine client={client} />}
      {client !== null && (
        <ErrorBoundary fallback={null} resetKey={client.id}>
          <ClientActions clientId={client.id} />
        </ErrorBoundary>
      )}
      {isMissed && (
        <div className="mt-2 grid justify-items-start gap-2">
          <p className="text-ink-2">{t('client.profileNotLoaded')}</p>
          <TryAgain part={t('client.partProfile')} onRetry={() => profile?.send({ type: 'refetch.requested' })} />
        </div>
      )}
    </>
  )
}

type DetailsPaneProps = {
  conversation: Conversation
  thread: ActorRefFrom<typeof threadMachine>
  /** The user opened the details with the button, over the thread. */
  takesFocus: boolean
  onClose: () => void
}

/** The person's details and the figures of the conversation (spec section 2, client details sidebar). */
export default function DetailsPane({ conversation, thread, takesFocus, onClose }: DetailsPaneProps) {
  const pages = useConversationPages(conversation)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) close.current?.focus()
  }, [takesFocus])
  const dialog = useDialog()
  const mayLink = useMayOpen('linkClient')
  // Users type a name right after the press, so the dialog must open at once.
  const expectLinking = () => dialog.send({ type: 'dialog.expected', name: 'linkClient' })
  const profile = useSelector(thread, selectClientProfile)
  const orders = useSelector(thread, selectClientOrders)
  const clientId = conversation.client_id ?? null
  const labels = useLabelsOffer()
  return (
    <>
      <header className="flex items-center gap-3">
        <PersonAvatar conversation={conversation} size="xl" />
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="truncate font-semibold text-lg">
            {nameOf(conversation)}
          </h2>
          <p className="text-ink-2 text-xs">{pages.map((page) => page.name).join(' · ')}</p>
        </div>
        <IconButton
          ref={close}
          label={t('client.closeDetails')}
          className="self-start xl:hidden"
          onClick={onClose}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose()
          }}
        >
          <X size={16} aria-hidden="true" />
        </IconButton>
      </header>
      <Card title={t('client.clientInformation')}>
        {clientId === null ? (
          <div className="grid justify-items-start gap-2">
            <p className="text-ink-2">{t('client.notLinked')}</p>
            {mayLink && (
              <Button
                onPointerEnter={expectLinking}
                onFocus={expectLinking}
                onClick={() => {
                  const input = { conversationId: rowIdOf(conversation), prefilled: prefilledFrom(conversation) }
                  dialog.send({ type: 'dialog.requested', dialog: { name: 'linkClient', input } })
                }}
              >
                {t('client.linkTo')}
              </Button>
            )}
            <ErrorBoundary fallback={null} resetKey={rowIdOf(conversation)}>
              <ClientSuggestions key={rowIdOf(conversation)} conversation={conversation} />
            </ErrorBoundary>
          </div>
        ) : (
          <LinkedClient conversation={conversation} profile={profile} />
        )}
      </Card>
      {orders !== undefined && (
        <ErrorBoundary fallback={null} resetKey={orders.sessionId}>
          <ClientDetails
            key={orders.sessionId}
            details={orders}
            conversationId={rowIdOf(conversation)}
            clientId={clientId ?? ''}
          />
        </ErrorBoundary>
      )}
      <Card title={t('client.conversationDetails')}>
        {labels.offered && conversation.state !== undefined && (
          <LabelsLine
            ids={conversation.state.label_ids}
            target={labels.mayChange ? { ids: [rowIdOf(conversation)] } : null}
            of="conversation"
          />
        )}
        <dl>
          <Fact label={t('client.totalMessages')}>{count.format(conversation.total_messages)}</Fact>
          <Fact label={t('client.unread')}>{count.format(conversation.unread_messages)}</Fact>
          <Fact label={t('shared.pages')}>{count.format(pages.length)}</Fact>
          <Fact label={t('client.lastMessage')}>
            {conversation.last_message_at == null ? (
              t('client.none')
            ) : (
              <RelativeTime moment={conversation.last_message_at} />
            )}
          </Fact>
        </dl>
      </Card>
      <ErrorBoundary fallback={null} resetKey={rowIdOf(conversation)}>
        <PersonActions conversation={conversation} />
      </ErrorBoundary>
      {clientId !== null && (
        <section className="-mx-4 -mb-4 -bottom-4 sticky flex items-center justify-between gap-3 border-line border-t bg-panel px-4 py-3">
          <h3 className="font-semibold text-ink-2 text-xs">{t('client.quickActions')}</h3>
          <a
            href={clientPagePath(clientId)}
            target="_blank"
            rel="noopener"
            className="flex h-8 items-center justify-center gap-1.5 rounded-ui border border-line px-3 font-medium touch:min-h-11 hover:bg-sunken"
          >
            {t('client.viewClient')}
            <ExternalLink size={14} aria-hidden="true" />
          </a>
        </section>
      )}
    </>
  )
}
