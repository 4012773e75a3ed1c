import * as z from 'zod/mini'
import { answerOf, id, webAddress } from './primitives.ts'

/** In characters. The code comes from the network. */
const limits = { state: 100, code: 2_000 } as const

const state = z.string().check(z.minLength(1), z.maxLength(limits.state))

/** A begun login: `address` is the page of the network where the person signs in. */
export const begunLoginAnswer = answerOf(z.object({ state, address: webAddress }))

/** `state` and `code` as the network returned them to the browser. */
export const completeLoginBody = z.object({
  state,
  code: z.string().check(z.minLength(1), z.maxLength(limits.code)),
})
export type CompleteLoginBody = z.infer<typeof completeLoginBody>

/** A page that the person manages and gave to the inbox. Its token stays on the server. */
export const offeredPage = z.object({
  id,
  name: z.string(),
  username: z.nullish(z.string()),
  category: z.nullish(z.string()),
  instagram_username: z.nullish(z.string()),
  is_connected: z.boolean(),
})
export type OfferedPage = z.infer<typeof offeredPage>
export const completedLoginAnswer = answerOf(z.object({ pages: z.array(offeredPage) }))

/** Connects one of the offered pages. The answer is that of a page with a pasted token. */
export const connectOfferedPageBody = z.object({ state, page_id: id })
export type ConnectOfferedPageBody = z.infer<typeof connectOfferedPageBody>
