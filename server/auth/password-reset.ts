import type { AuditSource } from '../audit/audit.ts'

/** A new password by an emailed link. The built-in identity provider has it; a hosted one has links of its own. */
export type PasswordReset = {
  /** Queues the email. The same for known and unknown addresses. */
  request(email: string): Promise<void>
  /** Sets the new password and ends every session. Works once for each link. */
  complete(
    reset: { token: string; password: string },
    source: AuditSource,
  ): Promise<'done' | 'badLink' | 'weakPassword'>
}
