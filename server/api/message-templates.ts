import { Hono } from 'hono'
import * as z from 'zod/mini'
import { messageTemplatesAnswer } from '../../src/schemas/structured-message.ts'
import { GraphError } from '../network/graph/graph-error.ts'
import { PageUnusable } from '../network/graph/page-calls.ts'
import type { MessageTemplates } from '../network/send/message-templates.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const ofPage = z.object({ pageId: z.string() })

/** The templates that may be sent at any time (feature 'message-templates'), to be mounted at /api/facebook. */
export const createMessageTemplateRoutes = ({ templates }: { templates: Pick<MessageTemplates, 'list'> }) =>
  new Hono<Authenticated>().get(
    '/pages/:pageId/message-templates',
    described({
      tag: 'Conversations and messages',
      summary: 'The utility templates of a page that the network has approved, by name',
      answer: messageTemplatesAnswer,
      refusals: {
        404: 'There is no such page',
        422: 'The page has no usable token, or the network refuses to list its templates',
        429: 'The network limits the rate of calls',
        503: 'The network does not respond',
      },
    }),
    requirePermission('messages.send'),
    valid('param', ofPage),
    async (c) => {
      try {
        const data = await templates.list(c.req.valid('param').pageId)
        return c.json({ success: true, data } satisfies z.infer<typeof messageTemplatesAnswer>)
      } catch (error) {
        if (error instanceof PageUnusable) {
          return error.reason === 'unknown'
            ? refuse(c, 404, 'Page not found')
            : refuse(c, 422, 'This page has no usable token. Reconnect the page.')
        }
        if (!(error instanceof GraphError)) throw error
        if (error.refusal === 'rateLimited') return refuse(c, 429, 'The network asks for a pause.')
        if (error.uncertain) return refuse(c, 503, 'The network does not answer at the moment.')
        return refuse(
          c,
          422,
          'The network does not list the templates of this page. Its token needs the permission page_utility_messaging.',
        )
      }
    },
  )
