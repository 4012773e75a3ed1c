import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { shownInReports } from '../../../src/dialog-registry.ts'
import {
  pageFormMachine,
  selectAsksToDiscard,
  selectBlockedReason,
  selectIsSaving,
  selectNameProblem,
  selectVerification,
} from '../../../src/machines/pages/page-form.ts'
import { createRedactor } from '../../../src/recorder/redact.ts'
import { failures, ownerOf, pageOf, startPageForm } from '../dialogs-fixture.ts'
import { createCoverage, driverOf, error, modelOf, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(pageFormMachine)
const shop = pageOf('p1', { page_name: 'Shop', shows_typing: false, shows_seen: true })
const senderActions = { typing: false, seen: true }
const adding = () => startPageForm(null, coverage.inspect)
const editing = () => startPageForm(shop, coverage.inspect)
type Form = ReturnType<typeof adding>

const verification = ({ actor }: Form) => selectVerification(actor.getSnapshot())
const blockedReason = ({ actor }: Form) => selectBlockedReason(actor.getSnapshot())
const nameProblem = ({ actor }: Form) => selectNameProblem(actor.getSnapshot())
const submit = ({ actor }: Form) => actor.send({ type: 'form.submitted' })

const verified = async (form: Form, token = 'T1', id = 'p1') => {
  form.verifyToken(token)
  await form.verify.resolve(ownerOf(id, { name: 'Prints & Co' }))
  return form
}

describe('the verification of a token', () => {
  it('sends the typed token, and reports that it is valid', async () => {
    const form = adding()
    expect([verification(form), blockedReason(form)]).toEqual(['unverified', 'Enter the page access token.'])
    form.verifyToken('T1')
    expect([verification(form), form.verify.inputs(), blockedReason(form)]).toEqual([
      'verifying',
      [{ token: 'T1' }],
      'Verify the token.',
    ])
    await form.verify.resolve(ownerOf('p1'))
    expect([verification(form), form.toasts, blockedReason(form)]).toEqual([
      'valid',
      [success('Token verified successfully')],
      null,
    ])
  })

  it.each(['', ' \n '])('requires a token: %j', (token) => {
    const form = adding()
    form.actor.send({ type: 'token.edited', token })
    form.actor.send({ type: 'verification.requested' })
    expect([verification(form), form.verify.calls.length, form.toasts]).toEqual([
      'unverified',
      0,
      [error('Please enter a page access token')],
    ])
  })

  it.each([
    ['', 'Prints & Co'],
    ['  ', 'Prints & Co'],
    ['My own', 'My own'],
  ])('fills an empty name only: %j', async (name, filled) => {
    const form = adding()
    form.actor.send({ type: 'name.edited', name })
    await verified(form)
    expect(form.context().name).toBe(filled)
  })

  it('drops the earlier result when it is requested again', async () => {
    const form = adding()
    form.verifyToken('T1')
    await form.verify.reject(failures.noAnswer)
    form.actor.send({ type: 'verification.requested' })
    expect([verification(form), form.context().problem]).toEqual(['verifying', null])
  })

  it.each([
    ['a token that the network refuses', failures.refused, 'Token verification failed: The network refused the call.'],
    ['a refusal with a success status', failures.refusedMildly, 'Token verification failed: Bad token'],
  ])('reports %s as invalid, with the reason', async (_, failure, text) => {
    const form = adding()
    form.verifyToken('T1')
    await form.verify.reject(failure)
    expect([verification(form), form.context().problem, form.toasts, blockedReason(form)]).toEqual([
      'invalid',
      text,
      [error(text)],
      'Verify the token.',
    ])
  })

  it.each([
    ['no answer', failures.noAnswer, 'Network error. Please check your connection.'],
    ['a server error', failures.broken, 'Server error. Please try again later.'],
    ['an answer that cannot be parsed', failures.unreadable, 'Failed to verify token'],
    ['a temporary fault', failures.passing, 'Token verification failed: The network has a passing fault.'],
    ['a missing permission', failures.forbidden, 'Access denied. Missing permission: pages.manage'],
  ])('does not report the token as invalid after %s', async (_, failure, text) => {
    const form = adding()
    form.verifyToken('T1')
    await form.verify.reject(failure)
    expect([verification(form), form.context().problem, form.toasts]).toEqual(['unverified', text, [error(text)]])
  })

  it('is dropped by any edit of the token', async () => {
    const form = await verified(adding())
    form.actor.send({ type: 'token.edited', token: 'T2' })
    expect([verification(form), blockedReason(form), form.context().owner]).toEqual([
      'unverified',
      'Verify the token.',
      null,
    ])
    const bad = adding()
    bad.verifyToken('T1')
    await bad.verify.reject(failures.refused)
    bad.actor.send({ type: 'token.edited', token: ' ' })
    expect([verification(bad), bad.context().problem]).toEqual(['unverified', null])
  })

  it('ignores the answer for an earlier text', async () => {
    const form = adding()
    form.verifyToken('T1')
    form.actor.send({ type: 'token.edited', token: 'T2' })
    expect(form.verify.last().signal.aborted).toBe(true)
    await form.verify.resolve(ownerOf('p1'))
    expect([verification(form), form.context().name, form.toasts]).toEqual(['unverified', '', []])
  })

  it('is sent once, even if its button is pressed several times', () => {
    const form = adding()
    form.verifyToken('T1')
    form.actor.send({ type: 'verification.requested' })
    expect(form.verify.calls.length).toBe(1)
  })

  it('refuses the token of a connected page in the form for a new page', async () => {
    const form = adding()
    form.verifyToken('T1')
    await form.verify.resolve(ownerOf('p1', { name: 'Shop', is_connected: true }))
    const why = 'Shop is already in the list. Edit it to enter a new token.'
    expect([verification(form), form.context().problem, form.toasts]).toEqual([
      'invalid',
      why,
      [error(`Token verification failed: ${why}`)],
    ])
  })

  it('refuses the token of another page in the form for an existing page, and accepts its own', async () => {
    const other = await verified(editing(), 'T1', 'p2')
    const own = editing()
    own.verifyToken('T1')
    await own.verify.resolve(ownerOf('p1', { is_connected: true }))
    expect([verification(other), other.context().problem, verification(own)]).toEqual([
      'invalid',
      'This token belongs to another page, Prints & Co. Enter the token of this page.',
      'valid',
    ])
  })
})

describe('the form of a page', () => {
  it('adds an active page once, with the trimmed name', async () => {
    const form = await verified(adding())
    form.actor.send({ type: 'name.edited', name: ' Prints ' })
    submit(form)
    submit(form)
    expect(form.save.inputs()).toEqual([{ pageId: null, name: 'Prints', token: 'T1', isActive: true }])
    await form.save.resolve()
    expect([form.state(), form.toasts.at(-1), form.told.map(({ type }) => type)]).toEqual([
      'saved',
      success('Facebook page added successfully'),
      ['pages.changed'],
    ])
  })

  it('updates a page without requesting its token again', async () => {
    const form = editing()
    form.actor.send({ type: 'active.chosen', isActive: false })
    expect(blockedReason(form)).toBe(null)
    submit(form)
    expect(form.save.inputs()).toEqual([{ pageId: 'p1', name: 'Shop', token: '', isActive: false, senderActions }])
    await form.save.resolve()
    expect([form.state(), form.toasts]).toEqual(['saved', [success('Facebook page updated successfully')]])
  })

  it.each([undefined, false])('requires the token of a page if the API does not store it: %j', async (keeps) => {
    const { keeps_token: _, ...row } = shop
    const form = startPageForm(keeps === undefined ? row : { ...row, keeps_token: keeps }, coverage.inspect)
    form.actor.send({ type: 'active.chosen', isActive: false })
    submit(form)
    expect([blockedReason(form), form.save.calls.length]).toEqual(['Enter the page access token.', 0])
    form.actor.send({ type: 'verification.requested' })
    expect(form.toasts).toEqual([error('Please enter a page access token')])
    await verified(form)
    submit(form)
    expect(form.save.inputs()).toEqual([{ pageId: 'p1', name: 'Shop', token: 'T1', isActive: false, senderActions }])
  })

  it('accepts a new token of an existing page only after it is verified', async () => {
    const form = editing()
    form.actor.send({ type: 'token.edited', token: 'T2' })
    submit(form)
    expect([blockedReason(form), form.save.calls.length]).toEqual(['Verify the token.', 0])
    await verified(form)
    submit(form)
    expect(form.save.inputs()).toEqual([{ pageId: 'p1', name: 'Shop', token: 'T1', isActive: true, senderActions }])
  })

  it.each([
    ['the form for a new page with a valid token', () => verified(adding())],
    ['an edit', async () => editing()],
    [
      'the form for an existing page with an unverified token',
      async () => {
        const form = editing()
        form.actor.send({ type: 'token.edited', token: 'T2' })
        return form
      },
    ],
  ])('%s requires a name of at most 200 characters, and shows the reason', async (_, begin) => {
    const form = await begin()
    for (const [name, problem] of [
      ['  ', 'Enter the name of the page.'],
      ['x'.repeat(201), 'Use at most 200 characters.'],
    ] as const) {
      form.actor.send({ type: 'name.edited', name })
      submit(form)
      expect([nameProblem(form), blockedReason(form), form.save.calls.length]).toEqual([problem, problem, 0])
    }
  })

  it('does not verify a token of more than 4,000 characters', () => {
    const form = adding()
    form.verifyToken('T'.repeat(4_001))
    expect([form.verify.calls.length, verification(form)]).toEqual([0, 'unverified'])
  })

  it('does not require a name while the verification may fill it', () => {
    const form = adding()
    expect(nameProblem(form)).toBe(null)
    form.verifyToken('T1')
    expect(nameProblem(form)).toBe(null)
  })

  it.each([
    ['a failed addition with a reason', adding, failures.refused, 'Failed to add page: The network refused the call.'],
    ['a failed addition without a reason', adding, failures.unnamed, 'Failed to add Facebook page'],
    ['a refused update', editing, failures.gone, 'Failed to update page: This page is no longer connected.'],
    ['a failed update without a reason', editing, failures.unreadable, 'Failed to update Facebook page'],
    ['no answer', adding, failures.noAnswer, 'Network error. Please check your connection.'],
  ])('stays open with all input after %s', async (_, begin, failure, text) => {
    const form = await verified(begin())
    form.actor.send({ type: 'name.edited', name: 'Mine' })
    submit(form)
    await form.save.reject(failure)
    expect([
      form.context().name,
      form.context().error,
      form.toasts.at(-1),
      verification(form),
      blockedReason(form),
    ]).toEqual(['Mine', text, error(text), 'valid', null])
    // The page may have been saved in spite of the failure.
    expect(form.told).toEqual([{ type: 'pages.invalidated' }])
    submit(form)
    expect(form.context().error).toBe(null)
  })

  it('does not close during a save', async () => {
    const form = await verified(adding())
    submit(form)
    form.actor.send({ type: 'form.cancelled' })
    form.actor.send({ type: 'dialog.dismissed' })
    form.actor.send({ type: 'verification.requested' })
    expect(form.state()).toEqual({ open: { verification: 'valid', work: 'saving' } })
  })

  it('reports whether staff left only the form or the whole dialog', () => {
    const cancelled = adding()
    cancelled.actor.send({ type: 'form.cancelled' })
    const dismissed = adding()
    dismissed.actor.send({ type: 'dialog.dismissed' })
    expect([cancelled, dismissed].map(({ actor }) => actor.getSnapshot().output)).toEqual([
      { isDismissed: false },
      { isDismissed: true },
    ])
  })

  const nameTyped = { type: 'name.edited', name: 'Mine' } as const
  it.each([
    ['the name', adding, nameTyped],
    ['the name', editing, nameTyped],
    ['the active switch', editing, { type: 'active.chosen', isActive: false }],
    ['what customers see', editing, { type: 'senderActions.chosen', senderActions: { typing: true, seen: true } }],
    ['a token', editing, { type: 'token.edited', token: 'T2' }],
    ['a token', adding, { type: 'token.edited', token: 'T2' }],
  ] as const)('asks before it discards %s, and keeps all input if staff decline', (_, begin, event) => {
    const form = begin()
    form.actor.send(event)
    const typed = form.context()
    form.actor.send({ type: 'form.cancelled' })
    expect(selectAsksToDiscard(form.actor.getSnapshot())).toBe(true)
    form.actor.send({ type: 'discard.refused' })
    expect([form.state(), form.context()]).toEqual([{ open: { verification: 'unverified', work: 'editing' } }, typed])
    form.actor.send({ type: 'dialog.dismissed' })
    expect(form.actor.getSnapshot().status).toBe('active')
    form.actor.send({ type: 'discard.confirmed' })
    expect(form.actor.getSnapshot().output).toEqual({ isDismissed: true })
  })

  it('does not ask if all values equal the original ones', () => {
    const form = editing()
    form.actor.send({ type: 'name.edited', name: 'Mine' })
    form.actor.send({ type: 'name.edited', name: 'Shop' })
    form.actor.send({ type: 'form.cancelled' })
    expect(form.actor.getSnapshot().output).toEqual({ isDismissed: false })
  })

  it('returns to the list after a save, although staff tried to close the dialog before', async () => {
    const form = await verified(adding())
    form.actor.send({ type: 'dialog.dismissed' })
    form.actor.send({ type: 'dialog.dismissed' })
    submit(form)
    await form.save.resolve()
    expect(form.actor.getSnapshot().output).toEqual({ isDismissed: false })
  })

  it('keeps the token until it closes, and hides it from reports and inspectors', async () => {
    const form = await verified(adding(), 'EAAB-canary')
    submit(form)
    await form.save.reject(failures.refused)
    expect(form.context().token).toBe('EAAB-canary')
    const redactor = createRedactor(shownInReports)
    redactor.learn(form.context())
    expect(JSON.stringify(redactor.redact({ ...form.context(), type: 'token.edited' }))).not.toContain('EAAB-canary')
    submit(form)
    await form.save.resolve()
    expect(JSON.stringify(form.actor.getPersistedSnapshot())).not.toContain('EAAB-canary')
    const left = await verified(adding(), 'EAAB-canary')
    left.actor.send({ type: 'form.cancelled' })
    left.actor.send({ type: 'discard.confirmed' })
    expect(JSON.stringify(left.actor.getPersistedSnapshot())).not.toContain('EAAB-canary')
  })
})

describe('the walk through the form', () => {
  type Snapshot = SnapshotFrom<typeof pageFormMachine>
  const pathsFor = (page: typeof shop | null) =>
    modelOf(pageFormMachine, {
      input: { page },
      limit: 20_000,
      vertex: ({ context: { page: _, ...seen } }: Snapshot) => seen,
      cases: {
        'name.edited': ({ context }) => (context.name === 'Shop' ? [] : [{ name: 'Shop' }]),
        'active.chosen': ({ context }) => (context.isActive ? [{ isActive: false }] : []),
        // It affects no other state, so it is chosen on few paths.
        'senderActions.chosen': ({ context }) =>
          context.token === '' && context.isActive && context.error === null && context.senderActions?.typing !== true
            ? [{ senderActions: { typing: true, seen: false } }]
            : [],
        'token.edited': ({ context }) => (context.token === 'T1' ? [{ token: '' }] : [{ token: 'T1' }]),
        'verification.requested': [{}],
        'form.submitted': [{}],
        'form.cancelled': [{}],
        'discard.confirmed': [{}],
        'discard.refused': [{}],
        'dialog.dismissed': [{}],
        'xstate.done.actor.verifyToken': [{ output: ownerOf('p1') }, { output: ownerOf('p2', { is_connected: true }) }],
        'xstate.error.actor.verifyToken': [{ error: failures.refused }, { error: failures.noAnswer }],
        'xstate.done.actor.savePage': [{ output: undefined }],
        'xstate.error.actor.savePage': [{ error: failures.refused }],
      },
    }).everyTransition()

  type State = {
    name: string
    isActive: boolean
    senderActions: object | null
    token: string
    verification: 'unverified' | 'verifying' | 'valid' | 'invalid'
    problem: string | null
    step: 'editing' | 'leaving' | 'saving' | 'saved' | 'cancelled'
    error: string | null
    isDismissed: boolean
    verified: string[]
    saves: unknown[]
    toasts: unknown[]
    told: string[]
  }
  const network = 'Network error. Please check your connection.'
  const referenceFor = (page: typeof shop | null): Reference<State> => {
    const [name, isActive] = [page ? 'Shop' : '', true]
    const before = page && senderActions
    const isUnchanged = (state: State) =>
      state.name === name && state.isActive === isActive && state.token === '' && state.senderActions === before
    const leave = (state: State, isDismissed: boolean): Partial<State> => ({
      isDismissed,
      step: isUnchanged(state) ? 'cancelled' : 'leaving',
    })
    const refuse = ({ toasts }: State, why: string, problem = why): Partial<State> => ({
      verification: 'invalid',
      problem,
      toasts: [...toasts, error(`Token verification failed: ${why}`)],
    })
    /** A token leaves only after it was verified; without one the stored token stays. */
    const maySave = (state: State) =>
      state.name !== '' && (state.verification === 'valid' || (page !== null && state.token === ''))
    return {
      start: {
        name,
        isActive,
        senderActions: before,
        token: '',
        verification: 'unverified',
        problem: null,
        step: 'editing',
        error: null,
        isDismissed: false,
        verified: [],
        saves: [],
        toasts: [],
        told: [],
      },
      accepts: (state) => [
        ...when(state.step !== 'saved' && state.step !== 'cancelled', 'token.edited'),
        ...when(state.verification === 'verifying', ...ends('verifyToken')),
        ...{
          editing: [
            ...['name.edited', 'active.chosen', 'form.cancelled', 'dialog.dismissed'],
            ...when(page !== null, 'senderActions.chosen'),
            ...when(state.verification !== 'verifying', 'verification.requested'),
            ...when(maySave(state), 'form.submitted'),
          ],
          leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
          saving: ends('savePage'),
          saved: [],
          cancelled: [],
        }[state.step],
      ],
      rules: {
        'name.edited': (_, event) => ({ name: event['name'] }),
        'active.chosen': (_, event) => ({ isActive: event['isActive'] }),
        'senderActions.chosen': (_, event) => ({ senderActions: event['senderActions'] }),
        'token.edited': (state, { token }) => {
          // The question whether to discard text ends when no text is left.
          const isEmptied = state.step === 'leaving' && isUnchanged({ ...state, token })
          return { token, verification: 'unverified', problem: null, ...(isEmptied ? { step: 'cancelled' } : {}) }
        },
        'verification.requested': ({ token, verified, toasts }) =>
          token === ''
            ? { toasts: [...toasts, error('Please enter a page access token')] }
            : { verification: 'verifying', problem: null, verified: [...verified, token] },
        'xstate.done.actor.verifyToken': (state, { output: { id } }) => {
          if (id === 'p2')
            return refuse(
              state,
              page
                ? 'This token belongs to another page, Page p2. Enter the token of this page.'
                : 'Page p2 is already in the list. Edit it to enter a new token.',
            )
          return {
            verification: 'valid',
            name: state.name || 'Page p1',
            toasts: [...state.toasts, success('Token verified successfully')],
          }
        },
        'xstate.error.actor.verifyToken': (state, { error: failure }) =>
          failure === failures.noAnswer
            ? { verification: 'unverified', problem: network, toasts: [...state.toasts, error(network)] }
            : refuse(
                state,
                'The network refused the call.',
                'Token verification failed: The network refused the call.',
              ),
        'form.submitted': (state) => {
          if (!maySave(state)) return {}
          const { name, token, isActive } = state
          const shown = state.senderActions === null ? {} : { senderActions: state.senderActions }
          const saved = { pageId: page ? 'p1' : null, name, token, isActive, ...shown }
          return { step: 'saving', error: null, isDismissed: false, saves: [...state.saves, saved] }
        },
        'form.cancelled': (state) => leave(state, false),
        'dialog.dismissed': (state) => (state.step === 'leaving' ? { step: 'editing' } : leave(state, true)),
        'discard.refused': () => ({ step: 'editing' }),
        'discard.confirmed': () => ({ step: 'cancelled' }),
        'xstate.done.actor.savePage': ({ toasts, told }) => ({
          step: 'saved',
          toasts: [...toasts, success(`Facebook page ${page ? 'updated' : 'added'} successfully`)],
          told: [...told, 'pages.changed'],
        }),
        'xstate.error.actor.savePage': ({ toasts, told }) => {
          const text = `Failed to ${page ? 'update' : 'add'} page: The network refused the call.`
          return {
            step: 'editing',
            error: text,
            toasts: [...toasts, error(text)],
            told: [...told, 'pages.invalidated'],
          }
        },
      },
      shown: ({ verified: tokens, saves, toasts, told, step, isDismissed, ...fields }) => {
        const effects = { verified: tokens, saves, toasts, told }
        if (step === 'saved' || step === 'cancelled') return { ...effects, output: { isDismissed }, token: '' }
        return { ...effects, ...fields, step }
      },
    }
  }
  const seen = (form: Form) => {
    const snapshot = form.actor.getSnapshot()
    const effects = {
      verified: form.verify.inputs().map(({ token }) => token),
      saves: form.save.inputs(),
      toasts: form.toasts,
      told: form.told.map(({ type }) => type),
    }
    const { name, isActive, senderActions, token, problem, error: failed } = snapshot.context
    if (snapshot.status === 'done') return { ...effects, output: snapshot.output, token }
    const asks = selectAsksToDiscard(snapshot) ? 'leaving' : 'editing'
    return {
      ...effects,
      name,
      isActive,
      senderActions,
      token,
      problem,
      error: failed,
      verification: verification(form),
      step: selectIsSaving(snapshot) ? 'saving' : asks,
    }
  }

  it.each([
    ['a new page', null],
    ['an existing page', shop],
  ])(
    'for %s shows what the reference shows',
    async (_, page) => {
      const paths = pathsFor(page)
      expect(paths.length).toBeGreaterThan(30)
      for (const path of paths) {
        const form = startPageForm(page, coverage.inspect)
        const drive = driverOf(form.actor.send, { calls: { verifyToken: form.verify, savePage: form.save } })
        await followBeside(path, drive, referenceFor(page), () => seen(form))
        form.actor.stop()
      }
    },
    60_000,
  )

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
