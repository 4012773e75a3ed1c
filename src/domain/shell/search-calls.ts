import type { ClientHit, HitKind, MessageHit, OrderHit } from '../../schemas/search.ts'

/** `after`: where the next result page of the only kind begins. */
export type SearchRequest = { term: string; kinds: readonly HitKind[]; after: string | null }

type HitGroup<Hit> = { hits: readonly Hit[]; next: string | null }

/** A group is null if it was not asked for, or if the person may not see it. */
export type Hits = {
  clients: HitGroup<ClientHit> | null
  orders: HitGroup<OrderHit> | null
  messages: HitGroup<MessageHit> | null
  /** Messages may be missing. */
  isPartial: boolean
}

export const noHits: Hits = { clients: null, orders: null, messages: null, isPartial: false }

/** Appends the next result page of one group. */
export function withMore(hits: Hits, kind: HitKind, more: Hits): Hits {
  const join = <Hit>(one: HitGroup<Hit> | null, next: HitGroup<Hit> | null) => ({
    hits: [...(one?.hits ?? []), ...(next?.hits ?? [])],
    next: next?.next ?? null,
  })
  const isPartial = hits.isPartial || more.isPartial
  switch (kind) {
    case 'clients':
      return { ...hits, isPartial, clients: join(hits.clients, more.clients) }
    case 'orders':
      return { ...hits, isPartial, orders: join(hits.orders, more.orders) }
    case 'messages':
      return { ...hits, isPartial, messages: join(hits.messages, more.messages) }
  }
}
