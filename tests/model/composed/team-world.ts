import type { ListAnswer, TopRequest } from '../../../src/domain/list/list-calls.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import type { ChangeStatesRequest, ChangeStatesResult } from '../../../src/domain/list/state-changes.ts'
import type { DraftSave, ServerDraft } from '../../../src/domain/send/saved-drafts.ts'
import type { SendAnswer, SendOrder } from '../../../src/domain/send/send-calls.ts'
import type { MessageChange, StateReport } from '../../../src/domain/shell/changes.ts'
import type { ColleagueReport, NoteRequest } from '../../../src/domain/thread/colleague-calls.ts'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { ConversationState } from '../../../src/schemas/conversation-state.ts'
import type { Message } from '../../../src/schemas/message.ts'
import type { Note } from '../../../src/schemas/note.ts'
import type { Stats } from '../../../src/schemas/stats.ts'
import { stateOf } from '../inbox-fixture.ts'

export const customers = ['c1', 'c2'] as const
export const staffIds = ['s1', 's2'] as const
export const pageId = 'p1'
export const walkStart = Date.parse('2026-03-01T09:00:00.000Z')

/** A change that the server tells every tab. */
export type Frame = { messages: MessageChange } | { states: StateReport } | { colleagues: ColleagueReport }

/** Whether the customer waits, by the words of the specification: no answer, and not done, snoozed or muted. */
export const waits = ({ waiting_since, done_at, snoozed_at, muted_at }: ConversationState): boolean =>
  waiting_since !== null && done_at === null && snoozed_at === null && muted_at === null

/** The server, the network and the customers, without delays or faults. Rules as in server/database/conversation-states.ts. */
export function createTeamWorld() {
  const messages: Message[] = []
  const states = new Map<string, ConversationState>(customers.map((id) => [id, stateOf(0)]))
  const drafts = new Map<string, ServerDraft>()
  const notes: Note[] = []
  const listeners = new Set<(frame: Frame) => void>()
  /** The texts that reached the network, by key. */
  const delivered: { key: string; text: string }[] = []
  let ticks = 0
  let version = 0

  const moment = () => {
    ticks += 1
    return new Date(walkStart + ticks * 1_000).toISOString()
  }
  const tell = (frame: Frame) => {
    for (const listen of listeners) listen(frame)
  }
  const stateOfCustomer = (id: string) => states.get(id) ?? stateOf(0)
  const changeState = (id: string, change: Partial<ConversationState>, changedBy: string | null) => {
    const before = stateOfCustomer(id)
    if (Object.entries(change).every(([field, value]) => before[field as keyof ConversationState] === value)) return
    version += 1
    states.set(id, { ...before, ...change, version })
    tell({ states: { id, state: stateOfCustomer(id), changedBy } })
  }
  const messagesOf = (id: string) => messages.filter((message) => message.primary_user_id === id)
  const firstUnanswered = (id: string) => {
    const all = messagesOf(id)
    return all.slice(all.findLastIndex(({ direction }) => direction === 'outgoing') + 1)[0]?.created_at ?? null
  }
  const insert = (id: string, rest: Partial<Message>): Message => {
    const at = moment()
    const message: Message = {
      message_id: `m${String(messages.length).padStart(5, '0')}`,
      fb_user_id: id,
      primary_user_id: id,
      page_id: pageId,
      message_text: 'word',
      direction: 'incoming',
      is_read: false,
      created_at: at,
      timestamp_fb: at,
      ...rest,
    }
    messages.push(message)
    tell({ messages: { type: 'INSERT', record: message, committedAt: at } })
    return message
  }
  const customerWrites = (id: string) => {
    const { created_at } = insert(id, { message_text: `word ${messages.length}` })
    const { waiting_since } = stateOfCustomer(id)
    const reopened = { done_at: null, done_by: null, snoozed_at: null, snoozed_until: null }
    changeState(id, { ...reopened, waiting_since: waiting_since ?? created_at }, null)
  }
  const conversationOf = (id: string): Conversation => {
    const all = messagesOf(id)
    const last = all.at(-1)
    return {
      primary_user_id: id,
      fb_user_id: id,
      page_id: pageId,
      page_ids: pageId,
      page_names: 'Bakery',
      page_count: 1,
      unified_name: `Customer ${id}`,
      unread_messages: all.filter(({ direction, is_read }) => direction === 'incoming' && !is_read).length,
      total_messages: all.length,
      last_message_at: last?.created_at,
      last_message_text: last?.message_text,
      last_message_direction: last?.direction,
      last_message_page_id: pageId,
      last_incoming_at: all.findLast(({ direction }) => direction === 'incoming')?.created_at,
      psid: `psid-${id}`,
      state: stateOfCustomer(id),
    }
  }
  const list = ({ view, labelId, assignedTo }: ListQuery, staffId: string): Conversation[] => {
    const isOpen = ({ done_at, snoozed_at, muted_at }: ConversationState) => !done_at && !snoozed_at && !muted_at
    const found = customers.map(conversationOf).filter(({ state = stateOf(0) }) => {
      if (labelId !== undefined && !state.label_ids.includes(labelId)) return false
      if (assignedTo !== undefined && (state.assigned_to ?? 'nobody') !== assignedTo) return false
      if (view === 'waiting') return waits(state)
      if (view === 'mine') return isOpen(state) && state.assigned_to === staffId
      return view === 'unassigned' ? isOpen(state) && state.assigned_to === null : true
    })
    const key = (row: Conversation) =>
      view === 'waiting' ? Date.parse(row.state?.waiting_since ?? '') : -Date.parse(row.last_message_at ?? '')
    return found.sort((a, b) => key(a) - key(b))
  }
  const draftKey = (staffId: string, id: string) => `${staffId} ${id}`

  for (const id of customers) customerWrites(id)

  return {
    customerWrites,
    list,
    stateOf: stateOfCustomer,
    drafts: (staffId: string, id: string) => drafts.get(draftKey(staffId, id))?.text ?? '',
    delivered,
    notes,
    listen: (listener: (frame: Frame) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    loadTop: ({ query }: TopRequest, staffId: string): ListAnswer => {
      const rows = list(query, staffId)
      return { rows, hasNext: false, total: rows.length }
    },
    findConversation: (id: string): Conversation | null => (states.has(id) ? conversationOf(id) : null),
    loadMessages: (id: string): FetchedPage => ({ messages: messagesOf(id).slice(-50), hasMore: false }),
    markRead: (id: string): void => {
      for (const [index, message] of messages.entries()) {
        if (message.primary_user_id !== id || message.direction !== 'incoming' || message.is_read) continue
        const read = { ...message, is_read: true }
        messages[index] = read
        tell({ messages: { type: 'UPDATE', record: read, committedAt: moment() } })
      }
    },
    loadStats: (): Stats => {
      const unread = messages.filter(({ direction, is_read }) => direction === 'incoming' && !is_read).length
      return {
        messages: { total: messages.length, incoming: 0, outgoing: 0, unread },
        conversations: { total: customers.length, active24h: 0, active7d: 0 },
        users: { total: customers.length, linked: 0, active24h: 0 },
        total_conversations: customers.length,
        unread_messages: unread,
      }
    },
    /** A key is sent once. */
    sendMessage: ({ key, psid, text }: SendOrder): SendAnswer => {
      const known = messages.find(({ idempotency_key }) => idempotency_key === key)
      if (known) return { messageId: known.message_id, createdAt: known.created_at }
      const id = psid.replace('psid-', '')
      delivered.push({ key, text })
      const sent = insert(id, { message_text: text, direction: 'outgoing', is_read: true, idempotency_key: key })
      changeState(id, { waiting_since: null, returned_at: null }, null)
      return { messageId: sent.message_id, createdAt: sent.created_at }
    },
    changeStates: ({ changes }: ChangeStatesRequest, staffId: string): readonly ChangeStatesResult[] =>
      changes.map(({ id, version: seen, seen_message_at, decision }) => {
        const before = stateOfCustomer(id)
        const answer = (refusal: ChangeStatesResult['refusal'] = null) => ({ id, state: stateOfCustomer(id), refusal })
        const last = conversationOf(id).last_incoming_at ?? ''
        const hides = ('done' in decision && decision.done) || ('snooze' in decision && decision.snooze !== null)
        if ('unread' in decision) return answer()
        if ('labels' in decision) {
          const { add, remove } = decision.labels
          const kept = before.label_ids.filter((label) => !remove.includes(label) && !add.includes(label))
          const next = [...kept, ...add]
          if (next.join() !== before.label_ids.join()) changeState(id, { label_ids: next }, staffId)
          return answer()
        }
        if ('done' in decision && decision.done === (before.done_at !== null)) return answer()
        if ('assigned_to' in decision && decision.assigned_to === before.assigned_to) return answer()
        if ('muted' in decision && decision.muted === (before.muted_at !== null)) return answer()
        if (hides && (seen_message_at ?? '') < last) return answer('written')
        if (seen !== before.version) return answer('changed')
        const awake = { snoozed_at: null, snoozed_until: null }
        const open = { done_at: null, done_by: null, waiting_since: firstUnanswered(id) }
        if ('done' in decision)
          changeState(
            id,
            decision.done ? { ...awake, done_at: moment(), done_by: staffId, waiting_since: null } : open,
            staffId,
          )
        if ('snooze' in decision)
          changeState(
            id,
            decision.snooze === null
              ? awake
              : { ...(before.done_at === null ? {} : open), snoozed_at: moment(), snoozed_until: null },
            staffId,
          )
        if ('assigned_to' in decision) changeState(id, { assigned_to: decision.assigned_to }, staffId)
        if ('muted' in decision) changeState(id, { muted_at: decision.muted ? moment() : null }, staffId)
        return answer()
      }),
    loadNotes: (id: string): readonly Note[] => notes.filter(({ primary_user_id }) => primary_user_id === id),
    /** A note that is saved again is the same note. */
    saveNote: ({ conversationId, id, text, mentions }: NoteRequest, staffId: string): Note => {
      const known = notes.find((note) => note.id === id)
      if (known) return known
      const saved: Note = {
        id,
        primary_user_id: conversationId,
        staff_id: staffId,
        text,
        mentions: [...mentions],
        created_at: moment(),
      }
      notes.push(saved)
      tell({ colleagues: { type: 'note.changed', change: { type: 'INSERT', note: saved } } })
      return saved
    },
    isTyping: (staffId: string, tab: string, conversationId: string, isTyping: boolean) =>
      tell({
        colleagues: {
          type: 'presence.changed',
          change: { type: 'INSERT', id: tab, staffId, conversationId, isTyping },
        },
      }),
    loadDrafts: (staffId: string): readonly ServerDraft[] =>
      customers.flatMap((id) => drafts.get(draftKey(staffId, id)) ?? []),
    saveDraft: ({ conversationId: id, text, extras, version: written, replaces }: DraftSave, staffId: string) => {
      const key = draftKey(staffId, id)
      const before = drafts.get(key) ?? null
      if (before?.version === written) return { isSaved: true, draft: before }
      if ((before?.version ?? null) !== replaces) return { isSaved: text === '' && before === null, draft: before }
      if (text === '') drafts.delete(key)
      else drafts.set(key, { conversationId: id, text, extras, version: written })
      return { isSaved: true, draft: drafts.get(key) ?? null }
    },
  }
}

export type TeamWorld = ReturnType<typeof createTeamWorld>
