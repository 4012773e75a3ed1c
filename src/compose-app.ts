import { fromCallback, fromPromise } from 'xstate'
import { appMachine } from './machines/app.ts'
import { type AuthActor, authMachine, selectWasLeft } from './machines/session/auth.ts'
import type { Services } from './services-port.ts'

/** The app with its services. Loads the session code for a saved inbox, or after sign-in. */
export function composeApp(services: Services): typeof appMachine {
  return appMachine.provide({
    actors: {
      auth: composeAuth(services),
      loadSession: fromPromise(async ({ system }) => {
        const [{ composeSession }, sessionServices] = await Promise.all([
          import('./compose-session.ts'),
          services.loadSessionServices(),
        ])
        const authActor: AuthActor = system.get('auth')
        return composeSession(sessionServices, {
          deviceCache: services.deviceCache,
          wasLeft: () => selectWasLeft(authActor.getSnapshot()),
        })
      }),
      readSavedInbox: fromPromise(() => services.deviceCache.read()),
    },
    actions: { clearDevice: () => void services.deviceCache.clear() },
  })
}

/** The auth machine with its services. */
export function composeAuth({
  auth,
  signIn,
  leaveProvider,
  watchOutside,
  loadAccount,
  loadPasswordReset,
}: Omit<Services, 'deviceCache' | 'loadSessionServices'>): typeof authMachine {
  return authMachine.provide({
    actors: {
      watchOutside: fromCallback(({ sendBack }) => watchOutside(sendBack)),
      findProviderSession: fromPromise(() => auth.findProviderSession()),
      exchangeProviderSession: fromPromise(({ signal }) => auth.exchangeProviderSession(signal)),
      loadUser: fromPromise(({ signal }) => auth.loadUser(signal)),
      refreshTokens: fromPromise(({ signal }) => auth.refreshTokens(signal)),
      askProvider: fromPromise(({ input }) => signIn.askProvider(input)),
      checkMigration: fromPromise(({ signal }) => signIn.checkMigration(signal)),
      signInLegacy: fromPromise(({ signal }) => signIn.signInLegacy(signal)),
      loadStep: fromPromise(async ({ input }) =>
        (await import('./sign-in-steps.ts')).loadStep(input.step, { signIn, loadAccount, loadPasswordReset }),
      ),
      endSession: fromPromise(({ input }) => auth.endSession(input)),
    },
    actions: { forgetPasswords: signIn.forget, leaveProvider },
  })
}
