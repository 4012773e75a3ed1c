import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Composer, type Draft } from '../../src/views/inbox/Composer.tsx'
import type { Summaries } from '../../src/views/inbox/use-summaries.ts'

const pages = [
  { id: 'p1', name: 'Kapamilya Prints' },
  { id: 'p2', name: 'Tarps Express' },
]

const none: Summaries = {
  available: false,
  fetching: null,
  waiting: false,
  request: () => {},
  take: () => null,
}

function show(options: { sending?: boolean; accepted?: boolean; pages?: typeof pages } = {}) {
  const onSend = vi.fn<(draft: Draft) => boolean>(() => options.accepted ?? true)
  const onDraftChange = vi.fn<(draft: Draft) => void>()
  const view = (sending: boolean) => (
    <Composer
      initialDraft={{ id: 'draft-1', text: '', pageId: null }}
      onDraftChange={onDraftChange}
      pages={options.pages ?? []}
      sending={sending}
      summaries={none}
      onSend={onSend}
    />
  )
  const { rerender } = render(view(options.sending ?? false))
  return {
    onSend,
    onDraftChange,
    setSending: (sending: boolean) => rerender(view(sending)),
    box: screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...'),
    button: screen.getByRole<HTMLButtonElement>('button', { name: /^Send/ }),
  }
}

describe('the composer', () => {
  it('sends on Enter and begins a new draft', async () => {
    const { onSend, box } = show()
    await userEvent.type(box, 'Opo, bukas po{Enter}')
    expect(onSend.mock.calls).toEqual([[{ id: 'draft-1', text: 'Opo, bukas po', pageId: null }]])
    expect(box.value).toBe('')
    await userEvent.type(box, 'Salamat{Enter}')
    expect(onSend.mock.calls[1]).toEqual([{ id: expect.not.stringMatching('draft-1'), text: 'Salamat', pageId: null }])
  })

  it('breaks the line on Shift+Enter', async () => {
    const { onSend, box } = show()
    await userEvent.type(box, 'one{Shift>}{Enter}{/Shift}two')
    expect(box.value).toBe('one\ntwo')
    expect(onSend).not.toHaveBeenCalled()
  })

  it.each([
    ['composing', { isComposing: true }],
    ['ending a composition', { keyCode: 229 }],
  ])('leaves Enter to an input method that is %s', async (_, key) => {
    const { onSend, box } = show()
    await userEvent.type(box, 'こんにちは')
    const enter = createEvent.keyDown(box, { key: 'Enter', ...key })
    fireEvent(box, enter)
    expect({ sent: onSend.mock.calls, prevented: enter.defaultPrevented }).toEqual({ sent: [], prevented: false })
  })

  it('has nothing to send while the text is blank', async () => {
    const { onSend, box, button } = show()
    expect(button.disabled).toBe(true)
    await userEvent.type(box, '  {Enter}')
    expect({ sent: onSend.mock.calls, disabled: button.disabled }).toEqual({ sent: [], disabled: true })
  })

  it('waits while a send of the conversation is under way, and keeps what is typed meanwhile', async () => {
    const { onSend, box, button, setSending } = show({ sending: true })
    await userEvent.type(box, 'next{Enter}')
    expect({ sent: onSend.mock.calls, text: box.value, button: button.textContent }).toEqual({
      sent: [],
      text: 'next',
      button: 'Sending…',
    })
    setSending(false)
    await userEvent.click(button)
    expect(onSend.mock.calls).toEqual([[{ id: 'draft-1', text: 'next', pageId: null }]])
  })

  it('keeps the text that was not taken on', async () => {
    const { box } = show({ accepted: false })
    await userEvent.type(box, 'kept{Enter}')
    expect(box.value).toBe('kept')
  })

  it('offers Send from for several pages alone, with Auto-select first', async () => {
    show()
    expect(screen.queryByLabelText('Send from')).toBeNull()
  })

  it('sends from the chosen page and stays with it', async () => {
    const { onSend, box } = show({ pages })
    const select = screen.getByLabelText<HTMLSelectElement>('Send from')
    expect(Array.from(select.options, (option) => option.text)).toEqual([
      'Auto-select',
      'Kapamilya Prints',
      'Tarps Express',
    ])
    await userEvent.selectOptions(select, 'Tarps Express')
    await userEvent.type(box, 'hi{Enter}')
    expect(onSend.mock.calls).toEqual([[{ id: 'draft-1', text: 'hi', pageId: 'p2' }]])
    expect(select.value).toBe('p2')
  })

  it('tells every change of the draft', async () => {
    const { onDraftChange, box } = show()
    await userEvent.type(box, 'a')
    expect(onDraftChange.mock.calls).toEqual([[{ id: 'draft-1', text: 'a', pageId: null }]])
  })
})
