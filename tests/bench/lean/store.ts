import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Client } from '../../../src/schemas/client.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import type { Order } from '../../../src/schemas/order.ts'

type Thread = {
  messages: readonly Message[] | null
  client: Client | null
  orders: readonly Order[] | null
  route: string | null
}
type State = { order: readonly string[]; isShown: boolean; openId: string | null; thread: Thread }

const empty: Thread = { messages: null, client: null, orders: null, route: null }
export const rows = new Map<string, Conversation>()
let state: State = { order: [], isShown: true, openId: null, thread: empty }
const listeners = new Set<() => void>()
let isFrameDue = false
let isStale = false

export function useStore<Value>(select: (state: State) => Value): Value {
  return useSyncExternalStore(subscribe, () => select(state))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Changes the state. Draws the first change at once, and further ones once per frame. */
export function change(changes: Partial<State>): void {
  state = { ...state, ...changes }
  isStale = isFrameDue
  if (isFrameDue) return
  isFrameDue = true
  flushSync(() => {
    for (const listener of listeners) listener()
  })
  requestAnimationFrame(() => {
    isFrameDue = false
    if (isStale) change({})
  })
}

export const idOf = (row: Conversation): string => row.primary_user_id ?? row.fb_user_id

export async function loadRows(count: number): Promise<void> {
  const limit = Math.min(count, 1_000)
  for (let page = 1; rows.size < count; page++) {
    const { data } = await fetchJson<Conversation[]>(`/baseline/conversations?page=${page}&limit=${limit}`)
    for (const row of data.slice(0, count - rows.size)) rows.set(idOf(row), row)
  }
  change({ order: [...rows.keys()] })
}

/** Opens a conversation and asks for all that its screen shows. */
export function open(id: string): void {
  const row = rows.get(id)
  change({ openId: id, thread: { ...empty, messages: state.thread.messages } })
  const put = (part: Partial<Thread>) => {
    if (state.openId === id) change({ thread: { ...state.thread, ...part } })
  }
  void fetchJson<{ messages: Message[] }>(`/api/facebook/conversations/${id}/messages?page=1&limit=50`).then(
    ({ data: { messages } }) => put({ messages }),
  )
  if (row?.client_id) {
    void fetchJson<Client>(`/api/clients/${row.client_id}`).then(({ data }) => put({ client: data }))
    void fetchJson<Order[]>(`/api/orders?client_id=${row.client_id}`).then(({ data }) => put({ orders: data }))
  }
  if (row && row.page_count > 1) void findRoute(id).then((route) => put({ route }))
  if (row && row.unread_messages > 0) void fetch(`/api/facebook/conversations/${id}/mark-read`, { method: 'POST' })
}

async function findRoute(id: string): Promise<string> {
  const { data } = await fetchJson<{ page_id: string }>(`/api/facebook/users/${id}/best-page`)
  await fetchJson(`/api/facebook/users/${id}/identity/${data.page_id}`)
  return data.page_id
}

export function receive(message: Message): void {
  const id = message.fb_user_id
  const row = rows.get(id)
  if (!row) return
  const { message_text: last_message_text, created_at: last_message_at } = message
  rows.set(id, { ...row, last_message_text, last_message_at, unread_messages: row.unread_messages + 1 })
  const { thread, openId, order } = state
  change({
    order: [id, ...order.filter((other) => other !== id)],
    thread: id === openId ? { ...thread, messages: [...(thread.messages ?? []), message] } : thread,
  })
}

async function fetchJson<Data>(path: string): Promise<{ data: Data }> {
  return (await fetch(path)).json()
}
