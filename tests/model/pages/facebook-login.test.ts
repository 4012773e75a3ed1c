import { describe, expect, it } from 'vitest'
import {
  facebookLoginMachine,
  selectBlockedAddress,
  selectFailures,
  selectStep,
  selectStop,
} from '../../../src/machines/pages/facebook-login.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  allowed,
  begun,
  blocked,
  facebookLoginModel,
  missing,
  noAnswer,
  offered,
  over,
  startLogin,
  taken,
} from './facebook-login-fixture.ts'

const coverage = createCoverage(facebookLoginMachine)
const network = 'Network error. Please check your connection.'

const stepOf = ({ actor }: ReturnType<typeof startLogin>) => selectStep(actor.getSnapshot())
const stopOf = ({ actor }: ReturnType<typeof startLogin>) => selectStop(actor.getSnapshot())

/** The dialog after the person signed in at the network. */
async function signedIn() {
  const sut = startLogin(coverage.inspect)
  sut.send({ type: 'login.requested' })
  await sut.begin.resolve(begun)
  sut.watched[0]?.report(allowed)
  return sut
}
async function choosing() {
  const sut = await signedIn()
  await sut.complete.resolve(offered)
  return sut
}

describe('a login', () => {
  it('waits for the return of its own state, exchanges the code once and forgets it', async () => {
    const sut = startLogin(coverage.inspect)
    sut.send({ type: 'login.requested' })
    await sut.begin.resolve(begun)
    expect([stepOf(sut), sut.watched.map(({ stateToken }) => stateToken)]).toEqual(['waiting', ['state1']])
    sut.watched[0]?.report(allowed)
    sut.send(allowed)
    expect([stepOf(sut), sut.complete.inputs(), sut.watched]).toEqual([
      'completing',
      [{ stateToken: 'state1', codeToken: 'code1' }],
      [],
    ])
    await sut.complete.resolve(offered)
    expect(JSON.stringify(sut.actor.getSnapshot().context)).not.toContain('code1')
  })

  it('shows the address if the browser blocked the window, and goes on', async () => {
    const sut = startLogin(coverage.inspect)
    sut.send({ type: 'login.requested' })
    await sut.begin.resolve(blocked)
    expect(selectBlockedAddress(sut.actor.getSnapshot())).toBe('https://network.example/dialog')
    sut.watched[0]?.report(allowed)
    expect([stepOf(sut), selectBlockedAddress(sut.actor.getSnapshot())]).toEqual(['completing', null])
  })

  it('that is begun again ignores the return of the earlier one', async () => {
    const sut = startLogin(coverage.inspect)
    sut.send({ type: 'login.requested' })
    await sut.begin.resolve(begun)
    sut.send({ type: 'login.requested' })
    await sut.begin.resolve({ ...begun, stateToken: 'state2' })
    expect(sut.watched.map(({ stateToken }) => stateToken)).toEqual(['state2'])
  })

  it('is over after ten minutes', async () => {
    const sut = startLogin(coverage.inspect)
    sut.send({ type: 'login.requested' })
    await sut.begin.resolve(begun)
    sut.clock.increment(599_999)
    expect(stopOf(sut)).toBeNull()
    sut.clock.increment(1)
    expect([stopOf(sut), sut.watched]).toEqual(['over', []])
  })

  it.each([
    ['over', over, 'The sign-in has expired.'],
    ['refused', missing, 'Allow pages_messaging.'],
    ['failed', noAnswer, network],
  ] as const)('stops as %s if the server says so', async (stop, failure, text) => {
    const sut = await signedIn()
    await sut.complete.reject(failure)
    expect([stopOf(sut), sut.toasts]).toEqual([stop, [{ kind: 'error', text }]])
  })

  it.each([
    ['cancelled', 'cancelled'],
    ['failed', 'failed'],
  ] as const)('stops as %s if the network says so, without a toast', async (stop, outcome) => {
    const sut = startLogin(coverage.inspect)
    sut.send({ type: 'login.requested' })
    await sut.begin.resolve(begun)
    sut.watched[0]?.report({ type: 'login.returned', outcome })
    expect([stopOf(sut), sut.toasts]).toEqual([stop, []])
  })
})

describe('the chosen pages', () => {
  it('are at first all that are not connected, and are connected one after the other', async () => {
    const sut = await choosing()
    sut.send({ type: 'connection.requested' })
    expect(sut.connect.inputs()).toEqual([{ stateToken: 'state1', pageId: 'cakes' }])
    sut.send({ type: 'dialog.dismissed' })
    await sut.connect.resolve()
    await sut.connect.resolve()
    expect([
      sut.connect.inputs().map(({ pageId }) => pageId),
      sut.told,
      sut.toasts,
      sut.actor.getSnapshot().value,
    ]).toEqual([
      ['cakes', 'pies'],
      [{ type: 'pages.changed' }],
      [{ kind: 'success', text: '2 pages connected' }],
      'closed',
    ])
  })

  it('that fail are shown with the reason, and only they are tried again', async () => {
    const sut = await choosing()
    sut.send({ type: 'connection.requested' })
    await sut.connect.reject(taken)
    await sut.connect.resolve()
    expect([stepOf(sut), selectFailures(sut.actor.getSnapshot())]).toEqual([
      'partly',
      [{ page: offered[0], reason: 'Cakes is connected already.' }],
    ])
    sut.send({ type: 'connection.requested' })
    expect(sut.connect.inputs().map(({ pageId }) => pageId)).toEqual(['cakes', 'pies', 'cakes'])
    await sut.connect.reject(noAnswer)
    expect([selectFailures(sut.actor.getSnapshot())[0]?.reason, sut.told]).toEqual([
      network,
      [{ type: 'pages.changed' }, { type: 'pages.changed' }],
    ])
  })

  it('cannot be connected pages, unknown pages or none', async () => {
    const sut = await choosing()
    for (const pageId of ['bread', 'nothing', 'cakes', 'pies']) sut.send({ type: 'page.toggled', pageId })
    sut.send({ type: 'connection.requested' })
    expect([stepOf(sut), sut.actor.getSnapshot().context.chosen, sut.connect.calls.length]).toEqual(['choosing', [], 0])
  })
})

describe('the walk through the dialog', () => {
  const paths = facebookLoginModel().everyTransition()

  type Toast = { kind: string; text: string }
  type State = {
    step: string
    isBlocked: boolean
    stop: string | null
    hasLogin: boolean
    connectedIds: string[]
    chosen: string[]
    queue: string[]
    failures: string[]
    connected: number
    begins: number
    exchanges: number
    told: string[]
    toasts: Toast[]
  }
  const error = ({ toasts }: State, text: string) => [...toasts, { kind: 'error', text }]
  const stopped = (stop: string) => ({ step: 'stopped', stop, isBlocked: false })
  const begin = ({ begins }: State): Partial<State> => ({
    step: 'opening',
    stop: null,
    isBlocked: false,
    hasLogin: false,
    connectedIds: [],
    chosen: [],
    queue: [],
    failures: [],
    connected: 0,
    begins: begins + 1,
  })
  const toggled = (chosen: string[], id: string) =>
    id === 'bread' ? chosen : chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
  const close = () => ({ step: 'closed', stop: null, isBlocked: false })
  /** After one page: the next one, the failures, or the end. */
  const next = (state: State): Partial<State> => {
    const queue = state.queue.slice(1)
    if (queue.length > 0) return { ...state, queue }
    const rest = { ...state, queue, told: [...state.told, state.connected > 0 ? 'pages.changed' : 'pages.invalidated'] }
    if (state.failures.length > 0) return { ...rest, step: 'partly' }
    const text = state.connected === 1 ? '1 page connected' : `${state.connected} pages connected`
    return { ...rest, ...close(), toasts: [...state.toasts, { kind: 'success', text }] }
  }
  const reference: Reference<State> = {
    start: {
      step: 'ready',
      isBlocked: false,
      stop: null,
      hasLogin: false,
      connectedIds: [],
      chosen: [],
      queue: [],
      failures: [],
      connected: 0,
      begins: 0,
      exchanges: 0,
      told: [],
      toasts: [],
    },
    accepts: ({ step, chosen }) => [
      ...when(['ready', 'waiting', 'stopped', 'choosing', 'partly'].includes(step), 'login.requested'),
      ...when(step === 'opening', ...ends('beginLogin')),
      ...when(step === 'waiting', 'login.returned', 'xstate.after.loginLifetime.facebookLogin.waiting'),
      ...when(step === 'completing', ...ends('completeLogin')),
      ...when(step === 'choosing', 'page.toggled'),
      ...when((step === 'choosing' && chosen.length > 0) || step === 'partly', 'connection.requested'),
      ...when(step === 'connecting', ...ends('connectPage')),
      ...when(step !== 'connecting' && step !== 'closed', 'dialog.dismissed'),
    ],
    rules: {
      'login.requested': begin,
      'xstate.done.actor.beginLogin': (_, { output }) => ({
        step: 'waiting',
        hasLogin: true,
        isBlocked: output === blocked,
      }),
      'xstate.error.actor.beginLogin': (state) => ({ ...stopped('failed'), toasts: error(state, network) }),
      'login.returned': ({ exchanges }, { outcome }) =>
        outcome === 'allowed'
          ? { step: 'completing', isBlocked: false, exchanges: exchanges + 1 }
          : stopped(outcome as string),
      'xstate.after.loginLifetime.facebookLogin.waiting': () => stopped('over'),
      'xstate.done.actor.completeLogin': (_, { output }) =>
        output === offered
          ? { step: 'choosing', chosen: ['cakes', 'pies'], connectedIds: ['bread'] }
          : stopped('noPages'),
      'xstate.error.actor.completeLogin': (state, { error: failure }) => ({
        ...stopped(failure === over ? 'over' : failure === missing ? 'refused' : 'failed'),
        toasts: error(state, failure === noAnswer ? network : failure.error),
      }),
      'page.toggled': ({ chosen }, { pageId }) => ({ chosen: toggled(chosen, pageId) }),
      'connection.requested': ({ chosen }) => ({ step: 'connecting', queue: chosen, failures: [] }),
      'xstate.done.actor.connectPage': (state) =>
        next({
          ...state,
          connected: state.connected + 1,
          chosen: state.chosen.filter((id) => id !== state.queue[0]),
          connectedIds: [...state.connectedIds, state.queue[0] ?? ''],
        }),
      'xstate.error.actor.connectPage': (state) =>
        next({
          ...state,
          failures: [...state.failures, state.queue[0] ?? ''],
          toasts: error(state, 'Cakes is connected already.'),
        }),
      'dialog.dismissed': close,
    },
    shown: ({ connectedIds, step, ...state }) => ({
      ...state,
      step: step === 'closed' ? 'ready' : step,
      connectedIds: connectedIds.toSorted(),
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startLogin(coverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { beginLogin: sut.begin, completeLogin: sut.complete, connectPage: sut.connect },
        delays: { loginLifetime: () => sut.clock.increment(600_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        const { login, pages, chosen, queue, failures, connected } = snapshot.context
        return {
          step: selectStep(snapshot),
          isBlocked: selectBlockedAddress(snapshot) !== null,
          stop: selectStop(snapshot),
          hasLogin: login !== null,
          connectedIds: pages.flatMap((page) => (page.is_connected ? [page.id] : [])).toSorted(),
          chosen,
          queue,
          failures: failures.map(({ page }) => page.id),
          connected,
          begins: sut.begin.calls.length,
          exchanges: sut.complete.calls.length,
          told: sut.told.map((report) => (report as { type: string }).type),
          toasts: sut.toasts,
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
