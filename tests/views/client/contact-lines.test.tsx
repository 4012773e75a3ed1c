import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../../src/schemas/client.ts'
import ContactLines from '../../../src/views/client/ContactLines.tsx'
import { withNotifier } from '../with-notifier.tsx'

const clientOf = (more: Partial<Client>): Client => ({ id: 'k1', is_active: true, ...more })

function show(client: Client, writeText?: (text: string) => Promise<void>) {
  vi.stubGlobal('navigator', writeText === undefined ? {} : { clipboard: { writeText } })
  const { element, toasts } = withNotifier(<ContactLines client={client} />)
  return { ...render(element), toasts }
}
const links = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('The contacts of a client', () => {
  it('are links to write and to call', () => {
    show(clientOf({ email: 'maria+shop@example.com', phone: '+63 (917) 555-0101' }))
    expect(links()).toEqual([
      ['maria+shop@example.com', 'mailto:maria%2Bshop@example.com'],
      ['+63 (917) 555-0101', 'tel:+639175550101'],
    ])
  })

  it('adds no recipient and no subject from an address', () => {
    show(clientOf({ email: 'a@b.example,c@d.example?subject=x&cc=e@f.example' }))
    expect(links()[0]?.[1]).toBe('mailto:a@b.example%2Cc@d.example%3Fsubject%3Dx%26cc%3De@f.example')
  })

  it('are not shown if there are none', () => {
    show(clientOf({ email: '', phone: null }))
    expect(screen.queryAllByRole('link')).toEqual([])
  })

  it.each([
    ['says that it was copied', async () => {}, ['success', 'Copied']],
    [
      'says that the browser refused',
      () => Promise.reject(new Error('denied')),
      ['error', 'Your browser did not copy it. Select the text instead.'],
    ],
  ])('%s', async (_, answer, toast) => {
    const copied: string[] = []
    const { toasts } = show(clientOf({ phone: '0917' }), (text) => {
      copied.push(text)
      return answer()
    })
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Copy 0917' })))
    expect([copied, toasts()]).toEqual([['0917'], [toast]])
  })

  it('have no button where the browser has no clipboard', () => {
    show(clientOf({ phone: '0917' }))
    expect(screen.queryByRole('button')).toBeNull()
  })
})
