import * as z from 'zod/mini'
import { movedChat } from './chats.ts'
import { client } from './client.ts'
import { answerOf, count, id, moment } from './primitives.ts'

/** `days`: how long a deleted or merged client can be restored. */
export const removalLimits = { days: 30, listed: 200 } as const

/** The fields that a merge chooses between. */
export const mergedFields = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'phone',
  'classification',
  'language',
  'is_active',
] as const
export type MergedField = (typeof mergedFields)[number]

/** A client with the numbers of its orders and payments, before it is deleted or merged. */
const clientSummary = z.object({ client, orders: count, payments: count })
export type ClientSummary = z.infer<typeof clientSummary>
export const clientSummaryAnswer = answerOf(clientSummary)

/** `version`: of the client as the question showed it. */
export const removeClientBody = z.object({ version: count })

/** `take` names the fields that the kept client gets from the other one. The versions are those of the preview. */
export const mergeClientsBody = z.object({
  other: id,
  version: count,
  other_version: count,
  take: z.array(z.enum(mergedFields)).check(z.maxLength(mergedFields.length)),
})
export type MergeClientsBody = z.infer<typeof mergeClientsBody>

/** The identities of the changed conversations. */
export const removalAnswer = answerOf(z.array(movedChat))

/** A client that was deleted (`kept` is null) or merged, and can be restored. */
export const removedClient = z.object({
  id,
  name: z.string(),
  kept: z.nullable(z.object({ id, name: z.string() })),
  removed_at: moment,
  removed_by: z.nullable(z.string()),
  undo_until: moment,
})
export type RemovedClient = z.infer<typeof removedClient>
export const removedClientsAnswer = answerOf(z.array(removedClient))
