import type { AuthUser } from '../../schemas/auth.ts'

/** The signed-in user, and the session number, which changes whenever the user may have changed. */
export type SignedIn = { user: AuthUser; session: number }

/** `user` is null if another tab refreshed the tokens and this tab only adopted them. */
export type Refreshed = { user: AuthUser | null; session: number }

export type Credentials = { email: string; password: string }

export type ChangeOfPassword = { currentPassword: string; password: string }

/** Whether a user who is unknown to the provider must set a new password there. */
export type MigrationCheck = { needsMigration: boolean; email: string }

/** Events from other tabs, from storage and from the network. */
export type AuthChange =
  /** Another tab changed the stored token; `session` is null if it cleared the token. */
  { type: 'tokens.changed'; session: number | null } | { type: 'storage.failed' } | { type: 'connection.returned' }
