import { act, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { replyDecisionMachine } from '../../../src/machines/thread/reply-decision.ts'
import { createCoverage, createToastLog, follow } from '../../model/harness.ts'
import { row } from '../../model/inbox-fixture.ts'
import { outcomes, questionAfter, replyDecisionModel, replyText } from '../../model/thread/reply-decision-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(replyDecisionMachine)

const warning = 'May not have arrived. If you send it again, it may arrive twice.'
const names = { look: 'Check again', retry: 'Send again', discard: 'Discard' } as const
const busy = { look: 'Checking with the page…', retry: 'Sending…', discard: 'Discarding…' } as const

/** Opens the conversation whose question has an unconfirmed automatic reply. */
async function openQuestion() {
  const log = createToastLog()
  const inbox = await showInbox({
    inspect: (event) => {
      coverage.inspect(event)
      log.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf([row('c1', 1)]))
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [questionAfter(1)], hasMore: false })
  return { ...inbox, toasts: log.toasts }
}

const bubbles = () => screen.getAllByRole('article').map((bubble) => bubble.getAttribute('aria-label') ?? '')
const answer = (text: string) => screen.getByRole('article', { name: `Automatic reply, ${text}` })
const buttonsOf = (bubble: HTMLElement) =>
  within(bubble)
    .getAllByRole<HTMLButtonElement>('button')
    .map(({ textContent, disabled }) => [textContent, disabled])
const buttons = (isDisabled: boolean) => Object.values(names).map((name) => [name, isDisabled])

describe('An unconfirmed automatic reply in the thread', () => {
  it('appears below its question with its actions, without axe violations', async () => {
    const inbox = await openQuestion()
    expect(bubbles()).toEqual([expect.stringMatching(/^Person c1, /), `Automatic reply, ${warning}`])
    expect([within(answer(warning)).getByText(replyText).textContent, buttonsOf(answer(warning))]).toEqual([
      replyText,
      buttons(false),
    ])
    await expectScreen()
    inbox.unmount()
  })

  it('appears on a realtime change, and becomes a message when an echo confirms it', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [questionAfter(null)], hasMore: false })
    expect(bubbles()).toHaveLength(1)
    await inbox.change([{ type: 'UPDATE', record: questionAfter(1) }])
    expect(answer(warning)).toBeTruthy()
    await inbox.change([
      { type: 'UPDATE', record: questionAfter(null) },
      { type: 'INSERT', record: outcomes.sent.reply },
    ])
    expect(bubbles().map((name) => name.replace(/, \d.*/, ''))).toEqual(['Person c1', 'Automatic reply'])
    inbox.unmount()
  })

  it('disappears after it is discarded, and becomes a message after it is sent', async () => {
    for (const [decision, left] of [
      ['discard', ['Person c1']],
      ['retry', ['Person c1', 'Automatic reply']],
    ] as const) {
      const inbox = await openQuestion()
      await userEvent.click(within(answer(warning)).getByRole('button', { name: names[decision] }))
      await inbox.answer('decideReply', decision === 'retry' ? outcomes.sent : outcomes.discarded)
      expect(bubbles().map((name) => name.replace(/, \d.*/, ''))).toEqual(left)
      inbox.unmount()
    }
  })
})

describe('Decisions on an unconfirmed automatic reply, over every transition', () => {
  const paths = replyDecisionModel().everyTransitionInFewPaths()

  it.each(paths)('path %$', async (path) => {
    const inbox = await openQuestion()
    let tries = 1
    await follow(
      path,
      {
        'reply.decided': ({ decision }) =>
          userEvent.click(within(answer(warning)).getByRole('button', { name: names[decision as keyof typeof names] })),
        'xstate.done.actor.decideReply': async ({ output }) => {
          expect(inbox.waiting('decideReply')).toMatchObject([{ tries }])
          await inbox.answer('decideReply', output)
          tries = output.question.unconfirmed_reply.tries
        },
        'xstate.error.actor.decideReply': ({ error }) => inbox.fail('decideReply', error),
      },
      async ({ expected }) => {
        await act(async () => {})
        const { decided } = expected.context
        const bubble = answer(decided === null ? warning : busy[decided.decision])
        expect([buttonsOf(bubble), bubble.getAttribute('aria-busy')]).toEqual([
          buttons(decided !== null),
          String(decided !== null),
        ])
      },
    )
    inbox.unmount()
  })
})

describe('The walk of the decisions in the thread', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
