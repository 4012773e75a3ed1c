import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Draft } from '../../../src/domain/send/draft.ts'
import type { SendRoute } from '../../../src/domain/send/send-route.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { Summaries } from '../../../src/views/client/use-summaries.ts'
import { Composer } from '../../../src/views/send/Composer.tsx'
import userEvent from '../user-event.ts'

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

type Options = {
  sending?: boolean
  accepted?: boolean
  pages?: typeof pages
  route?: SendRoute
  platform?: Platform
  notice?: string
}

function show(options: Options = {}) {
  const onSend = vi.fn<(draft: Draft) => boolean>(() => options.accepted ?? true)
  const onDraftChange = vi.fn<(draft: Draft) => void>()
  function Screen({ sending }: { sending: boolean }) {
    const [draft, setDraft] = useState<Draft>({ id: 'draft-1', text: '', pageId: null })
    return (
      <Composer
        draft={draft}
        onDraftChange={(next) => {
          setDraft(next)
          onDraftChange(next)
        }}
        name="Maria"
        pages={options.pages ?? []}
        route={options.route ?? null}
        platform={options.platform ?? null}
        notice={options.notice ?? null}
        trouble={null}
        isBlocked={false}
        cards={null}
        sending={sending}
        summaries={none}
        onSend={onSend}
        help={null}
        replyTarget={null}
        keys={{ current: null }}
        onSlash={null}
        files={null}
        activeReply={null}
        tools={{ shown: false, toggle: () => {} }}
      />
    )
  }
  const { rerender } = render(<Screen sending={options.sending ?? false} />)
  return {
    onSend,
    onDraftChange,
    setSending: (sending: boolean) => rerender(<Screen sending={sending} />),
    box: screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...'),
    button: screen.getByRole<HTMLButtonElement>('button', { name: /^Send/ }),
  }
}

describe('The composer', () => {
  it('sends on Enter and starts a new draft', async () => {
    const { onSend, box } = show()
    await userEvent.type(box, 'Opo, bukas po{Enter}')
    expect(onSend.mock.calls).toEqual([[{ id: 'draft-1', text: 'Opo, bukas po', pageId: null }]])
    expect(box.value).toBe('')
    await userEvent.type(box, 'Salamat{Enter}')
    expect(onSend.mock.calls[1]).toEqual([{ id: expect.not.stringMatching('draft-1'), text: 'Salamat', pageId: null }])
  })

  it('inserts a line break on Shift+Enter', async () => {
    const { onSend, box } = show()
    await userEvent.type(box, 'one{Shift>}{Enter}{/Shift}two')
    expect(box.value).toBe('one\ntwo')
    expect(onSend).not.toHaveBeenCalled()
  })

  it('sets the writing direction from the text', async () => {
    const { box } = show()
    await userEvent.type(box, 'مرحبا')
    expect({ value: box.value, dir: box.dir }).toEqual({ value: 'مرحبا', dir: 'auto' })
  })

  it.each([
    ['composing', { isComposing: true }],
    ['ending a composition', { keyCode: 229 }],
  ])('does not send on Enter while an input method is %s', async (_, key) => {
    const { onSend, box } = show()
    await userEvent.type(box, 'こんにちは')
    const enter = createEvent.keyDown(box, { key: 'Enter', ...key })
    fireEvent(box, enter)
    expect({ sent: onSend.mock.calls, prevented: enter.defaultPrevented }).toEqual({ sent: [], prevented: false })
  })

  it('disables Send while the text is blank', async () => {
    const { onSend, box, button } = show()
    expect(button.disabled).toBe(true)
    await userEvent.type(box, '  {Enter}')
    expect({ sent: onSend.mock.calls, disabled: button.disabled }).toEqual({ sent: [], disabled: true })
  })

  it('sends nothing during another send of the conversation and keeps text that is typed meanwhile', async () => {
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

  it('returns the focus to the text after a press on Send', async () => {
    const { box, button } = show()
    await userEvent.type(box, 'Opo')
    await userEvent.click(button)
    expect([button.disabled, document.activeElement === box]).toEqual([true, true])
  })

  it('keeps the text if the message was not accepted', async () => {
    const { box } = show({ accepted: false })
    await userEvent.type(box, 'kept{Enter}')
    expect(box.value).toBe('kept')
  })

  it('offers Send from only for several pages, with Auto-select first', async () => {
    show()
    expect(screen.queryByLabelText('Send from')).toBeNull()
  })

  it('sends from the chosen page and keeps the choice', async () => {
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

  it('reports every change of the draft', async () => {
    const { onDraftChange, box } = show()
    await userEvent.type(box, 'a')
    expect(onDraftChange.mock.calls).toEqual([[{ id: 'draft-1', text: 'a', pageId: null }]])
  })
})

describe('The send route in the composer', () => {
  const route: SendRoute = { pageId: 'p2', reason: 'last_incoming', identity: 'found', platform: 'messenger' }
  const said = () => document.getElementById(screen.getByLabelText('Send from').getAttribute('aria-describedby') ?? '')

  it.each<[string, Partial<SendRoute>, string]>([
    ['the person last wrote to the page', {}, '→ Tarps Express on Messenger, where Maria wrote last'],
    [
      'the person has not written yet',
      { reason: 'last_message' },
      '→ Tarps Express on Messenger, where the last message was sent',
    ],
    [
      'the person has written to no other active page',
      { reason: 'only_page', platform: 'instagram' },
      '→ Tarps Express on Instagram, the only active page that Maria has written to',
    ],
    ['the API gives no reason', { reason: null, platform: null }, '→ Tarps Express, the best page for Maria'],
    [
      'the look-ups failed',
      { pageId: 'p1', reason: 'fallback', identity: 'own', platform: null },
      '→ Kapamilya Prints, the first page, because we could not check which page is bestWe could not check the account of Maria on this page. Your message goes to the account of this conversation.',
    ],
    [
      'the page was chosen and the person has no identity there',
      { reason: 'chosen', identity: 'none', platform: null },
      'Maria has not written to this page. Choose another page.',
    ],
    ['the page was chosen', { reason: 'chosen' }, 'to Maria on Messenger'],
    ['the page is not known', { pageId: 'p9', platform: null }, '→ p9, where Maria wrote last'],
  ])('is shown with its reason when %s', (_, more, text) => {
    show({ pages, route: { ...route, ...more } })
    expect(said()?.textContent).toBe(text)
  })

  it('reserves its space until it is known, and is not shown for a single page', () => {
    show({ pages })
    expect(said()?.textContent).toBe('')
  })

  it('gives way to the notice that explains why no reply is accepted', () => {
    show({ notice: 'You can reply once they write again.' })
    expect(screen.getByText('You can reply once they write again.')).toBeTruthy()
  })
})

describe('The message length', () => {
  const size = () => {
    const box = screen.getByRole('textbox', { name: 'Message' })
    return document.getElementById(box.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent
  }

  it.each<[Platform | undefined, string, string]>([
    [undefined, '👍'.repeat(1_600), '1,600 / 1,999'],
    ['messenger', 'ñ👍'.repeat(900), '1,800 / 1,999'],
    ['instagram', 'ñ👍'.repeat(150), '900 / 1,000 bytes'],
    ['messenger', `  ${'x'.repeat(1_700)}  `, '1,700 / 1,999'],
    [undefined, '', ''],
    ['messenger', 'x'.repeat(1_599), ''],
    ['instagram', 'x'.repeat(799), ''],
    ['instagram', 'x'.repeat(800), '800 / 1,000 bytes'],
  ])('on %s is counted as the network does, and shown from four fifths of the limit', (platform, text, counted) => {
    const { box } = show(platform ? { platform } : {})
    fireEvent.change(box, { target: { value: text } })
    expect(size()).toBe(counted)
  })

  it.each<[Platform, number]>([
    ['messenger', 1_999],
    ['instagram', 1_000],
  ])('on %s has a limit above which nothing is sent', async (platform, longest) => {
    const { onSend, box, button } = show({ platform })
    fireEvent.change(box, { target: { value: 'x'.repeat(longest + 1) } })
    await userEvent.type(box, '{Enter}')
    expect([button.disabled, box.getAttribute('aria-invalid'), screen.getByRole('status').textContent]).toEqual([
      true,
      'true',
      expect.stringMatching(/^Too long: /),
    ])
    fireEvent.change(box, { target: { value: 'x'.repeat(longest) } })
    expect([onSend.mock.calls, button.disabled]).toEqual([[], false])
  })
})
