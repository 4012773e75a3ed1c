import * as z from 'zod/mini'

/** A TOTP code or a recovery code, as a person types it. */
const typedCode = z.string().check(z.minLength(1), z.maxLength(64))
const typedPassword = z.string().check(z.minLength(1), z.maxLength(256))

const secondFactorStatus = z.object({
  isOn: z.boolean(),
  /** The number of unused recovery codes. */
  recoveryCodesLeft: z.number(),
  /** A setting of the server demands the factor. */
  isRequired: z.boolean(),
})
export type SecondFactorStatus = z.infer<typeof secondFactorStatus>
export const secondFactorStatusAnswer = z.object({ success: z.literal(true), data: secondFactorStatus })

/** `uri` is the `otpauth://` address that an authenticator app reads from a QR code. */
const enrolment = z.object({ secret: z.string(), uri: z.string() })
export type Enrolment = z.infer<typeof enrolment>
export const enrolmentBody = z.object({ password: typedPassword })
export const enrolmentAnswer = z.object({ success: z.literal(true), data: enrolment })

export const codeBody = z.object({ code: typedCode })
export const recoveryCodesAnswer = z.object({
  success: z.literal(true),
  data: z.object({ recoveryCodes: z.array(z.string()) }),
})
export const passAnswer = z.object({ success: z.literal(true) })

/** What a person proves to change the own factor. */
export const proofsBody = z.object({ password: typedPassword, code: typedCode })
export type FactorProofs = z.infer<typeof proofsBody>
export const disableAnswer = z.object({ success: z.literal(true) })
