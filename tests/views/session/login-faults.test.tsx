import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor } from 'xstate'
import { defaultWidths } from '../../../src/domain/shell/pane-widths.ts'
import { sharedComputerLogic } from '../../../src/machines/session/shared-computer.ts'
import { appearanceLogic } from '../../../src/machines/shell/appearance.ts'
import { paneWidthsLogic } from '../../../src/machines/shell/pane-widths.ts'
import { reducedMotionLogic } from '../../../src/machines/shell/reduced-motion.ts'
import { App } from '../../../src/views/App.tsx'
import { type AuthRow, authRows, chosenPassword, faultsOf } from '../../faults/auth-rows.ts'
import { type Fault, type Harness, openHarness } from '../../faults/matrix-fixture.ts'

const inDialog = ['POST /auth/complete-migration', 'POST /auth/v1/signup']
const isInDialog = ({ call }: AuthRow) => inDialog.includes(call)
const rows = authRows.flatMap((row) => (row.typed ? [[row.call, row, row.typed] as const] : []))

const harnesses: Harness[] = []

beforeAll(async () => {
  await import('../../../src/views/session/LoginScreen.tsx')
  await import('../../../src/sign-in-steps.ts')
})
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => {
  for (const harness of harnesses.splice(0)) harness.leave()
})

/** Opens the whole client at the login form, with an API in which one call fails. */
async function showLogin(row: AuthRow, fault: Fault): Promise<Harness> {
  const harness = await openHarness(row.stored, [], row.provider)
  harnesses.push(harness)
  const appearance = createActor(appearanceLogic, { input: 'system' }).start()
  const reducedMotion = createActor(reducedMotionLogic, { input: false }).start()
  const paneWidths = createActor(paneWidthsLogic, { input: defaultWidths }).start()
  const sharedComputer = createActor(sharedComputerLogic, { input: false }).start()
  const actors = {
    app: harness.app,
    auth: harness.auth,
    notifier: harness.app.system.get('notifier'),
    appearance,
    reducedMotion,
    paneWidths,
    sharedComputer,
  }
  render(
    <MemoryRouter initialEntries={['/login']}>
      <App actors={actors} />
    </MemoryRouter>,
  )
  await act(() => harness.passes(100))
  if (!isInDialog(row)) await row.prepare?.(harness)
  harness.fail(row.call, fault)
  return harness
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

describe.each(rows)('%s', (_, row, typed) => {
  it.each(faultsOf(row))('%s: shows the reason and keeps the input', async (name, fault) => {
    const harness = await showLogin(row, fault)
    fill('Email', typed.email)
    fill('Password', typed.password)
    await press('Sign in')
    await act(() => harness.passes(100))
    if (isInDialog(row)) {
      fill('New password', chosenPassword)
      fill('Repeat new password', chosenPassword)
      await press('Set password and sign in')
    }
    await act(() => harness.passes(name === 'no answer in 30 s' ? 31_000 : 3_000))

    const { form, dialog } = row.outcome(name)
    const shown = isInDialog(row) ? within(screen.getByRole('dialog')) : screen
    expect(shown.getByRole('alert').textContent).toBe(dialog ?? form)
    expect(shown.queryByRole('button', { name: /…$/ })).toBe(null)
    const known = screen.getByRole('form', { name: 'Sign in', hidden: true })
    const inputs = [...known.querySelectorAll<HTMLInputElement>('input:not([type="checkbox"])')].map(
      ({ value }) => value,
    )
    expect(inputs).toEqual([typed.email, typed.password])
    if (!isInDialog(row)) return
    const again = shown.queryByRole('button', { name: 'Try again' })
    // Either only the last step is offered again, or the form still contains the new password.
    if (again === null)
      expect([field('New password').value, field('Repeat new password').value]).toEqual([
        chosenPassword,
        chosenPassword,
      ])
  })
})
