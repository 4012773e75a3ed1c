import { describe, expect, it } from 'vitest'
import { selectAskedToRemoveFactor, selectAskedToReset, staffMachine } from '../../../src/machines/session/staff.ts'
import { selectBlockedReason, staffFormMachine } from '../../../src/machines/session/staff-form.ts'
import type { StaffList, StaffMember } from '../../../src/schemas/staff.ts'
import { createCoverage, driverOf, error, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  ana,
  ben,
  issued,
  listOf,
  memberOf,
  newMember,
  staffFaults,
  staffFormModel,
  staffModel,
  startStaff,
  startStaffForm,
} from './staff-fixture.ts'

const coverage = createCoverage(staffMachine)
const formCoverage = createCoverage(staffFormMachine)
const start = () => startStaff(coverage.inspect)
const startForm = (member: StaffMember | null = null) => startStaffForm(member, formCoverage.inspect)
const network = 'Network error. Please check your connection.'
const listOfMembers = (members: string | object) =>
  typeof members === 'string' ? members : Object.values(members).join()

describe('the form of a member', () => {
  it.each([
    ['an email', { email: 'nobody' }, 'Enter an email address, like name@example.com.'],
    ['a name', { name: '  ' }, 'Enter a name.'],
    ['a name of at most 200 characters', { name: 'x'.repeat(201) }, 'Use at most 200 characters.'],
  ])('cannot be saved without %s, and shows the reason', (_, change, reason) => {
    const sut = startForm()
    sut.actor.send({ type: 'fields.typed', change: { ...newMember, ...change } })
    sut.actor.send({ type: 'form.submitted' })
    expect([selectBlockedReason(sut.actor.getSnapshot()), sut.state(), sut.save.calls]).toEqual([reason, 'editing', []])
  })

  it('saves trimmed fields, and never the email of a known member', () => {
    const added = startForm()
    const change = { email: ' new@example.com ', name: ' New ', role: 'viewer' } as const
    added.actor.send({ type: 'fields.typed', change })
    added.actor.send({ type: 'form.submitted' })
    const edited = startForm(ben)
    edited.actor.send({ type: 'fields.typed', change: { isActive: true } })
    edited.actor.send({ type: 'form.submitted' })
    expect([added.save.inputs(), edited.save.inputs()]).toEqual([
      [{ id: null, body: { email: 'new@example.com', name: 'New', role: 'viewer' } }],
      [{ id: 'ben', body: { name: 'Name ben', role: 'agent', is_active: true } }],
    ])
  })

  it('shows a role that is not known as the one with the fewest rights', () => {
    expect(startForm(memberOf('old', { role: 'king' })).context().fields.role).toBe('viewer')
  })
})

describe('the walk through the form', () => {
  const walk = (member: StaffMember | null) =>
    staffFormModel(member)
      .everyTransition()
      .map((path) => ({ member, path }))
  const paths = [...walk(null), ...walk(ben)]

  type State = {
    isChanged: boolean
    step: 'editing' | 'leaving' | 'saving' | 'saved' | 'left'
    isDismissed: boolean
    mayHaveSaved: boolean
    issued: unknown
    error: string | null
    saves: number
    toasts: unknown[]
  }
  const unknown = 'We do not know whether the person was added. Look in the list before you try again.'
  const referenceFor = (member: StaffMember | null): Reference<State> => {
    const leave = ({ isChanged }: State, isDismissed: boolean): Partial<State> => ({
      isDismissed,
      step: isChanged ? 'leaving' : 'left',
    })
    return {
      start: {
        isChanged: false,
        step: 'editing',
        isDismissed: false,
        mayHaveSaved: false,
        issued: null,
        error: null,
        saves: 0,
        toasts: [],
      },
      accepts: ({ step, isChanged }) =>
        ({
          editing: [
            ...['fields.typed', 'form.cancelled', 'dialog.dismissed'],
            ...when(member !== null || isChanged, 'form.submitted'),
          ],
          leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
          saving: ends('saveStaff'),
          saved: [],
          left: [],
        })[step],
      rules: {
        'fields.typed': () => ({ isChanged: true }),
        'form.submitted': ({ isChanged, saves }) =>
          member !== null || isChanged
            ? { step: 'saving', isDismissed: false, mayHaveSaved: true, error: null, saves: saves + 1 }
            : {},
        'form.cancelled': (state) => leave(state, false),
        'dialog.dismissed': (state) => (state.step === 'leaving' ? { step: 'editing' } : leave(state, true)),
        'discard.refused': () => ({ step: 'editing' }),
        'discard.confirmed': () => ({ step: 'left' }),
        'xstate.done.actor.saveStaff': ({ toasts }, { output }) => {
          if (output !== null) return { step: 'saved', issued }
          const text = member === null ? 'Added. They can sign in with an account under this email.' : 'Changes saved'
          return { step: 'saved', toasts: [...toasts, success(text)] }
        },
        'xstate.error.actor.saveStaff': ({ toasts }, { error: failure }) => {
          const isLost = failure === staffFaults.noAnswer
          const text = isLost ? network : 'This is the last active administrator.'
          return {
            step: 'editing',
            error: isLost && member === null ? unknown : text,
            toasts: [...toasts, error(text)],
          }
        },
      },
      shown: ({ isChanged, isDismissed, mayHaveSaved, issued: password, ...state }) => ({
        ...state,
        name: isChanged ? 'New' : (member?.name ?? ''),
        output: ['saved', 'left'].includes(state.step) ? { isDismissed, mayHaveSaved, issued: password } : undefined,
      }),
    }
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const { member, path } of paths) {
      const sut = startForm(member)
      const drive = driverOf(sut.actor.send, { calls: { saveStaff: sut.save } })
      await followBeside(path, drive, referenceFor(member), () => ({
        name: sut.context().fields.name,
        step: sut.state(),
        error: sut.context().error,
        output: sut.output(),
        saves: sut.save.calls.length,
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(formCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(formCoverage.transitionsMissed()).toEqual([]))
})

describe('a one-time password', () => {
  it('is shown until the person has it, whatever else they press, and is not kept afterwards', async () => {
    const sut = start()
    await sut.load.resolve(listOf([ana, ben]))
    sut.actor.send({ type: 'reset.requested', item: ben })
    sut.actor.send({ type: 'reset.confirmed' })
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.reset.resolve('one-time')
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.reset.inputs(), sut.context().issued]).toEqual([
      [{ id: 'ben' }],
      { email: 'ben@example.com', password: 'one-time' },
    ])
    sut.actor.send({ type: 'password.taken' })
    expect([sut.context().issued, JSON.stringify(sut.actor.getPersistedSnapshot()).includes('one-time')]).toEqual([
      null,
      false,
    ])
  })
})

describe('the walk through the dialog', () => {
  const paths = staffModel().everyTransition()

  type State = {
    staff: StaffList | null
    list: 'loading' | 'showing' | 'waiting' | 'refused'
    loads: number
    work:
      | 'list'
      | 'form'
      | 'askingToReset'
      | 'resetting'
      | 'askingToRemoveFactor'
      | 'removingFactor'
      | 'showingPassword'
      | 'dismissed'
    item: StaffMember | null
    password: unknown
    resets: number
    removals: string[]
    toasts: unknown[]
  }
  const loadAgain = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: loads + 1 })
  const reference: Reference<State> = {
    start: {
      staff: null,
      list: 'loading',
      loads: 1,
      work: 'list',
      item: null,
      password: null,
      resets: 0,
      removals: [],
      toasts: [],
    },
    accepts: ({ list, work }) => [
      'staff.invalidated',
      ...when(list !== 'loading', 'refetch.requested'),
      ...when(list === 'loading', ...ends('loadStaff')),
      ...when(list === 'waiting', 'xstate.after.retryDelay.staff.open.members.failed.waiting'),
      ...{
        list: ['item.added', 'item.edited', 'reset.requested', 'factorRemoval.requested', 'dialog.dismissed'],
        form: ends('staffForm'),
        askingToReset: ['reset.confirmed', 'reset.cancelled', 'dialog.dismissed'],
        resetting: ends('resetPassword'),
        askingToRemoveFactor: ['factorRemoval.confirmed', 'factorRemoval.cancelled', 'dialog.dismissed'],
        removingFactor: ends('removeSecondFactor'),
        showingPassword: ['password.taken'],
        dismissed: [],
      }[work],
    ],
    rules: {
      'refetch.requested': (state) => (state.list === 'loading' ? {} : loadAgain(state)),
      'item.added': () => ({ work: 'form', item: null }),
      'item.edited': (_, { item }) => ({ work: 'form', item }),
      'reset.requested': (_, { item }) => ({ work: 'askingToReset', item }),
      'reset.confirmed': ({ resets }) => ({ work: 'resetting', resets: resets + 1 }),
      'reset.cancelled': () => ({ work: 'list' }),
      'factorRemoval.requested': (_, { item }) => ({ work: 'askingToRemoveFactor', item }),
      'factorRemoval.confirmed': ({ removals }) => ({ work: 'removingFactor', removals: [...removals, 'ben'] }),
      'factorRemoval.cancelled': () => ({ work: 'list' }),
      'password.taken': () => ({ work: 'list', password: null }),
      'dialog.dismissed': ({ work }) => ({ work: work.startsWith('asking') ? 'list' : 'dismissed' }),
      'xstate.done.actor.loadStaff': (_, { output }) => ({ staff: output, list: 'showing' }),
      'xstate.error.actor.loadStaff': ({ toasts }, { error: failure }) => ({
        ...(failure === staffFaults.noAnswer
          ? { list: 'waiting', toasts: [...toasts, error(network)] }
          : { list: 'refused', toasts: [...toasts, error('Failed to load staff')] }),
      }),
      'xstate.after.retryDelay.staff.open.members.failed.waiting': loadAgain,
      'xstate.done.actor.resetPassword': (_, { output }) => ({
        work: 'showingPassword',
        password: { email: 'ben@example.com', password: output },
      }),
      'xstate.error.actor.resetPassword': ({ toasts }) => ({
        work: 'list',
        toasts: [...toasts, error('Failed to reset the password')],
      }),
      'xstate.done.actor.removeSecondFactor': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, success('Two-step sign-in is off. The person is signed out.')],
      }),
      // The factor may have been removed although the answer was lost.
      'xstate.error.actor.removeSecondFactor': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, error('Failed to turn off two-step sign-in')],
      }),
      'xstate.done.actor.staffForm': (state, { output }) => {
        if (output.isDismissed) return { work: 'dismissed' }
        if (output.issued !== null) return { ...loadAgain(state), work: 'showingPassword', password: output.issued }
        if (!output.mayHaveSaved) return { work: 'list' }
        return { ...loadAgain(state), work: 'list', toasts: [...state.toasts, success('Changes saved')] }
      },
    },
    shown: ({ list, work, item, ...kept }) => ({
      ...kept,
      at: work === 'dismissed' ? work : `${list} ${work}`,
      askedToReset: work === 'askingToReset' || work === 'resetting' ? item : null,
      askedToRemove: work === 'askingToRemoveFactor' || work === 'removingFactor' ? item : null,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const staffForm = {
        resolve: async (end: { isDismissed: boolean; mayHaveSaved: boolean; issued: typeof issued | null }) => {
          if (end.isDismissed) return sut.actor.send({ type: 'dialog.dismissed' })
          if (!end.mayHaveSaved) return sut.form()?.send({ type: 'form.cancelled' })
          if (end.issued) sut.form()?.send({ type: 'fields.typed', change: newMember })
          sut.form()?.send({ type: 'form.submitted' })
          return sut.save.resolve(end.issued?.password ?? null)
        },
        reject: () => undefined,
      }
      const drive = driverOf(sut.actor.send, {
        calls: { loadStaff: sut.load, resetPassword: sut.reset, removeSecondFactor: sut.remove, staffForm },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        const value = sut.state()
        return {
          staff: snapshot.context.staff,
          loads: sut.load.calls.length,
          password: snapshot.context.issued,
          resets: sut.reset.calls.length,
          removals: sut.remove.inputs().map(({ id }) => id),
          toasts: sut.toasts,
          at: typeof value === 'string' ? value : `${listOfMembers(value.open.members)} ${value.open.work}`,
          askedToReset: selectAskedToReset(snapshot),
          askedToRemove: selectAskedToRemoveFactor(snapshot),
        }
      })
      sut.actor.stop()
    }
  })

  it('loads again by itself with growing pauses, and shows the failure once until a person asks', async () => {
    const sut = start()
    for (const pause of [2_000, 4_000, 8_000]) {
      await sut.load.reject(staffFaults.noAnswer)
      sut.clock.increment(pause - 1)
      const before = sut.load.calls.length
      sut.clock.increment(1)
      expect(sut.load.calls.length).toBe(before + 1)
    }
    await sut.load.reject(staffFaults.noAnswer)
    expect(sut.toasts).toEqual([error(network)])
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.reject(staffFaults.noAnswer)
    expect(sut.toasts).toEqual([error(network), error(network)])
    sut.clock.increment(2_000)
    await sut.load.resolve(listOf([ana]))
    expect(sut.context()).toMatchObject({ staff: listOf([ana]), failures: 0 })
  })

  it('does not load again by itself after a refusal', async () => {
    const sut = start()
    await sut.load.reject(staffFaults.unnamed)
    sut.clock.increment(60_000)
    expect(sut.load.calls).toHaveLength(1)
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
