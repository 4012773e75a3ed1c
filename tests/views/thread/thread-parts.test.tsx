import { fireEvent, render, screen, within } from '@testing-library/react'
import fc from 'fast-check'
import type { ReactElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import { message } from '../../../src/schemas/message.ts'
import { Bubble } from '../../../src/views/thread/Bubble.tsx'
import { estimate } from '../../../src/views/thread/message-heights.ts'
import { NewMessageAnnouncer } from '../../../src/views/thread/NewMessageAnnouncer.tsx'
import { PendingBubble } from '../../../src/views/thread/PendingBubble.tsx'
import { ShowImageProvider } from '../../../src/views/thread/show-image.ts'
import { countNewAfter, createThreadItems } from '../../../src/views/thread/thread-items.ts'
import UnconfirmedReply from '../../../src/views/thread/UnconfirmedReply.tsx'
import { found } from '../found.ts'
import { SignedIn } from '../signed-in.tsx'
import userEvent from '../user-event.ts'

const messageWith = (fields: object) =>
  message.parse({
    message_id: 'm1',
    fb_user_id: 'u1',
    page_id: 'p1',
    direction: 'incoming',
    created_at: '2026-03-10T09:05:00',
    message_text: 'Hello po',
    ...fields,
  })

const sendWith = (fields: Partial<Outgoing>): Outgoing => ({
  key: 'k1',
  recipient: { conversationId: 'u1', name: null, fbUserId: 'u1', pages: [], psid: null, psidPageId: null },
  text: 'Opo',
  file: null,
  structured: null,
  chosenPageId: null,
  pageId: null,
  psid: null,
  createdAt: '2026-03-10T09:06:00',
  leftAt: null,
  status: 'pending',
  failure: null,
  echoId: null,
  ...fields,
})

const threadItems: ReturnType<typeof createThreadItems> = (...of) => createThreadItems()(...of)

const showBubble = (fields: object, via: string | null = null, endsGroup = true, by: string | null = null) =>
  render(<Bubble message={messageWith(fields)} author="Maria Clara" by={by} via={via} endsGroup={endsGroup} />, {
    wrapper: SignedIn,
  })

const showAttachment = (attachment: object) =>
  showBubble({ message_text: null, attachments: { data: [{ id: 'a1', ...attachment }] } })

describe('A bubble', () => {
  it('names the staff member who wrote it, on the screen and for screen readers', () => {
    showBubble({ direction: 'outgoing' }, null, true, 'Ana Reyes')
    const article = screen.getByRole('article', { name: /^Ana Reyes, / })
    expect(within(article).getByText('Ana Reyes').title).toBe('Ana Reyes')
  })

  it('of an automatic answer is dashed with a robot beside the last one of its group, and keeps its name', () => {
    const answer = { direction: 'outgoing', idempotency_key: 'auto-reply:m0' }
    const dashed = () => screen.getByText('Hello po').closest('.outline-dashed') !== null
    const { unmount } = showBubble(answer, null, true, 'Automatic reply: Prices')
    const last = screen.getByRole('article', { name: 'Automatic reply: Prices, 9:05 AM' })
    expect([dashed(), last.querySelectorAll('.lucide-bot').length]).toEqual([true, 1])
    unmount()
    const { unmount: unmountEarlier } = showBubble(answer, null, false, 'Automatic reply: Prices')
    expect([dashed(), document.querySelectorAll('.lucide-bot').length]).toEqual([true, 0])
    unmountEarlier()
    showBubble({ direction: 'outgoing' }, null, true, 'Ana Reyes')
    expect([dashed(), document.querySelectorAll('.lucide-bot').length]).toEqual([false, 0])
  })

  it('shows the author, the time and the page', () => {
    showBubble({}, 'Kapamilya Prints')
    expect(screen.getByRole('article', { name: 'Maria Clara, 9:05 AM' }).textContent).toBe(
      'Hello po9:05 AM · via Kapamilya Prints',
    )
  })

  it('shows time and page only at the end of its group, and its own time on request', () => {
    showBubble({ direction: 'outgoing' }, 'Kapamilya Prints', false)
    const bubble = screen.getByRole('article', { name: 'You, 9:05 AM' })
    expect([bubble.textContent, bubble.title.includes('2026')]).toEqual(['Hello po', true])
  })

  it('marks a sent message, and neutralizes bidirectional control characters in a page name', () => {
    showBubble({ direction: 'outgoing' }, 'Tarps\u202Esserpxe')
    expect(screen.getByRole('img', { name: 'Sent' })).toBeTruthy()
    expect(screen.getByRole('article').textContent).toBe('Hello po9:05 AM · via Tarpssserpxe')
  })

  it('prefers the time of the network to that of the server', () => {
    showBubble({ direction: 'outgoing', timestamp_fb: '2026-03-10T08:00:00' })
    expect(screen.getByRole('article', { name: 'You, 8:00 AM' }).textContent).toBe('Hello po8:00 AM')
  })

  it('sets the writing direction from its text', () => {
    showBubble({ message_text: 'مرحبا' })
    expect(screen.getByText('مرحبا').getAttribute('dir')).toBe('auto')
  })

  it('shows markup as plain text', () => {
    showBubble({ message_text: '<img src=x onerror=alert(1)>' })
    expect(screen.getByText('<img src=x onerror=alert(1)>').children).toHaveLength(0)
  })

  it('collapses a very long text until it is expanded', async () => {
    const text = 'x'.repeat(100_000)
    showBubble({ message_text: text })
    expect(screen.getByText(/^x+…$/).textContent).toHaveLength(4_001)
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(screen.getByText(/^x+$/).textContent).toBe(text)
  })
})

describe('The announcement of new messages', () => {
  it('reads messages of the person, and none of staff, also after another message', () => {
    const [first, theirs, own] = [
      messageWith({}),
      messageWith({ message_id: 'm2', message_text: 'Available pa ba?' }),
      messageWith({ message_id: 'm3', message_text: 'Opo', direction: 'outgoing' }),
    ]
    const { container, rerender } = render(<NewMessageAnnouncer author="Maria Clara" messages={[first]} />)
    const read = [[first, own], [first, theirs], [first, theirs, own], []].map((messages) => {
      rerender(<NewMessageAnnouncer author="Maria Clara" messages={messages} />)
      return container.textContent
    })
    expect(read).toEqual(['', 'Maria Clara: Available pa ba?', '', ''])
  })
})

describe('The text of a bubble', () => {
  it('has links that open in a new tab without an opener, and leaves the rest unchanged', () => {
    showBubble({ message_text: 'Bayad na: https://pay.example/r?id=1, salamat' })
    const link = screen.getByRole<HTMLAnchorElement>('link')
    expect([link.textContent, link.href, link.target, link.rel]).toEqual([
      'https://pay.example/r?id=1',
      'https://pay.example/r?id=1',
      '_blank',
      'noopener noreferrer',
    ])
    expect(link.parentElement?.textContent).toBe('Bayad na: https://pay.example/r?id=1, salamat')
  })

  it('has no link that would run code', () => {
    showBubble({ message_text: 'javascript:alert(1) data:text/html,x' })
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('is larger if it consists only of emoji', () => {
    showBubble({ message_text: '👍🏽' })
    showBubble({ message_text: 'ok 👍🏽' })
    expect(['👍🏽', 'ok 👍🏽'].map((text) => screen.getByText(text).className.includes('2.25rem'))).toEqual([
      true,
      false,
    ])
  })
})

describe('An attachment', () => {
  it('is a picture that opens in full size, and shows an error if it fails to load', () => {
    showAttachment({
      name: 'proof.png',
      image_data: { url: 'https://cdn.example/full.png', preview_url: 'https://cdn.example/small.png' },
    })
    const picture = screen.getByRole<HTMLImageElement>('img', { name: 'proof.png' })
    expect(picture.src).toBe('https://cdn.example/small.png')
    const link = screen.getByRole<HTMLAnchorElement>('link')
    expect([link.href, link.target, link.rel]).toEqual([
      'https://cdn.example/full.png',
      '_blank',
      'noopener noreferrer',
    ])
    fireEvent.error(picture)
    expect(screen.getByText('Image failed to load')).toBeTruthy()
    expect(screen.queryByRole('img')).toBeNull()
  })

  it('is a picture whose press opens the preview, and with a modifier key the link', () => {
    const shown: unknown[] = []
    const picture = { id: 'a1', name: 'proof.png', image_data: { url: '/full.png', preview_url: '/small.png' } }
    render(
      <ShowImageProvider value={({ name }) => void shown.push(name)}>
        <Bubble
          message={messageWith({ message_text: null, attachments: { data: [picture] } })}
          author="Maria Clara"
          by={null}
          via={null}
          endsGroup
        />
      </ShowImageProvider>,
      { wrapper: SignedIn },
    )
    const leftToBrowser: boolean[] = []
    const stay = (event: Event) => {
      leftToBrowser.push(!event.defaultPrevented)
      // jsdom cannot follow a link.
      event.preventDefault()
    }
    window.addEventListener('click', stay)
    for (const keys of [{}, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }]) {
      fireEvent.click(screen.getByRole('img'), keys)
    }
    window.removeEventListener('click', stay)
    expect([leftToBrowser, shown]).toEqual([[false, true, true, true, true], ['proof.png']])
  })

  it('is shown as a failed picture if its address is not allowed', () => {
    showAttachment({ image_data: { url: 'javascript:alert(1)' } })
    expect(screen.getByText('Image failed to load')).toBeTruthy()
  })

  it.each([
    ['video', { video_data: { url: 'https://cdn.example/clip.mp4' } }, 'Video failed to load'],
    ['audio', { audio_data: { url: 'https://cdn.example/voice.mp3' } }, 'Audio failed to load'],
  ])('of type %s shows an error if it fails to load', (kind, attachment, text) => {
    showAttachment(attachment)
    const player = () => document.querySelector(kind)
    fireEvent.error(found(player(), kind))
    expect([player(), screen.getByText(text).textContent]).toEqual([null, text])
  })

  it('is a video', () => {
    showAttachment({ name: 'clip.mp4', video_data: { url: 'https://cdn.example/clip.mp4' } })
    expect(screen.getByLabelText<HTMLVideoElement>('clip.mp4').src).toBe('https://cdn.example/clip.mp4')
  })

  it('is an audio player', () => {
    showAttachment({ audio_data: { url: 'https://cdn.example/note.mp3' } })
    expect(screen.getByLabelText<HTMLAudioElement>('Audio').src).toBe('https://cdn.example/note.mp3')
  })

  it('is a file with its name and size', () => {
    showAttachment({ name: 'layout\u202Efdp.pdf', size: 1536, file_data: { url: 'https://cdn.example/layout.pdf' } })
    const link = screen.getByRole<HTMLAnchorElement>('link')
    expect([link.textContent, link.download, link.target, link.rel]).toEqual([
      'layoutfdp.pdfPDF · 1.5 KB',
      'layoutfdp.pdf',
      '_blank',
      'noopener noreferrer',
    ])
  })

  it('is shown as not available if its address is not allowed', () => {
    showAttachment({ file_data: { url: 'javascript:alert(1)' } })
    expect(screen.getByText('Attachment not available')).toBeTruthy()
  })
})

describe('The bubble of a send', () => {
  const show = (fields: Partial<Outgoing>) => {
    const onRetry = vi.fn<(key: string) => void>()
    const onDiscard = vi.fn<(send: Outgoing) => void>()
    const onLook = vi.fn<(key: string) => void>()
    render(<PendingBubble send={sendWith(fields)} onLook={onLook} onRetry={onRetry} onDiscard={onDiscard} />)
    return { onLook, onRetry, onDiscard, text: screen.getByRole('article').textContent }
  }

  it.each([
    ['queued', 'OpoWaiting to send'],
    ['pending', 'OpoSending…'],
  ] as const)('with status %s shows only its status', (status, text) => {
    expect(show({ status }).text).toBe(text)
    expect(screen.queryAllByRole('button')).toEqual([])
  })

  it.each([
    ['offline', null, 'OpoNot sent yet: no internet connectionSend againDiscard'],
    ['waiting', null, 'OpoNot sent yetSend againDiscard'],
    [
      'unconfirmed',
      null,
      'OpoMay not have arrived: checking with the page… If you send it again, it may arrive twice.Send againDiscard',
    ],
    [
      'notFound',
      'Failed to send message',
      'OpoMay not have arrived. If you send it again, it may arrive twice.Check againSend againDiscard',
    ],
    ['failed', 'Failed to send message', 'OpoNot sent: Failed to send messageSend againDiscard'],
  ] as const)('with status %s can be retried or discarded', async (status, failure, text) => {
    const shown = show({ status, failure })
    expect(shown.text).toBe(text)
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect([shown.onRetry.mock.calls, shown.onDiscard.mock.calls]).toEqual([
      [['k1']],
      [[sendWith({ status, failure })]],
    ])
  })
})

describe('The estimated height of a send', () => {
  it('has room for its file', () => {
    const height = (file: Outgoing['file']) => estimate({ kind: 'send', key: 'own:k1', send: sendWith({ file }) })
    const picture = { id: 'f1', kind: 'image', type: 'image/png', name: 'cake.png', size: 9, url: '/cake.png' } as const
    expect([height(null), height(picture)]).toEqual([64, 270])
  })
})

describe('The estimated height of a message', () => {
  it('is the sum of its text, its parts and its files', () => {
    const shared = { kind: 'share' as const, title: 'June promo', text: null, file: null, link: null }
    const height = (parts: readonly object[], text: string, attachments: readonly object[]) => {
      const data = attachments.map((image_data, index) => ({ id: `a${index}`, image_data }))
      const one = messageWith({ message_text: text, attachments: { data }, content: { parts, fallback: null } })
      return estimate(threadItems([one], [], null)[0])
    }
    const picture = { url: '/cake.jpg', preview_url: null }
    expect([
      height([], 'Opo', []),
      height([shared], '', []),
      height([shared, shared], 'Opo', []),
      height([shared, shared], 'Opo', [picture]),
    ]).toEqual([64, 256, 518, 724])
  })
})

describe('A message that the network does not show yet', () => {
  it('can be checked again', async () => {
    const onLook = vi.fn<(key: string) => void>()
    render(
      <PendingBubble send={sendWith({ status: 'notFound' })} onLook={onLook} onRetry={vi.fn()} onDiscard={vi.fn()} />,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
    expect(onLook.mock.calls).toEqual([['k1']])
  })
})

describe('The warning before a message is sent again', () => {
  const warning = /may arrive twice/
  const bubble = (status: Outgoing['status']) => (
    <PendingBubble send={sendWith({ status })} onLook={vi.fn()} onRetry={vi.fn()} onDiscard={vi.fn()} />
  )
  it.each<[string, ReactElement, boolean]>([
    ['an unconfirmed message', bubble('unconfirmed'), true],
    ['a message that was not found', bubble('notFound'), true],
    [
      'an unconfirmed automatic reply',
      <UnconfirmedReply
        key="r"
        question={messageWith({ message_id: 'm1' })}
        reply={{ text: 'We open at 9.', tries: 1 }}
        decided={null}
        onDecide={vi.fn()}
      />,
      true,
    ],
    ['a refused message', bubble('failed'), false],
    ['a message that did not leave', bubble('waiting'), false],
  ])('is the description of the button at %s', async (_, shown, isWarned) => {
    render(shown)
    await userEvent.tab()
    while (document.activeElement?.textContent !== 'Send again') await userEvent.tab()
    const warned = screen.queryByRole('button', { name: 'Send again', description: warning })
    expect(warned).toBe(isWarned ? document.activeElement : null)
  })
})

describe('The focus after a decision that removes its button', () => {
  const question = messageWith({ message_id: 'm1' })
  const reply = { text: 'We open at 9.', tries: 1 } as const
  it.each([
    [
      'Check again',
      <PendingBubble
        key="s"
        send={sendWith({ status: 'notFound' })}
        onLook={vi.fn()}
        onRetry={vi.fn()}
        onDiscard={vi.fn()}
      />,
    ],
    ['Send again', <UnconfirmedReply key="r" question={question} reply={reply} decided={null} onDecide={vi.fn()} />],
  ])('is on the list of messages after %s', async (name, bubble) => {
    render(
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the list of messages is scrolled with the keyboard
      <section aria-label="Messages" tabIndex={0}>
        {bubble}
      </section>,
    )
    await userEvent.click(screen.getByRole('button', { name }))
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' }))
  })
})

describe('The items of a thread', () => {
  const first = messageWith({ message_id: 'm1', created_at: '2026-03-09T23:59:00' })
  const second = messageWith({ message_id: 'm2', created_at: '2026-03-10T00:01:00' })
  const own = messageWith({
    message_id: 'm3',
    created_at: '2026-03-10T00:02:00',
    direction: 'outgoing',
    idempotency_key: 'k1',
  })

  it('begin a day where the date changes, and end with the sends', () => {
    const send = sendWith({})
    expect(threadItems([first, second], [send], 'm2')).toEqual([
      {
        kind: 'message',
        key: 'message:m1',
        message: first,
        nextDay: second.created_at,
        startsUnread: false,
        endsGroup: true,
      },
      { kind: 'message', key: 'message:m2', message: second, nextDay: null, startsUnread: true, endsGroup: true },
      { kind: 'send', key: 'own:k1', send },
    ])
  })

  describe('form one group', () => {
    const before = messageWith({ message_id: 'm1', created_at: '2026-03-10T09:00:00' })
    const after = { message_id: 'm2', created_at: '2026-03-10T09:03:00' }
    const cases: [string, object, string | null, boolean][] = [
      ['if one author wrote them within three minutes', {}, null, true],
      ['not after more than three minutes', { created_at: '2026-03-10T09:03:01' }, null, false],
      ['not if another author replies', { direction: 'outgoing' }, null, false],
      ['not across pages', { page_id: 'p2' }, null, false],
      ['not across the first unread message', {}, 'm2', false],
    ]
    it.each(cases)('%s', (_, fields, newFrom, isOne) => {
      const ends = threadItems([before, messageWith({ ...after, ...fields })], [], newFrom).map(
        (item) => item.kind === 'message' && item.endsGroup,
      )
      expect(ends).toEqual([!isOne, true])
    })

    it('not with an automatic reply', () => {
      const own = { direction: 'outgoing' }
      const items = threadItems(
        [
          messageWith({ ...own, created_at: '2026-03-10T09:00:00' }),
          messageWith({ ...after, ...own, idempotency_key: 'auto-reply:m0' }),
        ],
        [],
        null,
      )
      expect(items.map((item) => item.kind === 'message' && item.endsGroup)).toEqual([true, true])
    })
  })

  it('show a send that has arrived once, in its own place', () => {
    expect(threadItems([second, own], [sendWith({})], null).map((item) => item.key)).toEqual(['message:m2', 'own:k1'])
  })

  it('are the same after any changes as if computed from scratch', () => {
    const pool = Array.from({ length: 12 }, (_, index) =>
      messageWith({
        message_id: `m${index}`,
        created_at: `2026-03-${index < 5 ? '09' : '10'}T09:${String(index * 2).padStart(2, '0')}:00`,
        direction: index % 4 === 3 ? 'outgoing' : 'incoming',
      }),
    )
    const newFrom = fc.constantFrom(null, 'm4', 'm9')
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.subarray(pool), newFrom), { maxLength: 8 }), (changes) => {
        const itemsOf = createThreadItems()
        for (const [messages, from] of changes) {
          expect(itemsOf(messages, [], from)).toEqual(threadItems(messages, [], from))
        }
      }),
    )
  })

  it.each([
    ['a new message', 1, 51, [49, 50]],
    ['a removed message', 1, 49, [48]],
    ['older ones', 0, 50, [0]],
  ])('are computed again only next to %s', (_, from, to, anew) => {
    const many = Array.from({ length: 52 }, (_, index) =>
      messageWith({ message_id: `m${index}`, created_at: new Date(1_700_000_000_000 + index * 60_000).toISOString() }),
    )
    const itemsOf = createThreadItems()
    const before = new Set(itemsOf(many.slice(1, 50), [], null))
    const now = itemsOf(many.slice(from, to), [], null)
    expect(now.flatMap((item, index) => (before.has(item) ? [] : [index + from]))).toEqual(anew)
    expect(now).toEqual(threadItems(many.slice(from, to), [], null))
  })

  it.each([
    ['2026-03-09T23:59:00', 2],
    ['2026-03-10T00:01:00', 1],
    ['2026-03-10T00:02:30', 1],
    ['2026-03-10T00:03:00', 0],
  ])('below the last seen message at %s include %i incoming messages, without those of staff', (seen, count) => {
    const last = messageWith({ message_id: 'm4', created_at: '2026-03-10T00:03:00' })
    expect(countNewAfter([first, second, own, last], messageWith({ message_id: 'm9', created_at: seen }))).toBe(count)
  })
})
