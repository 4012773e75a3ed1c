import * as z from 'zod/mini'
import { answerOf, count, id } from './primitives.ts'

/** `labels` in all, `ofRow` on one conversation or client; `name` and `keyword` in characters. */
export const labelLimits = { labels: 100, ofRow: 20, name: 40, keywords: 30, keyword: 60 } as const

const labelIds = z.array(id).check(z.maxLength(labelLimits.labels))

/** Labels to put on a conversation or client, and to take off. */
export const labelChange = z.object({ add: labelIds, remove: labelIds })
export type LabelChange = z.infer<typeof labelChange>

/** The labels of a client, also a row of the realtime table `client_labels`. `version` increases with every change. */
export const clientLabels = z.object({ version: count, label_ids: z.array(id) })
export type ClientLabels = z.infer<typeof clientLabels>
export const clientLabelsAnswer = answerOf(clientLabels)
export const clientLabelsRow = z.extend(clientLabels, { client_id: id })
