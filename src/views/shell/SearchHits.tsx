import { MessageSquareText, Package, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Hits } from '../../domain/shell/search-calls.ts'
import { marksIn } from '../../domain/shell/search-words.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import type { ClientHit, HitKind, MessageHit, OrderHit } from '../../schemas/search.ts'
import { t as listText } from '../../texts/list.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'

/** An entry of the palette for a hit, or for the next hits of a group. */
export type HitItem = { id: string; name: string; keys: readonly string[] } & (
  | { kind: 'client'; hit: ClientHit }
  | { kind: 'order'; hit: OrderHit }
  | { kind: 'message'; hit: MessageHit }
  | { kind: 'more'; of: HitKind }
)

const moreText = {
  clients: () => t('shell.searchMoreClients'),
  orders: () => t('shell.searchMoreOrders'),
  messages: () => t('shell.searchMoreMessages'),
} as const satisfies Record<HitKind, () => string>

const more = (of: HitKind, next: string | null | undefined): HitItem[] =>
  next == null ? [] : [{ id: `more:${of}`, name: moreText[of](), keys: [], kind: 'more', of }]

/** The groups with hits, each with an entry for further ones. */
export function hitGroups({ clients, orders, messages }: Hits): { id: HitKind; label: string; items: HitItem[] }[] {
  const groups: { id: HitKind; label: string; items: HitItem[] }[] = [
    {
      id: 'clients',
      label: t('shell.searchClients'),
      items: (clients?.hits ?? []).map((hit) => ({
        id: `client:${hit.id}`,
        name: hit.name,
        keys: [],
        kind: 'client' as const,
        hit,
      })),
    },
    {
      id: 'orders',
      label: t('shell.searchOrders'),
      items: (orders?.hits ?? []).map((hit) => ({
        id: `order:${hit.id}`,
        name: hit.order_number,
        keys: [],
        kind: 'order' as const,
        hit,
      })),
    },
    {
      id: 'messages',
      label: t('shell.searchMessages'),
      items: (messages?.hits ?? []).map((hit) => ({
        id: `message:${hit.message_id}`,
        name: hit.excerpt,
        keys: [],
        kind: 'message' as const,
        hit,
      })),
    },
  ]
  const next = { clients: clients?.next, orders: orders?.next, messages: messages?.next }
  return groups
    .map((group) => ({ ...group, items: [...group.items, ...more(group.id, next[group.id])] }))
    .filter(({ items }) => items.length > 0)
}

/** A hit on two lines, with what was searched marked. `term`: what the hits were found by. */
export function Hit({ item, term }: { item: HitItem; term: string }) {
  switch (item.kind) {
    case 'client': {
      const { name, company_name, email, phone } = item.hit
      const facts = [company_name, email, phone].filter((fact) => fact != null && fact !== '').join(' · ')
      return (
        <Lines icon={<UserRound size={15} aria-hidden="true" />} below={<Marked text={facts} term={term} />}>
          <Marked text={name} term={term} />
        </Lines>
      )
    }
    case 'order': {
      const { order_number, status, client_name, created_at } = item.hit
      return (
        <Lines
          icon={<Package size={15} aria-hidden="true" />}
          below={`${safeName(client_name)} · ${safeName(status)}`}
          moment={created_at}
        >
          <Marked text={order_number} term={term.replace(/^#/, '')} anywhere />
        </Lines>
      )
    }
    case 'message': {
      const { name, direction, excerpt, at } = item.hit
      const text = <Marked text={excerpt} term={term} />
      return (
        <Lines
          icon={<MessageSquareText size={15} aria-hidden="true" />}
          below={
            direction === 'outgoing' ? (
              <>
                {t('shell.searchReply')} {text}
              </>
            ) : (
              text
            )
          }
          moment={at}
        >
          {safeName(name ?? '') || listText('list.unknownUser')}
        </Lines>
      )
    }
    case 'more':
      return <span className="pl-6.5 font-medium text-accent">{item.name}</span>
  }
}

type LinesProps = { icon: ReactNode; below: ReactNode; moment?: string; children: ReactNode }

function Lines({ icon, below, moment, children }: LinesProps) {
  return (
    <>
      <span className="shrink-0 self-start pt-0.5 text-ink-3">{icon}</span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0 items-baseline gap-2">
          <bdi className="min-w-0 flex-1 truncate">{children}</bdi>
          {moment !== undefined && <RelativeTime moment={moment} className="shrink-0 text-2xs text-ink-2" />}
        </span>
        <bdi className="truncate text-ink-2 text-xs">{below}</bdi>
      </span>
    </>
  )
}

/** A text with what was searched in `mark` elements. `anywhere`: also within words. */
function Marked({ text, term, anywhere = false }: { text: string; term: string; anywhere?: boolean }) {
  const shown = safeText(text)
  const marks = marksIn(shown, term)
  const at = shown.toLowerCase().indexOf(term.toLowerCase())
  const all = marks.length === 0 && anywhere && at >= 0 ? [{ start: at, end: at + term.length }] : marks
  const parts: ReactNode[] = []
  let from = 0
  for (const { start, end } of all) {
    parts.push(shown.slice(from, start))
    parts.push(
      <mark key={start} className="rounded-tag bg-note font-medium text-ink">
        {shown.slice(start, end)}
      </mark>,
    )
    from = end
  }
  return (
    <>
      {parts}
      {shown.slice(from)}
    </>
  )
}
