import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idsOfConversation } from '../../../src/domain/list/conversation-row.ts'
import {
  emptyRecords,
  type Records,
  rowById,
  rowIn,
  withFetched,
  withMessageChanges,
  withReadMark,
  withUserChanges,
} from '../../../src/domain/list/records.ts'
import type { MessageChange, UserChange } from '../../../src/domain/shell/changes.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { at, messageIn, row } from '../../model/inbox-fixture.ts'

const ids = ['c1', 'c2', 'c3'] as const
type Id = (typeof ids)[number]

/** A server that delivers changes late, in order by kind, and answers with its state at the time of the request. */
function createServer() {
  let minute = 100
  const rows = new Map<Id, Conversation>(ids.map((id, index) => [id, row(id, index, { unread_messages: 2 })]))
  const put = (id: Id, change: (known: Conversation) => Partial<Conversation>) => {
    const known = rows.get(id)
    if (known) rows.set(id, { ...known, ...change(known) })
  }
  return {
    answer: (from: number) => ids.slice(from).flatMap((id) => rows.get(id) ?? []),
    write: (id: Id): MessageChange => {
      minute += 1
      const record = messageIn(id, minute)
      put(id, (known) => ({
        last_message_at: at(minute),
        last_message_text: record.message_text,
        last_incoming_at: at(minute),
        total_messages: known.total_messages + 1,
        unread_messages: known.unread_messages + 1,
      }))
      return { type: 'INSERT', record, committedAt: at(minute) }
    },
    rename: (id: Id): UserChange => {
      minute += 1
      const name = `name ${minute}`
      put(id, () => ({ user_name: name, unified_name: name, client_id: `k${minute}` }))
      const facts = { id: id.replace('c', 'u'), name, client_id: `k${minute}` }
      return { type: 'UPDATE', row: facts, committedAt: at(minute) }
    },
    read: (id: Id) => put(id, () => ({ unread_messages: 0 })),
  }
}

const step = fc.record({
  do: fc.constantFrom('write', 'rename', 'hearMessage', 'hearPerson', 'hearPersonLate', 'read', 'ask', 'answer'),
  which: fc.nat(20),
})

type Fetch = { rows: readonly Conversation[]; asOf: number }

/** The invariants of every state of the records. */
function checkIndex(records: Records) {
  for (const id of ids) {
    const known = rowById(records, id)
    if (known) for (const identity of idsOfConversation(known)) expect(rowIn(records, [identity])).toBe(known)
  }
}

it('the records match the server after the last answer and never undo a realtime change or a read', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const server = createServer()
      let records = withFetched(emptyRecords, server.answer(0), 0)
      const messages: MessageChange[] = []
      const people: UserChange[] = []
      const fetches: Fetch[] = []
      const newestName = new Map<string, string>()
      const idOf = (which: number): Id => ids[which % ids.length] ?? 'c1'

      const hear = (change: MessageChange | undefined) => {
        if (change) records = withMessageChanges(records, [change])
      }
      const hearPerson = (change: UserChange | undefined) => {
        if (!change) return
        records = withUserChanges(records, [change])
        const known = newestName.get(change.row.id)
        // Names sort by the time of the change.
        if (known === undefined || (change.row.name ?? '') > known) newestName.set(change.row.id, change.row.name ?? '')
      }
      const perform: Record<string, (which: number) => void> = {
        write: (which) => void messages.push(server.write(idOf(which))),
        rename: (which) => void people.push(server.rename(idOf(which))),
        hearMessage: () => hear(messages.shift()),
        hearPerson: () => hearPerson(people.shift()),
        hearPersonLate: () => hearPerson(people.pop()),
        // Staff read what they see: all realtime changes of the conversation have arrived.
        read: (which) => {
          for (const change of messages.splice(0)) hear(change)
          server.read(idOf(which))
          records = withReadMark(records, idOf(which))
        },
        ask: (which) => void fetches.push({ rows: server.answer(which % 3), asOf: records.sequence }),
        answer: (which) => {
          const [fetch] = fetches.splice(which % Math.max(fetches.length, 1), 1)
          if (fetch === undefined) return
          const before = ids.map((id) => rowById(records, id))
          records = withFetched(records, fetch.rows, fetch.asOf)
          for (const known of before) {
            const now = known && rowById(records, known.primary_user_id ?? '')
            if (!now || fetch.asOf === records.sequence) continue
            const isReadAgain = known.unread_messages === 0 && now.last_message_at === known.last_message_at
            if (
              isReadAgain &&
              records.log.some(
                ({ sequence, change }) =>
                  sequence > fetch.asOf && change.type === 'read' && change.id === known.primary_user_id,
              )
            )
              expect(now.unread_messages).toBe(0)
          }
        },
      }
      for (const { do: what, which } of steps) {
        perform[what]?.(which)
        checkIndex(records)
        for (const [person, name] of newestName) {
          const facts = records.people.get(person)?.facts
          expect(facts?.name).toBe(name)
        }
      }
      for (const change of messages) hear(change)
      for (const change of people) hearPerson(change)
      // Answers to old requests arrive before the last answer.
      for (const { rows, asOf } of fetches) records = withFetched(records, rows, asOf)
      records = withFetched(records, server.answer(0), records.sequence)
      expect(ids.map((id) => rowById(records, id))).toEqual(server.answer(0))
    }),
    { numRuns: 2_000 },
  )
})
