import { act, fireEvent, screen } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Loaded here because the product loads them on demand, which takes real time.
import '../../../src/compose-attached-files.ts'
import { voiceNoteMachine } from '../../../src/machines/send/voice-note.ts'
import '../../../src/views/send/AttachButtons.tsx'
import '../../../src/views/send/AttachedFiles.tsx'
import '../../../src/views/send/VoiceNoteDialog.tsx'
import { createCoverage } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(voiceNoteMachine)
const sound = new File(['sound'], 'voice-note.wav', { type: 'audio/wav' })

// jsdom has no microphone.
beforeAll(() => {
  Object.defineProperty(navigator, 'mediaDevices', { value: {}, configurable: true })
  Object.defineProperty(window, 'MediaRecorder', { value: class {}, configurable: true })
})
afterAll(() => {
  Reflect.deleteProperty(navigator, 'mediaDevices')
  Reflect.deleteProperty(window, 'MediaRecorder')
})

async function openInbox() {
  const inbox = await showInbox({
    person: { ...user, permissions: ['messages.send'], features: ['files'] },
    inspect: coverage.inspect,
  })
  await inbox.answer('loadTop', listOf([row('c1', 2)]))
  await inbox.pass(100)
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  await inbox.answer('loadFiles', [])
  return inbox
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const pressEscape = () => act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }))
/** The button is behind the question, and a press of it is the answer "no". */
const pressClose = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Close', hidden: true })))
const question = () => screen.queryByRole('alertdialog')
const dialog = () => screen.queryByRole('dialog', { name: 'Voice note' })
const record = async () => {
  await press('Record a voice note')
  expect(await screen.findByRole('dialog', { name: 'Voice note' })).toBeTruthy()
}

describe('The dialog of a voice note', () => {
  it('shows the seconds, stops on demand, and attaches the sound with a player', async () => {
    const inbox = await openInbox()
    await record()
    expect(screen.getByText('Allow the microphone in your browser to begin.')).toBeTruthy()
    await inbox.reportVoice({ type: 'recording.began' })
    await inbox.pass(1_000)
    await inbox.pass(1_000)
    expect([screen.getByRole('timer').textContent, document.activeElement?.textContent]).toEqual([
      '0:02 / 5:00',
      'Done',
    ])
    await expectScreen()
    await press('Done')
    expect([screen.getByText('Preparing the voice note...') !== null, inbox.voiceCalls]).toEqual([true, ['stop']])
    await inbox.reportVoice({ type: 'recording.ready', file: sound })
    expect([dialog(), inbox.keptFiles, inbox.voiceCalls]).toEqual([null, ['voice-note.wav'], ['stop', 'cancel']])
    inbox.unmount()
  })

  it('says why nothing is recorded, and tries again', async () => {
    const inbox = await openInbox()
    await record()
    await inbox.reportVoice({ type: 'recording.refused', problem: 'denied' })
    expect(screen.getByRole('alert').textContent).toMatch(/^The browser does not let this page use the microphone/)
    await press('Try again')
    await inbox.reportVoice({ type: 'recording.refused', problem: 'noMicrophone' })
    expect(screen.getByRole('alert').textContent).toMatch(/^No microphone was found/)
    await pressEscape()
    expect(dialog()).toBeNull()
    inbox.unmount()
  })

  it('asks before it discards what was recorded, and goes on meanwhile', async () => {
    const inbox = await openInbox()
    await record()
    await pressEscape()
    expect([dialog(), inbox.voiceCalls]).toEqual([null, ['cancel']])
    await record()
    await inbox.reportVoice({ type: 'recording.began' })
    await inbox.pass(1_000)
    await press('Cancel')
    await inbox.pass(1_000)
    await pressEscape()
    expect(screen.getByRole('timer').textContent).toBe('0:02 / 5:00')
    await pressEscape()
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Keep it' })))
    expect(question()).toBeNull()
    await pressEscape()
    expect(question()).toBeTruthy()
    await pressClose()
    expect([question(), screen.getByRole('timer').textContent, inbox.voiceCalls]).toEqual([
      null,
      '0:02 / 5:00',
      ['cancel'],
    ])
    await pressEscape()
    await press('Discard')
    expect([dialog(), inbox.keptFiles, inbox.voiceCalls]).toEqual([null, [], ['cancel', 'cancel']])
    inbox.unmount()
  })

  it('ends by itself after five minutes', async () => {
    const inbox = await openInbox()
    await record()
    await inbox.reportVoice({ type: 'recording.began' })
    for (let second = 0; second < 300; second += 1) await inbox.pass(1_000)
    expect([screen.getByRole('timer').textContent, inbox.voiceCalls]).toEqual(['5:00 / 5:00', ['stop']])
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
