import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { laterPartsMachine } from '../../../src/machines/shell/later-parts.ts'
import { colleaguesMachine } from '../../../src/machines/thread/colleagues.ts'
import { collisionMachine } from '../../../src/machines/thread/collision.ts'
import { notesMachine } from '../../../src/machines/thread/notes.ts'
import { presenceMachine } from '../../../src/machines/thread/presence.ts'
import type { Note } from '../../../src/schemas/note.ts'
import { createCoverage } from '../../model/harness.ts'
import { faults, inserted, messageIn, row, stateOf } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const presence = createCoverage(presenceMachine)
const collision = createCoverage(collisionMachine)
const notes = createCoverage(notesMachine)
const colleagues = createCoverage(colleaguesMachine)
const laterParts = createCoverage(laterPartsMachine)

const person = { ...user, features: ['authors', 'presence', 'notes'] }
const team = [
  { id: 's1', name: 'Maria Santos', is_active: true },
  { id: 's2', name: 'Ben Cruz', is_active: true },
]
const ben = (isTyping: boolean) => [{ id: 'tab-of-ben', staff_id: 's2', is_typing: isTyping, remaining: 8_000 }]
const noteOf = (id: string, text: string, more: Partial<Note> = {}): Note => ({
  id,
  primary_user_id: 'c1',
  staff_id: 's1',
  text,
  mentions: [],
  created_at: '2026-01-05T12:30:00.000Z',
  ...more,
})
const answerOfBen = (minute: number) =>
  messageIn('c1', minute, { direction: 'outgoing', author: { kind: 'staff', id: 's2' }, message_text: `At ${minute}` })

const show = (more: Parameters<typeof showInbox>[0] = {}) =>
  showInbox({
    person,
    inspect: (event) => {
      presence.inspect(event)
      collision.inspect(event)
      notes.inspect(event)
      colleagues.inspect(event)
      laterParts.inspect(event)
    },
    ...more,
  })

async function openThread() {
  const inbox = await show()
  await inbox.answer('loadTop', listOf([row('c1', 1), row('c2', 2)]))
  await inbox.answer('loadTeam', team)
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1)], hasMore: false })
  return inbox
}

const composer = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const type = (text: string) => fireEvent.change(composer(), { target: { value: text } })
const frame = (inbox: Awaited<ReturnType<typeof show>>) => inbox.pass(0)

describe('The work with colleagues in the inbox', () => {
  it('is left out without the features and while its code cannot be loaded, and begins when it can', async () => {
    let canLoad = false
    const inbox = await show({ person: user, hasColleagues: () => canLoad })
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 1)], hasMore: false })
    await inbox.tell({ type: 'tab.hidden' })
    await inbox.tell({ type: 'tab.shown' })
    await inbox.leave()
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 1)], hasMore: false })
    await inbox.tell({ type: 'user.confirmed', user: { ...person, features: ['authors'] } })
    canLoad = true
    await inbox.pass(30_000)
    await act(() => vi.dynamicImportSettled())
    expect(inbox.app.system.get('collision')).toBeDefined()
    expect([inbox.waiting('loadNotes'), inbox.waiting('renewPresence')]).toEqual([[], []])
    inbox.unmount()
  })

  it('loads the notes of a conversation that was opened before the code was loaded', async () => {
    let canLoad = false
    const inbox = await show({ hasColleagues: () => canLoad })
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await inbox.open('c1')
    canLoad = true
    await inbox.pass(30_000)
    await act(() => vi.dynamicImportSettled())
    expect(inbox.waiting('loadNotes')).toEqual(['c1'])
    inbox.unmount()
  })

  it('shows who looks at the conversation and who writes', async () => {
    const inbox = await openThread()
    await inbox.answer('renewPresence', ben(true))
    expect(screen.getByText('Ben Cruz is looking at this conversation')).toBeTruthy()
    expect(screen.getByText('Ben Cruz is typing a reply…')).toBeTruthy()
    const change = { type: 'DELETE', id: 'tab-of-ben' } as const
    await inbox.hearColleagues({ type: 'presence.changed', change })
    expect(screen.queryByText('Ben Cruz is typing a reply…')).toBeNull()
    type('O')
    await frame(inbox)
    expect(inbox.waiting('renewPresence')).toMatchObject([{ id: 'c1', isTyping: true }])
    type('')
    await frame(inbox)
    await inbox.answer('renewPresence', [])
    await inbox.fail('renewPresence', faults.noAnswer)
    type('A')
    await frame(inbox)
    await inbox.answer('renewPresence', ben(false))
    type('At')
    await frame(inbox)
    type('')
    await frame(inbox)
    await inbox.answer('renewPresence', ben(false))
    await inbox.pass(3_000)
    await inbox.fail('renewPresence', faults.noAnswer)
    type('B')
    await frame(inbox)
    await inbox.answer('renewPresence', ben(false))
    await inbox.pass(5_000)
    await inbox.open('c2')
    expect(inbox.waiting('renewPresence')).toMatchObject([{ id: 'c2', isTyping: false }])
    await inbox.tell({ type: 'tab.hidden' })
    await inbox.tell({ type: 'tab.shown' })
    await inbox.leave()
    expect(inbox.waiting('endPresence')).toHaveLength(2)
    inbox.unmount()
  })

  it('shows the answer of a colleague before a message is sent, and asks once', async () => {
    const inbox = await openThread()
    const isAsked = () => screen.queryByRole('alertdialog') !== null
    type('It is 450')
    await frame(inbox)
    await inbox.change([{ type: 'INSERT', record: answerOfBen(40) }])
    fireEvent.keyDown(composer(), { key: 'Enter' })
    await frame(inbox)
    expect(within(screen.getByRole('alertdialog')).getByText('At 40')).toBeTruthy()
    expect(inbox.waiting('sendMessage')).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
    await frame(inbox)
    expect([isAsked(), composer().value]).toEqual([false, 'It is 450'])
    type('It is 455')
    await frame(inbox)
    await inbox.change([{ type: 'INSERT', record: answerOfBen(41) }])
    fireEvent.keyDown(composer(), { key: 'Enter' })
    await frame(inbox)
    fireEvent.click(screen.getByRole('button', { name: 'Send anyway' }))
    await frame(inbox)
    expect([isAsked(), composer().value]).toEqual([false, ''])
    expect(screen.getByRole('article', { name: /^You, / }).textContent).toContain('It is 455')
    await inbox.tell({ type: 'messages.fetched', messages: [] })
    type('More')
    await frame(inbox)
    await inbox.tell({ type: 'messages.fetched', messages: [answerOfBen(60)] })
    await inbox.open('c2')
    await inbox.leave()
    inbox.unmount()
  })

  it('shows, saves and deletes notes, apart from the messages', async () => {
    const inbox = await openThread()
    await inbox.fail('loadNotes', faults.noAnswer)
    await inbox.pass(60_000)
    await inbox.fail('loadNotes', faults.refused)
    await inbox.tell({ type: 'refetch.requested' })
    await inbox.answer('loadNotes', [noteOf('n1', 'Paid in cash')])
    const shown = () => screen.queryAllByRole('article', { name: /^Note of/ }).map(({ textContent }) => textContent)
    expect(shown()).toEqual([expect.stringMatching(/^Paid in cash.*You.*only staff see this/)])
    fireEvent.click(screen.getByRole('button', { name: 'Note' }))
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Internal note' })
    fireEvent.change(box, { target: { value: 'Ask @Be', selectionStart: 7 } })
    await frame(inbox)
    // Nobody mentions oneself, and a key of an input method chooses nobody.
    fireEvent.change(box, { target: { value: 'Ask @', selectionStart: 5 } })
    await frame(inbox)
    const offered = within(screen.getByRole('list', { name: 'Mention' })).getAllByRole('button')
    expect(offered.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Ben Cruz')])
    fireEvent.change(box, { target: { value: 'Ask @Be', selectionStart: 7 } })
    await frame(inbox)
    for (const way of [{ isComposing: true }, { keyCode: 229 }]) fireEvent.keyDown(box, { key: 'Enter', ...way })
    expect(box.value).toBe('Ask @Be')
    fireEvent.keyDown(box, { key: 'Tab' })
    await frame(inbox)
    expect(box.value).toBe('Ask @Ben Cruz ')
    box.setSelectionRange(14, 14)
    fireEvent.select(box)
    fireEvent.keyDown(box, { key: 'Enter' })
    await frame(inbox)
    expect(inbox.waiting('saveNote')).toMatchObject([{ conversationId: 'c1', text: 'Ask @Ben Cruz', mentions: ['s2'] }])
    await inbox.fail('saveNote', faults.noAnswer)
    expect(box.value).toBe('Ask @Ben Cruz ')
    fireEvent.keyDown(box, { key: 'Enter' })
    await frame(inbox)
    await inbox.answer('saveNote', noteOf('n2', 'Ask @Ben Cruz'))
    fireEvent.change(box, { target: { value: 'x' } })
    screen.getByRole('button', { name: 'Save note' }).focus()
    fireEvent.submit(screen.getByRole('form', { name: 'Internal note' }))
    expect(document.activeElement).toBe(box)
    await inbox.fail('saveNote', faults.refused)
    fireEvent.change(box, { target: { value: '' } })
    await frame(inbox)
    expect([box.value, shown().length, inbox.waiting('sendMessage')]).toEqual(['', 2, []])
    for (const count of [2, 1]) {
      fireEvent.click(screen.getAllByRole('button', { name: 'Delete this note' })[0] as HTMLElement)
      await frame(inbox)
      if (count === 2) await inbox.fail('deleteNote', faults.noAnswer)
      else await inbox.answer('deleteNote', undefined)
      expect(shown()).toHaveLength(count)
    }
    const change = { type: 'INSERT', note: noteOf('n3', 'From Ben', { staff_id: 's2' }) } as const
    await inbox.hearColleagues({ type: 'note.changed', change })
    expect(shown()).toHaveLength(2)
    await inbox.hearColleagues({ type: 'channel.lost' })
    await inbox.pass(2_000)
    await inbox.hearColleagues({ type: 'channel.joined' })
    await inbox.answer('loadNotes', [])
    await inbox.open('c2')
    await inbox.leave()
    expect(shown()).toEqual([])
    inbox.unmount()
  })
})

describe('A mention in the middle of a note', () => {
  it('leaves the caret behind the name', async () => {
    const inbox = await openThread()
    await inbox.answer('loadNotes', [])
    fireEvent.click(screen.getByRole('button', { name: 'Note' }))
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Internal note' })
    fireEvent.change(box, { target: { value: 'Ask @Be about it', selectionStart: 7 } })
    await frame(inbox)
    fireEvent.keyDown(box, { key: 'Tab' })
    // At once, because the next character may be typed before the next frame.
    expect([box.value.slice(0, box.selectionStart), box.value]).toEqual([
      'Ask @Ben Cruz ',
      expect.stringContaining('about it'),
    ])
    inbox.unmount()
  })
})

describe('The suggestions of a mention', () => {
  it('are closed by the first Escape, which leaves the focus in the note, and return with the next @', async () => {
    const inbox = await openThread()
    await inbox.answer('loadNotes', [])
    fireEvent.click(screen.getByRole('button', { name: 'Note' }))
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Internal note' })
    const type = (value: string) => {
      fireEvent.change(box, { target: { value, selectionStart: value.length } })
      return frame(inbox)
    }
    const isOffered = () => screen.queryByRole('list', { name: 'Mention' }) !== null
    await type('Ask @B')
    box.focus()
    const before = isOffered()
    fireEvent.keyDown(box, { key: 'Escape' })
    const after = [isOffered(), document.activeElement === box]
    await type('Ask @Be')
    expect([before, after, isOffered()]).toEqual([true, [false, true], false])
    await type('Ask @Be or @B')
    expect(isOffered()).toBe(true)
    await type('Ask ')
    await type('Ask @B')
    expect(isOffered()).toBe(true)
    fireEvent.keyDown(box, { key: 'Escape' })
    fireEvent.keyDown(box, { key: 'Escape' })
    expect(document.activeElement).not.toBe(box)
    inbox.unmount()
  })
})

describe('A typed note', () => {
  it('of an earlier start is there again, and gone with its conversation', async () => {
    const inbox = await openThread()
    await inbox.answer('loadNotes', [])
    fireEvent.click(screen.getByRole('button', { name: 'Note' }))
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Internal note' })
    const received = { type: 'note.received', conversationId: 'c1', text: 'Half a note' }
    await act(async () => inbox.app.system.get('notes').send(received))
    await frame(inbox)
    expect(box.value).toBe('Half a note')
    await inbox.tell({ type: 'conversation.gone', id: 'c1' })
    await frame(inbox)
    expect(box.value).toBe('')
    inbox.unmount()
  })
})

describe('What the code for notifications is told', () => {
  it('changes nothing for the other parts', async () => {
    const inbox = await openThread()
    await inbox.change([inserted('c2', 5)])
    await inbox.changeStates([{ id: 'c2', state: stateOf(2) }])
    await inbox.tell({ type: 'settings.saved', saved: { settings: null, version: 1 } })
    expect(inbox.raised).toEqual([])
    inbox.unmount()
  })
})

describe('Labels and sent messages', () => {
  it('change nothing for the parts that do not use them', async () => {
    const inbox = await openThread()
    const before = document.body.textContent
    await inbox.hearColleagues({ type: 'channel.joined' })
    await inbox.hearColleagues({ type: 'label.changed' })
    await inbox.hearColleagues({
      type: 'clientLabels.changed',
      clientId: 'unknown',
      labels: { version: 1, label_ids: [] },
    })
    await inbox.hearColleagues({ type: 'clientData.changed', clientIds: ['unknown'] })
    await inbox.hearColleagues({ type: 'comments.changed', thread: null })
    await inbox.tell({ type: 'comments.requested', threadId: null })
    await inbox.hearColleagues({ type: 'savedFilters.changed', staffId: user.id, version: 1 })
    await inbox.tell({ type: 'message.sent', conversationId: 'c2', message: answerOfBen(3) })
    expect(document.body.textContent).toBe(before)
    inbox.unmount()
  })
})

describe('Comments that a notification asked for', () => {
  it('are opened when the code for them has arrived, which a second request loads again after a failure', async () => {
    let canLoad = false
    const inbox = await show({ person: { ...person, features: [] }, hasColleagues: () => canLoad })
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    await act(async () => {
      const session = inbox.app.system.get('session')
      session.send({ type: 'user.confirmed', user: { ...person, features: ['comments'] } })
      session.send({ type: 'comments.requested', threadId: 't1' })
    })
    await act(() => vi.dynamicImportSettled())
    expect(screen.queryByRole('dialog')).toBeNull()
    canLoad = true
    await inbox.tell({ type: 'comments.requested', threadId: 't2' })
    await act(() => vi.dynamicImportSettled())
    expect(await screen.findByRole('dialog', { name: 'Comments' })).toBeTruthy()
    expect(inbox.waiting('loadThread')).toEqual([{ threadId: 't2' }])
    inbox.unmount()
  })
})

/** The other parts have walks of their own. */
const isOfColleagues = (missed: string) => missed.startsWith('laterParts.colleagues')

describe('The walks in the inbox', () => {
  it('enter every state', () =>
    expect([
      presence.statesMissed(),
      collision.statesMissed(),
      notes.statesMissed(),
      colleagues.statesMissed(),
      laterParts.statesMissed().filter(isOfColleagues),
    ]).toEqual([[], [], [], [], []]))
  it('take every transition', () =>
    expect([
      presence.transitionsMissed(),
      collision.transitionsMissed(),
      notes.transitionsMissed(),
      colleagues.transitionsMissed(),
      laterParts.transitionsMissed().filter(isOfColleagues),
    ]).toEqual([[], [], [], [], []]))
})
