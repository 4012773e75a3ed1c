import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { authMachine } from '../../../src/machines/session/auth.ts'
import { useAuth } from '../../../src/views/actors.tsx'
import { createCoverage, follow, settled } from '../../model/harness.ts'
import { authModel, driveAuth, faults, newPassword, pendingAccount } from '../../model/session/auth-fixture.ts'
import { type ShownApp, showApp } from '../app-harness.tsx'

vi.mock('../../../src/views/shell/InboxScreen.tsx', () => ({
  InboxScreen: function InboxScreen() {
    const auth = useAuth()
    return (
      <button type="button" onClick={() => auth.send({ type: 'signOut.requested' })}>
        Sign out of the inbox
      </button>
    )
  },
}))

// Other tests cover toasts.
vi.mock('../../../src/views/shell/Toaster.tsx', () => ({ default: () => null }))

const coverage = createCoverage(authMachine)

/** Actions of the user run on the page. The test resolves the responses of services. */
function drive(sut: ShownApp) {
  const outside = Object.fromEntries(
    Object.entries(driveAuth(sut)).map(([type, run]) => [
      type,
      (event: AnyEventObject) =>
        act(async () => {
          await run(event)
          await settled()
        }),
    ]),
  )
  const setNewPassword = async () => {
    for (const label of ['New password', 'Repeat new password'])
      fireEvent.change(screen.getByLabelText(label), { target: { value: newPassword } })
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Set password and sign in' })))
    await act(async () => {
      await sut.signUp.resolve()
      await sut.complete.resolve()
    })
  }
  return {
    ...outside,
    'signIn.requested': async (event: AnyEventObject) => {
      fireEvent.change(screen.getByLabelText('Email'), { target: { value: event['email'] } })
      fireEvent.change(screen.getByLabelText('Password'), { target: { value: event['password'] } })
      await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sign in' })))
    },
    'xstate.done.actor.loadStep': () =>
      act(async () => {
        await sut.account.resolve(pendingAccount)
        await settled()
      }),
    'xstate.error.actor.loadStep': ({ error }: AnyEventObject) =>
      act(async () => {
        await sut.account.reject(error)
        await settled()
      }),
    'xstate.done.actor.step': async ({ output }: AnyEventObject) => {
      if (output === 'completed' && screen.queryByLabelText('New password') !== null) return setNewPassword()
      if (output === 'completed') fireEvent.change(screen.getByLabelText('Code'), { target: { value: '123456' } })
      const leave =
        screen.queryByRole('button', { name: 'Cancel' }) ?? screen.getAllByRole('button', { name: 'Close' })[0]
      const pressed = output === 'completed' ? screen.getByRole('button', { name: 'Continue' }) : leave
      await act(async () => void (pressed && fireEvent.click(pressed)))
    },
    'passwordReset.opened': () =>
      act(async () => fireEvent.click(screen.getByRole('button', { name: 'Forgot your password?' }))),
    'signOut.requested': () =>
      act(async () =>
        fireEvent.click(screen.queryByText('Sign in again') ?? screen.getByText('Sign out of the inbox')),
      ),
  }
}

/** The title of the dialog of each step in the model. */
const stepTitles = { migration: 'Set a new password', code: 'Enter your code', reset: 'A new password' }

const shown = () => {
  // The dialog hides the form behind it from screen readers.
  const form = screen.queryByRole('form', { name: 'Sign in', hidden: true })
  return {
    splash:
      screen.queryAllByText(/^(Loading|Connecting)…$/).find((element) => element.closest('[role=dialog]') === null)
        ?.parentElement?.textContent ?? null,
    form: form && {
      busy: within(form)
        .getByText(/^Sign(ing)? in/)
        .hasAttribute('disabled'),
      says: within(form).getByRole('alert', { hidden: true }).textContent || null,
    },
    wayOut: screen.queryByRole('button', { name: 'Sign in again' }) !== null,
    step: Object.entries(stepTitles).find(([, name]) => screen.queryByRole('dialog', { name }) !== null)?.[0] ?? null,
    inbox: screen.queryByText('Sign out of the inbox') !== null,
  }
}

const whyItWaits = (fault: unknown) => (fault === faults.noAnswer ? 'Network error. Please check your connection.' : '')

describe('The page shows the state of auth, over every transition', () => {
  it.each(authModel({ recalls: false }).everyTransitionInFewPaths())('path %$', async (path) => {
    const sut = await showApp('/', coverage.inspect)
    expect(shown()).toEqual({ splash: 'Loading…', form: null, wayOut: false, step: null, inbox: false })

    await follow(path, drive(sut), ({ expected }) => {
      const { need, failure, attempts, fault } = expected.context
      const isFree = expected.matches('anonymous')
      const isAsking = expected.matches({ continuing: 'asking' })
      expect(shown()).toEqual(
        expected.hasTag('starting')
          ? {
              splash: attempts > 0 ? `Connecting…${whyItWaits(fault)}` : 'Loading…',
              form: null,
              wayOut: attempts > 0,
              step: null,
              inbox: false,
            }
          : expected.hasTag('signedIn')
            ? { splash: null, form: null, wayOut: false, step: null, inbox: true }
            : {
                splash: null,
                form: { busy: !isFree, says: isFree || isAsking ? (failure?.text ?? null) : null },
                wayOut: false,
                step: isAsking ? need : null,
                inbox: false,
              },
      )
      if (expected.hasTag('signedOut')) expect(sut.paths.at(-1)).toBe('/login')
      if (expected.hasTag('signedIn')) expect(sut.paths.at(-1)).toBe('/')
    })
    sut.stop()
  })
})

describe('The walk of the login page', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition except those of a saved inbox, which app.walk covers', () =>
    expect(coverage.transitionsMissed()).toEqual([
      'auth.restoring -- savedInbox.shown --> stays',
      'auth.restoring -- signOut.requested #0 --> auth.clearing',
    ]))
})
