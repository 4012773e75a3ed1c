import { describe, expect, it } from 'vitest'
import { SessionLost } from '../../../src/domain/failure.ts'
import { type MigrationFailure, migrationMachine } from '../../../src/machines/session/migration.ts'
import { createCoverage, settled } from '../harness.ts'
import { faults, newPassword, typedTwice } from './auth-fixture.ts'
import { email, refusals, type StartedMigration, startMigration } from './migration-fixture.ts'

/** Expected results, written by hand from spec sections 4 and 8 and the table of faults, not from the machine. */

type Do = (sut: StartedMigration) => unknown
type End = {
  at: string
  says?: MigrationFailure | null
  calls: readonly string[]
  end?: string
}

const personSubmits: Do = (sut) => sut.actor.send({ type: 'migration.submitted', ...typedTwice })
const personResumes: Do = (sut) => sut.actor.send({ type: 'migration.resumed' })
const personCancels: Do = (sut) => sut.actor.send({ type: 'dialog.dismissed' })
const signedUp: Do = (sut) => sut.signUp.resolve()
const signUpFails =
  (error: unknown): Do =>
  (sut) =>
    sut.signUp.reject(error)
const signedIn: Do = (sut) => sut.signIn.resolve()
const signInFails =
  (error: unknown): Do =>
  (sut) =>
    sut.signIn.reject(error)
const completed: Do = (sut) => sut.complete.resolve()
const completingFails =
  (error: unknown): Do =>
  (sut) =>
    sut.complete.reject(error)

const network = 'Network error. Please check your connection.'
const inDialog = (text: string, advice: string | null = null) => ({ at: 'dialog' as const, text, advice })
const atPassword = (text: string) => ({ at: 'password' as const, text, advice: null })

const cutOff = [personSubmits, signedUp, completingFails(faults.noAnswer)]
const registered = [personSubmits, signUpFails(refusals.registered)]

const journeys: [claim: string, steps: readonly Do[], end: End][] = [
  ['begins at the form', [], { at: 'asking', calls: [] }],
  [
    'signs up, completes and ends after a new password',
    [personSubmits, signedUp, completed],
    {
      at: 'completed',
      end: 'completed',
      calls: ['sign up', 'complete'],
    },
  ],
  ['ignores a second submit during the first', [personSubmits, personSubmits], { at: 'signingUp', calls: ['sign up'] }],
  [
    'signs in and completes if the user is registered already',
    [...registered, signedIn, completed],
    {
      at: 'completed',
      end: 'completed',
      calls: ['sign up', 'sign in', 'complete'],
    },
  ],
  [
    'shows at the password field the words of a provider that finds the password too weak',
    [personSubmits, signUpFails(refusals.weak)],
    {
      at: 'asking',
      says: atPassword('Password should be at least 12 characters.'),
      calls: ['sign up'],
    },
  ],
  [
    'can be retried after a lost connection during the sign-up',
    [personSubmits, signUpFails(faults.noAnswer), personSubmits],
    { at: 'signingUp', says: null, calls: ['sign up', 'sign up'] },
  ],
  [
    'reports a lost connection during the sign-up',
    [personSubmits, signUpFails(faults.noAnswer)],
    {
      at: 'asking',
      says: inDialog(network),
      calls: ['sign up'],
    },
  ],
  [
    'asks staff to confirm an email first',
    [personSubmits, signUpFails(faults.unconfirmed)],
    {
      at: 'asking',
      says: inDialog('Please check your email to confirm your account before logging in.'),
      calls: ['sign up'],
    },
  ],
  [
    'continues with the same password after the confirmation',
    [personSubmits, signUpFails(faults.unconfirmed), ...registered, signedIn, completed],
    { at: 'completed', end: 'completed', calls: ['sign up', 'sign up', 'sign in', 'complete'] },
  ],
  [
    'quotes any other refusal of the provider',
    [personSubmits, signUpFails(refusals.notYours)],
    {
      at: 'asking',
      says: inDialog('This account belongs to somebody else'),
      calls: ['sign up'],
    },
  ],
  [
    'reports an internal error',
    [personSubmits, signUpFails(new TypeError('x'))],
    {
      at: 'asking',
      says: inDialog('Migration failed'),
      calls: ['sign up'],
    },
  ],
  [
    'explains what to do if the old password was wrong',
    [personSubmits, signedUp, completingFails(refusals.wrongPassword)],
    {
      at: 'asking',
      says: inDialog('Migration failed', 'Your old password was not correct. Press Cancel and sign in again.'),
      calls: ['sign up', 'complete'],
    },
  ],
  [
    'reports a registration with another password',
    [...registered, signInFails(faults.unknown)],
    {
      at: 'asking',
      says: atPassword('You already set a different new password. Please enter that one.'),
      calls: ['sign up', 'sign in'],
    },
  ],
  [
    'reports a provider error during the sign-in',
    [...registered, signInFails(faults.serverError)],
    {
      at: 'asking',
      says: inDialog('Internal server error. Please try again later.'),
      calls: ['sign up', 'sign in'],
    },
  ],
  [
    'offers to resume if the connection is lost before the API was told',
    cutOff,
    {
      at: 'interrupted',
      says: inDialog(network),
      calls: ['sign up', 'complete'],
    },
  ],
  [
    'continues with the completion after a retry',
    [...cutOff, personResumes, completed],
    {
      at: 'completed',
      end: 'completed',
      calls: ['sign up', 'complete', 'complete'],
    },
  ],
  [
    'allows any number of retries',
    [...cutOff, personResumes, completingFails(faults.serverError)],
    {
      at: 'interrupted',
      says: inDialog('Internal server error. Please try again later.'),
      calls: ['sign up', 'complete', 'complete'],
    },
  ],
  [
    'shows the reason if the API refuses the completion, and starts over',
    [personSubmits, signedUp, completingFails(refusals.notYours)],
    {
      at: 'asking',
      says: inDialog('This account belongs to somebody else'),
      calls: ['sign up', 'complete'],
    },
  ],
  [
    'reports that no migration is in progress',
    [personSubmits, signedUp, completingFails(new SessionLost('No migration in progress'))],
    {
      at: 'asking',
      says: inDialog('No migration in progress'),
      calls: ['sign up', 'complete'],
    },
  ],
  [
    'reports that nothing is left to complete, because a retry would change nothing',
    [personSubmits, signedUp, completingFails(refusals.none)],
    {
      at: 'asking',
      says: inDialog('No migration in progress'),
      calls: ['sign up', 'complete'],
    },
  ],
  ['can be cancelled at the start', [personCancels], { at: 'cancelled', end: 'cancelled', calls: [] }],
  [
    'can be cancelled during a request',
    [personSubmits, personCancels],
    { at: 'cancelled', end: 'cancelled', calls: ['sign up'] },
  ],
  [
    'can be cancelled after a lost connection',
    [...cutOff, personCancels],
    {
      at: 'cancelled',
      end: 'cancelled',
      says: inDialog(network),
      calls: ['sign up', 'complete'],
    },
  ],
]

const coverage = createCoverage(migrationMachine)

describe('a migration', () => {
  it.each(journeys)('%s', async (_, steps, end) => {
    const sut = startMigration(coverage.inspect)
    for (const step of steps) {
      await step(sut)
      await settled()
      const { context } = sut.actor.getSnapshot()
      if (sut.actor.getSnapshot().hasTag('working')) expect(context.failure).toBe(null)
      expect(JSON.stringify(context)).not.toContain(newPassword)
    }
    const { value, context, output } = sut.actor.getSnapshot()
    expect({ at: value, says: context.failure, end: output, calls: sut.calls }).toEqual({
      says: null,
      end: undefined,
      ...end,
    })
    expect(sut.signUp.inputs().every(({ password }) => password === newPassword)).toBe(true)
    expect(context.email).toBe(email)
  })

  it.each([
    ['is shorter than 8 characters', '1234567', '1234567'],
    ['is longer than 256 characters', 'x'.repeat(257), 'x'.repeat(257)],
    ['is the email', email, email],
    ['was repeated differently', newPassword, `${newPassword}!`],
  ])('refuses a password that %s', (_, password, repeatedPassword) => {
    const sut = startMigration()
    sut.actor.send({ type: 'migration.submitted', password, repeatedPassword })
    expect([sut.actor.getSnapshot().value, sut.calls]).toEqual(['asking', []])
  })

  it('aborts its request when it is stopped', async () => {
    const sut = startMigration()
    personSubmits(sut)
    await settled()
    personCancels(sut)
    expect(sut.signUp.last().signal.aborted).toBe(true)
  })
})

describe('the tests of the migration', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
