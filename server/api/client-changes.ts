import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { AuditAction, AuditDetails } from '../../src/schemas/audit.ts'
import { clientAnswer, clientChangedCode, editClientBody } from '../../src/schemas/client.ts'
import {
  clientSummaryAnswer,
  mergeClientsBody,
  removalAnswer,
  removalLimits,
  removeClientBody,
  removedClientsAnswer,
} from '../../src/schemas/client-removal.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { mergeClients, undoRemoval } from '../database/client-merges.ts'
import { countOrders, listRemovals, RemovalRefused, removeClient } from '../database/client-removals.ts'
import { editClient, findClient } from '../database/clients.ts'
import type { Db } from '../database/database.ts'
import type { MovedIdentity } from '../database/groups.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { clientToApi } from './clients.ts'

const tag = 'Clients and orders'
const unknownClient = 'Client not found'
const outdated = 'Somebody changed this client meanwhile. Compare both versions.'
const byId = z.object({ id: z.string().check(z.maxLength(200)) })

type Parts = { db: Db; clock: Pick<Clock, 'now'>; country: string }
type Caller = Context<Authenticated>

const auditing =
  ({ clock }: Pick<Parts, 'clock'>) =>
  (c: Caller, action: AuditAction, id: string, details?: AuditDetails) =>
  (trx: Db) =>
    recordAudit(trx, {
      at: clock.now(),
      by: c.get('actor'),
      action,
      row: { kind: 'client', id },
      ...(details === undefined ? {} : { details }),
    })

const refusals = { changed: [409, clientChangedCode], conflict: [409, undefined], unknown: [404, undefined] } as const

/** Answers with the identities of the changed conversations, or with the refusal. */
async function answerMoved(c: Caller, change: Promise<MovedIdentity[]>) {
  try {
    return c.json({ success: true, data: await change } satisfies z.infer<typeof removalAnswer>)
  } catch (error) {
    if (!(error instanceof RemovalRefused)) throw error
    const [status, code] = refusals[error.reason]
    return refuse(c, status, error.message, code)
  }
}

/** Clients that staff edit, delete and merge (feature 'client-changes'), to be mounted at /api/clients. */
export function createClientChangeRoutes({ db, clock, country }: Parts) {
  const audited = auditing({ clock })
  const contextOf = (c: Caller) => ({ now: new Date(clock.now()), by: c.get('actor').name, country })

  return new Hono<Authenticated>()
    .put(
      '/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Edit the fields of a client that still has the given version',
        answer: clientAnswer,
        refusals: {
          400: 'The body is not valid',
          404: 'There is no such client',
          409: `The client has another version (code ${clientChangedCode})`,
        },
      }),
      requirePermission('clients.manage'),
      valid('param', byId),
      valid('json', editClientBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const { email, phone, company_name, ...fields } = c.req.valid('json')
        const edited = { ...fields, email: email || null, phone: phone || null, company_name: company_name || null }
        const answer = await inTransaction(db, async (trx) => {
          const edit = await editClient(trx, id, edited, country)
          if (edit.result !== 'saved') return edit.result
          if (edit.changed.length > 0) await audited(c, 'client.changed', id, { fields: edit.changed })(trx)
          return (await findClient(trx, id)) ?? 'unknown'
        })
        if (answer === 'unknown') return refuse(c, 404, unknownClient)
        if (answer === 'outdated') return refuse(c, 409, outdated, clientChangedCode)
        return c.json({ success: true, data: clientToApi(country)(answer) } satisfies z.infer<typeof clientAnswer>)
      },
    )
    .get(
      '/:id/summary',
      described({
        tag,
        summary: 'A client with the numbers of its orders and payments, before it is deleted or merged',
        answer: clientSummaryAnswer,
        refusals: { 404: 'There is no such client' },
      }),
      requirePermission('clients.remove'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        const found = await findClient(db, id)
        if (found === undefined) return refuse(c, 404, unknownClient)
        const data = { client: clientToApi(country)(found), ...(await countOrders(db, id)) }
        return c.json({ success: true, data } satisfies z.infer<typeof clientSummaryAnswer>)
      },
    )
    .delete(
      '/:id',
      described({
        tag,
        takesBody: true,
        summary: `Delete a client with its orders and payments, and unlink its conversation; can be undone for ${removalLimits.days} days`,
        answer: removalAnswer,
        refusals: {
          400: 'The body is not valid',
          404: 'There is no such client',
          409: `The client has another version (code ${clientChangedCode})`,
        },
      }),
      requirePermission('clients.remove'),
      valid('param', byId),
      valid('json', removeClientBody),
      (c) => {
        const { id } = c.req.valid('param')
        const { version } = c.req.valid('json')
        return answerMoved(c, removeClient(db, { id, version }, contextOf(c), audited(c, 'client.deleted', id)))
      },
    )
    .post(
      '/:id/merge',
      described({
        tag,
        takesBody: true,
        summary: `Merge the client \`other\` into this one, and join their conversations; can be undone for ${removalLimits.days} days`,
        answer: removalAnswer,
        refusals: {
          400: 'The body is not valid',
          404: 'There is no such client',
          409: `A client has another version (code ${clientChangedCode}), or both are the same`,
        },
      }),
      requirePermission('clients.remove'),
      valid('param', byId),
      valid('json', mergeClientsBody),
      (c) => {
        const { id } = c.req.valid('param')
        const body = c.req.valid('json')
        const onMerged = audited(c, 'client.merged', id, { other: body.other, fields: body.take })
        return answerMoved(c, mergeClients(db, { ...body, id }, contextOf(c), onMerged))
      },
    )
}

/** Deleted and merged clients (feature 'client-changes'), to be mounted at /api/client-removals. */
export function createClientRemovalRoutes({ db, clock, country }: Parts) {
  const audited = auditing({ clock })
  return new Hono<Authenticated>()
    .get(
      '/',
      described({
        tag,
        summary: `The clients that were deleted or merged in the last ${removalLimits.days} days, newest first, at most ${removalLimits.listed}`,
        answer: removedClientsAnswer,
      }),
      requirePermission('clients.remove'),
      async (c) => {
        const data = await listRemovals(db)
        return c.json({ success: true, data } satisfies z.infer<typeof removedClientsAnswer>)
      },
    )
    .post(
      '/:id/undo',
      described({
        tag,
        summary: 'Undo the deletion or the merge of a client',
        answer: removalAnswer,
        refusals: {
          404: 'No such client can be restored',
          409: 'The client that it was merged into was deleted or merged since',
        },
      }),
      requirePermission('clients.remove'),
      valid('param', byId),
      (c) => {
        const { id } = c.req.valid('param')
        return answerMoved(
          c,
          undoRemoval(db, id, { country }, (trx, keptId) =>
            audited(c, 'client.restored', id, keptId === null ? {} : { from: keptId })(trx),
          ),
        )
      },
    )
}
