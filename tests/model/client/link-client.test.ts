import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { prefilledFrom } from '../../../src/domain/client/client-linking.ts'
import {
  type LinkClientEvent,
  linkClientMachine,
  selectCreateBlockedReason,
} from '../../../src/machines/client/link-client.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage, driverOf, modelOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { clientOf, faults, filled, linkOf, startLinkClient } from './clients-fixture.ts'

const coverage = createCoverage(linkClientMachine)
const start = () => startLinkClient(coverage.inspect)

const maria = clientOf('k1')
const jun = clientOf('k2')
const taken = clientOf('k3', { fb_user_id: 'u9' })
const created = clientOf('k9', { first_name: 'Ana', last_name: 'Cruz' })

const toast = (kind: string, text: string) => ({ kind, text })
const linkedTo = (clientId: string) => ({ type: 'client.linked', userId: 'ana', clientId })

const found = async (...clients: (typeof maria)[]) => {
  const sut = start()
  sut.searchFor('maria')
  await sut.search.resolve(clients)
  return sut
}

const chosen = async () => {
  const sut = await found(maria, taken)
  sut.tell({ type: 'client.chosen', client: maria })
  return sut
}

const creating = async () => {
  const sut = await found()
  sut.tell({ type: 'form.opened' })
  sut.tell({ type: 'fields.typed', fields: { ...filled, firstName: ' Ana ', email: 'ana@cruz.ph ' } })
  sut.tell({ type: 'form.submitted' })
  return sut
}

describe('the search for a client', () => {
  it('starts 300 ms after the last key press, with the trimmed term', () => {
    const sut = start()
    sut.tell({ type: 'search.typed', term: ' ma' })
    sut.clock.increment(299)
    sut.tell({ type: 'search.typed', term: ' mar ' })
    sut.clock.increment(299)
    expect(sut.search.inputs()).toEqual([])
    sut.clock.increment(1)
    expect(sut.search.inputs()).toEqual([{ term: 'mar' }])
  })

  it.each(['', ' ', 'm', ' m ', 'm'.repeat(201)])('is not started for %j, and shows no client', async (term) => {
    const sut = await found(maria)
    sut.searchFor(term)
    expect([sut.search.calls.length, sut.shown().found, sut.shown().term]).toEqual([1, null, term])
  })

  it('shows the found clients with the trimmed term that found them', async () => {
    const sut = start()
    sut.searchFor(' maria ')
    await sut.search.resolve([maria])
    expect([sut.shown().found, sut.client('k1')]).toEqual([{ term: 'maria', clientIds: ['k1'] }, maria])
  })

  it('keeps the found clients in the browser until the dialog ends', async () => {
    const sut = await found(maria, jun)
    expect(sut.held()).toEqual([['k1', 'k2']])
    sut.tell({ type: 'dialog.dismissed' })
    expect(sut.held()).toEqual([])
  })

  it('ignores the answer to an earlier search', async () => {
    const sut = start()
    sut.searchFor('ma')
    sut.searchFor('jun')
    const [first, second] = sut.search.calls
    expect(first?.signal.aborted).toBe(true)
    second?.resolve([jun])
    first?.resolve([maria])
    await sut.search.resolve([jun])
    expect(sut.shown().found).toEqual({ term: 'jun', clientIds: ['k2'] })
  })

  it('is shown as under way from the first key press until the answer', async () => {
    const sut = start()
    const isSearching = () => sut.shown().isSearching
    expect(isSearching()).toBe(false)
    sut.tell({ type: 'search.typed', term: 'maria' })
    expect(isSearching()).toBe(true)
    sut.clock.increment(300)
    expect(isSearching()).toBe(true)
    await sut.search.resolve([maria])
    expect(isSearching()).toBe(false)
  })

  it('that fails shows the error, keeps the term, and can be retried', async () => {
    const sut = await found(jun)
    sut.searchFor('maria')
    await sut.search.reject(faults.unreadable)
    const { term, found: rows, isSearching, hasSearchFailed } = sut.shown()
    expect([sut.toasts, term, rows, isSearching, hasSearchFailed, sut.state()]).toEqual([
      [toast('error', 'Failed to search clients')],
      'maria',
      null,
      false,
      true,
      { open: { search: 'failed', work: 'choosing' } },
    ])
    sut.tell({ type: 'refetch.requested' })
    expect(sut.shown().hasSearchFailed).toBe(false)
    await sut.search.resolve([maria])
    expect(sut.shown().found).toEqual({ term: 'maria', clientIds: ['k1'] })
  })

  it('keeps the selected client while it is among the results, and deselects it otherwise', async () => {
    const sut = await chosen()
    sut.searchFor('mari')
    expect(sut.shown().selected).toBe('k1')
    await sut.search.resolve([maria, jun])
    expect(sut.shown().selected).toBe('k1')
    sut.searchFor('jun')
    await sut.search.resolve([jun])
    expect(sut.shown().selected).toBe(null)
  })
})

describe('the link to a found client', () => {
  it('refuses a client that is linked to another person, with a warning', async () => {
    const sut = await found(taken)
    sut.tell({ type: 'client.chosen', client: taken })
    sut.tell({ type: 'link.requested' })
    expect([sut.shown().selected, sut.toasts, sut.link.calls.length]).toEqual([
      null,
      [toast('warning', 'This client is already linked to another Facebook user')],
      0,
    ])
  })

  it('requires a selected client', async () => {
    const sut = await found(maria)
    sut.tell({ type: 'link.requested' })
    expect(sut.link.calls.length).toBe(0)
  })

  it('is made once, shows a toast, is reported to the session and ends the dialog', async () => {
    const sut = await chosen()
    sut.tell({ type: 'link.requested' })
    sut.tell({ type: 'link.requested' })
    expect(sut.link.inputs()).toEqual([{ fbUserId: 'ana', clientId: 'k1' }])
    await sut.link.resolve()
    expect([sut.state(), sut.toasts, sut.told]).toEqual([
      'linked',
      [toast('success', 'Client linked successfully')],
      [linkedTo('k1')],
    ])
  })

  it('continues while staff search for another client or open the form', async () => {
    const linking = await chosen()
    linking.tell({ type: 'link.requested' })
    linking.tell({ type: 'search.typed', term: 'mari' })
    const writing = await found()
    writing.tell({ type: 'form.opened' })
    writing.tell({ type: 'search.typed', term: 'mari' })
    expect([linking.state(), linking.link.last().signal.aborted, writing.state()]).toEqual([
      { open: { search: 'debouncing', work: 'linking' } },
      false,
      { open: { search: 'debouncing', work: 'editing' } },
    ])
  })

  it.each([
    ['a conflict', faults.conflict, 'This client is already linked to another Facebook user'],
    ['no answer', faults.noAnswer, 'Network error. Please check your connection.'],
    ['a refusal without a reason', faults.invalid, 'Failed to link client'],
  ])('that fails because of %s shows the error, and keeps the selection and the search', async (_, failure, text) => {
    const sut = await chosen()
    sut.tell({ type: 'link.requested' })
    await sut.link.reject(failure)
    const { error, selected, term, found: rows } = sut.shown()
    expect([sut.state(), error, selected, term, rows?.clientIds, sut.toasts, sut.told]).toEqual([
      { open: { search: 'idle', work: 'choosing' } },
      text,
      'k1',
      'maria',
      ['k1', 'k3'],
      [toast('error', text)],
      [],
    ])
    sut.tell({ type: 'link.requested' })
    expect(sut.shown().error).toBe(null)
    await sut.link.resolve()
    expect(sut.state()).toBe('linked')
  })
})

describe('the creation of a client', () => {
  it.each([
    ['without a first name', { ...filled, firstName: '  ' }, 'Enter the first name.'],
    ['without a last name', { ...filled, lastName: '' }, 'Enter the last name.'],
    ['with a text that is no email', { ...filled, email: 'ana' }, 'Enter an email address, like name@example.com.'],
    ['with a name of 101 characters', { ...filled, lastName: 'x'.repeat(101) }, 'Use at most 100 characters.'],
    ['with a phone of 201 characters', { ...filled, phone: '1'.repeat(201) }, 'Use at most 200 characters.'],
  ])('is refused %s, and the reason is shown', async (_, fields, blockedReason) => {
    const sut = await found()
    sut.tell({ type: 'form.opened' })
    sut.tell({ type: 'fields.typed', fields })
    sut.tell({ type: 'form.submitted' })
    expect([sut.create.calls.length, sut.state(), selectCreateBlockedReason(sut.actor.getSnapshot())]).toEqual([
      0,
      { open: { search: 'idle', work: 'editing' } },
      blockedReason,
    ])
  })

  it('is requested once with trimmed input; the client is linked, and a single toast reports both', async () => {
    const sut = await creating()
    sut.tell({ type: 'form.submitted' })
    expect(sut.create.inputs()).toEqual([{ fields: { ...filled, email: 'ana@cruz.ph' } }])
    await sut.create.resolve(created)
    expect([sut.link.inputs(), sut.client('k9')]).toEqual([[{ fbUserId: 'ana', clientId: 'k9' }], created])
    await sut.link.resolve()
    expect([sut.state(), sut.toasts, sut.told]).toEqual([
      'linked',
      [toast('success', 'Client created and linked successfully')],
      [linkedTo('k9')],
    ])
  })

  it('that is refused shows the error and keeps the form open', async () => {
    const sut = await creating()
    await sut.create.reject(faults.invalid)
    expect([sut.state(), sut.shown().error, sut.toasts, sut.link.calls.length]).toEqual([
      { open: { search: 'idle', work: 'editing' } },
      'Failed to create client',
      [toast('error', 'Failed to create client')],
      0,
    ])
  })

  it('whose answer is lost warns of a duplicate, and the warning ends with the form', async () => {
    const sut = await creating()
    await sut.create.reject(faults.noAnswer)
    expect([sut.shown().error, sut.toasts]).toEqual([
      'We do not know whether the client was created. Search for the name before you try again.',
      [toast('error', 'Network error. Please check your connection.')],
    ])
    sut.tell({ type: 'form.submitted' })
    expect([sut.shown().step, sut.shown().error]).toEqual(['creating', null])
    await sut.create.reject(faults.noAnswer)
    sut.tell({ type: 'form.cancelled' })
    expect([sut.shown().error, sut.state()]).toEqual([null, { open: { search: 'idle', work: 'choosing' } }])
  })

  it('starts without the error of an earlier link', async () => {
    const sut = await chosen()
    sut.tell({ type: 'link.requested' })
    await sut.link.reject(faults.invalid)
    sut.tell({ type: 'form.opened' })
    expect([sut.shown().step, sut.shown().error]).toEqual(['editing', null])
  })

  it('stays selected, but another client is linked if staff choose it, and only the link is reported', async () => {
    const sut = await creating()
    await sut.create.resolve(created)
    await sut.link.reject(faults.invalid)
    sut.searchFor('maria')
    await sut.search.resolve([maria])
    sut.tell({ type: 'client.chosen', client: maria })
    sut.tell({ type: 'link.requested' })
    await sut.link.resolve()
    expect([sut.toasts.at(-1), sut.told]).toEqual([toast('success', 'Client linked successfully'), [linkedTo('k1')]])
  })

  it('is not repeated if the link fails: only the link is retried', async () => {
    const sut = await creating()
    await sut.create.resolve(created)
    await sut.link.reject(faults.invalid)
    expect([sut.state(), sut.shown().selected, sut.shown().created, sut.shown().error]).toEqual([
      { open: { search: 'idle', work: 'choosing' } },
      'k9',
      'k9',
      'Failed to link user to client',
    ])
    sut.tell({ type: 'link.requested' })
    await sut.link.resolve()
    expect([sut.state(), sut.create.calls.length, sut.link.calls.length, sut.toasts]).toEqual([
      'linked',
      1,
      2,
      [
        toast('error', 'Failed to link user to client'),
        toast('success', 'Facebook user linked to client successfully'),
      ],
    ])
  })

  it('keeps the created client selected during another search, until it is linked', async () => {
    const sut = await creating()
    await sut.create.resolve(created)
    await sut.link.reject(faults.noAnswer)
    sut.searchFor('jun')
    await sut.search.resolve([jun])
    expect(sut.shown().selected).toBe('k9')
    sut.searchFor('')
    expect(sut.shown().selected).toBe('k9')
  })
})

describe('the typed text in the form for a new client', () => {
  const typed = { ...filled, phone: '0917' }
  const writing = async () => {
    const sut = await found()
    sut.tell({ type: 'form.opened' })
    return sut
  }
  const typedIn = async () => {
    const sut = await writing()
    sut.tell({ type: 'fields.typed', fields: typed })
    return sut
  }

  it('is discarded only if staff confirm it', async () => {
    const sut = await typedIn()
    sut.tell({ type: 'dialog.dismissed' })
    expect([sut.state(), sut.shown().asksToDiscard]).toEqual([{ open: { search: 'idle', work: 'leaving' } }, true])
    sut.tell({ type: 'discard.refused' })
    expect([sut.state(), sut.shown().fields, sut.shown().asksToDiscard]).toEqual([
      { open: { search: 'idle', work: 'editing' } },
      typed,
      false,
    ])
    sut.tell({ type: 'dialog.dismissed' })
    sut.tell({ type: 'discard.confirmed' })
    expect(sut.state()).toBe('dismissed')
  })

  it('stays when staff return from the search, also after the question whether to discard it', async () => {
    const sut = await typedIn()
    sut.tell({ type: 'form.cancelled' })
    sut.tell({ type: 'dialog.dismissed' })
    expect(sut.shown().asksToDiscard).toBe(true)
    sut.tell({ type: 'dialog.dismissed' })
    expect([sut.state(), sut.shown().fields]).toEqual([{ open: { search: 'idle', work: 'editing' } }, typed])
  })

  it('causes no question if it equals the prefilled text', async () => {
    const sut = await typedIn()
    sut.tell({ type: 'fields.typed', fields: prefilledFrom(conversationOf()) })
    sut.tell({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('dismissed')
  })

  it.each(['firstName', 'lastName', 'email', 'phone', 'company'] as const)(
    'causes a question in the field %s',
    async (name) => {
      const sut = await writing()
      sut.tell({ type: 'fields.typed', fields: { ...prefilledFrom(conversationOf()), [name]: 'x' } })
      sut.tell({ type: 'dialog.dismissed' })
      expect(sut.shown().asksToDiscard).toBe(true)
    },
  )

  it('causes no question after the client was created', async () => {
    const sut = await creating()
    await sut.create.resolve(created)
    await sut.link.reject(faults.noAnswer)
    sut.tell({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('dismissed')
  })
})

describe('the dialog', () => {
  it('starts empty except for the form, which is prefilled with the name', () => {
    expect(start().shown()).toEqual({
      conversationId: 'ana',
      term: '',
      isSearching: false,
      hasSearchFailed: false,
      found: null,
      selected: null,
      fields: prefilledFrom(conversationOf()),
      created: null,
      error: null,
      step: 'choosing',
      asksToDiscard: false,
    })
  })

  it('shows its current step, from the choice to the end', async () => {
    const sut = await found(maria)
    const steps = [sut.shown().step]
    const then = (event: LinkClientEvent) => {
      sut.tell(event)
      steps.push(sut.shown().step)
    }
    then({ type: 'form.opened' })
    then({ type: 'fields.typed', fields: { ...filled, phone: '0917' } })
    then({ type: 'dialog.dismissed' })
    then({ type: 'discard.refused' })
    then({ type: 'form.submitted' })
    await sut.create.resolve(created)
    steps.push(sut.shown().step)
    await sut.link.reject(faults.conflict)
    steps.push(sut.shown().step)
    then({ type: 'link.requested' })
    await sut.link.resolve()
    expect([...steps, sut.shown().step]).toEqual([
      'choosing',
      'editing',
      'editing',
      'editing',
      'editing',
      'creating',
      'creating',
      'choosing',
      'linking',
      'ended',
    ])
  })

  it('ends when staff dismiss it', () => {
    const sut = start()
    sut.tell({ type: 'dialog.dismissed' })
    expect([sut.state(), sut.told]).toEqual(['dismissed', []])
  })

  it.each([
    [
      'linking',
      async () => {
        const sut = await chosen()
        sut.tell({ type: 'link.requested' })
        return sut
      },
    ],
    ['creating', creating],
    [
      'linking the created client',
      async () => {
        const sut = await creating()
        await sut.create.resolve(created)
        return sut
      },
    ],
  ])('stays open while it is %s, so that staff see the result', async (_, busy) => {
    const sut = await busy()
    const before = sut.state()
    sut.tell({ type: 'dialog.dismissed' })
    expect(sut.state()).toEqual(before)
  })
})

describe('the walk through the dialog', () => {
  type Snapshot = SnapshotFrom<typeof linkClientMachine>
  const isSettled = (snapshot: Snapshot) => !snapshot.matches({ open: { search: 'debouncing' } })
  const paths = modelOf(linkClientMachine, {
    input: linkOf(conversationOf()),
    limit: 20_000,
    vertex: ({ context }) => context,
    cases: {
      'search.typed': ({ context }) => (context.term === '' ? [{ term: 'maria' }] : [{ term: 'm' }]),
      'refetch.requested': [{}],
      'client.chosen': ({ context }) =>
        (context.found?.clientIds ?? []).map((id) => ({ client: id === maria.id ? maria : taken })),
      'link.requested': [{}],
      'form.opened': (snapshot) => (isSettled(snapshot) ? [{}] : []),
      'fields.typed': (snapshot) =>
        snapshot.matches({ open: { search: 'idle', work: 'editing' } }) && snapshot.context.fields.phone === ''
          ? [{ fields: { ...filled, phone: '1' } }, { fields: { ...filled, lastName: ' ' } }]
          : [],
      'form.submitted': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'form.cancelled': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.searchClients': [{ output: [maria, taken] }],
      'xstate.error.actor.searchClients': [{ error: faults.unreadable }],
      'xstate.done.actor.linkClient': [{ output: undefined }],
      'xstate.error.actor.linkClient': [{ error: faults.conflict }],
      'xstate.done.actor.createClient': [{ output: created }],
      'xstate.error.actor.createClient': [{ error: faults.invalid }, { error: faults.noAnswer }],
      'xstate.done.actor.linkCreated': [{ output: undefined }],
      'xstate.error.actor.linkCreated': [{ error: faults.forbidden }],
    },
  }).everyTransition()

  type State = {
    term: string
    search: 'idle' | 'debouncing' | 'searching' | 'failed'
    found: { term: string; clientIds: readonly string[] } | null
    selected: string | null
    /** A search that ends meanwhile does not change what is linked. */
    linking: string | null
    fields: typeof filled
    created: string | null
    error: string | null
    work: 'choosing' | 'linking' | 'editing' | 'leaving' | 'creating' | 'linkingCreated' | 'linked' | 'dismissed'
    searches: string[]
    creates: number
    links: string[]
    toasts: unknown[]
    told: unknown[]
  }
  type Change = Partial<State>
  const { prefilled } = linkOf(conversationOf())
  const search = ({ term, searches }: State): Change => ({ search: 'searching', searches: [...searches, term] })
  const showNobody = ({ created: own }: State): Change => ({ found: null, selected: own })
  const fail = (state: State, work: State['work'], text: string, shown = text): Change => ({
    ...{ work, error: shown },
    toasts: [...state.toasts, toast('error', text)],
  })
  const link = ({ links }: State, id: string): Change => ({ linking: id, links: [...links, id] })
  const succeed = ({ linking, toasts, told }: State, text: string): Change => ({
    work: 'linked',
    toasts: [...toasts, toast('success', text)],
    told: [...told, linkedTo(linking ?? '')],
  })
  const conflict = 'This client is already linked to another Facebook user'
  const network = 'Network error. Please check your connection.'
  const perhapsCreated = 'We do not know whether the client was created. Search for the name before you try again.'
  const reference: Reference<State> = {
    start: {
      ...{
        term: '',
        search: 'idle',
        found: null,
        selected: null,
        linking: null,
        fields: prefilled,
        created: null,
        error: null,
      },
      ...{ work: 'choosing', searches: [], creates: 0, links: [], toasts: [], told: [] },
    },
    accepts: ({ work, search, selected, created: own, fields }) => [
      'search.typed',
      ...{
        idle: [],
        debouncing: ['xstate.after.searchDebounce.linkClient.open.search.debouncing'],
        searching: ends('searchClients'),
        failed: ['refetch.requested'],
      }[search],
      ...{
        choosing: [
          ...['client.chosen', 'dialog.dismissed'],
          ...when(selected !== null, 'link.requested'),
          ...when(own === null, 'form.opened'),
        ],
        editing: [
          ...['fields.typed', 'form.cancelled', 'dialog.dismissed'],
          ...when(fields.lastName.trim() !== '', 'form.submitted'),
        ],
        leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
        linking: ends('linkClient'),
        creating: ends('createClient'),
        linkingCreated: ends('linkCreated'),
        linked: [],
        dismissed: [],
      }[work],
    ],
    rules: {
      'search.typed': (state, { term }) =>
        term.length > 1 ? { term, search: 'debouncing' } : { term, search: 'idle', ...showNobody(state) },
      'xstate.after.searchDebounce.linkClient.open.search.debouncing': search,
      'refetch.requested': search,
      'xstate.done.actor.searchClients': ({ term, selected, created: own }) => ({
        search: 'idle',
        found: { term, clientIds: [maria.id, taken.id] },
        selected: selected !== null && [maria.id, taken.id, own].includes(selected) ? selected : null,
      }),
      'xstate.error.actor.searchClients': (state) => ({
        ...showNobody(state),
        search: 'failed',
        toasts: [...state.toasts, toast('error', 'Failed to search clients')],
      }),
      // A client of another chat user cannot be chosen.
      'client.chosen': ({ toasts }, { client }) =>
        client.id === taken.id
          ? { toasts: [...toasts, toast('warning', conflict)] }
          : { selected: client.id, error: null },
      'link.requested': (state) => ({ work: 'linking', error: null, ...link(state, state.selected ?? '') }),
      'xstate.done.actor.linkClient': (state) =>
        succeed(
          state,
          state.linking === state.created
            ? 'Facebook user linked to client successfully'
            : 'Client linked successfully',
        ),
      'xstate.error.actor.linkClient': (state) => fail(state, 'choosing', conflict),
      'form.opened': () => ({ work: 'editing', error: null }),
      'fields.typed': (_, { fields }) => ({ fields }),
      'form.submitted': ({ creates }) => ({ work: 'creating', error: null, creates: creates + 1 }),
      'form.cancelled': () => ({ work: 'choosing', error: null }),
      // The created client is kept by the server, so its text is not lost.
      'dialog.dismissed': ({ work, created: own, fields }) => {
        if (work === 'leaving') return { work: 'editing' }
        return { work: own !== null || fields === prefilled ? 'dismissed' : 'leaving' }
      },
      'discard.confirmed': () => ({ work: 'dismissed' }),
      'discard.refused': () => ({ work: 'editing' }),
      'xstate.done.actor.createClient': (state) => ({
        ...{ work: 'linkingCreated', created: created.id, selected: created.id },
        ...link(state, created.id),
      }),
      'xstate.error.actor.createClient': (state, { error }) =>
        error === faults.invalid
          ? fail(state, 'editing', 'Failed to create client')
          : fail(state, 'editing', network, perhapsCreated),
      'xstate.done.actor.linkCreated': (state) => succeed(state, 'Client created and linked successfully'),
      'xstate.error.actor.linkCreated': (state) =>
        fail(state, 'choosing', 'Access denied. You do not have permission to perform this action.'),
    },
    shown: ({ searches, creates, links, toasts, told, work, linking: _, ...fields }) => {
      const effects = { searches, creates, links, toasts, told }
      return work === 'linked' || work === 'dismissed' ? { ...effects, work } : { ...effects, ...fields, work }
    },
  }
  const seen = (sut: ReturnType<typeof start>) => {
    const snapshot = sut.actor.getSnapshot()
    const effects = {
      searches: sut.search.inputs().map(({ term }) => term),
      creates: sut.create.calls.length,
      links: sut.link.inputs().map(({ clientId }) => clientId),
      toasts: sut.toasts,
      told: sut.told,
    }
    if (typeof snapshot.value === 'string') return { ...effects, work: snapshot.value }
    const { term, found: shown, selected, fields, created: own, error } = snapshot.context
    return { ...effects, ...snapshot.value.open, term, found: shown, selected, fields, created: own, error }
  }

  it(`shows what the reference shows on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.tell, {
        calls: { searchClients: sut.search, linkClient: sut.link, createClient: sut.create, linkCreated: sut.link },
        delays: { searchDebounce: () => sut.clock.increment(300) },
      })
      await followBeside(path, drive, reference, () => seen(sut))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
