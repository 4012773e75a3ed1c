import * as z from 'zod/mini'

const typedEmail = z.string().check(
  z.minLength(1),
  z.maxLength(320),
  z.refine((text) => !text.includes('\0'), 'holds a null character'),
)

/** Whether the server can email a link for a new password. */
export const passwordResetOfferAnswer = z.object({
  success: z.literal(true),
  data: z.object({ isOffered: z.boolean() }),
})

export const passwordResetRequestBody = z.object({ email: typedEmail })
export const passwordResetRequestAnswer = z.object({ success: z.literal(true) })

/** `token` is the part of the emailed link after `#reset=`. */
export const passwordResetBody = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  password: z.string().check(z.minLength(1), z.maxLength(1024)),
})
