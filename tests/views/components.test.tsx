import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Avatar } from '../../src/views/components/Avatar.tsx'
import { ErrorBoundary } from '../../src/views/components/ErrorBoundary.tsx'
import { Field } from '../../src/views/components/Field.tsx'
import { RelativeTime } from '../../src/views/components/RelativeTime.tsx'
import { SubmitButton } from '../../src/views/components/SubmitButton.tsx'

describe('A relative time', () => {
  const start = Date.parse('2026-03-10T12:00:00Z')
  beforeEach(() => {
    vi.useFakeTimers({ now: start })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('updates itself with one shared timer, which stops with the last component', () => {
    const moments = [0, 59_000, 3_540_000].map((age) => new Date(start - age).toISOString())
    const { container, unmount } = render(moments.map((moment) => <RelativeTime key={moment} moment={moment} />))
    const texts = () => Array.from(container.querySelectorAll('time'), (time) => time.textContent)
    expect([texts(), vi.getTimerCount()]).toEqual([['Just now', 'Just now', '59m ago'], 1])
    act(() => vi.advanceTimersByTime(60_000))
    expect(texts()).toEqual(['1m ago', '1m ago', '1h ago'])
    unmount()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('continues after another one is removed, and shows a new moment', () => {
    const times = (...ages: number[]) =>
      ages.map((age, index) => <RelativeTime key={String(index)} moment={new Date(start - age).toISOString()} />)
    const { container, rerender } = render(times(0, 0))
    rerender(times(0))
    act(() => vi.advanceTimersByTime(60_000))
    expect(container.textContent).toBe('1m ago')
    rerender(times(3_540_000))
    expect(container.textContent).toBe('1h ago')
  })
})

describe('A submit button', () => {
  function Form({ isBusy, reason }: { isBusy: boolean; reason: string | null }) {
    const title = useRef<HTMLInputElement>(null)
    return (
      <form>
        <input ref={title} aria-label="Title" />
        <SubmitButton busy={isBusy} blockedReason={reason} focusFallback={title}>
          Save
        </SubmitButton>
      </form>
    )
  }

  it.each([
    ['gets the focus back after it was busy', null, 'body', 'Save'],
    ['gives the focus to another control if it stays disabled', 'Nothing has changed', 'body', 'Title'],
    ['leaves the focus where a person has moved it meanwhile', null, 'Title', 'Title'],
  ])('%s', (_, reason, meanwhile, expected) => {
    const { rerender } = render(<Form isBusy={false} reason={null} />)
    const save = screen.getByRole('button', { name: 'Save' })
    const title = screen.getByLabelText('Title')
    save.focus()
    rerender(<Form isBusy reason={null} />)
    // A browser takes the focus from a disabled button, jsdom does not.
    if (meanwhile === 'Title') title.focus()
    else save.blur()
    rerender(<Form isBusy={false} reason={reason} />)
    expect(document.activeElement).toBe(expected === 'Save' ? save : title)
  })
})

describe('An avatar', () => {
  const source = (container: HTMLElement) => container.querySelector('img')?.getAttribute('src') ?? null

  it('shows the picture, else the initials, else the fallback picture', () => {
    const shown = [
      { name: 'Ana Lim', picture: 'https://cdn.example/ana.jpg' },
      { name: 'Maria Clara Santos', picture: null },
      { name: null, picture: null },
    ].map((person) => {
      const { container } = render(<Avatar {...person} />)
      return source(container) ?? container.textContent
    })
    expect(shown).toEqual(['https://cdn.example/ana.jpg', 'MS', '/avatar.png'])
  })

  it('shows the fallback picture after a load error until the address changes', () => {
    const { container, rerender } = render(<Avatar name="Ana" picture="https://cdn.example/old.jpg" />)
    fireEvent.error(container.querySelector('img') ?? container)
    expect(source(container)).toBe('/avatar.png')
    fireEvent.error(container.querySelector('img') ?? container)
    expect(source(container)).toBe('/avatar.png')
    rerender(<Avatar name="Ana" picture="https://cdn.example/new.jpg" />)
    expect(source(container)).toBe('https://cdn.example/new.jpg')
  })
})

describe('An error boundary', () => {
  it('shows its fallback after an error until its key changes, and again after the next error', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const View = ({ fails }: { fails: boolean }) => {
      if (fails) throw new Error('the view fails')
      return 'the view'
    }
    const boundary = (resetKey: string, fails: boolean) => (
      <ErrorBoundary resetKey={resetKey} fallback="the fallback">
        <View fails={fails} />
      </ErrorBoundary>
    )
    const { container, rerender } = render(boundary('a', false))
    const show = (resetKey: string, fails: boolean) => {
      rerender(boundary(resetKey, fails))
      return container.textContent
    }
    expect([show('a', true), show('a', false), show('b', false), show('b', true), show('b', false)]).toEqual([
      'the fallback',
      'the fallback',
      'the view',
      'the fallback',
      'the fallback',
    ])
  })
})

describe('A field', () => {
  it('links its error to the input for screen readers', () => {
    render(<Field label="Email" error="Please enter an address" />)
    const input = screen.getByRole('textbox', { name: 'Email' })
    const description = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    expect([input.getAttribute('aria-invalid'), description?.textContent]).toEqual(['true', 'Please enter an address'])
  })
})
