import { describe, expect, it } from 'vitest'
import { mentionToast } from '../../../src/domain/thread/note-toasts.ts'

describe('The toast of a mention', () => {
  it('names who wrote the note and about whom, and stays until it is pressed', () => {
    const note = { conversationId: 'c1', by: 'Ana\u202e', about: 'Maria Santos', text: 'Pls check', isOpen: false }
    expect(mentionToast(note)).toEqual({
      kind: 'info',
      text: 'Ana mentioned you in a note about Maria Santos',
      news: { line: 'Pls check', conversationId: 'c1', stays: true },
    })
  })

  it('names nobody who is not known, cuts a long note, and leaves by itself in the open conversation', () => {
    const note = { conversationId: 'c1', by: null, about: null, text: 'x'.repeat(200), isOpen: true }
    expect(mentionToast(note)).toEqual({
      kind: 'info',
      text: 'A colleague mentioned you in a note',
      news: { line: `${'x'.repeat(120)}…`, conversationId: 'c1', stays: false },
    })
  })
})
