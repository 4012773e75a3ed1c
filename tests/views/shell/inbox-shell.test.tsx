import { act, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { createToastLog } from '../../model/harness.ts'
import { inserted, messageIn, row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, statsOf } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const header = () => within(screen.getByRole('banner'))
const connection = () => {
  const pill = header().getByRole('status')
  return [pill.textContent, pill.title]
}
const connecting = 'Connecting to live updates. Until then, we check for changes every 30 seconds.'
const live = 'Changes appear as they happen.'
const offline = 'No live connection. We check for changes every 30 seconds.'

const reportHint =
  'Saves a file about recent events to your downloads. The file contains no messages, names, passwords or tokens. Nothing is sent: give the file to your administrator.'

describe('The header', () => {
  it('shows the loaded counts of conversations and unread messages, and the unread count in the tab', async () => {
    const inbox = await showInbox()
    const counts = () => header().getByText(/conversations/).parentElement?.textContent
    expect([counts(), document.title]).toEqual(['– conversations·– unread messages', 'Inbox'])
    await inbox.answer('loadStats', statsOf(1214, 7))
    expect([counts(), document.title]).toEqual(['1,214 conversations·7 unread messages', '(7) Inbox'])
    inbox.unmount()
    expect(document.title).toBe('Inbox')
  })

  it('shows the unread count on the icon of the tab, and the plain icon without unread messages', async () => {
    const icon = document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'icon' }))
    icon.href = '/icon.svg'
    const plain = icon.href
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([]))
    const numbers = [await numberAfter(7), await numberAfter(120), await numberAfter(0)]
    // Two characters have a wider field than one.
    expect(numbers).toEqual([{ text: '7', width: 18 }, { text: '9+', width: 23 }, null])
    await numberAfter(3)
    inbox.unmount()
    expect(icon.href).toBe(plain)
    icon.remove()

    /** The number on the icon and the width of its field, which ends at the right edge; null for the plain icon. */
    async function numberAfter(unread: number): Promise<{ text: string | undefined; width: number } | null> {
      const stats = inbox.app.system.get('stats')
      if (inbox.waiting('loadStats').length === 0) await act(async () => stats.send({ type: 'refetch.requested' }))
      await act(() => vi.dynamicImportSettled())
      await inbox.answer('loadStats', statsOf(10, unread))
      const picture = new DOMParser().parseFromString(decodeURIComponent(icon.href.split(',')[1] ?? ''), 'text/xml')
      const [number, field] = [picture.querySelector('text'), picture.querySelectorAll('rect')[1]]
      if (number === null || field === undefined) return null
      const [x, width] = ['x', 'width'].map((name) => Number(field.getAttribute(name))) as [number, number]
      expect([x + width, Number(number.getAttribute('x'))]).toEqual([32, x + width / 2])
      return { text: number.textContent ?? undefined, width }
    }
  })

  it('explains Connecting, Live (after catching up), and Offline (when a channel fails)', async () => {
    const inbox = await showInbox()
    expect(connection()).toEqual([`Connection: Connecting. ${connecting}`, connecting])
    await inbox.answer('loadTop', listOf([]))
    await inbox.connect()
    expect(connection()).toEqual([`Connection: Connecting. ${connecting}`, connecting])
    await inbox.answer('loadTop', listOf([]))
    expect(connection()).toEqual([`Connection: Live. ${live}`, live])
    await inbox.hear({ type: 'channel.failed', channel: 'users' })
    expect(connection()).toEqual([`Connection: Offline. ${offline}`, offline])
  })

  it('refreshes the conversations', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([row('c1', 1)]))
    const refresh = header().getByRole('button', { name: 'Refresh conversations' })
    await userEvent.click(refresh)
    expect([inbox.waiting('loadTop').length, refresh.getAttribute('aria-busy')]).toEqual([1, 'true'])
    await inbox.answer('loadTop', listOf([row('c2', 2)]))
    expect(screen.getAllByRole('option', { name: /Person/ }).map((option) => option.id)).toEqual(['conversation-c2'])
    expect(refresh.getAttribute('aria-busy')).toBe('false')
  })

  it('shows who is signed in, and signs out', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([]))
    const menu = [...document.querySelectorAll('[popover]')].at(-1)
    expect(header().getByRole('button', { name: 'Account: Maria Santos' }).getAttribute('popovertarget')).toBe(menu?.id)
    expect(
      within(menu as HTMLElement)
        .getAllByText(/./, { selector: 'p' })
        .map((line) => line.textContent),
    ).toEqual(['Maria Santos', 'maria@example.com', 'agent', reportHint])
    await userEvent.click(screen.getByRole('button', { name: 'Sign out', hidden: true }))
    expect(inbox.app.getSnapshot().value).toBe('signedOut')
  })

  it('shows the content of a problem report before saving it, and afterwards where it is', async () => {
    const log = createToastLog()
    const inbox = await showInbox({ inspect: log.inspect })
    await inbox.answer('loadTop', listOf([]))
    const button = screen.getByRole('button', { name: 'Save a problem report', hidden: true })
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(reportHint)
    await userEvent.click(button)
    await inbox.answer('saveReport', undefined)
    expect(log.toasts).toEqual([
      {
        kind: 'success',
        text: 'Report saved as staff-inbox-report.json in your downloads. Give it to your administrator.',
      },
    ])
  })

  it('switches the appearance', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([]))
    const checked = () =>
      screen.getByRole<HTMLInputElement>('radio', { checked: true, hidden: true }).labels?.[0]?.textContent
    expect(checked()).toBe('System')
    await userEvent.click(screen.getByLabelText('Dark'))
    expect([checked(), inbox.appearance.getSnapshot().context]).toEqual(['Dark', 'dark'])
  })

  it('switches motion off and on, in the menu and in the palette', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([]))
    const isReduced = () => inbox.reducedMotion.getSnapshot().context
    await userEvent.click(screen.getByLabelText('Reduce motion'))
    expect(isReduced()).toBe(true)
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.click(await screen.findByRole('option', { name: 'Show motion again' }))
    expect([isReduced(), screen.getByLabelText<HTMLInputElement>('Reduce motion').checked]).toEqual([false, false])
  })
})

describe('The inbox has no axe violations', () => {
  it('while the list loads', async () => {
    await showInbox()
    await expectScreen()
  })

  it('in an empty list', async () => {
    const inbox = await showInbox()
    await inbox.answer('loadTop', listOf([]))
    await expectScreen()
  })

  it('in an open conversation with every kind of message', async () => {
    const inbox = await showInbox()
    await inbox.answer(
      'loadTop',
      listOf([row('c1', 1, { unread_messages: 3, page_ids: 'p1, p2', page_names: 'A, B', page_count: 2 })]),
    )
    await userEvent.click(screen.getByRole('option', { name: /Person c1/ }))
    const url = 'https://cdn.example/file'
    await inbox.answer('loadMessages', {
      messages: [
        messageIn('c1', 1),
        messageIn('c1', 2, {
          attachments: {
            data: [
              { image_data: { url } },
              { video_data: { url } },
              { audio_data: { url } },
              { name: 'a.pdf', size: 5, file_data: { url } },
            ],
          },
        }),
      ],
      hasMore: true,
    })
    await inbox.change([inserted('c1', 3)])
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'Opo{Enter}')
    await expectScreen()
  })
})
