import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { InspectionEvent } from 'xstate'
import { staffMachine } from '../../../src/machines/session/staff.ts'
import { staffFormMachine } from '../../../src/machines/session/staff-form.ts'
import type { StaffMember } from '../../../src/schemas/staff.ts'
import StaffDialog from '../../../src/views/session/StaffDialog.tsx'
import { createCoverage, follow } from '../../model/harness.ts'
import {
  ana,
  ben,
  listOf,
  newMember,
  staffFaults,
  staffFormModel,
  staffModel,
  startStaff,
} from '../../model/session/staff-fixture.ts'
import { button, dialogDriver, headings, inQuestion, isShown, leavesForm, press, submit } from '../driving.ts'
import { pressOutside } from '../press-outside.ts'
import { expectScreen } from '../screen.ts'
import { withNotifier } from '../with-notifier.tsx'

const list = createCoverage(staffMachine)
const form = createCoverage(staffFormMachine)
const inspect = (event: InspectionEvent) => {
  list.inspect(event)
  form.inspect(event)
}

/** Renders the dialog on its real machine. The test controls the answers. */
function show() {
  const sut = startStaff(inspect)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const { element, toasts: ownToasts } = withNotifier(
    <StaffDialog actor={sut.actor} title="Staff" onDismiss={dismiss} />,
  )
  return { ...sut, unmount: render(element).unmount, ownToasts }
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const shownList = async (staff: StaffMember[] = [ana, ben], managesPasswords = true) => {
  const sut = show()
  await act(() => sut.load.resolve(listOf(staff, { manages_passwords: managesPasswords })))
  return sut
}
const pressEscape = () =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }))

describe('The staff dialog', () => {
  it('names everybody with email, role, activity and last seen', async () => {
    await shownList()
    const items = within(screen.getByRole('list', { name: 'Members of staff' })).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Name anaana@example.comAdministratorActiveLast seen .*2026/),
      'Name benben@example.comAgentInactiveTwo-step sign-inNot seen yet',
    ])
    await expectScreen()
  })

  it('offers no reset and no removal of the own password and second factor', async () => {
    const sut = show()
    await act(() => sut.load.resolve(listOf([{ ...ana, has_second_factor: true }, ben], { own_id: 'ana' })))
    const offered = screen.getAllByRole('button', { name: /^(Reset password|Turn off two-step)/ })
    expect(offered.map((each) => each.getAttribute('aria-label'))).toEqual([
      'Reset password of Name ben',
      'Turn off two-step sign-in of Name ben',
    ])
    await act(async () => sut.actor.send({ type: 'reset.requested', item: ana }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('offers no reset where a sign-in service keeps the passwords, and says why', async () => {
    await shownList([ana], false)
    expect(screen.queryByRole('button', { name: /^Reset password/ })).toBeNull()
    screen.getByText('Your sign-in service keeps the passwords. People sign up there with the same email.')
  })

  it('offers to turn off two-step sign-in only of a person who has it, and says what follows', async () => {
    const sut = await shownList()
    expect(screen.getAllByRole('button', { name: /^Turn off/ }).map((one) => one.getAttribute('aria-label'))).toEqual([
      'Turn off two-step sign-in of Name ben',
    ])
    await press('Turn off two-step sign-in of Name ben')
    screen.getByText(
      'Name ben is signed out and can then sign in with the password alone. First make sure that Name ben asked for it. Turn it off?',
    )
    await expectScreen()
    await inQuestion('Turn off')
    expect(sut.remove.inputs()).toEqual([{ id: 'ben' }])
    await act(() => sut.remove.resolve())
    await act(() => sut.load.resolve(listOf([ana, { ...ben, has_second_factor: false }])))
    expect(screen.queryByRole('button', { name: /^Turn off/ })).toBeNull()
    expect(document.activeElement).toBe(button('Add person'))
  })

  it('moves the focus to the form, and back to the button that opened it', async () => {
    await shownList()
    await press('Edit Name ben')
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Email').readOnly).toBe(true)
    await expectScreen()
    await press('Cancel')
    expect(document.activeElement).toBe(button('Edit Name ben'))
  })

  it('moves the focus back to the button that adds a person', async () => {
    await shownList()
    await press('Add person')
    expect(document.activeElement).not.toBe(button('Close'))
    await press('Cancel')
    expect(document.activeElement).toBe(button('Add person'))
  })

  it('says that a new role signs the person out', async () => {
    await shownList()
    await press('Edit Name ben')
    expect(screen.getByRole('checkbox', { name: 'Active' }).getAttribute('aria-describedby')).toBe(
      screen.getByText('A new role, or making a person inactive, signs them out.').id,
    )
  })

  it('shows the one-time password selected, and Escape does not close it', async () => {
    const sut = await shownList()
    await press('Reset password of Name ben')
    await press('Reset password')
    await act(() => sut.reset.resolve('one-time'))
    expect([field('Password').value, document.activeElement === field('Password')]).toEqual(['one-time', true])
    await expectScreen()
    await pressEscape()
    expect(field('Password').value).toBe('one-time')
    field('Password').setSelectionRange(0, 0)
    await act(async () => button('Done').focus())
    await act(async () => field('Password').focus())
    expect([field('Password').selectionStart, field('Password').selectionEnd]).toEqual([0, 'one-time'.length])
    await press('Done')
    expect(document.body.innerHTML).not.toContain('one-time')
  })

  it('copies the one-time password, and says whether that worked', async () => {
    const sut = await shownList()
    await press('Reset password of Name ben')
    await press('Reset password')
    await act(() => sut.reset.resolve('one-time'))
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('refused'))
    await press('Copy')
    await press('Copy')
    expect([writeText.mock.calls, sut.ownToasts()]).toEqual([
      [['one-time'], ['one-time']],
      [
        ['error', 'Your browser did not copy it. Select the text instead.'],
        ['success', 'Copied'],
      ],
    ])
  })
})

describe('A press beside the dialog', () => {
  const issue = async (sut: ReturnType<typeof show>) => {
    await press('Reset password of Name ben')
    await press('Reset password')
    await act(() => sut.reset.resolve('one-time'))
  }
  it.each<[string, (sut: ReturnType<typeof show>) => Promise<unknown>, boolean]>([
    ['closes the list', async () => {}, true],
    ['keeps the form of a new person', () => press('Add person'), false],
    ['keeps the form of a member', () => press('Edit Name ben'), false],
    ['keeps the password, which is shown only once', issue, false],
  ])('%s', async (_, prepare, closes) => {
    const sut = await shownList()
    await prepare(sut)
    await pressOutside()
    expect(sut.actor.getSnapshot().status).toBe(closes ? 'done' : 'active')
    sut.actor.stop()
    sut.unmount()
  })
})

describe('The walk through the form', () => {
  const paths = [null, ben].flatMap((member) =>
    staffFormModel(member)
      .everyTransitionInFewPaths()
      .map((path) => ({ member, path })),
  )

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const { member, path } of paths) {
      const sut = await shownList()
      await press(member === null ? 'Add person' : 'Edit Name ben')
      const drive = dialogDriver(
        sut,
        {
          ...leavesForm,
          'fields.typed': () =>
            act(async () => {
              if (member === null) fireEvent.change(field('Email'), { target: { value: newMember.email } })
              fireEvent.change(field('Name'), { target: { value: newMember.name } })
            }),
          'form.submitted': () => submit(),
        },
        { saveStaff: sut.save },
      )
      await follow(path, drive, ({ expected: { value, context, status } }) => {
        const isOpen = status === 'active'
        expect({
          name: isOpen ? screen.queryByLabelText<HTMLInputElement>('Name')?.value : undefined,
          error: isOpen ? (screen.queryByRole('alert', { hidden: true })?.textContent ?? null) : undefined,
          asks: screen.queryByRole('alertdialog') !== null,
          saving: isShown('Saving...'),
          password: screen.queryByLabelText<HTMLInputElement>('Password')?.value,
        }).toEqual({
          name: isOpen ? context.fields.name : undefined,
          error: isOpen ? context.error : undefined,
          asks: value === 'leaving',
          saving: value === 'saving',
          password: context.issued?.password,
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(form.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(form.transitionsMissed()).toEqual([]))
})

describe('The walk through the dialog', () => {
  const paths = staffModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const drive = dialogDriver(
        sut,
        {
          'xstate.done.actor.staffForm': async ({ output: end }) => {
            if (end.isDismissed) return act(async () => sut.actor.send({ type: 'dialog.dismissed' }))
            if (!end.mayHaveSaved) return press('Cancel')
            if (end.issued) {
              fireEvent.change(field('Email'), { target: { value: newMember.email } })
              fireEvent.change(field('Name'), { target: { value: newMember.name } })
            }
            await press(end.issued ? 'Add person' : 'Save')
            return act(() => sut.save.resolve(end.issued?.password ?? null))
          },
          'item.added': () => press('Add person'),
          'item.edited': () => press('Edit Name ben'),
          'reset.requested': () => press('Reset password of Name ben'),
          'reset.confirmed': () => inQuestion('Reset password'),
          'reset.cancelled': () => inQuestion('Cancel'),
          'factorRemoval.requested': () => press('Turn off two-step sign-in of Name ben'),
          'factorRemoval.confirmed': () => inQuestion('Turn off'),
          'factorRemoval.cancelled': () => inQuestion('Cancel'),
          'password.taken': () => press('Done'),
        },
        { loadStaff: sut.load, resetPassword: sut.reset, removeSecondFactor: sut.remove },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return
        const isList = !expected.matches({ open: { work: 'form' } }) && expected.context.issued === null
        expect({
          names: headings(),
          failed: isShown('The staff could not be loaded.'),
          loading: isShown('Loading staff…'),
          asks: screen.queryByRole('alertdialog') !== null,
          resetting: isShown('Resetting…'),
          removing: isShown('Turning off…'),
          password: screen.queryByLabelText<HTMLInputElement>('Password')?.value,
        }).toEqual({
          names: isList
            ? (expected.context.staff?.staff.map(({ name }) => name) ?? [])
            : [expected.context.issued ? 'One-time password' : expected.context.item ? 'Edit person' : 'Add person'],
          failed: isList && expected.matches({ open: { members: 'failed' } }),
          loading: isList && expected.matches({ open: { members: 'loading' } }) && expected.context.staff === null,
          asks: (['askingToReset', 'resetting', 'askingToRemoveFactor', 'removingFactor'] as const).some((work) =>
            expected.matches({ open: { work } }),
          ),
          resetting: expected.matches({ open: { work: 'resetting' } }),
          removing: expected.matches({ open: { work: 'removingFactor' } }),
          password: expected.context.issued?.password,
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('shows the reason of a refusal in the form', async () => {
    const sut = await shownList()
    await press('Edit Name ana')
    fireEvent.change(field('Role'), { target: { value: 'viewer' } })
    await press('Save')
    await act(() => sut.save.reject(staffFaults.refused))
    expect([screen.getByRole('alert').textContent, field('Role').value]).toEqual([
      'This is the last active administrator.',
      'viewer',
    ])
  })

  it('enters every state', () => expect(list.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(list.transitionsMissed()).toEqual([]))
})
