import type { AuthUser } from '../../schemas/auth.ts'

/** Who is signed in, and in which session: a number that changes whenever the person may be another. */
export type Identity = { user: AuthUser; session: number }

/** `user` is null if another tab did the refresh and only its tokens were taken over. */
export type Refreshed = { user: AuthUser | null; session: number }

export type Credentials = { email: string; password: string }

/** Whether a person unknown to the provider must set a new password there. */
export type MigrationCheck = { needsMigration: boolean; email: string }

/** Events from other tabs, from storage and from the network. */
export type AuthChange =
  /** Another tab changed the stored token; `session` is null if it cleared it. */
  { type: 'tokens.changed'; session: number | null } | { type: 'storage.failed' } | { type: 'connection.returned' }
