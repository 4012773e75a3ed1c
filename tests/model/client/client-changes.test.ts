import { describe, expect, it } from 'vitest'
import { comparedWith, fieldsOfClient } from '../../../src/domain/client/client-fields.ts'
import { differingFields, missingFields } from '../../../src/domain/client/client-merge.ts'
import { clientSuggestionsMachine, selectSuggestions } from '../../../src/machines/client/client-suggestions.ts'
import {
  editClientMachine,
  selectAsksToDiscard,
  selectBlockedReason,
  selectChanges,
  selectFields,
  selectIsLoaded,
  selectIsSaving,
} from '../../../src/machines/client/edit-client.ts'
import {
  mergeClientsMachine,
  selectPreview,
  selectStep,
  selectTake,
} from '../../../src/machines/client/merge-clients.ts'
import {
  removeClientMachine,
  selectIsAsking,
  selectIsRemoving,
  selectSummary,
} from '../../../src/machines/client/remove-client.ts'
import {
  removedClientsMachine,
  selectClients,
  selectIsBusy,
  selectRestoring,
} from '../../../src/machines/client/removed-clients.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  ana,
  benita,
  clientSuggestionsModel,
  editClientModel,
  maria,
  mariaLater,
  mergeClientsModel,
  moved,
  noAnswer,
  outdated,
  preview,
  refused,
  removeClientModel,
  removed,
  removedClientsModel,
  startEditing,
  startMerging,
  startRemoving,
  startRestoring,
  startSuggesting,
  suggestions,
  summary,
} from './client-changes-fixture.ts'

const editCoverage = createCoverage(editClientMachine)
const removeCoverage = createCoverage(removeClientMachine)
const removedCoverage = createCoverage(removedClientsMachine)
const mergeCoverage = createCoverage(mergeClientsMachine)
const suggestionsCoverage = createCoverage(clientSuggestionsMachine)
const reading = ['waiting', 'refused']

describe('The form that edits a client', () => {
  const type = (sut: ReturnType<typeof startEditing>, change: object) =>
    sut.actor.send({ type: 'fields.typed', fields: { ...selectFields(sut.actor.getSnapshot()), ...change } })

  it('sends the version that it began with, and gives the answer to the clients', async () => {
    const sut = startEditing(editCoverage.inspect)
    await sut.load.resolve(maria)
    type(sut, { email: ' m@santos.ph ', phone: '' })
    sut.actor.send({ type: 'form.submitted' })
    expect(sut.save.inputs()).toEqual([
      {
        clientId: 'k1',
        body: {
          version: 3,
          first_name: 'Maria',
          last_name: 'Santos k1',
          email: 'm@santos.ph',
          phone: null,
          company_name: 'Acme',
          classification: 'new',
        },
      },
    ])
    await sut.save.resolve(mariaLater)
    expect([sut.actor.getSnapshot().status, sut.told, sut.toasts]).toEqual([
      'done',
      [{ type: 'clients.fetched', clients: [mariaLater], asOf: 0 }],
      [{ kind: 'success', text: 'Client saved' }],
    ])
  })

  it('shows what a colleague changed meanwhile, and overwrites a field only after it was shown', async () => {
    const sut = startEditing(editCoverage.inspect)
    await sut.load.resolve(maria)
    type(sut, { company: 'Corner', phone: '0918' })
    sut.actor.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.save.reject(outdated)
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.load.resolve(mariaLater)
    const snapshot = sut.actor.getSnapshot()
    expect([selectChanges(snapshot), selectFields(snapshot)]).toEqual([
      [
        { field: 'email', theirs: 'new@santos.ph', mine: null },
        { field: 'company', theirs: 'Bolt', mine: 'Corner' },
      ],
      { ...fieldsOfClient(mariaLater), company: 'Corner', phone: '0918' },
    ])
    sut.actor.send({ type: 'value.chosen', field: 'company', value: 'Bolt' })
    sut.actor.send({ type: 'form.submitted' })
    expect(sut.save.inputs().at(-1)?.body).toMatchObject({ version: 4, company_name: 'Bolt', phone: '0918' })
  })

  it('needs no call if nothing was changed, and makes none without a name', async () => {
    const sut = startEditing(editCoverage.inspect)
    await sut.load.resolve(maria)
    type(sut, { firstName: ' ' })
    sut.actor.send({ type: 'form.submitted' })
    expect([sut.actor.getSnapshot().value, selectBlockedReason(sut.actor.getSnapshot())]).toEqual([
      'editing',
      'Enter the first name.',
    ])
    type(sut, { firstName: 'Maria' })
    sut.actor.send({ type: 'form.submitted' })
    expect([sut.actor.getSnapshot().status, sut.save.calls.length]).toEqual(['done', 0])
  })

  it.each([
    ['only they changed the field', 'a', 'a', 'b', 'b', [{ theirs: 'b', mine: null }]],
    ['only this person changed the field', 'a', 'c', 'a', 'c', []],
    ['both changed it alike', 'a', 'b', 'b', 'b', []],
    ['both changed it', 'a', 'c', 'b', 'c', [{ theirs: 'b', mine: 'c' }]],
  ])('compares a field if %s', (_, base, mine, theirs, kept, changes) => {
    const of = (company: string) => ({ ...fieldsOfClient(maria), company })
    expect(comparedWith(of(base), of(mine), of(theirs))).toEqual({
      fields: of(kept),
      changes: changes.map((change) => ({ field: 'company', ...change })),
    })
  })

  type State = {
    at: 'loading' | 'waiting' | 'refused' | 'editing' | 'leaving' | 'saving' | 'comparing' | 'closed'
    fields: string
    base: string
    isCompared: boolean
  }
  const text = (fields: object) => JSON.stringify(fields)
  const own = text(fieldsOfClient(maria))
  const reference: Reference<State> = {
    start: { at: 'loading', fields: '', base: '', isCompared: false },
    accepts: ({ at, isCompared, fields, base }) => [
      ...when(at === 'loading', ...ends('loadClient'), 'dialog.dismissed'),
      ...when(reading.includes(at), 'refetch.requested', 'dialog.dismissed'),
      ...when(at === 'waiting', 'xstate.after.retryDelay.editClient.failed.waiting'),
      ...when(at === 'editing', 'fields.typed', 'form.cancelled', 'dialog.dismissed'),
      ...when(at === 'editing' && (fields === base || !fields.includes('"firstName":""')), 'form.submitted'),
      ...when(at === 'editing' && isCompared && fields.includes('Corner'), 'value.chosen'),
      ...when(at === 'leaving', 'discard.confirmed', 'discard.refused', 'dialog.dismissed'),
      ...when(at === 'saving', ...ends('editClient')),
      ...when(at === 'comparing', ...ends('loadChanges')),
    ],
    rules: {
      'refetch.requested': () => ({ at: 'loading' }),
      'xstate.after.retryDelay.editClient.failed.waiting': () => ({ at: 'loading' }),
      'fields.typed': (_, { fields }) => ({ fields: text(fields) }),
      'value.chosen': ({ fields }, { field, value }) => ({ fields: text({ ...JSON.parse(fields), [field]: value }) }),
      'form.submitted': ({ fields, base }) => {
        return { at: fields === base ? 'closed' : 'saving' }
      },
      'form.cancelled': ({ fields, base }) => ({ at: fields === base ? 'closed' : 'leaving' }),
      'dialog.dismissed': ({ at, fields, base }) => {
        if (at === 'leaving') return { at: 'editing' }
        return { at: at === 'editing' && fields !== base ? 'leaving' : 'closed' }
      },
      'discard.confirmed': () => ({ at: 'closed' }),
      'discard.refused': () => ({ at: 'editing' }),
      'xstate.done.actor.loadClient': () => ({ at: 'editing', fields: own, base: own }),
      'xstate.error.actor.loadClient': (_, { error }) => ({ at: error === noAnswer ? 'waiting' : 'refused' }),
      'xstate.done.actor.editClient': () => ({ at: 'closed' }),
      'xstate.error.actor.editClient': (_, { error }) => ({ at: error === outdated ? 'comparing' : 'editing' }),
      'xstate.done.actor.loadChanges': ({ fields, base }) => ({
        at: 'editing',
        isCompared: true,
        base: text(fieldsOfClient(mariaLater)),
        fields: text(comparedWith(JSON.parse(base), JSON.parse(fields), fieldsOfClient(mariaLater)).fields),
      }),
      'xstate.error.actor.loadChanges': () => ({ at: 'editing' }),
    },
    shown: ({ at, fields }) => ({
      isClosed: at === 'closed',
      isSaving: at === 'saving' || at === 'comparing',
      asks: at === 'leaving',
      fields,
    }),
  }
  const paths = editClientModel().everyTransition()

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startEditing(editCoverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadClient: sut.load, loadChanges: sut.load, editClient: sut.save },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        return {
          isClosed: snapshot.status === 'done',
          isSaving: selectIsSaving(snapshot),
          asks: selectAsksToDiscard(snapshot),
          fields: selectIsLoaded(snapshot) ? text(selectFields(snapshot)) : '',
        }
      })
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(editCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(editCoverage.transitionsMissed()).toEqual([]))
})

describe('The deletion of a client', () => {
  it('names the version of the question, and tells the session what moved', async () => {
    const sut = startRemoving(removeCoverage.inspect)
    await sut.load.resolve(summary)
    sut.actor.send({ type: 'removal.confirmed' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.remove.inputs()).toEqual([{ clientId: 'k1', version: 3 }])
    await sut.remove.resolve(moved)
    expect([sut.told, sut.toasts]).toEqual([
      [
        { type: 'chats.changed', changes: [{ type: 'UPDATE', row: moved[0] }], unlinkedClient: 'k1' },
        { type: 'clientData.changed', clientIds: ['k1'] },
      ],
      [{ kind: 'success', text: 'Client deleted. You can restore it under Deleted clients.' }],
    ])
  })

  it('asks again with new facts if the client was changed meanwhile', async () => {
    const sut = startRemoving(removeCoverage.inspect)
    await sut.load.resolve(summary)
    sut.actor.send({ type: 'removal.confirmed' })
    await sut.remove.reject(outdated)
    await sut.load.resolve({ ...summary, orders: 9 })
    expect([selectSummary(sut.actor.getSnapshot())?.orders, sut.toasts, sut.told]).toEqual([
      9,
      [{ kind: 'error', text: 'Somebody changed this client meanwhile.' }],
      [],
    ])
  })

  type State = { at: 'loading' | 'waiting' | 'refused' | 'asking' | 'removing' | 'closed'; told: number }
  const reference: Reference<State> = {
    start: { at: 'loading', told: 0 },
    accepts: ({ at }) => [
      ...when(at !== 'closed' && at !== 'removing', 'dialog.dismissed'),
      ...when(at === 'loading', ...ends('loadSummary')),
      ...when(reading.includes(at), 'refetch.requested'),
      ...when(at === 'waiting', 'xstate.after.retryDelay.removeClient.failed.waiting'),
      ...when(at === 'asking', 'removal.confirmed'),
      ...when(at === 'removing', ...ends('removeClient')),
    ],
    rules: {
      'dialog.dismissed': () => ({ at: 'closed' }),
      'refetch.requested': () => ({ at: 'loading' }),
      'xstate.after.retryDelay.removeClient.failed.waiting': () => ({ at: 'loading' }),
      'removal.confirmed': () => ({ at: 'removing' }),
      'xstate.done.actor.loadSummary': () => ({ at: 'asking' }),
      'xstate.error.actor.loadSummary': (_, { error }) => ({ at: error === noAnswer ? 'waiting' : 'refused' }),
      'xstate.done.actor.removeClient': () => ({ at: 'closed', told: 2 }),
      'xstate.error.actor.removeClient': (_, { error }) => ({ at: error === outdated ? 'loading' : 'asking' }),
    },
    shown: ({ at, told }) => ({
      isClosed: at === 'closed',
      isAsking: at === 'asking',
      isRemoving: at === 'removing',
      told,
    }),
  }
  const paths = removeClientModel().everyTransition()

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startRemoving(removeCoverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadSummary: sut.load, removeClient: sut.remove },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        return {
          isClosed: snapshot.status === 'done',
          isAsking: selectIsAsking(snapshot),
          isRemoving: selectIsRemoving(snapshot),
          told: sut.told.length,
        }
      })
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(removeCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(removeCoverage.transitionsMissed()).toEqual([]))
})

describe('The list of deleted clients', () => {
  it('restores one client at a time, and loads the list again', async () => {
    const sut = startRestoring(removedCoverage.inspect)
    await sut.load.resolve(removed)
    sut.actor.send({ type: 'restore.requested', id: 'k2' })
    sut.actor.send({ type: 'restore.requested', id: 'k1' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.undo.inputs(), selectRestoring(sut.actor.getSnapshot())]).toEqual([[{ clientId: 'k2' }], 'k2'])
    await sut.undo.resolve(moved)
    await sut.load.resolve(removed.slice(0, 1))
    expect([selectClients(sut.actor.getSnapshot())?.length, sut.told, sut.toasts]).toEqual([
      1,
      [
        { type: 'chats.changed', changes: [{ type: 'UPDATE', row: moved[0] }], unlinkedClient: null },
        { type: 'clientData.changed', clientIds: null },
      ],
      [{ kind: 'success', text: 'Client restored' }],
    ])
  })

  type State = { at: 'loading' | 'waiting' | 'refused' | 'showing' | 'restoring' | 'closed'; isKnown: boolean }
  const reference: Reference<State> = {
    start: { at: 'loading', isKnown: false },
    accepts: ({ at }) => [
      ...when(at !== 'closed' && at !== 'restoring', 'dialog.dismissed'),
      ...when(at === 'loading', ...ends('loadRemovals')),
      ...when(reading.includes(at), 'refetch.requested'),
      ...when(at === 'waiting', 'xstate.after.retryDelay.removedClients.failed.waiting'),
      ...when(at === 'showing', 'restore.requested'),
      ...when(at === 'restoring', ...ends('undoRemoval')),
    ],
    rules: {
      'dialog.dismissed': () => ({ at: 'closed' }),
      'refetch.requested': () => ({ at: 'loading' }),
      'xstate.after.retryDelay.removedClients.failed.waiting': () => ({ at: 'loading' }),
      'restore.requested': () => ({ at: 'restoring' }),
      'xstate.done.actor.loadRemovals': () => ({ at: 'showing', isKnown: true }),
      'xstate.error.actor.loadRemovals': (_, { error }) => ({ at: error === noAnswer ? 'waiting' : 'refused' }),
      'xstate.done.actor.undoRemoval': () => ({ at: 'loading' }),
      'xstate.error.actor.undoRemoval': () => ({ at: 'loading' }),
    },
    shown: ({ at, isKnown }) => ({
      isClosed: at === 'closed',
      isBusy: at !== 'showing',
      restoring: at === 'restoring' ? 'k1' : null,
      isKnown,
    }),
  }
  const paths = removedClientsModel().everyTransition()

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startRestoring(removedCoverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadRemovals: sut.load, undoRemoval: sut.undo },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        return {
          isClosed: snapshot.status === 'done',
          isBusy: selectIsBusy(snapshot),
          restoring: selectRestoring(snapshot),
          isKnown: selectClients(snapshot) !== null,
        }
      })
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(removedCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(removedCoverage.transitionsMissed()).toEqual([]))
})

describe('The merge of two clients', () => {
  it('offers the differing fields, and takes what the kept client lacks', () => {
    expect([differingFields(maria, benita), missingFields({ ...maria, email: '' }, benita)]).toEqual([
      ['last_name', 'email', 'phone', 'classification'],
      ['email'],
    ])
  })

  it('sends both versions and the choices, and tells the session about both clients', async () => {
    const sut = startMerging(mergeCoverage.inspect)
    sut.actor.send({ type: 'search.typed', term: ' benita' })
    sut.clock.increment(300)
    await sut.search.resolve([maria, benita])
    expect([sut.search.inputs(), sut.actor.getSnapshot().context.found?.clients]).toEqual([
      [{ term: 'benita' }],
      [benita],
    ])
    sut.actor.send({ type: 'client.chosen', id: 'k1' })
    sut.actor.send({ type: 'client.chosen', id: 'k2' })
    await sut.load.resolve(preview)
    sut.actor.send({ type: 'field.chosen', field: 'email', isTaken: true })
    sut.actor.send({ type: 'field.chosen', field: 'phone', isTaken: true })
    sut.actor.send({ type: 'field.chosen', field: 'email', isTaken: false })
    sut.actor.send({ type: 'merge.confirmed' })
    expect(sut.merge.inputs()).toEqual([
      { clientId: 'k1', body: { other: 'k2', version: 3, other_version: 1, take: ['phone'] } },
    ])
    await sut.merge.resolve(moved)
    expect([sut.told, sut.toasts]).toEqual([
      [
        { type: 'chats.changed', changes: [{ type: 'UPDATE', row: moved[0] }], unlinkedClient: 'k2' },
        { type: 'clientData.changed', clientIds: ['k1', 'k2'] },
      ],
      [{ kind: 'success', text: 'Clients merged. You can undo this under Deleted clients.' }],
    ])
  })

  type State = {
    at: 'idle' | 'debouncing' | 'searching' | 'failed' | 'loading' | 'comparing' | 'merging' | 'closed'
    isFound: boolean
    isKnown: boolean
    isTaken: boolean
  }
  const choosing = ['idle', 'debouncing', 'searching', 'failed']
  const reference: Reference<State> = {
    start: { at: 'idle', isFound: false, isKnown: false, isTaken: false },
    accepts: ({ at, isFound }) => [
      ...when(choosing.includes(at), 'search.typed', 'dialog.dismissed'),
      ...when(choosing.includes(at) && isFound, 'client.chosen'),
      ...when(at === 'debouncing', 'xstate.after.searchDebounce.mergeClients.choosing.debouncing'),
      ...when(at === 'searching', ...ends('searchClients')),
      ...when(at === 'failed', 'refetch.requested'),
      ...when(at === 'loading', ...ends('loadPreview'), 'back.requested', 'dialog.dismissed'),
      ...when(at === 'comparing', 'field.chosen', 'back.requested', 'merge.confirmed', 'dialog.dismissed'),
      ...when(at === 'merging', ...ends('mergeClients')),
    ],
    rules: {
      'search.typed': (_, { term }) => (term.length < 2 ? { at: 'idle', isFound: false } : { at: 'debouncing' }),
      'refetch.requested': () => ({ at: 'searching' }),
      'xstate.after.searchDebounce.mergeClients.choosing.debouncing': () => ({ at: 'searching' }),
      'xstate.done.actor.searchClients': () => ({ at: 'idle', isFound: true }),
      'xstate.error.actor.searchClients': () => ({ at: 'failed', isFound: false }),
      'client.chosen': () => ({ at: 'loading' }),
      'back.requested': () => ({ at: 'idle', isKnown: false, isTaken: false }),
      'dialog.dismissed': () => ({ at: 'closed' }),
      'xstate.done.actor.loadPreview': () => ({ at: 'comparing', isKnown: true, isTaken: false }),
      'xstate.error.actor.loadPreview': () => ({ at: 'idle', isKnown: false, isTaken: false }),
      'field.chosen': (_, { isTaken }) => ({ isTaken }),
      'merge.confirmed': () => ({ at: 'merging' }),
      'xstate.done.actor.mergeClients': () => ({ at: 'closed' }),
      'xstate.error.actor.mergeClients': (_, { error }) => ({ at: error === outdated ? 'loading' : 'comparing' }),
    },
    shown: ({ at, isKnown, isTaken }) => ({ step: choosing.includes(at) ? 'choosing' : at, isKnown, isTaken }),
  }
  const paths = mergeClientsModel().everyTransition()

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startMerging(mergeCoverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { searchClients: sut.search, loadPreview: sut.load, mergeClients: sut.merge },
        delays: { searchDebounce: () => sut.clock.increment(300) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        return {
          step: selectStep(snapshot),
          isKnown: selectPreview(snapshot) !== null,
          isTaken: selectTake(snapshot).includes('classification'),
        }
      })
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(mergeCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(mergeCoverage.transitionsMissed()).toEqual([]))
})

describe('Suggestions of clients', () => {
  const offered = (sut: ReturnType<typeof startSuggesting>, of = 'ana') =>
    selectSuggestions(of)(sut.actor.getSnapshot()).map(({ client }) => client.id)

  it('are loaded for the conversation at which the person stays, and again after a new message', async () => {
    const sut = startSuggesting(suggestionsCoverage.inspect)
    sut.actor.send({ type: 'subject.changed', subject: { ...ana, conversationId: 'ben' } })
    sut.clock.increment(299)
    sut.actor.send({ type: 'subject.changed', subject: ana })
    sut.clock.increment(300)
    expect(sut.load.inputs()).toEqual([{ conversationId: 'ana' }])
    await sut.load.resolve(suggestions)
    sut.actor.send({ type: 'subject.changed', subject: ana })
    expect([offered(sut), offered(sut, 'ben'), sut.load.calls.length]).toEqual([['k1', 'k2'], [], 1])
    sut.actor.send({ type: 'subject.changed', subject: { ...ana, lastMessageAt: '2026-01-15T12:01:00Z' } })
    sut.clock.increment(300)
    expect([offered(sut), sut.load.calls.length]).toEqual([['k1', 'k2'], 2])
  })

  it('end when they are dismissed, and stay if that fails', async () => {
    const sut = startSuggesting(suggestionsCoverage.inspect)
    sut.actor.send({ type: 'subject.changed', subject: ana })
    sut.clock.increment(300)
    await sut.load.resolve(suggestions)
    sut.actor.send({ type: 'suggestion.dismissed', clientId: 'k1' })
    await sut.dismiss.reject(refused)
    expect([offered(sut), sut.toasts]).toEqual([['k1', 'k2'], [{ kind: 'error', text: 'No.' }]])
    sut.actor.send({ type: 'suggestion.dismissed', clientId: 'k1' })
    await sut.dismiss.resolve(undefined)
    expect([offered(sut), sut.dismiss.inputs().at(-1)]).toEqual([['k2'], { conversationId: 'ana', clientId: 'k1' }])
  })

  type State = {
    at: 'idle' | 'settling' | 'loading' | 'waiting' | 'refused' | 'showing' | 'dismissing'
    isAsked: boolean
    offered: string[]
  }
  const reference: Reference<State> = {
    start: { at: 'idle', isAsked: false, offered: [] },
    accepts: ({ at, offered: shown }) => [
      'subject.changed',
      ...when(at === 'settling', 'xstate.after.settleDelay.clientSuggestions.settling'),
      ...when(at === 'loading', ...ends('loadSuggestions')),
      ...when(at === 'waiting', 'xstate.after.retryDelay.clientSuggestions.waiting'),
      ...when(at === 'showing' && shown.includes('k1'), 'suggestion.dismissed'),
      ...when(at === 'dismissing', ...ends('dismissSuggestion')),
    ],
    rules: {
      'subject.changed': (_, { subject }) => ({
        isAsked: subject !== null,
        at: subject === null ? 'idle' : 'settling',
        offered: [],
      }),
      'xstate.after.settleDelay.clientSuggestions.settling': () => ({ at: 'loading' }),
      'xstate.after.retryDelay.clientSuggestions.waiting': () => ({ at: 'loading' }),
      'xstate.done.actor.loadSuggestions': () => ({ at: 'showing', offered: ['k1', 'k2'] }),
      'xstate.error.actor.loadSuggestions': (_, { error }) => ({ at: error === noAnswer ? 'waiting' : 'refused' }),
      'suggestion.dismissed': () => ({ at: 'dismissing' }),
      'xstate.done.actor.dismissSuggestion': () => ({ at: 'showing', offered: ['k2'] }),
      'xstate.error.actor.dismissSuggestion': () => ({ at: 'showing' }),
    },
    shown: ({ at, offered: shown }) => ({ at, offered: shown }),
  }
  const paths = clientSuggestionsModel().everyTransition()

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startSuggesting(suggestionsCoverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadSuggestions: sut.load, dismissSuggestion: sut.dismiss },
        delays: { settleDelay: () => sut.clock.increment(300), retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => ({
        at: sut.actor.getSnapshot().value,
        offered: offered(sut),
      }))
      sut.actor.stop()
    }
  })
  it('enters every state', () => expect(suggestionsCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(suggestionsCoverage.transitionsMissed()).toEqual([]))
})
