import { type AuthActor, selectStep } from '../../../src/machines/session/auth.ts'
import type { MigrationActor } from '../../../src/machines/session/migration.ts'

/** The machine that asks for a new password; undefined if the sign-in does not need one now. */
export function migrationOf(auth: AuthActor): MigrationActor | undefined {
  const snapshot = auth.getSnapshot()
  return snapshot.context.need === 'migration' ? selectStep(snapshot)?.actor : undefined
}
