import { fromPromise } from 'xstate'
import type { LoadedStep, SignInStep } from './machines/session/auth-setup.ts'
import { codeEntryMachine } from './machines/session/code-entry.ts'
import { newPasswordMachine } from './machines/session/new-password.ts'
import { passwordResetMachine } from './machines/session/password-reset.ts'
import { secondFactorMachine } from './machines/session/second-factor.ts'
import type { Services } from './services-port.ts'
import ChangePasswordDialog from './views/session/ChangePasswordDialog.tsx'
import CodeDialog from './views/session/CodeDialog.tsx'
import PasswordResetDialog from './views/session/PasswordResetDialog.tsx'
import SecondFactorDialog from './views/session/SecondFactorDialog.tsx'

/** The machine and the view of each step that a sign-in may need after the password. Loaded on demand. */
export async function loadStep(
  step: SignInStep,
  services: Pick<Services, 'loadAccount' | 'loadPasswordReset'>,
): Promise<LoadedStep> {
  const account = await services.loadAccount()
  switch (step) {
    case 'newPassword':
      return {
        View: ChangePasswordDialog,
        logic: newPasswordMachine.provide({
          actors: { savePassword: fromPromise(({ input }) => account.changePassword(input)) },
        }),
      } as LoadedStep
    case 'enrolment':
      return {
        View: SecondFactorDialog,
        logic: secondFactorMachine.provide({
          actors: {
            beginEnrolment: fromPromise(({ input }) => account.beginEnrolment(input)),
            confirmEnrolment: fromPromise(({ input }) => account.confirmEnrolment(input)),
            copyText: fromPromise(({ input }) => account.copyText(input)),
          },
        }),
      } as LoadedStep
    case 'reset': {
      const reset = await services.loadPasswordReset()
      return {
        View: PasswordResetDialog,
        logic: passwordResetMachine.provide({
          actors: {
            lookUp: fromPromise(({ signal }) => reset.lookUp(signal)),
            requestLink: fromPromise(({ input }) => reset.requestLink(input)),
            useLink: fromPromise(({ input }) => reset.useLink(input)),
          },
        }),
      } as LoadedStep
    }
    case 'code':
      return {
        View: CodeDialog,
        logic: codeEntryMachine.provide({
          actors: { enterCode: fromPromise(({ input }) => account.enterCode(input)) },
        }),
      } as LoadedStep
  }
}
