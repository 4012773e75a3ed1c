import { createActor, fromCallback, SimulatedClock, type SnapshotFrom } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import type {
  BegunLogin,
  CompletedLogin,
  ConnectedPage,
  LoginReturned,
} from '../../../src/domain/pages/facebook-login.ts'
import { type FacebookLoginEvent, facebookLoginMachine } from '../../../src/machines/pages/facebook-login.ts'
import type { OfferedPage } from '../../../src/schemas/facebook-login.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'

export const begun: BegunLogin = {
  stateToken: 'state1',
  address: 'https://network.example/dialog',
  isWindowOpen: true,
}
export const blocked: BegunLogin = { ...begun, isWindowOpen: false }
export const allowed = { type: 'login.returned', outcome: 'allowed', codeToken: 'code1' } as const
export const offered: readonly OfferedPage[] = [
  { id: 'cakes', name: 'Cakes', category: 'Bakery', instagram_username: 'cakes.shop', is_connected: false },
  { id: 'pies', name: 'Pies', is_connected: false },
  { id: 'bread', name: 'Bread', is_connected: true },
]

const failureOf = (status: number, error: string, code: string) =>
  new Failure({ kind: 'status', status, error, code, method: 'POST', path: '/facebook/logins' })
export const over = failureOf(410, 'The sign-in has expired.', 'LOGIN_OVER')
export const missing = failureOf(422, 'Allow pages_messaging.', 'LOGIN_PERMISSIONS_MISSING')
export const taken = failureOf(409, 'Cakes is connected already.', 'PAGE_EXISTS')
export const noAnswer = new Failure({ kind: 'noAnswer', method: 'POST', path: '/facebook/logins' })

export function startLogin(inspect: Inspect) {
  const begin = createControl<BegunLogin>()
  const complete = createControl<readonly OfferedPage[], CompletedLogin>()
  const connect = createControl<void, ConnectedPage>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const told: unknown[] = []
  const watched: { stateToken: string; report: (event: LoginReturned) => void }[] = []
  const actor = createActor(
    facebookLoginMachine.provide({
      actors: {
        beginLogin: begin.logic,
        completeLogin: complete.logic,
        connectPage: connect.logic,
        watchReturn: fromCallback(({ input, sendBack }) => {
          const watch = { ...input, report: sendBack }
          watched.push(watch)
          return () => void watched.splice(watched.indexOf(watch), 1)
        }),
      },
      actions: { tellSession: (_, report) => void told.push(report) },
    }),
    {
      clock,
      inspect: inspectAll(inspect, log.inspect),
    },
  ).start()
  return {
    actor,
    begin,
    complete,
    connect,
    clock,
    told,
    watched,
    toasts: log.toasts,
    send: (event: FacebookLoginEvent) => actor.send(event),
  }
}

type Snapshot = SnapshotFrom<typeof facebookLoginMachine>

export const facebookLoginModel = () =>
  modelOf(facebookLoginMachine, {
    input: undefined,
    vertex: ({ context: { login, pages, chosen, queue, connected, failures } }: Snapshot) => [
      login?.isWindowOpen,
      pages.map((page) => page.is_connected),
      chosen,
      queue,
      connected,
      failures.map(({ page }) => page.id),
    ],
    cases: {
      'login.requested': [{}],
      'login.returned': [{ outcome: 'allowed', codeToken: 'code1' }, { outcome: 'cancelled' }, { outcome: 'failed' }],
      'page.toggled': offered.map(({ id }) => ({ pageId: id })),
      'connection.requested': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.beginLogin': [{ output: begun }, { output: blocked }],
      'xstate.error.actor.beginLogin': [{ error: noAnswer }],
      'xstate.done.actor.completeLogin': [{ output: offered }, { output: [] }],
      'xstate.error.actor.completeLogin': [{ error: over }, { error: missing }, { error: noAnswer }],
      'xstate.done.actor.connectPage': [{}],
      'xstate.error.actor.connectPage': [{ error: taken }],
      'xstate.after.loginLifetime.facebookLogin.waiting': [{}],
    },
  })
