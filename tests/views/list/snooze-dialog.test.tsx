import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { DialogProps } from '../../../src/machines/shell/dialog.ts'
import SnoozeDialog from '../../../src/views/list/SnoozeDialog.tsx'

afterEach(() => void vi.restoreAllMocks())

it.each([0, -480, 210])(
  'offers tomorrow morning in local time, %i minutes behind UTC, and takes what is typed',
  (offset) => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset)
    const send = vi.fn()
    const actor = { send } as unknown as DialogProps<'snooze'>['actor']
    render(<SnoozeDialog actor={actor} title="Snooze" onDismiss={() => {}} />)
    const tomorrow = new Date()
    tomorrow.setDate(tomorrow.getDate() + 1)
    tomorrow.setHours(9, 0, 0, 0)
    const field = screen.getByLabelText<HTMLInputElement>('At a time')
    expect(field.value).toBe(new Date(tomorrow.getTime() - offset * 60_000).toISOString().slice(0, 16))
    fireEvent.change(field, { target: { value: '2020-01-01T09:00' } })
    fireEvent.submit(field)
    expect([screen.getByRole('alert').textContent !== '', send.mock.calls]).toEqual([true, []])
    fireEvent.change(field, { target: { value: '2099-01-01T09:00' } })
    fireEvent.submit(field)
    const until = new Date('2099-01-01T09:00').toISOString()
    expect(send.mock.calls).toEqual([[{ type: 'decision.made', decision: { snooze: { until } } }]])
  },
)

it('begins at the first choice', async () => {
  const actor = { send: vi.fn() } as unknown as DialogProps<'snooze'>['actor']
  render(<SnoozeDialog actor={actor} title="Snooze" onDismiss={() => {}} />)
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^In 1 hour/))
})
