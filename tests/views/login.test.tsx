import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it, vi } from 'vitest'
import { Failure } from '../../src/domain/failure.ts'
import { settled } from '../model/harness.ts'
import { showApp } from './app-harness.tsx'

vi.mock('../../src/views/inbox/InboxScreen.tsx', () => ({ InboxScreen: () => <p>The inbox</p> }))

async function atTheForm() {
  const app = await showApp('/login')
  await act(async () => {
    await app.provider.resolve(false)
    await app.me.resolve(null)
  })
  const user = userEvent.setup()
  return {
    app,
    user,
    email: screen.getByLabelText<HTMLInputElement>('E-mail'),
    password: screen.getByLabelText<HTMLInputElement>('Password'),
    submit: () => screen.getByRole<HTMLButtonElement>('button', { name: /^Sign/ }),
    refuse: (status: number, error: string) =>
      act(async () => {
        await app.password.reject(new Failure({ kind: 'status', status, error, method: 'POST', path: '/token' }))
        await settled()
      }),
  }
}

describe('the login form', () => {
  it('is filled and sent by the keyboard alone', async () => {
    const { app, user, email } = await atTheForm()
    expect(document.activeElement).toBe(email)
    await user.keyboard(' ana@example.com {Tab}correct horse{Enter}')
    expect(app.password.inputs()).toEqual([{ email: 'ana@example.com', password: 'correct horse' }])
  })

  it('keeps the spaces of a password', async () => {
    const { app, user } = await atTheForm()
    await user.keyboard('ana@example.com{Tab} horse {Enter}')
    expect(app.password.inputs()).toEqual([{ email: 'ana@example.com', password: ' horse ' }])
  })

  it('sends what a password manager filled in without typing', async () => {
    const { app, user, email, password, submit } = await atTheForm()
    email.value = 'ana@example.com'
    password.value = 'from the manager'
    await user.click(submit())
    expect(app.password.inputs()).toEqual([{ email: 'ana@example.com', password: 'from the manager' }])
  })

  it('is known to a password manager for what it is', async () => {
    const { email, password } = await atTheForm()
    const traits = [email, password].map(({ name, type, autocomplete, required }) => ({
      name,
      type,
      autocomplete,
      required,
    }))
    expect(traits).toEqual([
      { name: 'email', type: 'email', autocomplete: 'username', required: true },
      { name: 'password', type: 'password', autocomplete: 'current-password', required: true },
    ])
  })

  it('is busy while it is asked, and cannot be sent twice', async () => {
    const { app, user, submit } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}x{Enter}{Enter}')
    expect([submit().textContent, submit().disabled, app.password.calls.length]).toEqual(['Signing in…', true, 1])
    expect(screen.getByRole('form').getAttribute('aria-busy')).toBe('true')
  })

  it('says what is wrong, keeps what was typed and puts the cursor on the password', async () => {
    const { user, email, password, refuse, submit } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}wrong{Enter}')
    await refuse(400, 'Invalid login credentials')
    expect(screen.getByRole('alert').textContent).toBe('Invalid email or password. Please try again.')
    expect([email.value, password.value, document.activeElement, submit().disabled]).toEqual([
      'ana@example.com',
      'wrong',
      password,
      false,
    ])
    expect(password.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  })

  it('is clean while the next attempt runs', async () => {
    const { user, refuse } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}wrong{Enter}')
    await refuse(400, 'Invalid login credentials')
    await user.keyboard('right{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('')
  })

  it('shows the password on request and hides it again when it is sent', async () => {
    const { user, password } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}horse')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect([password.type, password.value]).toEqual(['text', 'horse'])
    await user.type(password, '{Enter}')
    expect(password.type).toBe('password')
    expect(screen.getByRole('button', { name: 'Show password' })).toBeDefined()
  })

  it('has a name of its own in the tab', async () => {
    await atTheForm()
    expect(document.title).toBe('Sign in · Inbox')
  })

  it('has no fault that axe knows, also with a refusal on it', async () => {
    const { user, refuse } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}wrong{Enter}')
    await refuse(400, 'Invalid login credentials')
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})
