import { describe, expect, it } from 'vitest'
import { authMachine } from '../../../src/machines/session/auth.ts'
import { createCoverage, follow } from '../harness.ts'
import { authModel, driveAuth, startAuth } from './auth-fixture.ts'

const coverage = createCoverage(authMachine)

describe('auth keeps its promises on every transition', () => {
  it.each(
    authModel()
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_, path) => {
    const sut = startAuth(coverage.inspect)
    await follow(path, driveAuth(sut), ({ event }) => {
      const snapshot = sut.actor.getSnapshot()
      const isSignedIn = snapshot.hasTag('signedIn')
      expect(snapshot.context.user !== null && snapshot.context.session !== null).toBe(isSignedIn)
      if (event.type === 'signOut.requested') expect(isSignedIn).toBe(false)
      if (event.type === 'signOut.requested') expect(sut.calls.at(-1)).toBe('end and tell')
      if (snapshot.matches('clearing')) expect(sut.calls.at(-1)).toMatch(/^end (and tell|what was refused)$/)
      if (snapshot.matches('following')) expect(sut.calls.at(-1)).toBe('end quietly')
      const isLetIn = event.type === 'tokens.changed' && event['session'] !== null && !isSignedIn
      if (isLetIn) expect(snapshot.value).toEqual({ restoring: 'lookingForProviderSession' })
      expect(JSON.stringify(snapshot.context)).not.toContain('correct horse')
    })
    sut.actor.stop()
  })
})

describe('the walk through auth', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
