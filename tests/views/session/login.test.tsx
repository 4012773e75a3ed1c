import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { settled } from '../../model/harness.ts'
import { ana, faults, newPassword, pendingAccount } from '../../model/session/auth-fixture.ts'
import { type ShownApp, showApp } from '../app-harness.tsx'
import { neededIn } from '../needed.ts'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

vi.mock('../../../src/views/shell/InboxScreen.tsx', () => ({ InboxScreen: () => <p>The inbox</p> }))

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
    email: screen.getByLabelText<HTMLInputElement>('Email'),
    password: screen.getByLabelText<HTMLInputElement>('Password'),
    submit: () => screen.getByRole<HTMLButtonElement>('button', { name: /^Sign/ }),
    /** Neither the provider nor the legacy login knows the email address. */
    refuse: () =>
      act(async () => {
        await app.password.reject(faults.unknown)
        await app.check.resolve({ needsMigration: false, email: 'ana@example.com' })
        await app.oldWay.reject(faults.wrongPassword)
        await settled()
      }),
  }
}

describe('The login form', () => {
  it('can be filled in and sent by keyboard alone', async () => {
    const { app, user, email } = await atTheForm()
    expect(document.activeElement).toBe(email)
    await user.keyboard(' ana@example.com {Tab}correct horse{Enter}')
    expect(app.password.inputs()).toEqual([{ email: 'ana@example.com', password: 'correct horse' }])
  })

  it('keeps the spaces in a password', async () => {
    const { app, user } = await atTheForm()
    await user.keyboard('ana@example.com{Tab} horse {Enter}')
    expect(app.password.inputs()).toEqual([{ email: 'ana@example.com', password: ' horse ' }])
  })

  it('sends what a password manager filled in without key events', async () => {
    const { app, user, email, password, submit } = await atTheForm()
    email.value = 'ana@example.com'
    password.value = 'from the manager'
    await user.click(submit())
    expect(app.password.inputs()).toEqual([{ email: 'ana@example.com', password: 'from the manager' }])
  })

  it('marks required fields, visibly and for screen readers', async () => {
    await atTheForm()
    expect(neededIn(screen.getByRole('form', { name: 'Sign in' }))).toEqual({
      shown: ['Email', 'Password'],
      said: ['Email', 'Password'],
    })
  })

  it('has the attributes that password managers recognize', async () => {
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

  it('is busy during the request and cannot be sent twice', async () => {
    const { app, user, submit } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}x{Enter}{Enter}')
    expect([submit().textContent, submit().disabled, app.password.calls.length]).toEqual(['Signing in…', true, 1])
    expect(screen.getByRole('form').getAttribute('aria-busy')).toBe('true')
  })

  it('shows the error, keeps the input and focuses the password', async () => {
    const { user, email, password, refuse, submit } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}wrong{Enter}')
    await refuse()
    expect(screen.getByRole('alert').textContent).toBe('Invalid email or password')
    expect([email.value, password.value, document.activeElement, submit().disabled]).toEqual([
      'ana@example.com',
      'wrong',
      password,
      false,
    ])
    expect(password.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  })

  it.each<[string, (app: ShownApp) => Promise<void>, boolean]>([
    ['marks the fields as invalid after rejected credentials', (app) => app.password.reject(faults.forbidden), true],
    ['does not mark the fields as invalid after a network error', (app) => app.password.reject(faults.noAnswer), false],
  ])('%s', async (_, fail, isInvalid) => {
    const { app, user, email, password } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}x{Enter}')
    await act(() => fail(app))
    expect([email, password].map((field) => field.getAttribute('aria-invalid') === 'true')).toEqual([
      isInvalid,
      isInvalid,
    ])
  })

  it('marks no field as invalid and focuses the email if the stored session was rejected', async () => {
    const app = await showApp('/')
    await act(() => app.provider.resolve(false))
    await act(async () => {
      await app.me.reject(new Failure({ kind: 'status', method: 'GET', path: '/auth/me', status: 403 }))
      await app.end.resolve()
    })
    const denied = 'Access denied. You do not have permission to perform this action.'
    const [email, password] = ['Email', 'Password'].map((label) => screen.getByLabelText<HTMLInputElement>(label))
    expect([screen.getByRole('alert').textContent, document.activeElement]).toEqual([denied, email])
    await userEvent.setup().keyboard('a')
    expect([email, password].map((field) => field?.getAttribute('aria-invalid'))).toEqual([null, null])
    expect(screen.getByRole('alert').textContent).toBe(denied)
  })

  it('clears the error while the next attempt runs', async () => {
    const { user, refuse } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}wrong{Enter}')
    await refuse()
    await user.keyboard('right{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('')
  })

  it('shows the password on request and hides it again on submit', async () => {
    const { user, password } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}horse')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect([password.type, password.value]).toEqual(['text', 'horse'])
    await user.type(password, '{Enter}')
    expect(password.type).toBe('password')
    expect(screen.getByRole('button', { name: 'Show password' })).toBeDefined()
  })

  it.each([
    ['', '', 'email', { email: 'Enter your email.', password: 'Enter your password.' }],
    ['ana', 'x', 'email', { email: 'Enter an email address, like name@example.com.', password: null }],
    ['ana@example.com', '', 'password', { email: null, password: 'Enter your password.' }],
  ])('shows the missing input at the field and sends no request: %j, %j', async (typed, secret, focused, said) => {
    const { app, user, email, password } = await atTheForm()
    if (typed) await user.type(email, typed)
    if (secret) await user.type(password, secret)
    await user.type(password, '{Enter}')
    const errorOf = (field: HTMLElement) => {
      const id = field.getAttribute('aria-describedby')
      return id === null ? null : (document.getElementById(id)?.textContent ?? null)
    }
    expect({ email: errorOf(email), password: errorOf(password) }).toEqual(said)
    expect([document.activeElement, app.password.calls.length]).toEqual([focused === 'email' ? email : password, 0])
  })

  it('clears the error of a field on input', async () => {
    const { user, email } = await atTheForm()
    await user.type(email, '{Enter}')
    expect(email.getAttribute('aria-invalid')).toBe('true')
    await user.type(email, 'a')
    expect([email.getAttribute('aria-invalid'), screen.queryByText('Enter your email.')]).toEqual([null, null])
  })

  it('shows that Caps Lock is on while a password is typed, until it is off or the field loses the focus', async () => {
    const { user, password } = await atTheForm()
    const hint = () => screen.queryByText('Caps Lock is on.')?.textContent ?? null
    const seen: (string | null)[] = []
    await user.click(password)
    await user.keyboard('a')
    seen.push(hint())
    await user.keyboard('{CapsLock}a')
    seen.push(hint())
    expect(password.getAttribute('aria-describedby')).toBe(screen.getByText('Caps Lock is on.').id)
    await user.keyboard('{CapsLock}a')
    seen.push(hint())
    await user.keyboard('{CapsLock}a')
    await user.tab()
    seen.push(hint())
    expect(seen).toEqual([null, 'Caps Lock is on.', null, null])
  })

  it.each<[string, (app: ShownApp) => Promise<void>]>([
    ['the provider', (app) => app.password.reject(faults.noAnswer)],
    [
      'the exchange',
      async (app) => {
        await app.password.resolve()
        await app.exchange.reject(faults.forbidden)
        await app.end.resolve()
      },
    ],
    [
      'the migration check',
      async (app) => {
        await app.password.reject(faults.unknown)
        await app.check.reject(faults.serverError)
      },
    ],
  ])('keeps the email after a failure of %s', async (_, fail) => {
    const { app, user, email } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}x{Enter}')
    await act(() => fail(app))
    expect([email.isConnected, email.value]).toEqual([true, 'ana@example.com'])
    expect(screen.getByRole('alert').textContent).not.toBe('')
  })

  it('sets its own title in the browser tab', async () => {
    await atTheForm()
    expect(document.title).toBe('Sign in · Inbox')
  })

  it('has no axe violations, with and without an error', async () => {
    const { user, refuse } = await atTheForm()
    await user.keyboard('ana@example.com{Tab}wrong{Enter}')
    await refuse()
    await expectScreen()
  })
})

/** Opens the dialog over the form. */
async function atTheDialog() {
  const at = await atTheForm()
  const { app, user } = at
  await user.keyboard(`${ana.email}{Tab}old password{Enter}`)
  await act(async () => {
    await app.password.reject(faults.unknown)
    await app.check.resolve({ needsMigration: true, email: ana.email })
    await app.account.resolve(pendingAccount)
    await settled()
  })
  const dialog = screen.getByRole('dialog', { name: 'Set a new password' })
  const chosen = screen.getByLabelText<HTMLInputElement>('New password')
  // A dialog sets the focus in the next frame.
  await waitFor(() => expect(document.activeElement).toBe(chosen))
  return {
    ...at,
    dialog,
    chosen,
    repeated: screen.getByLabelText<HTMLInputElement>('Repeat new password'),
    set: () => user.click(screen.getByRole('button', { name: 'Set password and sign in' })),
    rules: () =>
      within(dialog)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    answer: (work: () => Promise<void>) =>
      act(async () => {
        await work()
        await settled()
      }),
  }
}

const described = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? id)

describe('The new password dialog', () => {
  it('can be filled in and sent by keyboard alone, and signs the user in', async () => {
    const { app, user, answer } = await atTheDialog()
    await user.keyboard(`${newPassword}{Tab}{Tab}${newPassword}{Enter}`)
    expect(app.signUp.inputs()).toEqual([{ password: newPassword }])
    await answer(async () => {
      await app.signUp.resolve()
      await app.complete.resolve()
      await app.exchange.resolve({ user: ana, session: 1 })
    })
    expect(screen.getByText('The inbox')).toBeDefined()
  })

  it('has the attributes that password managers recognize', async () => {
    const { dialog } = await atTheDialog()
    const traits = [...dialog.querySelectorAll('input')].map(({ name, type, autocomplete, value, readOnly }) => ({
      name,
      type,
      autocomplete,
      value,
      readOnly,
    }))
    expect(traits).toEqual([
      { name: 'email', type: 'email', autocomplete: 'username', value: ana.email, readOnly: true },
      { name: 'new-password', type: 'password', autocomplete: 'new-password', value: '', readOnly: false },
      { name: 'repeated-password', type: 'password', autocomplete: 'new-password', value: '', readOnly: false },
    ])
  })

  it('shows the password rules and which of them are met', async () => {
    const { user, chosen, repeated, rules } = await atTheDialog()
    const seen = [rules()]
    await user.type(chosen, newPassword)
    seen.push(rules())
    await user.type(repeated, newPassword)
    seen.push(rules())
    expect(seen).toEqual([
      ['At least 8 characters(not yet)', 'Not your email(not yet)', 'The same in both fields(not yet)'],
      ['At least 8 characters(done)', 'Not your email(done)', 'The same in both fields(not yet)'],
      ['At least 8 characters(done)', 'Not your email(done)', 'The same in both fields(done)'],
    ])
  })

  it('shows the strength of the password', async () => {
    const { user, chosen } = await atTheDialog()
    const strength = () => screen.queryByText(/^Strength/)?.textContent ?? null
    const seen = [strength()]
    await user.type(chosen, 'aaaaaaaa')
    seen.push(strength())
    await user.type(chosen, ' Tricycle 7 mangoes')
    seen.push(strength())
    expect(seen).toEqual([null, 'Strength: Weak', 'Strength: Strong'])
  })

  it.each([
    ['too short', 'short', 'short', 'At least 8 characters.'],
    ['equal to the email', ana.email, ana.email, 'Not your email.'],
  ])('does not send a password that is %s, and shows an error at the field', async (_, first, second, said) => {
    const { app, user, chosen, repeated, set } = await atTheDialog()
    await user.type(chosen, first)
    await user.type(repeated, second)
    await set()
    expect([described(chosen)[0], document.activeElement, app.signUp.calls.length]).toEqual([said, chosen, 0])
  })

  it('does not send two different passwords', async () => {
    const { app, user, chosen, repeated, set } = await atTheDialog()
    await user.type(chosen, newPassword)
    await user.type(repeated, 'another one')
    await set()
    expect([described(repeated)[0], document.activeElement, app.signUp.calls.length]).toEqual([
      'The two passwords are not the same.',
      repeated,
      0,
    ])
  })

  async function submitted() {
    const at = await atTheDialog()
    await at.user.type(at.chosen, newPassword)
    await at.user.type(at.repeated, newPassword)
    await at.set()
    return at
  }

  it('is busy during the request and is not sent twice', async () => {
    const { app, user, dialog, chosen } = await submitted()
    await user.click(within(dialog).getByRole('button', { name: 'Saving…' }))
    expect([app.signUp.calls.length, chosen.readOnly, chosen.value]).toEqual([1, true, newPassword])
  })

  it('keeps the input if the request fails, shows why and can be sent again', async () => {
    const { app, dialog, chosen, answer, set } = await submitted()
    await answer(() => app.signUp.reject(faults.noAnswer))
    expect([within(dialog).getByRole('alert').textContent, chosen.value]).toEqual([
      'Network error. Please check your connection.',
      newPassword,
    ])
    await set()
    expect([app.signUp.calls.length, within(dialog).getByRole('alert').textContent]).toEqual([2, ''])
  })

  it('shows the objection of the provider at the field and focuses the field', async () => {
    const { app, chosen, answer } = await submitted()
    await answer(() =>
      app.signUp.reject(
        new Failure({
          kind: 'status',
          method: 'POST',
          path: '/signup',
          status: 422,
          code: 'weak_password',
          error: 'Too weak.',
        }),
      ),
    )
    expect([described(chosen)[0], document.activeElement]).toEqual(['Too weak.', chosen])
  })

  it('offers only the last step again if only that step failed', async () => {
    const { app, user, dialog, answer } = await submitted()
    await answer(async () => {
      await app.signUp.resolve()
      await app.complete.reject(faults.noAnswer)
    })
    expect([within(dialog).getByRole('alert').textContent, dialog.querySelectorAll('input').length]).toEqual([
      'Network error. Please check your connection.',
      0,
    ])
    const again = screen.getByRole('button', { name: 'Try again' })
    expect(document.activeElement).toBe(again)
    await user.click(again)
    expect([app.signUp.calls.length, app.complete.calls.length]).toEqual([1, 2])
  })

  it.each([
    ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
    ['Close', (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Close' }))],
    ['Cancel', (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('closes on %s: the form still has the email and shows the next step', async (_, leave) => {
    const { app, user, email } = await atTheDialog()
    await leave(user)
    await act(() => app.end.resolve())
    expect([screen.queryByRole('dialog'), screen.getByRole('alert').textContent, email.value]).toEqual([
      null,
      'Please set a new password to continue',
      ana.email,
    ])
  })

  it('has no axe violations, with and without errors', async () => {
    const { user, chosen, set } = await atTheDialog()
    await expectScreen()
    await user.type(chosen, 'short')
    await set()
    await expectScreen()
  })
})
