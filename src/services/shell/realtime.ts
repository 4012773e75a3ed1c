import type { SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import type {
  ChannelInput,
  ChannelName,
  ChannelReport,
  MessageChange,
  StateReport,
  UserChange,
} from '../../domain/shell/changes.ts'
import { fbUserRow } from '../../schemas/conversation.ts'
import { conversationEventRow } from '../../schemas/conversation-state.ts'
import { message } from '../../schemas/message.ts'
import { id } from '../../schemas/primitives.ts'
import { createBatches, type frameTiming } from './batches.ts'

const tables = { messages: 'messages', users: 'fb_users' } as const satisfies Record<ChannelName, string>

/** The realtime client's payload of a change; `new` and `old` must be parsed before use. */
const change = z.object({
  eventType: z.enum(['INSERT', 'UPDATE', 'DELETE']),
  commit_timestamp: z.nullish(z.string()),
  new: z.unknown(),
  old: z.unknown(),
  /** If a row was too large, its values are truncated and `errors` is set. */
  errors: z.nullish(z.array(z.unknown())),
})
const deletedMessage = z.object({ message_id: id })
const system = z.object({ extension: z.string(), status: z.string() })

/** Parses a change of a message; null if it does not match the schema. */
export function readMessageChange(payload: unknown): MessageChange | null {
  const parsed = z.safeParse(change, payload)
  if (!parsed.success || parsed.data.errors?.length) return null
  const { eventType, new: record, old, commit_timestamp } = parsed.data
  if (eventType === 'DELETE') {
    const key = z.safeParse(deletedMessage, old)
    return key.success ? { type: 'DELETE', messageId: key.data.message_id } : null
  }
  const row = z.safeParse(message, record)
  return row.success ? { type: eventType, record: row.data, committedAt: commit_timestamp ?? undefined } : null
}

/** Parses a change of a chat user; null if it does not match the schema, or if the row was deleted. */
export function readUserChange(payload: unknown): UserChange | null {
  const parsed = z.safeParse(change, payload)
  if (!parsed.success || parsed.data.errors?.length || parsed.data.eventType === 'DELETE') return null
  const row = z.safeParse(fbUserRow, parsed.data.new)
  const { eventType: type, commit_timestamp } = parsed.data
  return row.success ? { type, row: row.data, committedAt: commit_timestamp ?? undefined } : null
}

/** Parses an insert into `conversation_events`; null if it does not match the schema. */
export function readStateReport(payload: unknown): StateReport | null {
  const parsed = z.safeParse(change, payload)
  if (!parsed.success || parsed.data.errors?.length) return null
  const row = z.safeParse(conversationEventRow, parsed.data.new)
  if (!row.success) return null
  const { id: version, primary_user_id, at: _, changed_by, ...state } = row.data
  return { id: primary_user_id, state: { version, ...state }, changedBy: changed_by }
}

type Settings = {
  client: () => Promise<SupabaseClient>
  /** Resolves when the code of the client may be loaded; immediately if absent. */
  mayLoad?: Promise<void>
  timing: ReturnType<typeof frameTiming>
}

type Tell = (event: ChannelReport) => void
type Reader = { read: (payload: unknown) => void; stop: () => void }

const messageReader = (tell: Tell, timing: Settings['timing']): Reader => {
  const batches = createBatches<MessageChange>((changes) => tell({ type: 'messages.received', changes }), timing)
  return { ...batches, read: readWith(readMessageChange, batches.add, tell) }
}

const userReader = (tell: Tell, timing: Settings['timing']): Reader => {
  const batches = createBatches<UserChange>((changes) => tell({ type: 'users.received', changes }), timing)
  return { ...batches, read: readWith(readUserChange, batches.add, tell) }
}

const stateReader = (tell: Tell, timing: Settings['timing']): Reader => {
  const batches = createBatches<StateReport>((changes) => tell({ type: 'states.received', changes }), timing)
  return { ...batches, read: readWith(readStateReport, batches.add, tell) }
}

const readWith =
  <Change>(parse: (payload: unknown) => Change | null, add: (change: Change) => void, tell: Tell) =>
  (payload: unknown) => {
    const parsed = parse(payload)
    if (parsed === null) tell({ type: 'row.refused' })
    else add(parsed)
  }

/**
 * The realtime channels (spec section 4), on the connection of the identity provider's client. The returned function
 * subscribes to one channel and reports its events until its own result is called. A channel object is never reused,
 * because the client would rejoin a broken channel by itself, at its own intervals.
 */
export function createChannels({ client: load, mayLoad = Promise.resolve(), timing }: Settings) {
  let opened = 0

  return (
    { channel: name, needsFreshToken, withStates }: ChannelInput,
    report: (event: ChannelReport) => void,
  ): (() => void) => {
    let isOpen = true
    let leave = () => {}
    const tell = (event: ChannelReport) => {
      if (isOpen) report(event)
    }
    const reader = name === 'messages' ? messageReader(tell, timing) : userReader(tell, timing)
    const states = withStates === true ? stateReader(tell, timing) : null

    const join = async () => {
      await mayLoad
      // A client loaded after sign-out would have no user.
      if (!isOpen) return
      const client = await load()
      if (needsFreshToken) await client.auth.refreshSession()
      const { data } = await client.auth.getSession()
      // Without a session, the client would join with the public key and receive no changes.
      if (data.session === null) throw new Error('there is no session to join with')
      // Without this call, the first join carries no token, and row level security filters out all rows without an
      // error.
      await client.realtime.setAuth()
      if (!isOpen) return
      opened += 1
      const channel = client
        .channel(`inbox-${name}-${opened}`)
        .on('postgres_changes', { event: '*', schema: 'public', table: tables[name] }, reader.read)
        .on('system', {}, (payload: unknown) => {
          const confirmed = z.safeParse(system, payload)
          if (!confirmed.success || confirmed.data.extension !== 'postgres_changes') return
          tell({ type: confirmed.data.status === 'ok' ? 'channel.ready' : 'channel.failed', channel: name })
        })
      if (states !== null)
        channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'conversation_events' }, states.read)
      leave = () => void client.removeChannel(channel)
      channel.subscribe((status, error) => {
        if (status === 'SUBSCRIBED') tell({ type: 'channel.subscribed', channel: name })
        else if (status === 'TIMED_OUT') tell({ type: 'channel.timedOut', channel: name })
        else if (status === 'CLOSED') tell({ type: 'channel.closed', channel: name })
        else {
          const reason = error?.message ?? ''
          if (/unauthorized/i.test(reason)) tell({ type: 'access.refused' })
          tell({ type: 'channel.failed', channel: name, isTokenRefused: /jwt|expired/i.test(reason) })
        }
      })
    }
    join().catch(() => tell({ type: 'channel.failed', channel: name }))

    return () => {
      isOpen = false
      reader.stop()
      states?.stop()
      leave()
    }
  }
}
