import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../database/database.ts'
import type { Download } from '../database/tables/imports.ts'

/** Short, because the browser uses a ticket at once. Milliseconds. */
const validFor = 60_000

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex')

/** Returns a ticket with which the holder of the session may download an export once. */
export async function issueTicket(db: Db, sessionId: string, request: Download, now: number): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await db.deleteFrom('export_tickets').where('expires_at', '<=', new Date(now)).execute()
  await db
    .insertInto('export_tickets')
    .values({
      ticket_hash: hashOf(ticket),
      session_id: sessionId,
      request: JSON.stringify(request),
      expires_at: new Date(now + validFor),
    })
    .execute()
  return ticket
}

/** Uses up a ticket, and returns its export and session. Null if it is unknown, used or expired. */
export async function takeTicket(db: Db, ticket: string, now: number) {
  const taken = await db
    .deleteFrom('export_tickets')
    .where('ticket_hash', '=', hashOf(ticket))
    .returning(['session_id', 'request', 'expires_at'])
    .executeTakeFirst()
  if (taken === undefined || taken.expires_at.getTime() <= now) return null
  const { session_id: sessionId, request } = taken
  const session = await db
    .selectFrom('staff_sessions')
    .select('staff_id')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session === undefined ? null : { request, sessionId, staffId: session.staff_id }
}
