import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { selectSession } from '../../src/machines/app.ts'
import { sendFlowMachine } from '../../src/machines/send-flow.ts'
import { at, conversationOf, messageOf } from '../domain/message-fixture.ts'
import { follow, modelOf } from '../model/harness.ts'
import { failures, moment, outgoingOf, recipients } from '../model/send-fixture.ts'
import { listOf, showInbox } from './inbox-harness.tsx'

const conversation = conversationOf()
const answer = { messageId: 'm9', createdAt: at(1) }

/** The open conversation with a message just written and sent by Enter. */
async function writeHello() {
  const inbox = await showInbox()
  await inbox.answer('loadTop', listOf([conversation]))
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [messageOf('m1', 1, { is_read: true })], hasMore: false })
  const box = screen.getByPlaceholderText('Type a message...')
  fireEvent.change(box, { target: { value: 'hello' } })
  fireEvent.keyDown(box, { key: 'Enter' })
  fireEvent.keyDown(box, { key: 'Enter' })
  return inbox
}

/** What the screen says of the message: one bubble, its state, and whether another could be sent now. */
function seen() {
  const thread = screen.getByRole('region', { name: 'Thread' })
  const bubbles = within(thread)
    .getAllByRole('article')
    .filter((article) => within(article).queryByText('hello') !== null)
  const name = bubbles[0]?.getAttribute('aria-label') ?? ''
  return { bubbles: bubbles.length, name, canRetry: screen.queryByRole('button', { name: 'Retry' }) !== null }
}

const expected = (snapshot: SnapshotFrom<typeof sendFlowMachine>) => {
  const { status } = snapshot.context.outgoing
  if (snapshot.status === 'done')
    return { bubbles: 1, name: expect.not.stringMatching(/Sending|Unconfirmed|Not sent/), canRetry: false }
  const names = {
    queued: 'Queued',
    pending: 'Sending…',
    offline: 'Not sent yet: you are offline',
    waiting: 'Not sent yet',
    unconfirmed: 'Unconfirmed — checking',
    unfound: 'Unconfirmed — not found',
    failed: 'Not sent',
  }
  return {
    bubbles: 1,
    name: expect.stringContaining(names[status]),
    canRetry: status !== 'pending',
  }
}

describe('the walk of a send through the thread on the screen', () => {
  const paths = modelOf(sendFlowMachine, {
    input: {
      outgoing: outgoingOf({ recipient: recipients['the own psid on the first page'] }),
      now: () => Date.parse(moment),
    },
    vertex: ({ context: { outgoing, looks, wasLostSightOf } }) => [
      outgoing.status,
      outgoing.pageId,
      outgoing.psid,
      looks,
      wasLostSightOf,
    ],
    stopWhen: ({ context }) => context.looks > 1,
    cases: {
      'send.retried': [{}],
      'look.requested': [],
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
        'send.retried': () => fireEvent.click(screen.getByRole('button', { name: 'Retry' })),
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
        'xstate.done.actor.sendMessage': ({ output }) => inbox.answer('sendMessage', output),
        'xstate.error.actor.sendMessage': ({ error }) => inbox.fail('sendMessage', error),
        'xstate.done.actor.findNewest': ({ output }) => inbox.answer('findNewest', output),
        'xstate.error.actor.findNewest': () => inbox.fail('findNewest', failures.noAnswer),
        'xstate.after.lookupTimeout.sendFlow.findingPage': () => inbox.pass(30_000),
        'xstate.after.lookupTimeout.sendFlow.findingIdentity': () => inbox.pass(30_000),
        'xstate.after.lookupTimeout.sendFlow.unconfirmed.looking': () => inbox.pass(30_000),
        'xstate.after.sendTimeout.sendFlow.sending': () => inbox.pass(35_000),
        'xstate.after.untilNextLook.sendFlow.unconfirmed.pausing': () => inbox.pass(16_000),
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
