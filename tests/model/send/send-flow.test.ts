import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import type { Failure } from '../../../src/domain/failure.ts'
import type { OutgoingStatus, Recipient } from '../../../src/domain/send/outgoing.ts'
import { sendFlowMachine } from '../../../src/machines/send/send-flow.ts'
import { at, messageOf } from '../../domain/message-fixture.ts'
import { createCoverage, driverOf, error, modelOf, settled } from '../harness.ts'
import { ends, followBeside, type Reference } from '../reference.ts'
import { failures, moment, outgoingOf, recipients, startSendFlow } from './send-fixture.ts'

const coverage = createCoverage(sendFlowMachine)
const start = (outgoing = outgoingOf()) => startSendFlow(outgoing, coverage.inspect)

const answer = { messageId: 'm9', createdAt: at(1) }
const sentToast = { kind: 'success', text: 'Message sent successfully' }
const noIdentity = 'Unable to find user identity for the selected page'
const noPage = 'Unable to determine which page to send from'
const address = { pageId: 'p1', psid: 'psid-ana-p1' }
const leftBehind = outgoingOf({ ...address, status: 'unconfirmed', leftAt: moment })

describe('a message', () => {
  it('is sent from the best page to the psid on that page', async () => {
    const sut = start()
    await sut.page.resolve({ pageId: 'p2' })
    await sut.identity.resolve({ psid: 'psid-ana-p2' })
    expect([sut.state(), sut.outgoing()]).toEqual([
      'sending',
      outgoingOf({ pageId: 'p2', psid: 'psid-ana-p2', leftAt: moment }),
    ])
    await sut.send.resolve(answer)
    expect(sut.calls()).toEqual({
      page: [{ userId: 'ana' }],
      identity: [{ userId: 'ana', pageId: 'p2' }],
      send: [{ key: 'k1', pageId: 'p2', psid: 'psid-ana-p2', text: 'hello' }],
      newest: [],
    })
    expect([sut.state(), sut.toasts, sut.reports.at(-1)]).toEqual(['sent', [sentToast], { type: 'flow.sent', answer }])
  })

  it('is sent from the chosen page without a request for the best page', async () => {
    const sut = start(outgoingOf({ chosenPageId: 'p2' }))
    await sut.identity.resolve({ psid: 'psid-ana-p2' })
    expect([sut.state(), sut.calls().page, sut.calls().send]).toEqual([
      'sending',
      [],
      [{ key: 'k1', pageId: 'p2', psid: 'psid-ana-p2', text: 'hello' }],
    ])
  })

  it('is sent from the first page of the conversation if the request for the best page fails', async () => {
    const sut = start()
    await sut.page.reject(failures.noAnswer)
    expect([sut.state(), sut.calls().identity]).toEqual(['findingIdentity', [{ userId: 'ana', pageId: 'p1' }]])
  })

  it('continues without a look-up that takes longer than 30 s, and aborts the look-up', async () => {
    const sut = start()
    sut.clock.increment(29_999)
    expect(sut.state()).toBe('findingPage')
    sut.clock.increment(1)
    expect([sut.state(), sut.page.last().signal.aborted]).toEqual(['findingIdentity', true])
    sut.clock.increment(30_000)
    expect([sut.state(), sut.identity.last().signal.aborted, sut.calls().send]).toEqual([
      'sending',
      true,
      [{ key: 'k1', ...address, text: 'hello' }],
    ])
  })

  it('is not sent if no page is known', async () => {
    const sut = start(outgoingOf({ recipient: recipients['no page'] }))
    await sut.page.reject(failures.noAnswer)
    expect([sut.state(), sut.outgoing().failure, sut.toasts, sut.calls().send]).toEqual([
      'failed',
      noPage,
      [error(noPage)],
      [],
    ])
  })

  it('is sent to the psid of the conversation if the look-up fails on the page of that psid', async () => {
    const sut = start(outgoingOf({ chosenPageId: 'p1' }))
    await sut.identity.reject(failures.noAnswer)
    expect(sut.calls().send).toEqual([{ key: 'k1', ...address, text: 'hello' }])
  })

  it('waits with the psid of the conversation, too, if the connection is lost during the look-up', async () => {
    const sut = start(outgoingOf({ chosenPageId: 'p1' }))
    sut.connection.isOnline = false
    await sut.identity.reject(failures.noAnswer)
    expect([sut.state(), sut.calls().send]).toEqual(['offline', []])
  })

  it('is not sent to the psid of another page', async () => {
    const sut = start(outgoingOf({ chosenPageId: 'p2' }))
    await sut.identity.reject(failures.noAnswer)
    expect([sut.state(), sut.outgoing(), sut.toasts, sut.calls().send]).toEqual([
      'failed',
      outgoingOf({ chosenPageId: 'p2', status: 'failed', failure: noIdentity }),
      [error(noIdentity)],
      [],
    ])
  })

  const refusals: [string, Failure, string][] = [
    ['400', failures.invalid, 'Failed to send message'],
    ['403', failures.forbidden, 'Access denied. You do not have permission to perform this action.'],
    ['status 422 and a reason', failures.inactivePage, 'This page is inactive.'],
    ['status 422 because of a dead token', failures.deadToken, 'Reconnect the page.'],
    ['429', failures.tooMany, 'Too many requests. Please try again later.'],
  ]
  it.each(refusals)(
    'has failed after a refusal with %s, and a retry carries the same idempotency key',
    async (_, failure, text) => {
      const sut = start(outgoingOf(address))
      await sut.send.reject(failure)
      expect([sut.state(), sut.outgoing().failure, sut.toasts]).toEqual(['failed', text, [error(text)]])
      sut.tell({ type: 'send.retried' })
      await sut.send.resolve(answer)
      expect([sut.state(), sut.calls().send]).toEqual([
        'sent',
        [
          { key: 'k1', ...address, text: 'hello' },
          { key: 'k1', ...address, text: 'hello' },
        ],
      ])
    },
  )

  it.each([
    ['a dead token', 1, failures.deadToken],
    ['another reason', 0, failures.inactivePage],
  ])('that is refused because of %s reports its page this many times: %i', async (_, times, failure) => {
    const sut = start(outgoingOf(address))
    await sut.send.reject(failure)
    expect(sut.reports.filter(({ type }) => type === 'flow.pageRefused')).toHaveLength(times)
  })

  it('looks up another address after a refusal, unless an earlier attempt may have stored the address', async () => {
    const [fresh, tried] = [start(outgoingOf(address)), start(outgoingOf(address))]
    await tried.send.reject(failures.tooMany)
    tried.tell({ type: 'send.retried' })
    for (const sut of [fresh, tried]) {
      await sut.send.reject(failures.refusedAddress)
      sut.tell({ type: 'send.retried' })
    }
    expect([fresh.state(), fresh.reports.some(({ type }) => type === 'flow.pageRefused')]).toEqual([
      'findingPage',
      true,
    ])
    expect([tried.state(), tried.calls().send.map(({ pageId, psid }) => ({ pageId, psid }))]).toEqual([
      'sending',
      [address, address, address],
    ])
  })

  it('drops its address if it could not be sent, because the best page may have changed', () => {
    const offline = startSendFlow(outgoingOf({ ...address, status: 'waiting' }), coverage.inspect)
    offline.connection.isOnline = false
    offline.tell({ type: 'send.retried' })
    expect([offline.state(), offline.outgoing()]).toEqual(['offline', outgoingOf({ status: 'offline' })])
  })

  it('keeps its address if it was sent once and is retried offline', async () => {
    const sut = start(outgoingOf(address))
    await sut.send.reject(failures.tooMany)
    sut.connection.isOnline = false
    sut.tell({ type: 'send.retried' })
    expect([sut.state(), sut.outgoing()]).toEqual([
      'offline',
      outgoingOf({ ...address, leftAt: moment, status: 'offline' }),
    ])
  })

  it('stays unconfirmed if a retry is refused after an unconfirmed attempt, which may have arrived', async () => {
    const sut = start(outgoingOf(address))
    await sut.send.reject(failures.noAnswer)
    sut.tell({ type: 'send.retried' })
    await sut.send.reject(failures.forbidden)
    expect([sut.state(), sut.outgoing().status]).toEqual([{ unconfirmed: 'pausing' }, 'unconfirmed'])
    expect(sut.toasts.at(-1)).toEqual(error('Access denied. You do not have permission to perform this action.'))
  })

  const uncertain: [string, Failure, string][] = [
    ['no answer', failures.noAnswer, 'Network error. Please check your connection.'],
    ['a time-out', failures.timeout, 'Network error. Please check your connection.'],
    ['an answer that cannot be parsed', failures.badAnswer, 'Failed to send message'],
    ['500', failures.serverError, 'Server error. Please try again later.'],
    ['502', failures.badGateway, 'Failed to send message'],
    ['status 503 and a reason', failures.unavailable, 'The network has a passing fault.'],
    ['504', failures.gatewayTimeout, 'Failed to send message'],
  ]
  it.each(uncertain)('is unconfirmed, not failed, after %s', async (_, failure, text) => {
    const sut = start(outgoingOf(address))
    await sut.send.reject(failure)
    expect([sut.state(), sut.outgoing().status, sut.toasts, sut.send.calls.length]).toEqual([
      { unconfirmed: 'pausing' },
      'unconfirmed',
      [error(text)],
      1,
    ])
  })

  it('is unconfirmed if no answer arrives', () => {
    const sut = start(outgoingOf(address))
    sut.clock.increment(35_000)
    expect(sut.state()).toEqual({ unconfirmed: 'pausing' })
  })

  it('waits for staff if it was requested offline, and is not sent by itself', async () => {
    const sut = start()
    expect(sut.state()).toBe('findingPage')
    const offline = startSendFlow(outgoingOf(), coverage.inspect)
    offline.connection.isOnline = false
    await offline.page.resolve({ pageId: 'p1' })
    await offline.identity.resolve({ psid: 'psid-ana-p1' })
    expect([offline.state(), offline.outgoing().pageId, offline.calls().send]).toEqual(['offline', null, []])
    offline.tell({ type: 'send.retried' })
    expect([offline.state(), offline.reports.at(-1)]).toEqual([
      'offline',
      { type: 'flow.progressed', status: 'offline' },
    ])
    offline.connection.isOnline = true
    offline.tell({ type: 'browser.online' })
    offline.clock.increment(600_000)
    expect([offline.state(), offline.reports.at(-1)]).toEqual([
      'waiting',
      { type: 'flow.progressed', status: 'waiting' },
    ])
    offline.tell({ type: 'send.retried' })
    await offline.page.resolve({ pageId: 'p1' })
    await offline.identity.resolve({ psid: 'psid-ana-p1' })
    expect(offline.calls().send).toEqual([{ key: 'k1', ...address, text: 'hello' }])
  })

  it('is sent if a row with its key arrives before the answer', async () => {
    const sut = start(outgoingOf(address))
    sut.tell({ type: 'echo.seen', messageId: 'm9', createdAt: at(1), settles: true })
    expect([sut.state(), sut.reports.at(-1), sut.toasts]).toEqual(['sent', { type: 'flow.sent', answer }, [sentToast]])
  })

  it('is hidden by a row that is probably its own until the answer arrives', async () => {
    const sut = start(outgoingOf(address))
    sut.tell({ type: 'echo.seen', messageId: 'm8', createdAt: at(1), settles: false })
    expect([sut.state(), sut.outgoing().echoId]).toEqual(['sending', 'm8'])
    await sut.send.reject(failures.noAnswer)
    expect([sut.outgoing().status, sut.outgoing().echoId]).toEqual(['unconfirmed', null])
  })
})

describe('an unconfirmed message', () => {
  const unconfirmed = async () => {
    const sut = start(outgoingOf(address))
    await sut.send.reject(failures.noAnswer)
    return sut
  }

  it('is checked after 2, 4, 8 and 16 s, and then waits for staff', async () => {
    const sut = await unconfirmed()
    for (const delay of [2_000, 4_000, 8_000, 16_000]) {
      sut.clock.increment(delay - 1)
      expect(sut.state()).toEqual({ unconfirmed: 'pausing' })
      sut.clock.increment(1)
      expect(sut.state()).toEqual({ unconfirmed: 'checking' })
      await sut.newest.resolve([messageOf('m1', 0)])
    }
    sut.clock.increment(600_000)
    expect(sut.reports.at(-1)).toEqual({ type: 'flow.progressed', status: 'notFound' })
    expect([sut.state(), sut.calls().newest, sut.send.calls.length]).toEqual([
      'notFound',
      Array(4).fill({ conversationId: 'ana', pageId: 'p1' }),
      1,
    ])
  })

  it('is checked again after a check that failed or got no answer', async () => {
    const sut = await unconfirmed()
    sut.clock.increment(2_000)
    await sut.newest.reject(failures.noAnswer)
    expect(sut.state()).toEqual({ unconfirmed: 'pausing' })
    sut.clock.increment(4_000)
    sut.clock.increment(30_000)
    expect([sut.state(), sut.newest.last().signal.aborted]).toEqual([{ unconfirmed: 'pausing' }, true])
  })

  it('is not checked endlessly if every check fails', async () => {
    const sut = await unconfirmed()
    sut.clock.increment(2_000)
    await sut.newest.reject(failures.noAnswer)
    sut.clock.increment(4_000)
    sut.clock.increment(30_000)
    sut.clock.increment(8_000)
    await sut.newest.reject(failures.noAnswer)
    sut.clock.increment(16_000)
    sut.clock.increment(30_000)
    expect([sut.state(), sut.newest.calls.length]).toEqual(['notFound', 4])
  })

  it('is checked four more times, with the shortest delay first, when staff ask', async () => {
    const sut = await unconfirmed()
    for (const pause of [2_000, 4_000]) {
      sut.clock.increment(pause)
      await sut.newest.resolve([])
    }
    sut.tell({ type: 'check.requested' })
    await sut.newest.resolve([])
    for (const pause of [4_000, 8_000, 16_000]) {
      expect(sut.state()).toEqual({ unconfirmed: 'pausing' })
      sut.clock.increment(pause)
      await sut.newest.resolve([])
    }
    expect([sut.state(), sut.newest.calls.length]).toEqual(['notFound', 6])
  })

  it('passes the fetched rows to the outbox, which decides whether the message is among them', async () => {
    const sut = await unconfirmed()
    sut.clock.increment(2_000)
    await sut.newest.resolve([messageOf('m9', 1)])
    expect(sut.reports.at(-1)).toEqual({ type: 'flow.checked', answer: undefined })
    sut.tell({ type: 'echo.seen', messageId: 'm9', createdAt: at(1), settles: true })
    expect([sut.state(), sut.reports.at(-1), sut.toasts]).toEqual([
      'sent',
      { type: 'flow.sent', answer },
      [error('Network error. Please check your connection.'), sentToast],
    ])
  })

  const unfound = async () => {
    const sut = start(leftBehind)
    for (const delay of [0, 4_000, 8_000, 16_000]) {
      sut.clock.increment(delay)
      await sut.newest.resolve([])
    }
    expect(sut.state()).toBe('notFound')
    return sut
  }

  it('that was not found is checked again, or sent again with the same key, when staff ask', async () => {
    const sut = await unfound()
    sut.tell({ type: 'check.requested' })
    expect([sut.state(), sut.newest.calls.length]).toEqual([{ unconfirmed: 'checking' }, 5])
    const other = await unfound()
    other.connection.isOnline = false
    other.tell({ type: 'send.retried' })
    expect([other.state(), other.toasts]).toEqual(['notFound', [error('Network error. Please check your connection.')]])
    other.connection.isOnline = true
    other.tell({ type: 'send.retried' })
    expect([other.state(), other.outgoing().failure, other.calls().send]).toEqual([
      'sending',
      null,
      [{ key: 'k1', ...address, text: 'hello' }],
    ])
  })

  it('is not confirmed by a row that only has the same text', async () => {
    const [checked, found] = [await unconfirmed(), await unfound()]
    for (const sut of [checked, found])
      sut.tell({ type: 'echo.seen', messageId: 'm8', createdAt: at(1), settles: false })
    expect([checked.state(), found.state()]).toEqual([{ unconfirmed: 'pausing' }, 'notFound'])
  })

  it('is sent again only by staff, with the same key, page and psid', async () => {
    const sut = await unconfirmed()
    sut.tell({ type: 'send.retried' })
    sut.tell({ type: 'send.retried' })
    expect([sut.state(), sut.outgoing().failure, sut.calls().send]).toEqual([
      'sending',
      null,
      Array(2).fill({ key: 'k1', ...address, text: 'hello' }),
    ])
  })

  it('stays unconfirmed when staff retry offline, and shows that there is no connection', async () => {
    const sut = await unconfirmed()
    sut.connection.isOnline = false
    sut.tell({ type: 'send.retried' })
    const noConnection = error('Network error. Please check your connection.')
    expect([sut.state(), sut.send.calls.length, sut.toasts]).toEqual([
      { unconfirmed: 'pausing' },
      1,
      [noConnection, noConnection],
    ])
  })

  it('of an earlier tab is checked before anything else', async () => {
    const sut = start(leftBehind)
    expect([sut.state(), sut.calls()]).toEqual([
      { unconfirmed: 'checking' },
      { page: [], identity: [], send: [], newest: [{ conversationId: 'ana', pageId: 'p1' }] },
    ])
  })

  it('is checked again when the inbox catches up', async () => {
    const sut = await unconfirmed()
    sut.tell({ type: 'check.requested' })
    expect(sut.state()).toEqual({ unconfirmed: 'checking' })
  })
})

describe('a message of an earlier tab', () => {
  it.each([
    ['failed', 'This page is inactive.'],
    ['waiting', null],
  ] as const)('with the status %s keeps its state, and nothing is sent', (status, failure) => {
    const sut = start(outgoingOf({ status, failure }))
    expect([sut.state(), sut.outgoing().failure, sut.calls(), sut.toasts]).toEqual([
      status,
      failure,
      { page: [], identity: [], send: [], newest: [] },
      [],
    ])
  })
})

type State = {
  step: 'findingPage' | 'findingIdentity' | 'sending' | 'pausing' | 'checking' | 'notFound' | 'failed' | 'sent'
  status: OutgoingStatus
  failure: string | null
  pageId: string | null
  psid: string | null
  echoId: string | null
  /** An attempt left and was never answered. */
  isUnsure: boolean
  /** The server may have stored the key with this address. */
  isAddressFinal: boolean
  checks: number
  requests: number
  sends: string[]
  toasts: unknown[]
}
type Change = Partial<State>

/** What spec section 4, Sending, demands of one message to this person, who is written to with Auto-select. */
function referenceFor(recipient: Recipient): Reference<State> {
  const send = ({ pageId, psid, sends }: State): Change => ({
    step: 'sending',
    sends: [...sends, `k1 hello: ${pageId} ${psid}`],
  })
  const fail = ({ toasts }: State, text: string): Change => ({
    ...{ step: 'failed', status: 'failed', echoId: null, failure: text },
    toasts: [...toasts, error(text)],
  })
  const afterPage = (state: State, pageId: string | undefined): Change =>
    pageId === undefined ? fail(state, noPage) : { step: 'findingIdentity', pageId }
  const withoutBestPage = (state: State) => afterPage(state, recipient.pages[0]?.id)
  const withPsid = (state: State, psid: string): Change => ({ psid, ...send({ ...state, psid }) })
  const withoutIdentity = (state: State): Change =>
    recipient.psid !== null && recipient.psidPageId === state.pageId
      ? withPsid(state, recipient.psid)
      : { ...fail(state, noIdentity), pageId: null, psid: null }
  const beUnsure = (): Change => ({
    ...{ step: 'pausing', status: 'unconfirmed', echoId: null, isUnsure: true, isAddressFinal: true, checks: 0 },
  })
  const check = ({ requests }: State): Change => ({ step: 'checking', requests: requests + 1 })
  const endCheck = ({ checks }: State): Change =>
    checks < 3
      ? { step: 'pausing', checks: checks + 1 }
      : { step: 'notFound', status: 'notFound', echoId: null, checks: checks + 1 }
  const attempt = (state: State): Change => {
    const change: Change = { failure: null, status: 'pending', echoId: null }
    return { ...change, ...(state.psid === null ? { step: 'findingPage' } : send({ ...state, ...change })) }
  }
  const refusals = new Map<unknown, string>([
    [failures.inactivePage, 'This page is inactive.'],
    [failures.refusedAddress, 'Activate it.'],
    [failures.deadToken, 'Reconnect the page.'],
  ])
  return {
    start: {
      step: 'findingPage',
      status: 'pending',
      failure: null,
      pageId: null,
      psid: null,
      echoId: null,
      isUnsure: false,
      isAddressFinal: false,
      checks: 0,
      requests: 0,
      sends: [],
      toasts: [],
    },
    accepts: ({ step }) => {
      const unconfirmed = ['check.requested', 'send.retried']
      return [
        'echo.seen',
        ...{
          findingPage: ['xstate.after.lookupTimeout.sendFlow.findingPage', ...ends('findBestPage')],
          findingIdentity: ['xstate.after.lookupTimeout.sendFlow.findingIdentity', ...ends('findIdentity')],
          sending: ['xstate.after.sendTimeout.sendFlow.sending', ...ends('sendMessage')],
          pausing: ['xstate.after.checkDelay.sendFlow.unconfirmed.pausing', ...unconfirmed],
          checking: [
            ...['xstate.after.lookupTimeout.sendFlow.unconfirmed.checking', ...ends('findNewest')],
            ...unconfirmed,
          ],
          notFound: unconfirmed,
          failed: ['send.retried'],
          sent: [],
        }[step],
      ]
    },
    rules: {
      'xstate.done.actor.findBestPage': (state, { output }) => afterPage(state, output.pageId),
      'xstate.error.actor.findBestPage': withoutBestPage,
      'xstate.after.lookupTimeout.sendFlow.findingPage': withoutBestPage,
      'xstate.done.actor.findIdentity': (state, { output }) => withPsid(state, output.psid),
      'xstate.error.actor.findIdentity': withoutIdentity,
      'xstate.after.lookupTimeout.sendFlow.findingIdentity': withoutIdentity,
      'xstate.done.actor.sendMessage': ({ toasts }) => ({ step: 'sent', toasts: [...toasts, sentToast] }),
      'xstate.error.actor.sendMessage': (state, { error: failure }) => {
        const refusal = refusals.get(failure)
        const text = refusal ?? 'Server error. Please try again later.'
        const told: Change = { failure: text, toasts: [...state.toasts, error(text)] }
        if (refusal === undefined) return { ...told, ...beUnsure() }
        const isForgotten = failure === failures.refusedAddress && !state.isAddressFinal
        const address: Change = isForgotten ? { pageId: null, psid: null } : { isAddressFinal: true }
        // A refusal does not prove that an earlier attempt was not delivered.
        const end: Change = state.isUnsure ? beUnsure() : { step: 'failed', status: 'failed', echoId: null }
        return { ...told, ...address, ...end }
      },
      'xstate.after.sendTimeout.sendFlow.sending': () => ({ failure: 'Failed to send message', ...beUnsure() }),
      'xstate.after.checkDelay.sendFlow.unconfirmed.pausing': check,
      'xstate.done.actor.findNewest': endCheck,
      'xstate.error.actor.findNewest': endCheck,
      'xstate.after.lookupTimeout.sendFlow.unconfirmed.checking': endCheck,
      'check.requested': (state) => ({
        ...(state.step === 'notFound' ? beUnsure() : {}),
        ...check(state),
        checks: 0,
      }),
      'send.retried': attempt,
      'echo.seen': ({ step, toasts }, { messageId, settles }) => {
        if (settles) return { step: 'sent', toasts: [...toasts, sentToast] }
        if (step === 'sending') return { echoId: messageId }
        return step === 'notFound' ? beUnsure() : {}
      },
    },
    shown: ({ step, status, failure, pageId, psid, echoId, requests, sends, toasts }) => ({
      ...{ status, failure, pageId, psid, echoId, requests, sends, toasts },
      isSent: step === 'sent' ? 1 : 0,
    }),
  }
}

describe.each(Object.entries(recipients))('the walk of a send to a person with %s', (_, recipient) => {
  const model = (stopWhen: (snapshot: SnapshotFrom<typeof sendFlowMachine>) => boolean) =>
    modelOf(sendFlowMachine, {
      input: { outgoing: outgoingOf({ recipient }), now: () => Date.parse(moment) },
      vertex: ({ context: { outgoing, checks, hasUnknownResult, isAddressStored } }) => [
        outgoing.status,
        outgoing.pageId,
        outgoing.psid,
        outgoing.failure,
        outgoing.echoId,
        checks,
        hasUnknownResult,
        isAddressStored,
      ],
      stopWhen,
      cases: {
        'send.retried': [{}],
        'check.requested': [{}],
        'browser.online': [{}],
        'echo.seen': [
          { messageId: 'm9', createdAt: at(1), settles: true },
          { messageId: 'm9', createdAt: at(1), settles: false },
        ],
        'xstate.done.actor.findBestPage': [{ output: { pageId: 'p2' } }],
        'xstate.done.actor.findIdentity': [{ output: { psid: 'psid-found' } }],
        'xstate.done.actor.sendMessage': [{ output: answer }],
        'xstate.error.actor.sendMessage': [
          { error: failures.inactivePage },
          { error: failures.refusedAddress },
          { error: failures.deadToken },
          { error: failures.serverError },
        ],
        'xstate.done.actor.findNewest': [{ output: [] }],
      },
    })
  const paths = [
    ...model((snapshot) => snapshot.matches('unconfirmed')).everyPath(),
    ...model(({ context }) => context.checks > 1).everyTransition(),
  ]

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start(outgoingOf({ recipient }))
    const lookupTimeout = () => sut.clock.increment(30_000)
    const drive = driverOf(sut.tell, {
      calls: { findBestPage: sut.page, findIdentity: sut.identity, sendMessage: sut.send, findNewest: sut.newest },
      delays: {
        lookupTimeout,
        sendTimeout: () => sut.clock.increment(35_000),
        checkDelay: () => sut.clock.increment(16_000),
      },
    })
    await followBeside(path, drive, referenceFor(recipient), () => {
      const { status, failure, pageId, psid, echoId } = sut.outgoing()
      const sends = sut.send.inputs().map((call) => `${call.key} ${call.text}: ${call.pageId} ${call.psid}`)
      return {
        ...{ status, failure, pageId, psid, echoId, sends },
        requests: sut.newest.calls.length,
        toasts: sut.toasts,
        isSent: sut.reports.filter(({ type }) => type === 'flow.sent').length,
      }
    })
    // An address is final once the server may have stored the key with it.
    const stored = path.steps.some(({ event }) => event['error'] === failures.refusedAddress) ? [] : sut.send.inputs()
    expect(new Set(stored.map((call) => `${call.pageId} ${call.psid}`)).size).toBeLessThanOrEqual(1)
    sut.actor.stop()
    await settled()
  })
})

describe('the walk of the send flow', () => {
  it('enters every state except the initial one, which is left before a snapshot exists', () =>
    expect(coverage.statesMissed()).toEqual(['sendFlow.resuming']))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
