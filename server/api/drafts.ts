import { Hono } from 'hono'
import * as z from 'zod/mini'
import { draftsAnswer, saveDraftAnswer, saveDraftBody } from '../../src/schemas/draft.ts'
import { cleanText, cleanTexts } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { listDrafts, saveDraft } from '../database/drafts.ts'
import type { Row } from '../database/tables.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Conversations and messages'
const byId = z.object({ id: z.string().check(z.maxLength(200)) })

const toApiDraft = ({ primary_user_id, text, extras, version, updated_at }: Row<'drafts'>) => ({
  conversation_id: primary_user_id,
  text,
  extras,
  version,
  updated_at: updated_at.toISOString(),
})

/** The drafts of the signed-in staff member, to be mounted at /api/facebook. */
export const createDraftRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) =>
  new Hono<Authenticated>()
    .get(
      '/drafts',
      described({ tag, summary: 'The drafts of the signed-in person, newest first', answer: draftsAnswer }),
      requirePermission('messages.send'),
      async (c) => {
        const drafts = await listDrafts(db, c.get('staff').id)
        return c.json({ success: true, data: drafts.map(toApiDraft) } satisfies z.infer<typeof draftsAnswer>)
      },
    )
    .put(
      '/drafts/:id',
      described({
        tag,
        takesBody: true,
        summary:
          'Save or remove the draft of the signed-in person for a conversation; not saved if it replaces another version than the stored one',
        answer: saveDraftAnswer,
        refusals: {
          400: 'The body is not valid',
          404: 'There is no such conversation',
          422: 'The person has too many drafts',
        },
      }),
      requirePermission('messages.send'),
      valid('param', byId),
      valid('json', saveDraftBody),
      async (c) => {
        const body = c.req.valid('json')
        const saved = await saveDraft(db, {
          ...body,
          text: cleanText(body.text),
          extras: cleanTexts(body.extras),
          staffId: c.get('staff').id,
          conversationId: c.req.valid('param').id,
          now: new Date(clock.now()),
        })
        if (saved === 'unknown') return refuse(c, 404, 'Conversation not found')
        if (saved === 'too many') return refuse(c, 422, 'You have too many drafts', 'TOO_MANY_DRAFTS')
        return c.json({
          success: true,
          data: { is_saved: saved.isSaved, draft: saved.draft && toApiDraft(saved.draft) },
        } satisfies z.infer<typeof saveDraftAnswer>)
      },
    )
