import { describe, expect, it } from 'vitest'
import { emptyApiKeyDraft, keyBlockedReason } from '../../../src/domain/session/api-key-draft.ts'
import { apiKeysMachine, selectAskedToRevoke, selectIsMakingKey } from '../../../src/machines/session/api-keys.ts'
import type { ApiKey } from '../../../src/schemas/api-key.ts'
import { createCoverage, driverOf, error, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { apiKeysModel, newKey, startApiKeys } from './api-keys-fixture.ts'
import { staffFaults } from './staff-fixture.ts'

const coverage = createCoverage(apiKeysMachine)
const network = 'Network error. Please check your connection.'

it.each([
  ['a name', { name: '  ' }, 'Enter a name.'],
  ['a name of at most 100 characters', { name: 'x'.repeat(101) }, 'Use at most 100 characters.'],
  ['a scope', { name: 'Shop', scopes: [] }, 'Choose what the program may send.'],
])('a key cannot be made without %s', (_, change, reason) => {
  const sut = startApiKeys(coverage.inspect)
  sut.actor.send({ type: 'item.added' })
  sut.actor.send({ type: 'draft.changed', change })
  sut.actor.send({ type: 'form.submitted' })
  expect([keyBlockedReason(sut.actor.getSnapshot().context.draft), sut.create.calls]).toEqual([reason, []])
})

it('a secret is not kept after the person has it', async () => {
  const sut = startApiKeys(coverage.inspect)
  sut.actor.send({ type: 'item.added' })
  sut.actor.send({ type: 'draft.changed', change: newKey })
  sut.actor.send({ type: 'form.submitted' })
  await sut.create.resolve('sik_secret')
  expect(sut.create.inputs()).toEqual([{ name: 'New', scopes: ['clients.import', 'orders.import'] }])
  sut.actor.send({ type: 'dialog.dismissed' })
  expect(sut.actor.getSnapshot().context.secret).toBe('sik_secret')
  sut.actor.send({ type: 'secret.taken' })
  expect(JSON.stringify(sut.actor.getPersistedSnapshot())).not.toContain('sik_secret')
})

describe('the walk through the dialog', () => {
  const paths = apiKeysModel().everyTransition()

  type State = {
    keys: readonly ApiKey[] | null
    list: 'loading' | 'showing' | 'waiting' | 'refused'
    loads: number
    work: 'list' | 'editing' | 'leaving' | 'creating' | 'showingSecret' | 'asking' | 'revoking' | 'dismissed'
    isTyped: boolean
    endsDialog: boolean
    item: ApiKey | null
    error: string | null
    secret: string | null
    made: number
    revoked: string[]
    toasts: unknown[]
  }
  const loadAgain = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: loads + 1 })
  const leave = ({ isTyped }: State, endsDialog: boolean): Partial<State> => ({
    endsDialog,
    work: isTyped ? 'leaving' : endsDialog ? 'dismissed' : 'list',
  })
  const reference: Reference<State> = {
    start: {
      keys: null,
      list: 'loading',
      loads: 1,
      work: 'list',
      isTyped: false,
      endsDialog: false,
      item: null,
      error: null,
      secret: null,
      made: 0,
      revoked: [],
      toasts: [],
    },
    accepts: ({ list, work, isTyped }) => [
      'keys.invalidated',
      ...when(list !== 'loading', 'refetch.requested'),
      ...when(list === 'loading', ...ends('loadApiKeys')),
      ...when(list === 'waiting', 'xstate.after.retryDelay.apiKeys.open.keys.failed.waiting'),
      ...{
        list: ['item.added', 'deletion.requested', 'dialog.dismissed'],
        editing: ['draft.changed', 'form.cancelled', 'dialog.dismissed', ...when(isTyped, 'form.submitted')],
        leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
        creating: ends('createApiKey'),
        showingSecret: ['secret.taken'],
        asking: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed'],
        revoking: ends('revokeApiKey'),
        dismissed: [],
      }[work],
    ],
    rules: {
      'refetch.requested': (state) => (state.list === 'loading' ? {} : loadAgain(state)),
      'item.added': () => ({ work: 'editing', isTyped: false, error: null }),
      'draft.changed': () => ({ isTyped: true }),
      'form.submitted': ({ isTyped, made }) => (isTyped ? { work: 'creating', error: null, made: made + 1 } : {}),
      'form.cancelled': (state) => leave(state, false),
      'discard.confirmed': ({ endsDialog }) => ({ work: endsDialog ? 'dismissed' : 'list' }),
      'discard.refused': () => ({ work: 'editing' }),
      'dialog.dismissed': (state) => {
        if (state.work === 'editing') return leave(state, true)
        return { work: state.work === 'leaving' ? 'editing' : state.work === 'asking' ? 'list' : 'dismissed' }
      },
      'deletion.requested': (_, { item }) => ({ work: 'asking', item }),
      'deletion.confirmed': ({ revoked, item }) => ({ work: 'revoking', revoked: [...revoked, item?.id ?? ''] }),
      'deletion.cancelled': () => ({ work: 'list' }),
      'secret.taken': () => ({ work: 'list', secret: null }),
      'xstate.done.actor.loadApiKeys': (_, { output }) => ({ keys: output, list: 'showing' }),
      'xstate.error.actor.loadApiKeys': ({ toasts }, { error: failure }) =>
        failure === staffFaults.noAnswer
          ? { list: 'waiting', toasts: [...toasts, error(network)] }
          : { list: 'refused', toasts: [...toasts, error('Failed to load API keys')] },
      'xstate.after.retryDelay.apiKeys.open.keys.failed.waiting': loadAgain,
      // The list is loaded again after every attempt.
      'xstate.done.actor.createApiKey': (state, { output }) => ({
        ...loadAgain(state),
        work: 'showingSecret',
        secret: output,
      }),
      'xstate.error.actor.createApiKey': (state, { error: failure }) => {
        const isLost = failure === staffFaults.noAnswer
        const text = isLost ? network : 'This is the last active administrator.'
        return {
          ...loadAgain(state),
          work: 'editing',
          error: isLost
            ? 'We do not know whether the key was made. Look in the list: revoke a key whose secret you do not have, then try again.'
            : text,
          toasts: [...state.toasts, error(text)],
        }
      },
      'xstate.done.actor.revokeApiKey': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, success('Key revoked')],
      }),
      'xstate.error.actor.revokeApiKey': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, error('Failed to revoke the key')],
      }),
    },
    shown: ({ list, work, isTyped, endsDialog: _, item, ...kept }) => ({
      ...kept,
      at: work === 'dismissed' ? work : `${list} ${work}`,
      draft: isTyped ? { ...emptyApiKeyDraft, ...newKey } : emptyApiKeyDraft,
      isMaking: ['editing', 'leaving', 'creating'].includes(work),
      askedToRevoke: work === 'asking' || work === 'revoking' ? item : null,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startApiKeys(coverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadApiKeys: sut.load, createApiKey: sut.create, revokeApiKey: sut.revoke },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        const { value, context } = snapshot
        const listOf = (keys: string | object) => (typeof keys === 'string' ? keys : Object.values(keys).join())
        return {
          keys: context.keys,
          loads: sut.load.calls.length,
          error: context.error,
          secret: context.secret,
          made: sut.create.calls.length,
          revoked: sut.revoke.inputs().map(({ id }) => id),
          toasts: sut.toasts,
          at: typeof value === 'string' ? value : `${listOf(value.open.keys)} ${value.open.work}`,
          draft: context.draft,
          isMaking: selectIsMakingKey(snapshot),
          askedToRevoke: selectAskedToRevoke(snapshot),
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
