import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'

/**
 * The baseline for the application: the same rows and bubbles in keyed plain DOM with a hand-written virtual list, without
 * framework, state machines and validation.
 */
const rowHeight = 80
const overscan = 6
const pageSize = 50
const olderWithin = 300
const list = element('list')
const rows = element('rows')
const thread = element('thread')
const bubbles = element('bubbles')

const conversations = new Map<string, Conversation>()
const order: string[] = []
const shownRows = new Map<string, HTMLElement>()
const changedRows = new Set<string>()

type ThreadPage = { data: { messages: Message[]; hasMore: boolean } }

let openId: string | null = null
let messages: Message[] = []
let hasOlder = false
let isLoadingOlder = false
/** The top offset of every bubble, and of the end. */
let tops: number[] = [0]
const shownBubbles = new Map<string, HTMLElement>()

const count = Number(new URLSearchParams(location.search).get('conversations'))
for (let page = 1, loaded = 0; loaded < count; page++) {
  const answer = await fetchJson<{ data: Conversation[] }>(`/baseline/conversations?page=${page}`)
  for (const conversation of answer.data.slice(0, count - loaded)) {
    conversations.set(idOf(conversation), conversation)
    order.push(idOf(conversation))
  }
  loaded = order.length
}
drawRows()
list.addEventListener('scroll', drawRows)
thread.addEventListener('scroll', () => {
  drawBubbles()
  if (thread.scrollTop < olderWithin && hasOlder && !isLoadingOlder) void loadOlder()
})

/** Removes the list and draws it again, like navigation to another screen and back. */
Object.assign(window, {
  reference: {
    leave: () => {
      openId = null
      messages = []
      for (const shown of [shownRows, shownBubbles]) {
        for (const node of shown.values()) node.remove()
        shown.clear()
      }
    },
    enter: drawRows,
  },
})

const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/baseline/socket`)
socket.onmessage = ({ data }) => receive(JSON.parse(data).record)
socket.onopen = () => document.body.setAttribute('data-live', '')

/** Draws the first change at once, and further ones once per frame. */
let isFrameDue = false
let isStale = false
function draw(): void {
  isStale = isFrameDue
  if (isFrameDue) return
  isFrameDue = true
  drawRows()
  scrollToEnd()
  requestAnimationFrame(() => {
    isFrameDue = false
    if (isStale) draw()
  })
}

function receive(message: Message): void {
  const conversation = conversations.get(message.fb_user_id)
  if (conversation) {
    conversations.set(message.fb_user_id, {
      ...conversation,
      last_message_text: message.message_text,
      last_message_at: message.created_at,
      unread_messages: conversation.unread_messages + 1,
    })
    order.splice(order.indexOf(message.fb_user_id), 1)
    order.unshift(message.fb_user_id)
    changedRows.add(message.fb_user_id)
  }
  if (message.fb_user_id === openId) {
    messages.push(message)
    measure(messages.length - 1)
  }
  draw()
}

function drawRows(): void {
  rows.style.height = `${order.length * rowHeight}px`
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - overscan)
  const last = Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + overscan
  const wanted = new Set(order.slice(first, last))
  for (const [id, shown] of shownRows) {
    if (wanted.has(id)) continue
    shown.remove()
    shownRows.delete(id)
  }
  let index = first
  for (const id of wanted) {
    const shown = shownRows.get(id) ?? createRow(id)
    const conversation = conversations.get(id)
    if (conversation && changedRows.has(id)) fillRow(shown, conversation)
    shown.style.transform = `translateY(${index * rowHeight}px)`
    index++
  }
  changedRows.clear()
}

function createRow(id: string): HTMLElement {
  const row = document.createElement('div')
  row.className = 'row'
  row.setAttribute('role', 'option')
  row.innerHTML = '<img alt=""><b></b><i></i><p></p><time></time><em></em>'
  const conversation = conversations.get(id)
  if (conversation) fillRow(row, conversation)
  row.addEventListener('click', () => void open(id))
  shownRows.set(id, row)
  rows.append(row)
  return row
}

function fillRow(row: HTMLElement, conversation: Conversation): void {
  const [, name, page, preview, time, badge] = row.children
  const linked = conversation.client_id ? ' Linked' : ''
  setText(name, `${conversation.unified_name ?? ''}${linked}`)
  setText(page, `${conversation.last_message_page_name ?? ''} ${conversation.page_count} pages`)
  setText(
    preview,
    `${conversation.last_message_direction === 'outgoing' ? 'You: ' : ''}${conversation.last_message_text}`,
  )
  const minutes = Math.floor((Date.now() - Date.parse(conversation.last_message_at ?? '')) / 60_000)
  setText(time, minutes < 1 ? 'Just now' : `${minutes}m ago`)
  setText(badge, conversation.unread_messages > 9 ? '9+' : String(conversation.unread_messages))
}

async function open(id: string): Promise<void> {
  openId = id
  const { data } = await fetchJson<ThreadPage>(`/baseline/messages?id=${id}`)
  if (openId !== id) return
  messages = data.messages
  hasOlder = data.hasMore
  tops = [0]
  for (const shown of shownBubbles.values()) shown.remove()
  shownBubbles.clear()
  for (let index = 0; index < messages.length; index++) measure(index)
  scrollToEnd()
}

/** Keeps the visible bubbles in place when older ones are added above. */
async function loadOlder(): Promise<void> {
  const id = openId
  isLoadingOlder = true
  const page = Math.floor(messages.length / pageSize) + 1
  const { data } = await fetchJson<ThreadPage>(`/baseline/messages?id=${id}&page=${page}`)
  isLoadingOlder = false
  if (openId !== id) return
  const before = tops.at(-1) ?? 0
  messages = data.messages.concat(messages)
  hasOlder = data.hasMore
  for (let index = 0; index < messages.length; index++) measure(index)
  bubbles.style.height = `${tops.at(-1)}px`
  thread.scrollTop += (tops.at(-1) ?? 0) - before
  drawBubbles()
}

/** Heights are fixed here, which is cheaper than in a real thread. */
function measure(index: number): void {
  const height = messages[index]?.attachments ? 190 : 66
  tops[index + 1] = (tops[index] ?? 0) + height
}

function scrollToEnd(): void {
  bubbles.style.height = `${tops.at(-1)}px`
  thread.scrollTop = tops.at(-1) ?? 0
  drawBubbles()
}

function drawBubbles(): void {
  const first = Math.max(0, tops.findLastIndex((top) => top <= thread.scrollTop) - overscan)
  const bottom = thread.scrollTop + thread.clientHeight
  const wanted = new Set<string>()
  for (let index = first; index < messages.length && (tops[index] ?? 0) < bottom; index++) {
    const message = messages[index]
    if (!message) continue
    wanted.add(message.message_id)
    const shown = shownBubbles.get(message.message_id) ?? createBubble(message)
    shown.style.transform = `translateY(${tops[index] ?? 0}px)`
  }
  for (const [id, shown] of shownBubbles) {
    if (wanted.has(id)) continue
    shown.remove()
    shownBubbles.delete(id)
  }
}

function createBubble(message: Message): HTMLElement {
  const bubble = document.createElement('article')
  bubble.className = message.direction === 'outgoing' ? 'bubble out' : 'bubble'
  const text = document.createElement('p')
  text.textContent = message.message_text ?? ''
  bubble.append(text)
  const picture = message.attachments?.data[0]?.image_data?.url
  if (picture) bubble.append(Object.assign(new Image(), { src: picture }))
  const time = document.createElement('time')
  time.textContent = new Date(message.created_at).toTimeString().slice(0, 5)
  bubble.append(time)
  shownBubbles.set(message.message_id, bubble)
  bubbles.append(bubble)
  return bubble
}

function idOf(conversation: Conversation): string {
  return conversation.primary_user_id ?? conversation.fb_user_id
}

function setText(target: Element | undefined, text: string): void {
  if (target && target.textContent !== text) target.textContent = text
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`#${id} is missing`)
  return found
}

async function fetchJson<Answer>(path: string): Promise<Answer> {
  return (await fetch(path)).json()
}
