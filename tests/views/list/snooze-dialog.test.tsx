import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { row, stateOf } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, userWithStates } from '../inbox-harness.tsx'

afterEach(() => void vi.restoreAllMocks())

async function open(name: 'snooze' | 'assign', ids: readonly string[]) {
  const inbox = await showInbox({ person: userWithStates })
  const rows = ['c1', 'c2'].map((id) => row(id, 0, { unified_name: `Maria ${id}`, state: stateOf(1) }))
  await inbox.answer('loadTop', listOf(rows))
  await act(async () =>
    inbox.app.system.get('dialog').send({ type: 'dialog.requested', dialog: { name, input: { ids } } }),
  )
  await screen.findByRole('dialog')
  return inbox
}

it.each([0, -480, 210])(
  'offers tomorrow morning in local time, %i minutes behind UTC, and takes what is typed',
  async (offset) => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset)
    const inbox = await open('snooze', ['c1'])
    const tomorrow = new Date()
    tomorrow.setDate(tomorrow.getDate() + 1)
    tomorrow.setHours(9, 0, 0, 0)
    const field = screen.getByLabelText<HTMLInputElement>('At a time')
    expect(field.value).toBe(new Date(tomorrow.getTime() - offset * 60_000).toISOString().slice(0, 16))
    fireEvent.change(field, { target: { value: '2020-01-01T09:00' } })
    fireEvent.submit(field)
    expect([screen.getByRole('alert').textContent !== '', inbox.waiting('changeStates')]).toEqual([true, []])
    fireEvent.change(field, { target: { value: '2099-01-01T09:00' } })
    await act(async () => void fireEvent.submit(field))
    const until = new Date('2099-01-01T09:00').toISOString()
    expect(inbox.waiting('changeStates')).toMatchObject([{ changes: [{ id: 'c1', decision: { snooze: { until } } }] }])
    inbox.unmount()
  },
)

it('begins at the first choice', async () => {
  const inbox = await open('snooze', ['c1'])
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^In 1 hour/))
  inbox.unmount()
})

it.each([
  ['snooze', ['c2'], 'Maria c2'],
  ['assign', ['c2'], 'Maria c2'],
  ['snooze', ['c1', 'c2'], '2 conversations'],
] as const)('the dialog to %s %j says whom it concerns', async (name, ids, said) => {
  const inbox = await open(name, ids)
  expect(screen.getByRole('dialog').textContent).toContain(said)
  inbox.unmount()
})
