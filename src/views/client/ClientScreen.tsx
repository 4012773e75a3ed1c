import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useParams } from 'react-router'
import type { ActorRefFrom } from 'xstate'
import { businessDay } from '../../domain/client/business-day.ts'
import { clientNameOf } from '../../domain/client/client-linking.ts'
import { isCounted, orderNameOf, paymentsOf } from '../../domain/client/client-orders.ts'
import { centsOf, formatMoney } from '../../domain/client/money.ts'
import { newestFirst, totalsOf } from '../../domain/client/orders.ts'
import { nameOf, previewOf } from '../../domain/list/conversation-text.ts'

import { safeName } from '../../domain/shown-text.ts'
import {
  type clientDetailsMachine,
  selectClientData,
  selectHasFailed,
  selectIsMissing,
  selectMergedInto,
} from '../../machines/client/client-details.ts'
import { type clientPageMachine, selectChats, selectOrders, selectProfile } from '../../machines/client/client-page.ts'
import { selectClientPage } from '../../machines/session/session.ts'
import type { Client } from '../../schemas/client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { useSession } from '../actors.tsx'
import { Avatar } from '../components/Avatar.tsx'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { ErrorBoundary } from '../components/ErrorBoundary.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { RouteLink } from '../components/RouteLink.tsx'
import { useRootMark } from '../components/root-mark.ts'
import { Skeleton } from '../components/Skeleton.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { PersonAvatar } from '../list/PersonAvatar.tsx'
import { useClient, useDialog, useMayOpen } from '../use-inbox.ts'
import { usePreviewReader, useRow } from '../use-list.ts'
import { useSelector } from '../use-selector.ts'
import { ClientStatistics } from './ClientStatistics.tsx'
import { OrderLine } from './OrderLine.tsx'
import { useBusiness } from './use-business.ts'

const ClientActions = onDemand(() => import('./ClientActions.tsx'))

/** How many lines of a list are shown at first, and how many each press adds. */
const step = 25

/** The screen of one client (spec section 2): profile, orders, payments and linked chats. */
export default function ClientScreen() {
  const session = useSession()
  const { clientId = '' } = useParams()
  useRootMark('data-client-page')
  const dialog = useDialog()
  const page = useSelector(session, selectClientPage)
  useEffect(() => {
    session.send({ type: 'client.opened', id: clientId })
    return () => {
      dialog.send({ type: 'dialog.dismissed' })
      session.send({ type: 'client.left' })
    }
  }, [session, dialog, clientId])
  return (
    <div className="min-h-dvh bg-bg">
      <header className="flex h-header items-center gap-2 border-line border-b bg-panel px-4">
        <RouteLink
          to="/"
          className="inline-flex h-8 touch:min-h-11 items-center gap-1.5 rounded-ui pr-3 pl-2 font-medium text-ink-2 hover:bg-sunken hover:text-ink"
        >
          <ArrowLeft size={16} aria-hidden="true" />
          {t('shared.inbox')}
        </RouteLink>
      </header>
      <main className="mx-auto grid max-w-240 grid-cols-[minmax(0,1fr)] gap-4 p-4">
        {page && <Page key={page.sessionId} actor={page} clientId={clientId} />}
      </main>
    </div>
  )
}

type Details = ActorRefFrom<typeof clientDetailsMachine>

const selectIsNobody = (profile: ReturnType<Details['getSnapshot']> | undefined) =>
  profile !== undefined && selectIsMissing(profile)

function Page({ actor, clientId }: { actor: ActorRefFrom<typeof clientPageMachine>; clientId: string }) {
  const profile = useSelector(actor, selectProfile)
  const orders = useSelector(actor, selectOrders)
  const chats = useSelector(actor, selectChats)
  const isMissing = useSelector(profile, selectIsNobody)
  return (
    <>
      {profile && <ProfilePart details={profile} clientId={clientId} />}
      {/* A client that does not exist has no totals. */}
      {orders && !isMissing && <TotalsPart details={orders} />}
      {!isMissing && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2">
          {orders && <OrdersPart details={orders} clientId={clientId} />}
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {orders && <PaymentsPart details={orders} />}
            {chats && <ChatsPart key={chats.sessionId} details={chats} />}
          </div>
        </div>
      )}
    </>
  )
}

function ProfilePart({ details, clientId }: { details: Details; clientId: string }) {
  const known = useClient(clientId)
  const failed = useSelector(details, selectHasFailed)
  const missing = useSelector(details, selectIsMissing)
  const mergedInto = useSelector(details, selectMergedInto)
  const client = missing ? null : known
  const title = client
    ? clientNameOf(client) || t('client.unnamedClient')
    : missing
      ? t('client.notFoundTitle')
      : t('client.client')
  useEffect(() => {
    document.title = title
    return () => {
      document.title = t('shared.inbox')
    }
  }, [title])
  return (
    <div tabIndex={-1} aria-busy={!client && !failed} className={missing ? 'grid min-h-[60dvh]' : undefined}>
      {client ? (
        <Profile client={client} name={title} />
      ) : mergedInto !== null ? (
        <EmptyState title={t('client.wasMerged')}>
          <RouteLink
            to={`/clients/${encodeURIComponent(mergedInto)}`}
            className="inline-flex h-8 touch:min-h-11 items-center rounded-ui px-3 font-medium text-accent underline hover:bg-sunken"
          >
            {t('client.openMergedClient')}
          </RouteLink>
        </EmptyState>
      ) : failed ? (
        <EmptyState title={missing ? t('client.notFound') : t('client.notLoaded')}>
          {missing && <p>{t('client.checkAddress')}</p>}
          <TryAgain part={t('client.partClient')} onRetry={() => details.send({ type: 'refetch.requested' })} />
        </EmptyState>
      ) : (
        <>
          <span className="sr-only">{t('client.loading')}</span>
          <Skeleton shape="box" className="h-34" />
        </>
      )}
    </div>
  )
}

function TotalsPart({ details }: { details: Details }) {
  const orders = useSelector(details, selectClientData)?.orders
  const failed = useSelector(details, selectHasFailed)
  const totals = useMemo(() => orders && totalsOf(orders), [orders])
  if (totals) return <ClientStatistics totals={totals} wide />
  if (failed) return null
  return (
    <div aria-hidden="true" className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      {['orders', 'pending', 'spent', 'outstanding'].map((name) => (
        <Skeleton key={name} shape="box" className="h-16" />
      ))}
    </div>
  )
}

function OrdersPart({ details, clientId }: { details: Details; clientId: string }) {
  const dialog = useDialog()
  const mayOpen = useMayOpen('order')
  const open = (orderId: string) =>
    dialog.send({ type: 'dialog.requested', dialog: { name: 'order', input: { clientId, orderId } } })
  const orders = useSelector(details, selectClientData)?.orders
  const sorted = useMemo(() => orders && newestFirst(orders), [orders])
  return (
    <Section title={t('shared.orders')} items={sorted} details={details} empty={t('client.noOrders')}>
      {(order) => <OrderLine key={order.id} order={order} onOpen={mayOpen ? () => open(order.id) : undefined} />}
    </Section>
  )
}

function PaymentsPart({ details }: { details: Details }) {
  const orders = useSelector(details, selectClientData)?.orders
  const payments = useMemo(() => orders && paymentsOf(orders), [orders])
  const business = useBusiness()
  return (
    <Section title={t('shared.payments')} items={payments} details={details} empty={t('client.noPayments')}>
      {({ key, order, payment }) => (
        <li
          key={key}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-line border-t py-2"
        >
          <b className="font-semibold [overflow-wrap:anywhere]">{orderNameOf(order)}</b>
          <span className="text-right">{formatMoney(centsOf(payment.amount), business)}</span>
          <span className="text-ink-2 text-xs">{payment.created_at && businessDay(payment.created_at, business)}</span>
          <span className="text-right">
            <Badge tone={isCounted(payment) ? 'ok' : 'neutral'}>
              {safeName(payment.status ?? '') || t('client.statusUnknown')}
            </Badge>
          </span>
        </li>
      )}
    </Section>
  )
}

function ChatsPart({ details }: { details: Details }) {
  const ids = useSelector(details, selectClientData)?.chatIds
  return (
    <Section title={t('client.linkedChats')} items={ids} details={details} empty={t('client.noChats')}>
      {(id) => <Chat key={id} id={id} />}
    </Section>
  )
}

function Profile({ client, name }: { client: Client; name: string }) {
  const business = useBusiness()
  const facts = [
    [t('client.company'), client.company_name],
    [t('client.email'), client.email],
    [t('client.phone'), client.phone],
    [t('client.since'), client.created_at ? businessDay(client.created_at, business) : null],
  ] as const
  return (
    <section className="grid gap-4 rounded-ui border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Avatar name={name} size="xl" />
        <h1 dir="auto" className="min-w-0 font-semibold text-xl [overflow-wrap:anywhere]">
          {name}
        </h1>
        {client.classification && <Badge>{safeName(client.classification)}</Badge>}
        <Badge tone={client.is_active ? 'ok' : 'warn'}>
          {client.is_active ? t('shared.active') : t('shared.inactive')}
        </Badge>
      </div>
      <dl className="grid gap-3 sm:grid-cols-2 md:grid-cols-[1fr_1.4fr_1fr_1fr]">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-ink-2 text-xs">{label}</dt>
            <dd dir="auto" className="[overflow-wrap:anywhere]">
              {safeName(value ?? '') || '–'}
            </dd>
          </div>
        ))}
      </dl>
      <ErrorBoundary fallback={null} resetKey={client.id}>
        <ClientActions clientId={client.id} />
      </ErrorBoundary>
    </section>
  )
}

type SectionProps<Item> = {
  title: string
  /** Undefined until the first load has finished. */
  items: readonly Item[] | undefined
  /** The actor that loads them. */
  details: Details
  empty: string
  children: (item: Item) => ReactNode
}

/** A list of the client, or its load error. Each list fails separately. */
function Section<Item>({ title, items, details, empty, children }: SectionProps<Item>) {
  const failed = useSelector(details, selectHasFailed)
  return (
    <section
      tabIndex={-1}
      aria-busy={items === undefined && !failed}
      className="rounded-ui border border-line bg-panel p-4"
    >
      <h2 className="mb-2 flex items-baseline gap-2 font-semibold">
        {title}
        {items && <span className="font-normal text-ink-2 text-xs">{items.length}</span>}
      </h2>
      {items ? (
        <Lines items={items} empty={empty}>
          {children}
        </Lines>
      ) : failed ? (
        <div className="grid justify-items-start gap-2 border-line border-t pt-3">
          <p className="text-ink-2">{t('client.partNotLoaded', { part: title })}</p>
          <TryAgain part={title.toLowerCase()} onRetry={() => details.send({ type: 'refetch.requested' })} />
        </div>
      ) : (
        <Skeleton shape="box" className="h-24" />
      )}
    </section>
  )
}

type LinesProps<Item> = { items: readonly Item[]; empty: string; children: (item: Item) => ReactNode }

function Lines<Item>({ items, empty, children }: LinesProps<Item>) {
  const [shown, setShown] = useState(step)
  if (items.length === 0) return <p className="border-line border-t py-2 text-ink-2">{empty}</p>
  return (
    <>
      <ul>{items.slice(0, shown).map(children)}</ul>
      {items.length > shown && (
        <Button className="mt-2" onClick={() => setShown(shown + step)}>
          {t('client.showMore')}
        </Button>
      )}
    </>
  )
}

function Chat({ id }: { id: string }) {
  const chat = useRow(id)
  const reader = usePreviewReader(chat?.last_message_author)
  if (chat === null) return null
  return (
    <li className="border-line border-t py-2">
      <RouteLink
        to={`/${encodeURIComponent(id)}`}
        className="-mx-2 flex items-center gap-3 rounded-ui px-2 py-1 hover:bg-sunken"
      >
        <PersonAvatar conversation={chat} size="md" />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-medium">{nameOf(chat)}</bdi>
          <bdi className="block truncate text-ink-2 text-xs">{previewOf(chat, reader)}</bdi>
        </span>
        {chat.last_message_at != null && (
          <RelativeTime moment={chat.last_message_at} className="shrink-0 text-2xs text-ink-3" />
        )}
      </RouteLink>
    </li>
  )
}
