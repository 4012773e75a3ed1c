import { Hono } from 'hono'
import * as z from 'zod/mini'
import { noteAnswer, noteBody, noteLimits, notesAnswer } from '../../src/schemas/note.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { findPrimaryUserId, writeToConversation } from '../database/people.ts'
import { inTransaction } from '../database/transaction.ts'
import { addNote, deleteOwnNote, listNotes, type StoredNote } from '../notes/notes.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Notes'
const byId = z.object({ id: z.string() })
const unknown = 'Conversation not found'

const toApi = (note: StoredNote) => ({ ...note, created_at: note.created_at.toISOString() })

/** Internal notes of staff (feature 'notes'), to be mounted at /api/facebook. They never reach the network. */
export const createNoteRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) =>
  new Hono<Authenticated>()
    .get(
      '/conversations/:id/notes',
      described({
        tag,
        summary: 'The notes of a conversation, oldest first',
        answer: notesAnswer,
        refusals: { 404: 'There is no such conversation' },
      }),
      requirePermission('conversations.read'),
      valid('param', byId),
      async (c) => {
        const primaryUserId = await findPrimaryUserId(db, c.req.valid('param').id)
        if (primaryUserId === null) return refuse(c, 404, unknown)
        const notes = await listNotes(db, primaryUserId)
        return c.json({ success: true, data: { notes: notes.map(toApi) } } satisfies z.infer<typeof notesAnswer>)
      },
    )
    .post(
      '/conversations/:id/notes',
      described({
        tag,
        takesBody: true,
        summary: 'Write a note; the same id stores it once',
        answer: noteAnswer,
        refusals: {
          404: 'There is no such conversation',
          409: 'Another note has this id',
          422: 'The conversation has too many notes',
        },
      }),
      requirePermission('notes.write'),
      valid('param', byId),
      valid('json', noteBody),
      async (c) => {
        const written = { ...c.req.valid('json'), staffId: c.get('staff').id, at: new Date(clock.now()) }
        const note = await writeToConversation(db, c.req.valid('param').id, (trx, primaryUserId) =>
          addNote(trx, { ...written, primaryUserId }),
        )
        if (note === null) return refuse(c, 404, unknown)
        if (note === 'taken') return refuse(c, 409, 'This note was already saved')
        if (note === 'full')
          return refuse(c, 422, `This conversation has ${noteLimits.notes} notes. Delete one of yours first.`)
        return c.json({ success: true, data: toApi(note) } satisfies z.infer<typeof noteAnswer>)
      },
    )
    .delete(
      '/notes/:id',
      described({ tag, summary: 'Delete an own note; idempotent', answer: successAnswer }),
      requirePermission('notes.write'),
      valid('param', byId),
      async (c) => {
        await inTransaction(db, async (trx) => {
          const conversation = await deleteOwnNote(trx, c.req.valid('param').id, c.get('staff').id)
          if (conversation === undefined) return
          await recordAudit(trx, {
            at: clock.now(),
            by: c.get('actor'),
            action: 'note.deleted',
            row: { kind: 'conversation', id: conversation },
          })
        })
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
