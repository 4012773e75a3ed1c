import { describe, expect, it } from 'vitest'
import { codeEntryMachine } from '../../../src/machines/session/code-entry.ts'
import { newPasswordMachine } from '../../../src/machines/session/new-password.ts'
import { passwordResetMachine } from '../../../src/machines/session/password-reset.ts'
import { secondFactorMachine } from '../../../src/machines/session/second-factor.ts'
import { createCoverage, follow, settled } from '../harness.ts'
import {
  change,
  codeEntryModel,
  driveCodeEntry,
  driveNewPassword,
  drivePasswordReset,
  driveSecondFactor,
  enrolment,
  newPasswordModel,
  passwordResetModel,
  proofs,
  recoveryCodes,
  refusals,
  secondFactorModel,
  secrets,
  startCodeEntry,
  startNewPassword,
  startPasswordReset,
  startSecondFactor,
  statusOf,
} from './account-fixture.ts'
import { faults } from './auth-fixture.ts'

/** Expected results, written by hand from the texts and rules in docs/decisions.md, not from the machines. */

const network = 'Network error. Please check your connection.'

describe('a change of the password', () => {
  const endAfter = async (...answers: ((sut: ReturnType<typeof startNewPassword>) => unknown)[]) => {
    const sut = startNewPassword()
    sut.actor.send({ type: 'password.submitted', ...change })
    await settled()
    for (const answer of answers) {
      await answer(sut)
      await settled()
    }
    const { value, context, output } = sut.actor.getSnapshot()
    return { value, refused: context.refused, output, toasts: sut.toasts.map(({ text }) => text), sut }
  }

  it('says that the other devices are signed out, and ends', async () => {
    const { sut, ...end } = await endAfter(({ save }) => save.resolve())
    expect(end).toEqual({
      value: 'completed',
      refused: null,
      output: 'completed',
      toasts: ['Your password is changed. Your other devices are signed out.'],
    })
    const { currentPassword, password } = change
    expect(sut.save.inputs()).toEqual([{ currentPassword, password }])
  })

  it.each([
    [refusals.wrongPassword, { at: 'current', text: 'This is not your current password.' }, []],
    [refusals.weakPassword, { at: 'password', text: 'Choose another password.' }, []],
    [faults.noAnswer, null, [network]],
    [new TypeError('x'), null, ['The password could not be changed. Please try again.']],
  ])('asks again after %s', async (error, refused, toasts) => {
    const { sut: _, ...end } = await endAfter(({ save }) => save.reject(error))
    expect(end).toEqual({ value: 'asking', refused, output: undefined, toasts })
  })

  it('cannot be dismissed while the answer is awaited', async () => {
    const { value } = await endAfter(({ actor }) => actor.send({ type: 'dialog.dismissed' }))
    expect(value).toBe('saving')
  })

  it.each([
    ['the current password is missing', { ...change, currentPassword: '' }],
    ['the new one is too short', { ...change, password: '1234567', repeatedPassword: '1234567' }],
    ['the new one is the email', { ...change, password: 'Ana@example.com', repeatedPassword: 'Ana@example.com' }],
    ['it was repeated differently', { ...change, repeatedPassword: `${change.password}!` }],
  ])('is not sent if %s', (_, typed) => {
    const sut = startNewPassword()
    sut.actor.send({ type: 'password.submitted', ...typed })
    expect(sut.actor.getSnapshot().value).toBe('asking')
  })
})

describe('the second factor', () => {
  it('is set up: secret, code, recovery codes, and then forgotten', async () => {
    const sut = startSecondFactor('menu')
    await sut.load.resolve(statusOf(false))
    sut.actor.send({ type: 'enrolment.requested', password: '' })
    expect(sut.actor.getSnapshot().value).toBe('off')
    sut.actor.send({ type: 'enrolment.requested', password: proofs.password })
    await sut.begin.reject(refusals.wrongPassword)
    expect(sut.actor.getSnapshot()).toMatchObject({ value: 'off', context: { refused: { at: 'password' } } })
    sut.actor.send({ type: 'enrolment.requested', password: proofs.password })
    await sut.begin.resolve(enrolment)
    expect(sut.begin.inputs()).toEqual([{ password: proofs.password }, { password: proofs.password }])
    expect(sut.actor.getSnapshot().context.enrolment).toEqual(enrolment)
    sut.actor.send({ type: 'code.submitted', code: '000000' })
    await sut.confirm.reject(refusals.wrongCode)
    const refused = { at: 'code', text: 'This code is not valid.' }
    expect(sut.actor.getSnapshot()).toMatchObject({ value: 'showing', context: { refused, enrolment } })
    sut.actor.send({ type: 'code.submitted', code: '123456' })
    await sut.confirm.resolve(recoveryCodes)
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.actor.getSnapshot()).toMatchObject({
      value: { showingCodes: 'idle' },
      context: { recoveryCodes, enrolment: null },
    })
    sut.actor.send({ type: 'codes.saved' })
    expect(sut.actor.getSnapshot().output).toBe('completed')
    expect(sut.toasts.map(({ text }) => text)).toEqual(['Two-step sign-in is on. Your other devices are signed out.'])
  })

  it('asks for the password at a sign-in that demands the factor, and again after a failure', async () => {
    const sut = startSecondFactor('signIn')
    expect(sut.actor.getSnapshot().value).toBe('off')
    sut.actor.send({ type: 'enrolment.requested', password: proofs.password })
    await sut.begin.reject(faults.noAnswer)
    expect(sut.actor.getSnapshot().value).toBe('off')
  })

  it('gives new recovery codes for the password and a code, which can be copied', async () => {
    const sut = startSecondFactor('menu')
    await sut.load.resolve(statusOf(true))
    sut.actor.send({ type: 'newCodes.submitted', password: proofs.password, code: ' ' })
    expect(sut.actor.getSnapshot().value).toBe('on')
    sut.actor.send({ type: 'newCodes.submitted', ...proofs })
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.replace.resolve(recoveryCodes)
    expect(sut.replace.inputs()).toEqual([proofs])
    sut.actor.send({ type: 'copy.requested' })
    await sut.copy.reject(new TypeError('no clipboard'))
    sut.actor.send({ type: 'copy.requested' })
    await sut.copy.resolve()
    const text = 'Recovery codes for Staff Inbox. Each signs you in once.\n\naaaa-bbbb-cccc-dddd\neeee-ffff-gggg-hhhh\n'
    expect(sut.copy.inputs()).toEqual([{ text }, { text }])
    sut.actor.send({ type: 'codes.saved' })
    expect([sut.actor.getSnapshot().output, sut.toasts.map(({ text: toast }) => toast)]).toEqual([
      'completed',
      [
        'The codes could not be copied. Please download them or write them down.',
        'Recovery codes copied',
        'Your new recovery codes are in use. The old ones no longer work.',
      ],
    ])
  })

  it('is removed with password and code', async () => {
    const sut = startSecondFactor('menu')
    await sut.load.resolve(statusOf(true))
    sut.actor.send({ type: 'disabling.submitted', password: '', code: '1' })
    expect(sut.actor.getSnapshot().value).toBe('on')
    sut.actor.send({ type: 'disabling.submitted', ...proofs })
    await sut.disable.reject(refusals.wrongPassword)
    expect(sut.actor.getSnapshot().context.refused?.at).toBe('password')
    sut.actor.send({ type: 'disabling.submitted', ...proofs })
    await sut.disable.resolve()
    expect(sut.disable.inputs()).toEqual([proofs, proofs])
    expect([sut.actor.getSnapshot().output, sut.toasts.map(({ text }) => text)]).toEqual([
      'completed',
      ['Two-step sign-in is off.'],
    ])
  })
})

describe('the code at sign-in', () => {
  it('is asked for until it is right', async () => {
    const sut = startCodeEntry()
    sut.actor.send({ type: 'code.submitted', code: ' ' })
    sut.actor.send({ type: 'code.submitted', code: '000000' })
    await sut.enter.reject(refusals.wrongCode)
    expect(sut.actor.getSnapshot()).toMatchObject({ value: 'asking', context: { refused: 'This code is not valid.' } })
    sut.actor.send({ type: 'code.submitted', code: '123456' })
    await sut.enter.resolve()
    expect(sut.enter.inputs()).toEqual([{ code: '000000' }, { code: '123456' }])
    expect(sut.actor.getSnapshot().output).toBe('completed')
  })
})

describe('a forgotten password', () => {
  const opened = async (found: { isOffered: boolean; hasLink: boolean }) => {
    const sut = startPasswordReset()
    await sut.look.resolve(found)
    return sut
  }

  it('says the same for every email, and sends a link only for an email address', async () => {
    const sut = await opened({ isOffered: true, hasLink: false })
    sut.actor.send({ type: 'email.submitted', email: 'ana' })
    sut.actor.send({ type: 'email.submitted', email: 'ana@example.com' })
    await sut.request.resolve()
    expect([sut.actor.getSnapshot().value, sut.request.inputs()]).toEqual(['sent', [{ email: 'ana@example.com' }]])
  })

  it('points to an administrator if the server sends no emails', async () => {
    const sut = await opened({ isOffered: false, hasLink: false })
    expect(sut.actor.getSnapshot().value).toBe('unavailable')
  })

  it('is replaced with the link, and an ended link leads to a new one', async () => {
    const sut = await opened({ isOffered: true, hasLink: true })
    sut.actor.send({ type: 'password.submitted', ...change })
    await sut.use.reject(refusals.weakPassword)
    expect(sut.actor.getSnapshot()).toMatchObject({
      value: 'choosing',
      context: { refused: 'Choose another password.' },
    })
    sut.actor.send({ type: 'password.submitted', ...change })
    await sut.use.reject(refusals.linkEnded)
    sut.actor.send({ type: 'link.requested' })
    expect([sut.actor.getSnapshot().value, sut.use.inputs()]).toEqual([
      'asking',
      [{ password: change.password }, { password: change.password }],
    ])
  })
})

const passwordCoverage = createCoverage(newPasswordMachine)
const factorCoverage = createCoverage(secondFactorMachine)
const resetCoverage = createCoverage(passwordResetMachine)
const codeCoverage = createCoverage(codeEntryMachine)

describe('the machines of the account match their models on every path', () => {
  it.each(newPasswordModel().everyTransition())('newPassword path %$', async (path) => {
    const sut = startNewPassword(passwordCoverage.inspect)
    await follow(path, driveNewPassword(sut), ({ expected }) => {
      const { value, context } = sut.actor.getSnapshot()
      expect([value, context]).toEqual([expected.value, expected.context])
      for (const secret of secrets) expect(JSON.stringify(context)).not.toContain(secret)
    })
  })
  it.each(
    (['menu', 'signIn'] as const).flatMap((at) =>
      secondFactorModel(at)
        .everyTransition()
        .map((path) => ({ at, path })),
    ),
  )('secondFactor path %$', async ({ at, path }) => {
    const sut = startSecondFactor(at, factorCoverage.inspect)
    await follow(path, driveSecondFactor(sut), ({ expected }) => {
      const { value, context } = sut.actor.getSnapshot()
      expect([value, context]).toEqual([expected.value, expected.context])
      for (const secret of secrets) expect(JSON.stringify(context)).not.toContain(secret)
    })
  })
  it.each(passwordResetModel().everyTransition())('passwordReset path %$', async (path) => {
    const sut = startPasswordReset(resetCoverage.inspect)
    await follow(path, drivePasswordReset(sut), ({ expected }) => {
      const { value, context } = sut.actor.getSnapshot()
      expect([value, context]).toEqual([expected.value, expected.context])
      for (const secret of secrets) expect(JSON.stringify(context)).not.toContain(secret)
    })
  })
  it.each(codeEntryModel().everyTransition())('codeEntry path %$', async (path) => {
    const sut = startCodeEntry(codeCoverage.inspect)
    await follow(path, driveCodeEntry(sut), ({ expected }) => {
      const { value, context } = sut.actor.getSnapshot()
      expect([value, context]).toEqual([expected.value, expected.context])
    })
  })
})

describe('the walk through the machines of the account', () => {
  it('enters every state', () => {
    expect(passwordCoverage.statesMissed()).toEqual([])
    expect(factorCoverage.statesMissed()).toEqual([])
    expect(codeCoverage.statesMissed()).toEqual([])
    expect(resetCoverage.statesMissed()).toEqual([])
  })
  it('takes every transition', () => {
    expect(passwordCoverage.transitionsMissed()).toEqual([])
    expect(factorCoverage.transitionsMissed()).toEqual([])
    expect(codeCoverage.transitionsMissed()).toEqual([])
    expect(resetCoverage.transitionsMissed()).toEqual([])
  })
})
