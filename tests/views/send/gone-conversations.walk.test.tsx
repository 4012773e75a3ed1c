import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { goneConversationsMachine } from '../../../src/machines/send/gone-conversations.ts'
import { createCoverage } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { draftOf } from '../../model/send/drafts-fixture.ts'
import { failures, outgoingOf } from '../../model/send/send-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(goneConversationsMachine)
const listed = [row('c1', 2), row('c2', 1)]

const composer = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...').value
const unsent = () => screen.queryAllByText('to an erased person').length

describe('An inbox with typed texts for people whom the server no longer knows', () => {
  it('keeps them until the server says so, then shows and stores them no more', async () => {
    const drafts = new Map([
      ['c1', draftOf('d1', 'for a known person')],
      ['c3', draftOf('d3', 'for an erased person')],
    ])
    const recipient = { ...outgoingOf({}).recipient, conversationId: 'c4' }
    const left = [outgoingOf({ key: 'k4', text: 'to an erased person', status: 'failed', recipient })]
    const inbox = await showInbox({ drafts, left, inspect: coverage.inspect })
    await inbox.answer('loadTop', listOf(listed))
    const catchUp = async () => {
      await inbox.answer('loadTop', listOf(listed))
      if (inbox.waiting('loadMessages').length > 0)
        await inbox.answer('loadMessages', { messages: [messageIn('c3', 3)], hasMore: false })
    }
    await inbox.connect()
    await catchUp()
    expect(inbox.waiting('isGone')).toEqual([{ id: 'c4' }])
    await inbox.fail('isGone', failures.noAnswer)

    await inbox.open('c3')
    await inbox.answer('findConversation', row('c3', 3))
    await inbox.answer('loadMessages', { messages: [messageIn('c3', 3)], hasMore: false })
    expect(composer()).toBe('for an erased person')
    await inbox.tell({ type: 'tab.shown' })
    await catchUp()
    expect([inbox.waiting('isGone'), inbox.keptDrafts.get('c3')?.text]).toEqual([
      [{ id: 'c4' }],
      'for an erased person',
    ])
    await inbox.answer('isGone', true)
    await inbox.answer('isGone', false)
    expect(composer()).toBe('for an erased person')

    await inbox.tell({ type: 'tab.shown' })
    await catchUp()
    expect(inbox.waiting('isGone')).toEqual([{ id: 'c3' }])
    await inbox.answer('isGone', true)
    expect(screen.queryByDisplayValue('for an erased person')).toBe(null)
    expect(Object.fromEntries([...inbox.keptDrafts].map(([id, { text }]) => [id, text]))).toEqual({
      c1: 'for a known person',
      c3: '',
      c4: '',
    })
    await inbox.open('c4')
    await inbox.answer('findConversation', row('c4', 4))
    await inbox.answer('loadMessages', { messages: [messageIn('c4', 4)], hasMore: false })
    expect(unsent()).toBe(0)
    inbox.unmount()
  })
})

describe('The walk of the check', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
