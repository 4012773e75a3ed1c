import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useLayoutEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { change, idOf, loadRows, open, receive, rows, useStore } from './store.ts'

/**
 * The least that React costs for this screen: header, list, thread, composer and details, with the requests of an
 * opening, without state machines, checks of answers and failure handling.
 */
function Screen() {
  const openId = useStore((state) => state.openId)
  const isShown = useStore((state) => state.isShown)
  if (!isShown) return null
  return (
    <>
      <header className="top">
        <h1>Inbox</h1>
        <p>{rows.size} conversations</p>
        <button type="button">Refresh</button>
      </header>
      <List />
      {openId === null ? <p>No conversation selected</p> : <Thread id={openId} />}
      {openId === null ? <p>No details</p> : <Details id={openId} />}
    </>
  )
}

function List() {
  const order = useStore((state) => state.order)
  const openId = useStore((state) => state.openId)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 80,
    getItemKey: (index) => order[index] ?? index,
    overscan: 6,
  })
  return (
    <div className="list" style={{ overflowY: 'auto' }} ref={scroller}>
      <div role="listbox" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, start }) => {
          const row = rows.get(String(key))
          return row && <Row key={key} row={row} isOpen={key === openId} top={start} />
        })}
      </div>
    </div>
  )
}

const Row = memo(function Row({ row, isOpen, top }: { row: Conversation; isOpen: boolean; top: number }) {
  const minutes = Math.floor((Date.now() - Date.parse(row.last_message_at ?? '')) / 60_000)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a reference for measurements
    <div
      role="option"
      tabIndex={-1}
      aria-selected={isOpen}
      className={isOpen ? 'row on' : 'row'}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => open(idOf(row))}
    >
      <img alt="" />
      <div>
        <p>
          <b>{row.unified_name}</b>
          {row.client_id && <i>Linked</i>}
          <time>{minutes < 1 ? 'Just now' : `${minutes}m ago`}</time>
        </p>
        <p>
          <span>{row.last_message_page_name}</span>
          {row.page_count > 1 && <span>{row.page_count} pages</span>}
        </p>
        <p>
          <span>
            {row.last_message_direction === 'outgoing' && 'You: '}
            {row.last_message_text}
          </span>
          {row.unread_messages > 0 && <em>{row.unread_messages > 9 ? '9+' : row.unread_messages}</em>}
        </p>
      </div>
    </div>
  )
})

function Thread({ id }: { id: string }) {
  const row = useStore(() => rows.get(id))
  const messages = useStore((state) => state.thread.messages)
  const route = useStore((state) => state.thread.route)
  return (
    <section className="thread">
      <header>
        <h2>{row?.unified_name}</h2>
        <p>{row?.page_names}</p>
      </header>
      {messages && <Messages messages={messages} />}
      <form>
        {route && <p>Send from {route}</p>}
        <textarea rows={2} placeholder="Type a message" />
        <button type="button">Orders</button>
        <button type="button">Payments</button>
        <button type="submit">Send</button>
      </form>
    </section>
  )
}

function Messages({ messages }: { messages: readonly Message[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (messages[index]?.attachments ? 190 : 66),
    getItemKey: (index) => messages[index]?.message_id ?? index,
    initialOffset: () => messages.length * 70,
    overscan: 6,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another last message scrolls
  useLayoutEffect(() => virtualizer.scrollToIndex(messages.length - 1), [messages.at(-1)])
  return (
    <div className="messages" ref={scroller}>
      <div style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const message = messages[index]
          return message && <Bubble key={key} message={message} top={start} />
        })}
      </div>
    </div>
  )
}

const Bubble = memo(function Bubble({ message, top }: { message: Message; top: number }) {
  const picture = message.attachments?.data[0]?.image_data?.url
  return (
    <article
      className={message.direction === 'outgoing' ? 'bubble out' : 'bubble'}
      style={{ transform: `translateY(${top}px)` }}
    >
      <p>{message.message_text}</p>
      {picture && <img alt="" src={picture} />}
      <time>{new Date(message.created_at).toTimeString().slice(0, 5)}</time>
    </article>
  )
})

function Details({ id }: { id: string }) {
  const row = useStore(() => rows.get(id))
  const client = useStore((state) => state.thread.client)
  const orders = useStore((state) => state.thread.orders)
  return (
    <aside className="details">
      <h2>{row?.unified_name}</h2>
      <h3>Client Information</h3>
      <p>{client ? `${client.email} ${client.phone}` : 'Not linked'}</p>
      <ul>
        {orders?.map((order) => (
          <li key={order.id}>
            {order.order_number} <b>{order.total_amount}</b> {order.status}
          </li>
        ))}
      </ul>
      <dl>
        <dt>Total messages</dt>
        <dd>{row?.total_messages}</dd>
        <dt>Unread</dt>
        <dd>{row?.unread_messages}</dd>
        <dt>Pages</dt>
        <dd>{row?.page_count}</dd>
      </dl>
    </aside>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
createRoot(root).render(<Screen />)
Object.assign(window, {
  reference: {
    leave: () => change({ isShown: false, openId: null }),
    enter: () => change({ isShown: true }),
  },
})
await loadRows(Number(new URLSearchParams(location.search).get('conversations')))
const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/baseline/socket`)
socket.onmessage = ({ data }) => receive(JSON.parse(data).record)
socket.onopen = () => document.body.setAttribute('data-live', '')
