import type { AnyActorLogic, AnyEventObject, InputFrom, InspectionEvent } from 'xstate'
import { createActor } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import type { ChangeOfPassword } from '../../../src/domain/session/session-calls.ts'
import { codeEntryMachine } from '../../../src/machines/session/code-entry.ts'
import { newPasswordMachine } from '../../../src/machines/session/new-password.ts'
import { passwordResetMachine } from '../../../src/machines/session/password-reset.ts'
import { secondFactorMachine } from '../../../src/machines/session/second-factor.ts'
import type { Enrolment, FactorProofs, SecondFactorStatus } from '../../../src/schemas/second-factor.ts'
import { createControl, createToastLog, modelOf } from '../harness.ts'
import { faults, newPassword, typedTwice } from './auth-fixture.ts'

const refusedWith = (code: string, error: string) =>
  new Failure({ kind: 'status', method: 'POST', path: '/any', status: 422, code, error })

export const refusals = {
  wrongPassword: refusedWith('WRONG_PASSWORD', 'This is not your current password.'),
  weakPassword: refusedWith('WEAK_PASSWORD', 'Choose another password.'),
  linkEnded: refusedWith('LINK_ENDED', 'This link is no longer valid.'),
  wrongCode: refusedWith('WRONG_CODE', 'This code is not valid.'),
}

export const enrolment: Enrolment = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP' }
export const recoveryCodes = ['aaaabbbbccccdddd', 'eeeeffffgggghhhh']
export const statusOf = (isOn: boolean): SecondFactorStatus => ({
  isOn,
  recoveryCodesLeft: isOn ? 9 : 0,
  isRequired: false,
})
export const change = { currentPassword: 'the old one', ...typedTwice }
export const proofs = { password: 'my password', code: '123456' }

type Inspect = ((event: InspectionEvent) => void) | undefined

function started<Logic extends AnyActorLogic>(machine: Logic, input: InputFrom<Logic>, inspect: Inspect) {
  const log = createToastLog()
  const actor = createActor(machine, {
    input,
    inspect: (event: InspectionEvent) => {
      log.inspect(event)
      inspect?.(event)
    },
  } as never).start()
  return { actor, toasts: log.toasts }
}

const errors = (...list: unknown[]) => list.map((error) => ({ error }))
type Control = { resolve: (output: never) => unknown; reject: (error: unknown) => unknown }
const done = (control: Control) => (event: AnyEventObject) => control.resolve(event['output'] as never)
const failed = (control: Control) => (event: AnyEventObject) => control.reject(event['error'])
const answers = (name: string, control: Control) => ({
  [`xstate.done.actor.${name}`]: done(control),
  [`xstate.error.actor.${name}`]: failed(control),
})

const newPasswordInput = { email: 'ana@example.com', purpose: 'own' } as const

export function startNewPassword(inspect?: Inspect) {
  const save = createControl<void, ChangeOfPassword>()
  const machine = newPasswordMachine.provide({ actors: { savePassword: save.logic } })
  return { save, ...started(machine, newPasswordInput, inspect) }
}
export const driveNewPassword = (sut: ReturnType<typeof startNewPassword>) => ({
  'password.submitted': (event: AnyEventObject) => sut.actor.send(event as never),
  'dialog.dismissed': () => sut.actor.send({ type: 'dialog.dismissed' }),
  ...answers('savePassword', sut.save),
})
export const newPasswordModel = () =>
  modelOf(newPasswordMachine, {
    input: newPasswordInput,
    vertex: ({ context }) => context,
    cases: {
      'password.submitted': [change],
      'dialog.dismissed': [{}],
      'xstate.done.actor.savePassword': [{ output: undefined }],
      'xstate.error.actor.savePassword': errors(refusals.wrongPassword, refusals.weakPassword, faults.noAnswer),
    },
  })

export function startCodeEntry(inspect?: Inspect) {
  const enter = createControl<void, { code: string }>()
  const machine = codeEntryMachine.provide({ actors: { enterCode: enter.logic } })
  return { enter, ...started(machine, undefined, inspect) }
}
export const driveCodeEntry = (sut: ReturnType<typeof startCodeEntry>) => ({
  'code.submitted': (event: AnyEventObject) => sut.actor.send(event as never),
  'dialog.dismissed': () => sut.actor.send({ type: 'dialog.dismissed' }),
  ...answers('enterCode', sut.enter),
})
export const codeEntryModel = () =>
  modelOf(codeEntryMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'code.submitted': [{ code: '123456' }],
      'dialog.dismissed': [{}],
      'xstate.done.actor.enterCode': [{ output: undefined }],
      'xstate.error.actor.enterCode': errors(refusals.wrongCode, faults.noAnswer),
    },
  })

export function startSecondFactor(at: 'menu' | 'signIn', inspect?: Inspect) {
  const load = createControl<SecondFactorStatus>()
  const begin = createControl<Enrolment, { password: string }>()
  const confirm = createControl<string[], { code: string }>()
  const disable = createControl<void, FactorProofs>()
  const replace = createControl<string[], FactorProofs>()
  const copy = createControl<void, { text: string }>()
  const machine = secondFactorMachine.provide({
    actors: {
      loadSecondFactor: load.logic,
      beginEnrolment: begin.logic,
      confirmEnrolment: confirm.logic,
      disableSecondFactor: disable.logic,
      replaceRecoveryCodes: replace.logic,
      copyText: copy.logic,
    },
  })
  return { load, begin, confirm, disable, replace, copy, ...started(machine, { at }, inspect) }
}
export type StartedSecondFactor = ReturnType<typeof startSecondFactor>
export const driveSecondFactor = (sut: StartedSecondFactor) => {
  const send = (event: AnyEventObject) => sut.actor.send(event as never)
  return {
    'enrolment.requested': send,
    'code.submitted': send,
    'copy.requested': send,
    'codes.saved': send,
    'newCodes.submitted': send,
    'disabling.submitted': send,
    'refetch.requested': send,
    'dialog.dismissed': send,
    ...answers('loadSecondFactor', sut.load),
    ...answers('beginEnrolment', sut.begin),
    ...answers('confirmEnrolment', sut.confirm),
    ...answers('disableSecondFactor', sut.disable),
    ...answers('replaceRecoveryCodes', sut.replace),
    ...answers('copyText', sut.copy),
  }
}
export const secondFactorModel = (at: 'menu' | 'signIn') =>
  modelOf(secondFactorMachine, {
    input: { at },
    vertex: ({ context }) => context,
    cases: {
      'enrolment.requested': [{ password: proofs.password }],
      'code.submitted': [{ code: '123456' }],
      'copy.requested': [{}],
      'codes.saved': [{}],
      'newCodes.submitted': [proofs],
      'disabling.submitted': [proofs],
      'refetch.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadSecondFactor': [{ output: statusOf(false) }, { output: statusOf(true) }],
      'xstate.error.actor.loadSecondFactor': errors(faults.noAnswer),
      'xstate.done.actor.beginEnrolment': [{ output: enrolment }],
      'xstate.error.actor.beginEnrolment': errors(refusals.wrongPassword, faults.noAnswer),
      'xstate.done.actor.confirmEnrolment': [{ output: recoveryCodes }],
      'xstate.error.actor.confirmEnrolment': errors(refusals.wrongCode, faults.noAnswer),
      'xstate.done.actor.disableSecondFactor': [{ output: undefined }],
      'xstate.error.actor.disableSecondFactor': errors(refusals.wrongCode, refusals.wrongPassword, faults.noAnswer),
      'xstate.done.actor.replaceRecoveryCodes': [{ output: recoveryCodes }],
      'xstate.error.actor.replaceRecoveryCodes': errors(refusals.wrongCode, refusals.wrongPassword, faults.noAnswer),
      'xstate.done.actor.copyText': [{ output: undefined }],
      'xstate.error.actor.copyText': errors(new TypeError('no clipboard')),
    },
  })

export function startPasswordReset(inspect?: Inspect) {
  const look = createControl<{ isOffered: boolean; hasLink: boolean }>()
  const request = createControl<void, { email: string }>()
  const use = createControl<void, { password: string }>()
  const machine = passwordResetMachine.provide({
    actors: { lookUp: look.logic, requestLink: request.logic, useLink: use.logic },
  })
  return { look, request, use, ...started(machine, undefined, inspect) }
}
export const drivePasswordReset = (sut: ReturnType<typeof startPasswordReset>) => {
  const send = (event: AnyEventObject) => sut.actor.send(event as never)
  return {
    'email.submitted': send,
    'password.submitted': send,
    'refetch.requested': send,
    'link.requested': send,
    'dialog.dismissed': send,
    ...answers('lookUp', sut.look),
    ...answers('requestLink', sut.request),
    ...answers('useLink', sut.use),
  }
}
export const passwordResetModel = () =>
  modelOf(passwordResetMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'email.submitted': [{ email: 'ana@example.com' }],
      'password.submitted': [typedTwice],
      'refetch.requested': [{}],
      'link.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.lookUp': [
        { output: { isOffered: true, hasLink: true } },
        { output: { isOffered: true, hasLink: false } },
        { output: { isOffered: false, hasLink: false } },
      ],
      'xstate.error.actor.lookUp': errors(faults.noAnswer),
      'xstate.done.actor.requestLink': [{ output: undefined }],
      'xstate.error.actor.requestLink': errors(faults.noAnswer),
      'xstate.done.actor.useLink': [{ output: undefined }],
      'xstate.error.actor.useLink': errors(refusals.linkEnded, refusals.weakPassword, faults.noAnswer),
    },
  })

export const secrets = [newPassword, change.currentPassword, proofs.password, proofs.code]
