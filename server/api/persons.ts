import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  type Erasure,
  erasableAnswer,
  erasePersonBody,
  erasureAnswer,
  personDocument,
} from '../../src/schemas/person.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { readErasable } from '../people/erasable.ts'
import { ClientShared } from '../people/erasure-subjects.ts'
import type { Erasures } from '../people/erasures.ts'
import { exportPerson } from '../people/export.ts'
import { findPeople } from '../people/find-people.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { type ExportStreams, refuseExport } from './export-streams.ts'

const tag = 'Data of a person'
const unknownPerson = 'There is no such person'
const severalPeople = 'This id belongs to several people. Use the id of the conversation.'

const byId = z.object({ id: z.string().check(z.maxLength(200)) })

const answer = (erasure: Erasure) => ({ success: true, data: erasure }) satisfies z.infer<typeof erasureAnswer>

/** Export and erasure of a person, to be mounted at /api/persons. */
export function createPersonRoutes({
  db,
  erasures,
  streams,
  clock,
}: {
  db: Db
  erasures: Pick<Erasures, 'beginPerson'>
  streams: ExportStreams
  clock: Clock
}) {
  /** Recorded before the first part. */
  async function* recorded(primaryUserId: string, by: AuditActor) {
    const row = { kind: 'conversation', id: primaryUserId } as const
    await recordAudit(db, { at: clock.now(), by, action: 'person.exported', row })
    yield* exportPerson(db, primaryUserId, new Date(clock.now()))
  }
  return new Hono<Authenticated>()
    .get(
      '/:id/export',
      described({
        tag,
        summary: 'Everything that the server knows of a person, as one JSON file',
        answer: personDocument,
        refusals: {
          404: unknownPerson,
          409: 'The psid belongs to several people',
          503: 'Too many exports are running',
        },
      }),
      requirePermission('persons.export'),
      valid('param', byId),
      async (c) => {
        const people = await findPeople(db, c.req.valid('param').id)
        const [primaryUserId] = people
        if (primaryUserId === undefined) return refuse(c, 404, unknownPerson)
        if (people.length > 1) return refuse(c, 409, severalPeople)
        // Nobody reads or cancels the body of an answer to HEAD, so the export would count as running for ever.
        const stream =
          c.req.method === 'HEAD' ? null : await streams.open(async () => recorded(primaryUserId, c.get('actor')))
        if (stream === 'full') return refuseExport(c)
        c.header('content-type', 'application/json; charset=utf-8')
        c.header('content-disposition', 'attachment; filename="person.json"')
        return stream === null ? c.body(null) : c.body(stream)
      },
    )
    .get(
      '/:id/erasable',
      described({
        tag,
        summary: 'What an erasure of the person would delete',
        answer: erasableAnswer,
        refusals: { 404: unknownPerson, 409: 'The psid belongs to several people' },
      }),
      requirePermission('persons.erase'),
      valid('param', byId),
      async (c) => {
        const people = await findPeople(db, c.req.valid('param').id)
        if (people.length > 1) return refuse(c, 409, severalPeople)
        const [primaryUserId] = people
        const data = primaryUserId === undefined ? null : await readErasable(db, primaryUserId)
        if (data === null) return refuse(c, 404, unknownPerson)
        return c.json({ success: true, data } satisfies z.infer<typeof erasableAnswer>)
      },
    )
    .post(
      '/:id/erase',
      described({
        tag,
        takesBody: true,
        summary: 'Erase a person with all identities; the erasure goes on after the answer',
        answer: erasureAnswer,
        refusals: {
          404: unknownPerson,
          409: 'The psid belongs to several people, or another person is linked to the client (code CLIENT_SHARED)',
        },
      }),
      requirePermission('persons.erase'),
      valid('param', byId),
      valid('json', erasePersonBody),
      async (c) => {
        const people = await findPeople(db, c.req.valid('param').id)
        if (people.length > 1) return refuse(c, 409, severalPeople)
        const { withClient = false } = c.req.valid('json')
        const by = c.get('actor')
        const [primaryUserId] = people
        try {
          const id = primaryUserId && (await erasures.beginPerson(primaryUserId, { by, withClient }))
          return id ? c.json(answer({ id, state: 'running' })) : refuse(c, 404, unknownPerson)
        } catch (error) {
          if (error instanceof ClientShared) return refuse(c, 409, error.message, 'CLIENT_SHARED')
          throw error
        }
      },
    )
}

/** The state of erasures, to be mounted at /api/erasures. */
export const createErasureRoutes = ({ erasures }: { erasures: Pick<Erasures, 'find'> }) =>
  new Hono<Authenticated>().get(
    '/:id',
    described({
      tag,
      summary: 'Whether an erasure is completed',
      answer: erasureAnswer,
      refusals: { 404: 'There is no such erasure' },
    }),
    requirePermission('persons.erase'),
    valid('param', byId),
    async (c) => {
      const erasure = await erasures.find(c.req.valid('param').id)
      return erasure === null ? refuse(c, 404, 'There is no such erasure') : c.json(answer(erasure))
    },
  )
