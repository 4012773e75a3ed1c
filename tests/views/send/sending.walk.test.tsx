import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import { selectSession } from '../../../src/machines/app.ts'
import { sendFlowMachine } from '../../../src/machines/send/send-flow.ts'
import { at, conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { createCoverage, follow, followByHand, modelOf } from '../../model/harness.ts'
import { failures, moment, outgoingOf, recipients } from '../../model/send/send-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(sendFlowMachine)

const conversation = conversationOf()
const answer = { messageId: 'm9', createdAt: at(1) }
const page = { messages: [messageOf('m1', 1, { is_read: true })], hasMore: false }

/** Opens the conversation with the outbox of an earlier tab. */
async function openAna({ isOnline = (): boolean => true, left = [] as readonly Outgoing[] } = {}) {
  const inbox = await showInbox({ inspect: coverage.inspect, isOnline, left })
  await inbox.answer('loadTop', listOf([conversation]))
  await inbox.open('ana')
  await inbox.answer('loadMessages', page)
  // The look-up of the composer.
  await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
  return inbox
}

/** The same, with a message just written and sent by Enter. */
async function writeHello(isOnline?: () => boolean, pageId = '') {
  const inbox = await openAna(isOnline && { isOnline })
  fireEvent.change(screen.getByLabelText('Send from'), { target: { value: pageId } })
  await inbox.settleLookups({ pageId: 'p1', psid: 'psid-ana-p1' })
  const box = screen.getByPlaceholderText('Type a message...')
  fireEvent.change(box, { target: { value: 'hello' } })
  fireEvent.keyDown(box, { key: 'Enter' })
  fireEvent.keyDown(box, { key: 'Enter' })
  return inbox
}

/** What the screen shows of the message: one bubble, its status, and whether a retry is possible. */
function seen() {
  const thread = screen.getByRole('region', { name: 'Thread' })
  const bubbles = within(thread)
    .getAllByRole('article')
    .filter((article) => within(article).queryByText('hello') !== null)
  const name = bubbles[0]?.getAttribute('aria-label') ?? ''
  return { bubbles: bubbles.length, name, canRetry: screen.queryByRole('button', { name: 'Send again' }) !== null }
}

const expected = (snapshot: SnapshotFrom<typeof sendFlowMachine>) => {
  const { status } = snapshot.context.outgoing
  if (snapshot.status === 'done')
    return { bubbles: 1, name: expect.not.stringMatching(/Sending|May not have arrived|Not sent/), canRetry: false }
  const names = {
    queued: 'Waiting to send',
    pending: 'Sending…',
    offline: 'Not sent yet: no internet connection',
    waiting: 'Not sent yet',
    unconfirmed: 'May not have arrived: checking',
    notFound: 'May not have arrived. If you send it again',
    failed: 'Not sent',
  }
  return {
    bubbles: 1,
    name: expect.stringContaining(names[status]),
    canRetry: status !== 'pending',
  }
}

describe('The walk of a send in the thread', () => {
  const paths = modelOf(sendFlowMachine, {
    input: {
      outgoing: outgoingOf({ recipient: recipients['the own psid on the first page'] }),
      now: () => Date.parse(moment),
    },
    vertex: ({ context: { outgoing, checks, hasUnknownResult } }) => [
      outgoing.status,
      outgoing.pageId,
      outgoing.psid,
      checks,
      hasUnknownResult,
    ],
    stopWhen: ({ context }) => context.checks > 1,
    cases: {
      'send.retried': [{}],
      'check.requested': [],
      'browser.online': [],
      'echo.seen': [{ settles: true }],
      'xstate.done.actor.findBestPage': [{ output: { pageId: 'p2' } }],
      'xstate.done.actor.findIdentity': [{ output: { psid: 'psid-found' } }],
      'xstate.done.actor.sendMessage': [{ output: answer }],
      'xstate.error.actor.sendMessage': [{ error: failures.inactivePage }, { error: failures.serverError }],
      'xstate.done.actor.findNewest': [{ output: [] }],
    },
  }).everyTransitionInFewPaths()

  it.each(paths)('path %$', async (path) => {
    const inbox = await writeHello()
    const keys = new Set<unknown>()
    const note = () => {
      for (const input of inbox.waiting('sendMessage')) keys.add(JSON.stringify(input))
    }
    await follow(
      path,
      {
        'send.retried': () => fireEvent.click(screen.getByRole('button', { name: 'Send again' })),
        'echo.seen': () => {
          const session = selectSession(inbox.app.getSnapshot())
          const [send] = session?.getSnapshot().children.outbox?.getSnapshot().context.outgoing ?? []
          const record = messageOf('m9', 1, {
            direction: 'outgoing',
            is_read: true,
            message_text: 'hello',
            idempotency_key: send?.key,
          })
          return act(async () => session?.send({ type: 'messages.changed', changes: [{ type: 'INSERT', record }] }))
        },
        'xstate.done.actor.findBestPage': ({ output }) => inbox.answer('findBestPage', output),
        'xstate.error.actor.findBestPage': () => inbox.fail('findBestPage', failures.noAnswer),
        'xstate.done.actor.findIdentity': ({ output }) => inbox.answer('findIdentity', output),
        'xstate.error.actor.findIdentity': () => inbox.fail('findIdentity', failures.noAnswer),
        ...inbox.ends('sendMessage'),
        'xstate.done.actor.findNewest': ({ output }) => inbox.answer('findNewest', output),
        'xstate.error.actor.findNewest': () => inbox.fail('findNewest', failures.noAnswer),
        'xstate.after.lookupTimeout.sendFlow.findingPage': () => inbox.pass(30_000),
        'xstate.after.lookupTimeout.sendFlow.findingIdentity': () => inbox.pass(30_000),
        'xstate.after.lookupTimeout.sendFlow.unconfirmed.checking': () => inbox.pass(30_000),
        'xstate.after.sendTimeout.sendFlow.sending': () => inbox.pass(35_000),
        'xstate.after.checkDelay.sendFlow.unconfirmed.pausing': () => inbox.pass(16_000),
      },
      (step) => {
        note()
        expect(seen()).toEqual(expected(step.expected))
      },
    )
    expect(keys.size).toBeLessThanOrEqual(1)
    inbox.unmount()
  })
})

const retry = () => fireEvent.click(screen.getByRole('button', { name: 'Send again' }))

type Inbox = Awaited<ReturnType<typeof openAna>>
type Connection = { isOnline: boolean }
/** The action, the status that the bubble then shows, and the number of running sends. */
type HandStep = readonly [run: () => unknown, says: string, sending: number]

const lookup = { pageId: 'p1', reason: null, psid: 'psid-found', platform: null }
const offline = 'Not sent yet: no internet connection'

const journeys: Readonly<Record<string, (inbox: Inbox, connection: Connection) => readonly HandStep[]>> = {
  'is kept if written offline, and sent on retry': (inbox, connection) => [
    [() => {}, 'Sending…', 0],
    [() => inbox.answer('findBestPage', lookup), 'Sending…', 0],
    [
      () => {
        connection.isOnline = false
        return inbox.answer('findIdentity', lookup)
      },
      offline,
      0,
    ],
    [retry, offline, 0],
    [
      () => {
        connection.isOnline = true
        return inbox.tell({ type: 'browser.online' })
      },
      'Not sent yet',
      0,
    ],
    [retry, 'Sending…', 0],
    [() => inbox.settleLookups(lookup), 'Sending…', 1],
  ],
  'stays unconfirmed while checks do not find it': (inbox, connection) => {
    const look = async (...pauses: number[]) => {
      for (const pause of pauses) {
        await inbox.pass(pause)
        await inbox.answer('findNewest', [])
      }
    }
    /** Once caught up, the client checks for the message at once. */
    const connect = async () => {
      await inbox.connect()
      await inbox.answer('loadMessages', page)
      await inbox.answer('loadTop', listOf([conversation]))
    }
    const retryOffline = () => {
      connection.isOnline = false
      retry()
      connection.isOnline = true
    }
    return [
      [() => inbox.settleLookups(lookup), 'Sending…', 1],
      [() => inbox.fail('sendMessage', failures.noAnswer), 'May not have arrived: checking', 0],
      [retryOffline, 'May not have arrived: checking', 0],
      [connect, 'May not have arrived: checking', 0],
      [() => look(0, 4_000, 8_000), 'May not have arrived: checking', 0],
      [() => look(16_000), 'May not have arrived. If you send it again', 0],
      [retryOffline, 'May not have arrived. If you send it again', 0],
      [() => fireEvent.click(screen.getByRole('button', { name: 'Check again' })), 'May not have arrived: checking', 0],
      [() => look(0, 4_000, 8_000, 16_000), 'May not have arrived. If you send it again', 0],
      [retry, 'Sending…', 1],
      [() => inbox.fail('sendMessage', failures.deadToken), 'May not have arrived: checking', 0],
    ]
  },
}

describe('A message', () => {
  it.each(Object.entries(journeys))('%s', async (_, journey) => {
    const connection = { isOnline: true }
    const inbox = await writeHello(() => connection.isOnline)
    await followByHand(
      sendFlowMachine,
      journey(inbox, connection).map(([run, says, sending], index) => ({
        name: `step ${index + 1}`,
        run,
        check: () => {
          expect(seen()).toEqual({
            bubbles: 1,
            name: expect.stringContaining(says),
            canRetry: says !== 'Sending…',
          })
          expect(inbox.waiting('sendMessage').length).toBe(sending)
        },
      })),
    )
    inbox.unmount()
  })

  it('from the chosen page looks up only the identity on that page', async () => {
    const inbox = await writeHello(undefined, 'p2')
    expect([inbox.waiting('findBestPage'), inbox.waiting('findIdentity')]).toEqual([
      [],
      [{ userId: 'ana', pageId: 'p2' }],
    ])
  })

  it.each([
    ['unconfirmed', 'May not have arrived: checking'],
    ['failed', 'Not sent'],
    ['waiting', 'Not sent yet'],
  ] as const)('that an earlier tab left as %s shows its status and is not sent automatically', async (status, says) => {
    const inbox = await openAna({ left: [outgoingOf({ status })] })
    expect(seen()).toEqual({ bubbles: 1, name: expect.stringContaining(says), canRetry: true })
    await inbox.pass(600_000)
    expect(inbox.waiting('sendMessage')).toEqual([])
  })
})

/**
 * Only the walk of the machine covers these: a row that may be this message, a person without a page, a rejected address,
 * which the screen shows like any other failure, and a check without an answer, which it shows like one that failed.
 */
const elsewhere = [
  'sendFlow.fallingBackToFirstPage -- always #1 --> sendFlow.failed',
  'sendFlow.sending -- echo.seen --> stays',
  'sendFlow.sending -- xstate.error.actor.sendMessage #0 --> sendFlow.refused',
  'sendFlow.unconfirmed.checking -- xstate.after.lookupTimeout.sendFlow.unconfirmed.checking --> sendFlow.unconfirmed.checked',
]

describe('The walk, the journeys and the initial states of a send together', () => {
  it('enter every state except the initial one, which is left before the screen can show it', () =>
    expect(coverage.statesMissed()).toEqual(['sendFlow.resuming']))
  it('take every transition except those that only the machine walk covers', () =>
    expect(coverage.transitionsMissed()).toEqual(elsewhere))
})
