import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { comparable } from '../../src/domain/comparable.ts'
import { labelBody, labelsAnswer, labelUsageAnswer, savedLabelAnswer } from '../../src/schemas/label.ts'
import { clientLabelsAnswer, labelChange, labelLimits } from '../../src/schemas/labels-of-row.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import {
  changeClientLabels,
  countLabelUse,
  createLabel,
  deleteLabel,
  type LabelValues,
  listLabels,
  updateLabel,
} from '../database/labels.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Labels'
const byId = z.object({ id: z.string() })

const refusals = {
  400: 'The body is not valid',
  409: 'Another label has this name, or the label was deleted',
  422: 'There are too many labels, or a keyword has neither letter nor number',
} as const

type Parts = { db: Db; clock: Pick<Clock, 'now'> }

const recorded = (c: Context<Authenticated>, clock: Pick<Clock, 'now'>) => ({ at: clock.now(), by: c.get('actor') })

/** A keyword without letters or numbers never matches. */
const findEmptyKeyword = ({ keywords }: LabelValues) => keywords.find((keyword) => comparable(keyword) === '')

/** Labels (feature 'labels'), to be mounted at /api/labels. Conversations get theirs by /facebook/conversations/state. */
export const createLabelRoutes = ({ db, clock }: Parts) =>
  new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'All labels, sorted by name', answer: labelsAnswer }),
      requirePermission('conversations.read'),
      async (c) =>
        c.json({ success: true, data: { labels: await listLabels(db) } } satisfies z.infer<typeof labelsAnswer>),
    )
    .post(
      '/',
      described({ tag, takesBody: true, summary: 'Create a label', answer: savedLabelAnswer, refusals }),
      requirePermission('labels.manage'),
      valid('json', labelBody),
      async (c) => {
        const values = c.req.valid('json')
        const bad = findEmptyKeyword(values)
        if (bad !== undefined) return refuse(c, 422, noWord(bad))
        const created = await createLabel(db, values, (trx, id) =>
          recordAudit(trx, {
            ...recorded(c, clock),
            action: 'label.created',
            row: { kind: 'label', id },
            details: { name: values.name },
          }),
        )
        if (created === 'taken') return refuse(c, 409, taken(values))
        if (created === 'full') return refuse(c, 422, `There are ${labelLimits.labels} labels. Delete one first.`)
        return c.json({
          success: true,
          data: { id: created.id, labels: await listLabels(db) },
        } satisfies z.infer<typeof savedLabelAnswer>)
      },
    )
    .put(
      '/:id',
      described({ tag, takesBody: true, summary: 'Change a label', answer: savedLabelAnswer, refusals }),
      requirePermission('labels.manage'),
      valid('param', byId),
      valid('json', labelBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const values = c.req.valid('json')
        const bad = findEmptyKeyword(values)
        if (bad !== undefined) return refuse(c, 422, noWord(bad))
        const changed = await updateLabel(db, id, values, (trx) =>
          recordAudit(trx, {
            ...recorded(c, clock),
            action: 'label.changed',
            row: { kind: 'label', id },
            details: { name: values.name },
          }),
        )
        if (changed === 'taken') return refuse(c, 409, taken(values))
        if (changed === 'unknown') return refuse(c, 409, deletedMeanwhile)
        return c.json({
          success: true,
          data: { id, labels: await listLabels(db) },
        } satisfies z.infer<typeof savedLabelAnswer>)
      },
    )
    .delete(
      '/:id',
      described({ tag, summary: 'Delete a label everywhere; idempotent', answer: labelsAnswer }),
      requirePermission('labels.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        await deleteLabel(db, id, new Date(clock.now()), (trx, name) =>
          recordAudit(trx, {
            ...recorded(c, clock),
            action: 'label.deleted',
            row: { kind: 'label', id },
            details: { name },
          }),
        )
        return c.json({ success: true, data: { labels: await listLabels(db) } } satisfies z.infer<typeof labelsAnswer>)
      },
    )
    .get(
      '/:id/usage',
      described({ tag, summary: 'How many conversations and clients have the label', answer: labelUsageAnswer }),
      requirePermission('labels.manage'),
      valid('param', byId),
      async (c) =>
        c.json({
          success: true,
          data: await countLabelUse(db, c.req.valid('param').id),
        } satisfies z.infer<typeof labelUsageAnswer>),
    )

/** The labels of clients, to be mounted at /api/clients. */
export const createClientLabelRoutes = ({ db, clock }: Parts) =>
  new Hono<Authenticated>().post(
    '/:id/labels',
    described({
      tag,
      takesBody: true,
      summary: 'Put labels on a client and take them off',
      answer: clientLabelsAnswer,
      refusals: {
        400: 'The body is not valid',
        404: 'There is no such client',
        409: 'A label was deleted',
        422: 'The client would have too many labels',
      },
    }),
    requirePermission('conversations.manage'),
    valid('param', byId),
    valid('json', labelChange),
    async (c) => {
      const { id } = c.req.valid('param')
      const change = c.req.valid('json')
      const result = await inTransaction(db, async (trx) => {
        const changed = await changeClientLabels(trx, id, change)
        if (typeof changed !== 'string' && changed.changed)
          await recordAudit(trx, {
            ...recorded(c, clock),
            action: 'client.labelled',
            row: { kind: 'client', id },
            details: { added: change.add, removed: change.remove },
          })
        return changed
      })
      if (result === 'unknown') return refuse(c, 404, 'Client not found')
      if (result === 'unknown_label') return refuse(c, 409, deletedMeanwhile)
      if (result === 'too_many_labels') return refuse(c, 422, `A client has at most ${labelLimits.ofRow} labels`)
      return c.json({ success: true, data: result.labels } satisfies z.infer<typeof clientLabelsAnswer>)
    },
  )

const deletedMeanwhile = 'This label was deleted in the meantime'
const taken = ({ name }: LabelValues) => `There is already a label "${name}"`
const noWord = (keyword: string) => `The keyword "${keyword}" has neither a letter nor a number`
