import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type * as z from 'zod/mini'
import { isAutomaticKey } from '../../src/domain/faq/automatic.ts'
import { sendMessageAnswer } from '../../src/schemas/message.ts'
import { sendMessageBody } from '../../src/schemas/send-message.ts'
import { SendRefused } from '../network/send/send-refusals.ts'
import type { Sending } from '../network/send/sending.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { isWellFormedKey, keyHeader, keyParameter } from './idempotency-key.ts'

/** Sending a message (spec section 7), to be mounted at /api/facebook. */
export const createSendingRoutes = ({ sending }: { sending: Pick<Sending, 'send'> }) =>
  new Hono<Authenticated>().post(
    '/send-message',
    described({
      tag: 'Conversations and messages',
      takesBody: true,
      summary:
        'Send a message to a person; the same key gets the same answer, and is looked for on the network before it is sent again',
      answer: sendMessageAnswer,
      parameters: [keyParameter('message', false)],
      refusals: {
        400: 'The body or the key is not valid',
        409: 'The key was used for another message',
        422: 'The network or the page refuses the message; the reason is in `error` and `code`',
        429: 'The network limits the rate of calls',
        503: 'The network has a temporary problem, and may have accepted the message',
        504: 'The network did not respond, and may have accepted the message',
      },
    }),
    requirePermission('messages.send'),
    valid('json', sendMessageBody),
    async (c) => {
      const key = c.req.header(keyHeader) ?? randomUUID()
      if (!isWellFormedKey(key) || isAutomaticKey(key)) return refuse(c, 400, `${keyHeader} is not valid`)
      const body = c.req.valid('json')
      try {
        const { messageId, createdAt } = await sending.send({
          key,
          staffId: c.get('staff').id,
          pageId: body.pageId,
          psid: body.recipientPsid,
          ...(body.messageType === 'file' ? { text: '', fileId: body.fileId } : { text: body.messageText }),
          ...(body.replyTo === undefined ? {} : { replyTo: body.replyTo }),
          ...(body.messageType === 'structured' ? { structured: body.structured } : {}),
        })
        return c.json({
          success: true,
          data: { message_id: messageId, created_at: createdAt },
        } satisfies z.infer<typeof sendMessageAnswer>)
      } catch (error) {
        if (error instanceof SendRefused) return refuse(c, error.status, error.message, error.code)
        throw error
      }
    },
  )
