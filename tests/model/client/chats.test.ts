import { describe, expect, it } from 'vitest'
import { chatsMachine, selectFound, selectIsChanging, selectStep } from '../../../src/machines/client/chats.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  chats,
  chatsModel,
  foundRows,
  join,
  moved,
  noAnswer,
  refused,
  split,
  startChats,
  unlink,
} from './chats-fixture.ts'

const coverage = createCoverage(chatsMachine)
const reason = 'This person is linked to another client by now.'
const network = 'Network error. Please check your connection.'

const foundIn = ({ actor }: ReturnType<typeof startChats>) =>
  selectFound(actor.getSnapshot())?.candidates.map(({ id }) => id)

/** The dialog with its chats, after a search that found `foundRows`. */
async function searched(loaded = chats) {
  const sut = startChats(coverage.inspect)
  await sut.load.resolve(loaded)
  sut.send({ type: 'search.typed', term: 'annie' })
  sut.clock.increment(300)
  await sut.search.resolve(foundRows)
  return sut
}

describe('a step', () => {
  it.each([
    ['unlink', unlink, 'k1', 'The link was removed'],
    ['split', split, null, 'The chat has a conversation of its own now'],
    ['join', join('annie'), null, 'The chats are one conversation now'],
  ])('%s asks first, tells the session what moved, and closes the dialog', async (_, step, unlinkedClient, done) => {
    const sut = await searched()
    sut.send({ type: 'step.chosen', step })
    expect([selectStep(sut.actor.getSnapshot()), sut.change.inputs()]).toEqual([step, []])
    sut.send({ type: 'step.confirmed' })
    expect(sut.change.inputs()).toEqual([{ conversationId: 'ana', step }])
    await sut.change.resolve(moved)
    expect([sut.told, sut.toasts, sut.actor.getSnapshot().value]).toEqual([
      [{ type: 'chats.changed', changes: [{ type: 'UPDATE', row: moved[0] }], unlinkedClient }],
      [{ kind: 'success', text: done }],
      'closed',
    ])
  })

  it('that is cancelled changes nothing', async () => {
    const sut = await searched()
    for (const type of ['step.cancelled', 'dialog.dismissed'] as const) {
      sut.send({ type: 'step.chosen', step: split })
      sut.send({ type })
      expect([selectStep(sut.actor.getSnapshot()), sut.change.inputs(), sut.actor.getSnapshot().status]).toEqual([
        null,
        [],
        'active',
      ])
    }
  })

  it.each([
    ['removes the link to a client that is not linked', { ...unlink, clientId: 'k9' }],
    ['splits off the first chat', { ...split, chatId: 'ana' }],
    ['splits off a chat of others', { ...split, chatId: 'ben' }],
    ['joins a conversation of another client', join('other')],
    ['joins what no search found', join('nobody')],
    ['joins the conversation with itself', join('ana')],
  ])('is not possible if the step %s', async (_, step) => {
    const sut = await searched()
    sut.send({ type: 'step.chosen', step })
    expect(selectStep(sut.actor.getSnapshot())).toBeNull()
  })

  it('joins a conversation of another client if this one has none', async () => {
    const sut = await searched({ ...chats, client: null })
    sut.send({ type: 'step.chosen', step: join('other') })
    expect(selectStep(sut.actor.getSnapshot())).toEqual(join('other'))
  })

  it('that is refused shows the reason of the server and loads the chats again', async () => {
    const sut = await searched()
    sut.send({ type: 'step.chosen', step: unlink })
    sut.send({ type: 'step.confirmed' })
    sut.send({ type: 'dialog.dismissed' })
    await sut.change.reject(refused)
    expect([sut.toasts, sut.told, sut.load.inputs().length, selectStep(sut.actor.getSnapshot())]).toEqual([
      [{ kind: 'error', text: 'This person is linked to another client by now.' }],
      [],
      2,
      null,
    ])
  })
})

describe('the search', () => {
  it('waits for the end of typing, and omits the conversation itself', async () => {
    const sut = await searched()
    expect([sut.search.inputs(), foundIn(sut)]).toEqual([[{ term: 'annie' }], ['annie', 'same', 'other']])
    sut.send({ type: 'search.typed', term: 'a' })
    expect(foundIn(sut)).toBeUndefined()
  })

  it('that fails can be repeated', async () => {
    const sut = startChats(coverage.inspect)
    sut.send({ type: 'search.typed', term: 'annie' })
    sut.clock.increment(300)
    await sut.search.reject(refused)
    sut.send({ type: 'refetch.requested' })
    await sut.search.resolve(foundRows)
    expect([foundIn(sut)?.length, sut.toasts.length]).toEqual([3, 1])
  })
})

describe('the walk through the dialog', () => {
  const paths = chatsModel().everyTransition()

  type State = {
    search: 'idle' | 'debouncing' | 'searching' | 'failed'
    work: 'loading' | 'waiting' | 'refused' | 'choosing' | 'confirming' | 'changing' | 'closed'
    hasChats: boolean
    hasFound: boolean
    loads: number
    searches: number
    told: number
    toasts: { kind: string; text: string }[]
  }
  const failed = ({ toasts }: State, text: string) => [...toasts, { kind: 'error', text }]
  const loadAgain = ({ loads }: State) => ({ work: 'loading' as const, loads: loads + 1 })
  const reference: Reference<State> = {
    start: {
      search: 'idle',
      work: 'loading',
      hasChats: false,
      hasFound: false,
      loads: 1,
      searches: 0,
      told: 0,
      toasts: [],
    },
    accepts: ({ search, work }) =>
      work === 'closed'
        ? []
        : [
            'search.typed',
            ...when(search === 'debouncing', 'xstate.after.searchDebounce.chats.open.search.debouncing'),
            ...when(search === 'searching', ...ends('searchConversations')),
            ...when(search === 'failed' || work === 'waiting' || work === 'refused', 'refetch.requested'),
            ...{
              loading: [...ends('loadConversationChats'), 'dialog.dismissed'],
              waiting: ['xstate.after.retryDelay.chats.open.work.failed.waiting', 'dialog.dismissed'],
              refused: ['dialog.dismissed'],
              choosing: ['step.chosen', 'dialog.dismissed'],
              confirming: ['step.confirmed', 'step.cancelled', 'dialog.dismissed'],
              changing: ends('changeChats'),
            }[work],
          ],
    rules: {
      'search.typed': (_, { term }) =>
        term.length < 2 ? { search: 'idle', hasFound: false } : { search: 'debouncing' },
      'refetch.requested': (state) => ({
        ...(state.search === 'failed' && { search: 'searching' as const, searches: state.searches + 1 }),
        ...((state.work === 'waiting' || state.work === 'refused') && loadAgain(state)),
      }),
      'step.chosen': () => ({ work: 'confirming' }),
      'step.confirmed': () => ({ work: 'changing' }),
      'step.cancelled': () => ({ work: 'choosing' }),
      'dialog.dismissed': ({ work }) => ({ work: work === 'confirming' ? 'choosing' : 'closed' }),
      'xstate.after.searchDebounce.chats.open.search.debouncing': ({ searches }) => ({
        search: 'searching',
        searches: searches + 1,
      }),
      'xstate.done.actor.searchConversations': () => ({ search: 'idle', hasFound: true }),
      'xstate.error.actor.searchConversations': (state) => ({
        search: 'failed',
        hasFound: false,
        toasts: failed(state, reason),
      }),
      'xstate.done.actor.loadConversationChats': () => ({ work: 'choosing', hasChats: true }),
      'xstate.error.actor.loadConversationChats': (state, { error }) =>
        error === noAnswer
          ? { work: 'waiting', toasts: failed(state, network) }
          : { work: 'refused', toasts: failed(state, reason) },
      'xstate.after.retryDelay.chats.open.work.failed.waiting': loadAgain,
      'xstate.done.actor.changeChats': (state) => ({
        work: 'closed',
        told: state.told + 1,
        toasts: [...state.toasts, { kind: 'success', text: 'The chat has a conversation of its own now' }],
      }),
      'xstate.error.actor.changeChats': (state) => ({
        ...loadAgain(state),
        toasts: failed(state, reason),
      }),
    },
    shown: ({ search: _, ...state }) => state,
  }
  const workOf = (value: unknown): string => {
    if (typeof value === 'string') return value
    const { work } = (value as { open: { work: string | { failed: string } } }).open
    return typeof work === 'string' ? work : work.failed
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startChats(coverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadConversationChats: sut.load, searchConversations: sut.search, changeChats: sut.change },
        delays: { searchDebounce: () => sut.clock.increment(300), retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        expect(selectIsChanging(snapshot)).toBe(workOf(snapshot.value) === 'changing')
        return {
          work: workOf(snapshot.value),
          hasChats: snapshot.context.chats !== null,
          hasFound: snapshot.context.found !== null,
          loads: sut.load.calls.length,
          searches: sut.search.calls.length,
          told: sut.told.length,
          toasts: sut.toasts,
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
