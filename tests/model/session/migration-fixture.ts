import type { AnyEventObject, InspectionEvent } from 'xstate'
import { createActor } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import { type MigrationEvent, migrationMachine } from '../../../src/machines/session/migration.ts'
import { createControl, modelOf } from '../harness.ts'
import { faults, typedTwice } from './auth-fixture.ts'

export const email = 'ana@example.com'

const refused = (status: number, code: string, error: string) =>
  new Failure({ kind: 'status', method: 'POST', path: '/any', status, code, error })

export const refusals = {
  registered: refused(422, 'user_already_exists', 'User already registered'),
  weak: refused(422, 'weak_password', 'Password should be at least 12 characters.'),
  wrongPassword: refused(403, 'WRONG_PASSWORD', 'Migration failed'),
  none: new Failure({
    kind: 'status',
    method: 'POST',
    path: '/auth/complete-migration',
    status: 409,
    error: 'No migration in progress',
  }),
  notYours: refused(403, 'MIGRATION_REFUSED', 'This account belongs to somebody else'),
}

/** The migration machine. The test controls every answer. */
function controlMigration() {
  const calls: string[] = []
  const signUp = createControl<void, { password: string }>(() => calls.push('sign up'))
  const signIn = createControl<void>(() => calls.push('sign in'))
  const complete = createControl<void>(() => calls.push('complete'))
  const machine = migrationMachine.provide({
    actors: { signUp: signUp.logic, signInAsRegistered: signIn.logic, completeMigration: complete.logic },
  })
  return { machine, calls, signUp, signIn, complete }
}

export function startMigration(inspect?: (event: InspectionEvent) => void) {
  const { machine, ...controls } = controlMigration()
  const actor = createActor(machine, { input: { email }, ...(inspect ? { inspect } : {}) }).start()
  return { actor, ...controls }
}

export type StartedMigration = ReturnType<typeof startMigration>

/** A test action for each event of the model. */
export function driveMigration(sut: StartedMigration): Record<string, (event: AnyEventObject) => unknown> {
  const send = (event: AnyEventObject) => sut.actor.send(event as MigrationEvent)
  const failed = (control: { reject: (error: unknown) => unknown }) => (event: AnyEventObject) =>
    control.reject(event['error'])
  return {
    'migration.submitted': send,
    'migration.resumed': send,
    'dialog.dismissed': send,
    'xstate.done.actor.signUp': () => sut.signUp.resolve(),
    'xstate.error.actor.signUp': failed(sut.signUp),
    'xstate.done.actor.signInAsRegistered': () => sut.signIn.resolve(),
    'xstate.error.actor.signInAsRegistered': failed(sut.signIn),
    'xstate.done.actor.completeMigration': () => sut.complete.resolve(),
    'xstate.error.actor.completeMigration': failed(sut.complete),
  }
}

const errors = (...list: unknown[]) => list.map((error) => ({ error }))

export const migrationModel = () =>
  modelOf(migrationMachine, {
    input: { email },
    vertex: ({ context }) => context,
    cases: {
      'migration.submitted': [typedTwice],
      'migration.resumed': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.signUp': [{ output: undefined }],
      'xstate.error.actor.signUp': errors(refusals.registered, refusals.weak, faults.noAnswer),
      'xstate.done.actor.signInAsRegistered': [{ output: undefined }],
      'xstate.error.actor.signInAsRegistered': errors(faults.unknown, faults.serverError),
      'xstate.done.actor.completeMigration': [{ output: undefined }],
      'xstate.error.actor.completeMigration': errors(refusals.notYours, faults.noAnswer),
    },
  })
