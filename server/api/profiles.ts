import { Hono } from 'hono'
import * as z from 'zod/mini'
import { refreshProfileAnswer } from '../../src/schemas/client.ts'
import { GraphError } from '../network/graph/graph-error.ts'
import { PageUnusable } from '../network/graph/page-calls.ts'
import type { Pictures } from '../network/pictures/pictures.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const byId = z.object({ id: z.string() })

/** Refreshing expired profile pictures (spec section 7), to be mounted at /api/facebook. */
export const createProfileRoutes = ({ pictures }: { pictures: Pick<Pictures, 'refreshPerson'> }) =>
  new Hono<Authenticated>().post(
    '/refresh-user-profile/:id',
    described({
      tag: 'Pages and sync',
      summary: "Refresh a person's picture; null if the network returns none",
      answer: refreshProfileAnswer,
      refusals: {
        404: 'There is no such person',
        422: 'The network refuses to show the picture',
        429: 'The network limits the rate of calls',
        503: 'The network does not respond',
      },
    }),
    requirePermission('conversations.read'),
    valid('param', byId),
    async (c) => {
      try {
        const picture = await pictures.refreshPerson(c.req.valid('param').id)
        if (picture === undefined) return refuse(c, 404, 'User not found')
        return c.json({
          success: true,
          data: { new_profile_pic: picture },
        } satisfies z.infer<typeof refreshProfileAnswer>)
      } catch (error) {
        if (error instanceof PageUnusable) return refuse(c, 422, 'The page of this person has no usable token.')
        if (!(error instanceof GraphError)) throw error
        if (error.refusal === 'rateLimited') return refuse(c, 429, 'The network asks for a pause.')
        if (error.uncertain) return refuse(c, 503, 'The network does not answer at the moment.')
        return refuse(c, 422, 'The network does not show this picture.')
      }
    },
  )
