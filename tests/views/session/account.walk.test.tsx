import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { codeEntryMachine } from '../../../src/machines/session/code-entry.ts'
import { newPasswordMachine } from '../../../src/machines/session/new-password.ts'
import { passwordResetMachine } from '../../../src/machines/session/password-reset.ts'
import { secondFactorMachine } from '../../../src/machines/session/second-factor.ts'
import ChangePasswordDialog from '../../../src/views/session/ChangePasswordDialog.tsx'
import CodeDialog from '../../../src/views/session/CodeDialog.tsx'
import PasswordResetDialog from '../../../src/views/session/PasswordResetDialog.tsx'
import SecondFactorDialog from '../../../src/views/session/SecondFactorDialog.tsx'
import { createCoverage, follow, settled } from '../../model/harness.ts'
import {
  change,
  codeEntryModel,
  driveCodeEntry,
  driveNewPassword,
  drivePasswordReset,
  driveSecondFactor,
  enrolment,
  newPasswordModel,
  passwordResetModel,
  proofs,
  recoveryCodes,
  refusals,
  secondFactorModel,
  startCodeEntry,
  startNewPassword,
  startPasswordReset,
  startSecondFactor,
} from '../../model/session/account-fixture.ts'
import { expectAccessible, expectScreen } from '../screen.ts'

const passwordCoverage = createCoverage(newPasswordMachine)
const factorCoverage = createCoverage(secondFactorMachine)
const resetCoverage = createCoverage(passwordResetMachine)
const codeCoverage = createCoverage(codeEntryMachine)

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

/** Answers of services come from the test. */
const outside = (drive: Record<string, (event: AnyEventObject) => unknown>) =>
  Object.fromEntries(
    Object.entries(drive).map(([name, run]) => [
      name,
      (event: AnyEventObject) =>
        act(async () => {
          await run(event)
          await settled()
        }),
    ]),
  )

/** The texts of the fields' errors. */
const fieldErrors = () =>
  [...document.querySelectorAll('p.text-bad')].map((element) => element.textContent).filter((text) => text !== '')

type AnyPath = { steps: readonly unknown[] }

/** Only the longest path stores descriptions, so that there are few. It does not reach every state. */
const checkScreen = (path: AnyPath, paths: readonly AnyPath[]) => {
  const longest = Math.max(...paths.map(({ steps }) => steps.length))
  return path === paths.find(({ steps }) => steps.length === longest) ? expectScreen() : expectAccessible()
}

describe('The dialog for the password shows the state of its machine, over every transition', () => {
  const paths = newPasswordModel().everyTransitionInFewPaths()
  it.each(paths)('path %$', async (path) => {
    const sut = startNewPassword(passwordCoverage.inspect)
    const onDismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
    const view = render(<ChangePasswordDialog actor={sut.actor} onDismiss={onDismiss} />)
    await act(async () => {})
    await checkScreen(path, paths)
    const drive = {
      ...outside(driveNewPassword(sut)),
      'password.submitted': async () => {
        type('Current password', change.currentPassword)
        type('New password', change.password)
        type('Repeat new password', change.repeatedPassword)
        await press('Change password')
      },
      'dialog.dismissed': () => press('Cancel'),
    }
    await follow(path, drive, ({ expected }) => {
      if (expected.status === 'done') return
      const { refused } = expected.context
      expect({
        errors: fieldErrors(),
        button: document.querySelector('[type=submit]')?.textContent,
      }).toEqual({
        errors: refused === null ? [] : [refused.text],
        button: expected.matches('saving') ? 'Saving…' : 'Change password',
      })
    })
    view.unmount()
  })

  it('names the field that is missing and asks nothing of the server', async () => {
    const sut = startNewPassword()
    render(<ChangePasswordDialog actor={sut.actor} onDismiss={() => {}} />)
    await press('Change password')
    expect(fieldErrors()).toEqual(['Enter your current password.', 'At least 8 characters.'])
    expect(document.activeElement).toBe(screen.getByLabelText('Current password'))
    expect(sut.save.inputs()).toEqual([])
  })
})

describe('The dialog for the code shows the state of its machine, over every transition', () => {
  const paths = codeEntryModel().everyTransitionInFewPaths()
  it.each(paths)('path %$', async (path) => {
    const sut = startCodeEntry(codeCoverage.inspect)
    const view = render(<CodeDialog actor={sut.actor} onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })} />)
    await act(async () => {})
    await checkScreen(path, paths)
    const drive = {
      ...outside(driveCodeEntry(sut)),
      'code.submitted': async () => {
        type('Code', '123456')
        await press('Continue')
      },
      'dialog.dismissed': () => press('Cancel'),
    }
    await follow(path, drive, ({ expected }) => {
      if (expected.status === 'done') return
      const { refused } = expected.context
      expect({
        errors: fieldErrors(),
        button: document.querySelector('[type=submit]')?.textContent,
      }).toEqual({
        errors: refused === null ? [] : [refused],
        button: expected.matches('checking') ? 'Checking…' : 'Continue',
      })
    })
    view.unmount()
  })
})

describe('The dialog for the code', () => {
  const show = () => {
    const sut = startCodeEntry(codeCoverage.inspect)
    render(<CodeDialog actor={sut.actor} onDismiss={() => {}} />)
    return sut
  }
  const field = () => screen.getByLabelText<HTMLInputElement>('Code')
  const pressFocused = (name: string) => {
    screen.getByRole('button', { name }).focus()
    return press(name)
  }

  it('asks the server nothing without a code, and moves the focus to the field', async () => {
    const sut = show()
    await pressFocused('Continue')
    expect([fieldErrors(), document.activeElement, sut.enter.inputs()]).toEqual([['Enter the code.'], field(), []])
  })

  it('selects a refused code to be typed over, and leaves the focus at the button during the next check', async () => {
    const sut = show()
    type('Code', '123456')
    await pressFocused('Continue')
    await act(() => sut.enter.reject(refusals.wrongCode))
    const { selectionStart, selectionEnd } = field()
    expect([document.activeElement, selectionStart, selectionEnd]).toEqual([field(), 0, 6])
    type('Code', '654321')
    await pressFocused('Continue')
    expect([document.activeElement, sut.enter.inputs()]).toEqual([
      screen.getByRole('button', { name: 'Checking…' }),
      [{ code: '123456' }, { code: '654321' }],
    ])
    await act(() => sut.enter.reject(refusals.wrongCode))
    expect(document.activeElement).toBe(field())
  })
})

describe('The dialog for two-step sign-in shows the state of its machine, over every transition', () => {
  const paths = (['menu', 'signIn'] as const).flatMap((at) =>
    secondFactorModel(at)
      .everyTransitionInFewPaths()
      .map((path) => ({ at, path })),
  )

  it.each(paths)('path %$', async ({ at, path }) => {
    const sut = startSecondFactor(at, factorCoverage.inspect)
    const onDismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
    const view = render(<SecondFactorDialog actor={sut.actor} onDismiss={onDismiss} />)
    await act(async () => {})
    const drive = {
      ...outside(driveSecondFactor(sut)),
      'enrolment.requested': async () => {
        type('Password', proofs.password)
        await press('Set up')
      },
      'code.submitted': async () => {
        type('Code', '123456')
        await press('Turn on')
      },
      'copy.requested': () => press('Copy'),
      'codes.saved': () => press('I have saved the codes'),
      'newCodes.submitted': async () => {
        type('Password', proofs.password)
        type('Code', proofs.code)
        await press('New recovery codes')
      },
      'disabling.submitted': async () => {
        type('Password', proofs.password)
        type('Code', proofs.code)
        await press('Turn off')
      },
      'refetch.requested': () => press('Try again'),
      'dialog.dismissed': () => press('Cancel'),
    }
    await follow(path, drive, async ({ expected }) => {
      if (expected.status === 'done') return
      const { refused } = expected.context
      const dialog = within(screen.getByRole('dialog', { name: 'Two-step sign-in' }))
      expect({
        errors: fieldErrors(),
        picture: dialog.queryByRole('img', { name: 'QR code for your authenticator app' }) !== null,
        key: dialog.queryByText(enrolment.secret) !== null,
        links: dialog.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]),
        codes: dialog.queryAllByRole('listitem').map(({ textContent }) => textContent),
        buttons: dialog
          .getAllByRole('button')
          .map(({ textContent }) => textContent)
          .filter(Boolean),
      }).toEqual({
        errors: refused === null ? [] : [refused.text],
        picture: expected.matches('showing') || expected.matches('confirming'),
        key: expected.matches('showing') || expected.matches('confirming'),
        links: linksIn(expected),
        codes: expected.matches('showingCodes') ? recoveryCodes.map((code) => code.match(/.{4}/g)?.join('-')) : [],
        buttons: buttonsIn(expected.value),
      })
      await checkScreen(
        path,
        paths.map((each) => each.path),
      )
    })
    view.unmount()
  })
})

describe('The dialog for two-step sign-in', () => {
  const pressFocused = (name: string) => {
    screen.getByRole('button', { name }).focus()
    return press(name)
  }

  it('asks the server nothing without a password or a code, and moves the focus to the field', async () => {
    const sut = startSecondFactor('signIn', factorCoverage.inspect)
    const view = render(<SecondFactorDialog actor={sut.actor} onDismiss={() => {}} />)
    await pressFocused('Set up')
    expect([fieldErrors(), document.activeElement]).toEqual([
      ['Enter your password.'],
      screen.getByLabelText('Password'),
    ])
    type('Password', proofs.password)
    await press('Set up')
    await act(() => sut.begin.resolve(enrolment))
    await pressFocused('Turn on')
    expect([fieldErrors(), document.activeElement]).toEqual([['Enter the code.'], screen.getByLabelText('Code')])
    expect([sut.begin.inputs(), sut.confirm.inputs()]).toEqual([[{ password: proofs.password }], []])
    view.unmount()
  })
})

/** A phone opens the authenticator app by the address of the picture; the codes are a file without a call. */
function linksIn(expected: SnapshotFrom<typeof secondFactorMachine>): [string, string][] {
  const file = 'Recovery codes for Staff Inbox. Each signs you in once.\n\naaaa-bbbb-cccc-dddd\neeee-ffff-gggg-hhhh\n'
  if (expected.matches('showingCodes')) {
    return [['Download', `data:text/plain;charset=utf-8,${encodeURIComponent(file)}`]]
  }
  return expected.context.enrolment === null ? [] : [['Open in an app on this device', enrolment.uri]]
}

function buttonsIn(state: unknown): string[] {
  const last: Record<string, string> = {
    failed: 'Try again',
    showing: 'Turn on',
    confirming: 'Checking…',
  }
  if (typeof state === 'object') return ['Copy', 'I have saved the codes']
  if (state === 'loading') return ['Cancel']
  if (state === 'on') return ['Cancel', 'New recovery codes', 'Turn off']
  if (state === 'disabling' || state === 'replacingCodes') return ['Cancel', 'New recovery codes', 'Checking…']
  return ['Cancel', last[String(state)] ?? 'Set up']
}

describe('The dialog for a forgotten password shows the state of its machine, over every transition', () => {
  const texts: Record<string, string> = {
    looking: 'Loading…',
    failed: 'The link could not be sent. Please try again.',
    unavailable: 'This server sends no emails. Please ask an administrator for a one-time password.',
    sent: 'If the email belongs to an account, the link is on its way. It works for one hour. Look in your spam folder too.',
    ended: 'This link is no longer valid: it was used, is older than one hour, or a newer one was sent.',
    saved: 'Your new password is set. Please sign in with it.',
  }
  const paths = passwordResetModel().everyTransitionInFewPaths()
  it.each(paths)('path %$', async (path) => {
    const sut = startPasswordReset(resetCoverage.inspect)
    const onDismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
    const view = render(<PasswordResetDialog actor={sut.actor} onDismiss={onDismiss} />)
    await act(async () => {})
    const drive = {
      ...outside(drivePasswordReset(sut)),
      'email.submitted': async () => {
        type('Email', 'ana@example.com')
        await press('Send link')
      },
      'password.submitted': async () => {
        type('New password', change.password)
        type('Repeat new password', change.repeatedPassword)
        await press('Set password')
      },
      'refetch.requested': () => press('Try again'),
      'link.requested': () => press('Send link'),
      'dialog.dismissed': () =>
        act(async () => {
          const [leave] = screen.getAllByRole('button', { name: /^(Cancel|Close)$/ }).slice(-1)
          if (leave) fireEvent.click(leave)
        }),
    }
    await follow(path, drive, async ({ expected }) => {
      if (expected.status === 'done') return
      const dialog = within(screen.getByRole('dialog', { name: 'A new password' }))
      const { refused } = expected.context
      const said = texts[String(expected.value)]
      expect({
        said: said === undefined ? null : dialog.queryByText(said)?.textContent,
        email: dialog.queryByLabelText('Email') !== null,
        password: dialog.queryByLabelText('New password') !== null,
        errors: fieldErrors(),
      }).toEqual({
        said: said ?? null,
        email: expected.matches('asking') || expected.matches('requesting'),
        password: expected.matches('choosing') || expected.matches('saving'),
        errors: refused === null ? [] : [refused],
      })
      await checkScreen(path, paths)
    })
    view.unmount()
  })
})

describe('The walk of the dialogs of the account', () => {
  it('enters every state', () => {
    expect(passwordCoverage.statesMissed()).toEqual([])
    expect(factorCoverage.statesMissed()).toEqual([])
    expect(codeCoverage.statesMissed()).toEqual([])
    expect(resetCoverage.statesMissed()).toEqual([])
  })
  it('takes every transition', () => {
    expect(passwordCoverage.transitionsMissed()).toEqual([])
    expect(factorCoverage.transitionsMissed()).toEqual([])
    expect(codeCoverage.transitionsMissed()).toEqual([])
    expect(resetCoverage.transitionsMissed()).toEqual([])
  })
})
