import { Hono } from 'hono'
import * as z from 'zod/mini'
import { apiKeyLimits, apiKeysAnswer, createApiKeyBody, createdApiKeyAnswer } from '../../src/schemas/api-key.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../imports/api-keys.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'API keys'

/** The keys of other programs, to be mounted at /api/api-keys. */
export const createApiKeyRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) =>
  new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'The keys that are not revoked, newest first', answer: apiKeysAnswer }),
      requirePermission('api-keys.manage'),
      async (c) =>
        c.json({ success: true, data: { keys: await listApiKeys(db) } } satisfies z.infer<typeof apiKeysAnswer>),
    )
    .post(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Make a key; returns its secret once',
        answer: createdApiKeyAnswer,
        refusals: { 409: 'There are too many keys' },
      }),
      requirePermission('api-keys.manage'),
      valid('json', createApiKeyBody),
      async (c) => {
        const by = { by: c.get('actor'), now: new Date(clock.now()) }
        const data = await createApiKey(db, c.req.valid('json'), by)
        if (data === null) return refuse(c, 409, `There are ${apiKeyLimits.keys} keys. Revoke one first.`)
        return c.json({ success: true, data } satisfies z.infer<typeof createdApiKeyAnswer>)
      },
    )
    .delete(
      '/:id',
      described({ tag, summary: 'Revoke a key; idempotent', answer: successAnswer }),
      requirePermission('api-keys.manage'),
      valid('param', z.object({ id: z.string() })),
      async (c) => {
        await revokeApiKey(db, c.req.valid('param').id, { by: c.get('actor'), now: new Date(clock.now()) })
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
