import { fromPromise } from 'xstate'
import type { LoadedStep, SignInStep } from './machines/session/auth-setup.ts'
import { codeEntryMachine } from './machines/session/code-entry.ts'
import { migrationMachine } from './machines/session/migration.ts'
import { newPasswordMachine } from './machines/session/new-password.ts'
import { passwordResetMachine } from './machines/session/password-reset.ts'
import { secondFactorMachine } from './machines/session/second-factor.ts'
import type { Services } from './services-port.ts'
import ChangePasswordDialog from './views/session/ChangePasswordDialog.tsx'
import CodeDialog from './views/session/CodeDialog.tsx'
import MigrationDialog from './views/session/MigrationDialog.tsx'
import PasswordResetDialog from './views/session/PasswordResetDialog.tsx'
import SecondFactorDialog from './views/session/SecondFactorDialog.tsx'

/** The machine and the view of each step that a sign-in may need. Loaded on demand. */
export async function loadStep(
  step: SignInStep,
  services: Pick<Services, 'signIn' | 'loadAccount' | 'loadPasswordReset'>,
): Promise<LoadedStep> {
  const account = await services.loadAccount()
  switch (step) {
    case 'migration': {
      const { signIn } = services
      return {
        View: MigrationDialog,
        logic: migrationMachine.provide({
          actors: {
            signUp: fromPromise(({ input }) => signIn.signUp(input)),
            signInAsRegistered: fromPromise(() => signIn.signInAsRegistered()),
            completeMigration: fromPromise(({ signal }) => signIn.completeMigration(signal)),
          },
        }),
      } as LoadedStep
    }
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
