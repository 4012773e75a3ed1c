import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import {
  savedRepliesMachine,
  selectActive,
  selectHasFailed,
  selectIsByButton,
  selectIsLoading,
  selectIsOpen,
  selectOptions,
} from '../../../src/machines/send/saved-replies.ts'
import { messageOf } from '../../domain/message-fixture.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  holiday,
  hours,
  replyFaults,
  savedRepliesModel,
  savedReplyOf,
  startSavedReplies,
  typed,
} from './saved-replies-fixture.ts'

const coverage = createCoverage(savedRepliesMachine)
const start = () => startSavedReplies(coverage.inspect)

const flowers = savedReplyOf('flowers', { page_ids: ['p2'] })
const names = (sut: ReturnType<typeof start>) => selectOptions(sut.snapshot()).map(({ name }) => name)
const failed = { kind: 'error', text: 'Failed to load saved replies' }

async function opened(marked = '/|') {
  const sut = start()
  sut.actor.send(typed(marked))
  await sut.load.resolve([holiday, hours, flowers])
  return sut
}

describe('The list of saved replies', () => {
  it('is loaded when / opens it and not before, and each time again', async () => {
    const sut = start()
    sut.actor.send(typed('Hello|'))
    expect(sut.load.calls).toHaveLength(0)
    sut.actor.send(typed('/|'))
    expect([selectIsOpen(sut.snapshot()), selectIsLoading(sut.snapshot()), sut.load.calls.length]).toEqual([
      true,
      true,
      1,
    ])
    await sut.load.resolve([hours])
    sut.actor.send(typed('/h|'))
    expect(sut.load.calls).toHaveLength(1)
    sut.actor.send(typed('|'))
    sut.actor.send(typed('/|'))
    expect([sut.load.calls.length, selectIsLoading(sut.snapshot()), names(sut)]).toEqual([2, false, ['hours']])
    await sut.load.resolve([savedReplyOf('edited')])
    expect(names(sut)).toEqual(['edited'])
  })

  it('shows what fits the typed text and the page, and moves through it in a circle', async () => {
    const sut = await opened('Hi /ho|')
    expect(names(sut)).toEqual(['holiday', 'hours'])
    const active = () => selectActive(sut.snapshot())?.name
    const seen = [active()]
    for (const by of [1, 1, -1] as const) {
      sut.actor.send({ type: 'option.moved', by })
      seen.push(active())
    }
    expect(seen).toEqual(['holiday', 'hours', 'holiday', 'hours'])
    sut.actor.send(typed('Hi /hou|'))
    expect([names(sut), active()]).toEqual([['hours'], 'hours'])
    sut.actor.send(typed('Hi /|', ['p2']))
    expect([names(sut), active()]).toEqual([['holiday', 'flowers', 'hours'], 'holiday'])
    sut.actor.send(typed('Hi /none|'))
    sut.actor.send({ type: 'option.moved', by: 1 })
    expect([names(sut), active()]).toEqual([[], undefined])
  })

  it('keeps the active option in a shorter list that arrives', async () => {
    const sut = await opened()
    sut.actor.send({ type: 'option.moved', by: 1 })
    sut.actor.send(typed('|'))
    sut.actor.send(typed('/|'))
    sut.actor.send({ type: 'option.moved', by: 1 })
    await sut.load.resolve([hours])
    expect(selectActive(sut.snapshot())).toBe(hours)
  })

  it('stays closed after Escape until another / is typed', async () => {
    const sut = await opened('/h|')
    sut.actor.send({ type: 'picker.dismissed' })
    sut.actor.send(typed('/ho|'))
    expect(selectIsOpen(sut.snapshot())).toBe(false)
    sut.actor.send(typed('/ho and /|'))
    expect(selectIsOpen(sut.snapshot())).toBe(true)
    sut.actor.send({ type: 'picker.dismissed' })
    sut.actor.send(typed('/ho and |'))
    sut.actor.send(typed('/ho and /|'))
    expect(selectIsOpen(sut.snapshot())).toBe(true)
  })

  it('closes when the text field loses the focus', async () => {
    const sut = await opened('/h|')
    sut.actor.send({ type: 'composer.changed', text: '/h', caret: null, pageIds: [] })
    expect([selectIsOpen(sut.snapshot()), names(sut)]).toEqual([false, []])
  })

  it('shows a failure once and retries, keeps what it had, and retries a refusal when a person asks', async () => {
    const sut = start()
    sut.actor.send(typed('/|'))
    await sut.load.reject(replyFaults.unreadable)
    expect(selectHasFailed(sut.snapshot())).toBe(true)
    sut.clock.increment(2_000)
    await sut.load.reject(replyFaults.unreadable)
    expect(sut.toasts).toEqual([failed])
    sut.clock.increment(4_000)
    await sut.load.resolve([hours])
    sut.actor.send(typed('|'))
    sut.actor.send(typed('/|'))
    await sut.load.reject(replyFaults.unnamed)
    expect([names(sut), selectHasFailed(sut.snapshot()), sut.toasts]).toEqual([['hours'], false, [failed, failed]])
    sut.clock.increment(60_000)
    expect(sut.load.calls).toHaveLength(4)
    sut.actor.send({ type: 'refetch.requested' })
    await sut.load.resolve([holiday])
    expect(names(sut)).toEqual(['holiday'])
  })
})

describe('The uses of a saved reply', () => {
  const inserted = (id: string, draftId = 'd1', conversationId = 'ana') =>
    ({ type: 'reply.inserted', conversationId, draftId, id }) as const
  const accepted = (
    text: string,
    draftId = 'd1',
    conversationId = 'ana',
    pictures: readonly { fileId: string; replyId: string }[] = [],
  ) => ({ type: 'draft.accepted', conversationId, draftId, text, pictures }) as const
  const sentPicture = (fileId: string, key: string) =>
    ({
      type: 'message.sent',
      conversationId: 'ana',
      message: messageOf('m', 1, {
        message_text: null,
        idempotency_key: key,
        attachments: { data: [{ id: fileId }] },
      }),
    }) as const
  const sent = (text: string, key: string | null, conversationId = 'ana') =>
    ({
      type: 'message.sent',
      conversationId,
      message: messageOf('m', 1, { message_text: text, idempotency_key: key }),
    }) as const

  it('are counted when the message is confirmed as sent, each saved reply once', async () => {
    const sut = start()
    for (const id of ['hours', 'holiday', 'hours']) sut.actor.send(inserted(id))
    sut.actor.send(accepted(' From 9. '))
    expect(sut.use.calls).toHaveLength(0)
    sut.actor.send(sent('From 9.', 'key-1'))
    await sut.use.resolve(undefined)
    await sut.use.resolve(undefined)
    expect(sut.use.inputs()).toEqual([
      { id: 'holiday', key: 'key-1' },
      { id: 'hours', key: 'key-1' },
    ])
    sut.actor.send(sent('From 9.', 'key-1'))
    expect(sut.use.calls).toHaveLength(2)
  })

  it('of pictures alone are counted once, with the first picture; beside its text a reply counts with the text', async () => {
    const sut = start()
    sut.actor.send(inserted('hours'))
    const pictures = [
      { fileId: 'f1', replyId: 'hours' },
      { fileId: 'f2', replyId: 'menu' },
      { fileId: 'f3', replyId: 'menu' },
    ]
    sut.actor.send(accepted('From 9.', 'd1', 'ana', pictures))
    for (const [id, key] of [
      ['f1', 'k1'],
      ['f3', 'k3'],
      ['f2', 'k2'],
      ['f2', 'k2'],
    ] as const)
      sut.actor.send(sentPicture(id, key))
    sut.actor.send(sent('From 9.', 'k0'))
    await sut.use.resolve(undefined)
    await sut.use.resolve(undefined)
    expect(sut.use.inputs()).toEqual([
      { id: 'menu', key: 'k2' },
      { id: 'hours', key: 'k0' },
    ])
  })

  it.each<[string, AnyEventObject[]]>([
    [
      'a draft that was emptied',
      [inserted('hours'), { type: 'draft.emptied', conversationId: 'ana' }, accepted('x'), sent('x', 'k')],
    ],
    ['a draft that another device replaced', [inserted('hours'), accepted('x', 'd2'), sent('x', 'k')]],
    [
      'a message without a saved reply',
      [{ type: 'draft.emptied', conversationId: 'ana' }, accepted('x'), sent('x', 'k')],
    ],
    ['another message of the conversation', [inserted('hours'), accepted('x'), sent('y', 'k')]],
    ['the same text to another person', [inserted('hours'), accepted('x'), sent('x', 'k', 'ben')]],
    ['a message without a key', [inserted('hours'), accepted('x'), sent('x', null)]],
    ['a draft that was not accepted', [inserted('hours'), sent('x', 'k')]],
  ])('are not counted for %s', (_, events) => {
    const sut = start()
    for (const event of events) sut.actor.send(event as never)
    expect(sut.use.calls).toHaveLength(0)
  })

  it('are counted by draft: an insertion into a new draft starts again', async () => {
    const sut = start()
    sut.actor.send(inserted('hours', 'd1'))
    sut.actor.send(inserted('holiday', 'd2'))
    sut.actor.send(accepted('x', 'd2'))
    sut.actor.send(sent('x', 'k'))
    await sut.use.resolve(undefined)
    expect(sut.use.inputs()).toEqual([{ id: 'holiday', key: 'k' }])
  })

  it('are counted later if the server does not answer, silently, and given up if it refuses', async () => {
    const sut = start()
    sut.actor.send(inserted('hours'))
    sut.actor.send(inserted('holiday'))
    sut.actor.send(accepted('x'))
    sut.actor.send(sent('x', 'k'))
    await sut.use.reject(replyFaults.noAnswer)
    sut.clock.increment(2_000)
    await sut.use.reject(replyFaults.unnamed)
    await sut.use.resolve(undefined)
    expect([sut.use.inputs().map(({ id }) => id), sut.toasts]).toEqual([['hours', 'hours', 'holiday'], []])
  })
})

describe('The walk through the list', () => {
  const paths = savedRepliesModel().everyTransition()

  type State = {
    picker: 'closed' | 'open' | 'dismissed'
    list: 'idle' | 'loading' | 'waiting' | 'refused'
    loads: number
    text: string
    replies: boolean
    active: number
    isByButton: boolean
    toasts: number
    failures: number
  }
  const startOf: Readonly<Record<string, number | null>> = { x: null, '/h': 0, '/h and /': 7, '': null }
  const open = (state: State): Partial<State> => ({
    picker: 'open',
    ...(state.list === 'loading' ? {} : { list: 'loading', loads: state.loads + 1 }),
  })
  const reference: Reference<State> = {
    start: {
      picker: 'closed',
      list: 'idle',
      loads: 0,
      text: '',
      replies: false,
      active: 0,
      isByButton: false,
      toasts: 0,
      failures: 0,
    },
    accepts: ({ picker, list }) => [
      ...['composer.changed', 'slash.written', 'reply.inserted', 'draft.emptied', 'draft.accepted', 'message.sent'],
      ...when(picker === 'open', 'option.moved', 'picker.dismissed'),
      ...when(list === 'loading', ...ends('loadReplies')),
      ...when(list === 'waiting', 'xstate.after.retryDelay.savedReplies.list.failed.waiting'),
      ...when(list === 'waiting' || list === 'refused', 'refetch.requested'),
    ],
    rules: {
      'composer.changed': (state, { text }) => {
        const [before, now] = [startOf[state.text] ?? null, startOf[text as string] ?? null]
        const change = { text, active: text === state.text ? state.active : 0 }
        if (now === null) return { ...change, picker: 'closed', ...(state.picker === 'open' && { isByButton: false }) }
        if (state.picker === 'open' || (state.picker === 'dismissed' && before === now)) return change
        return { ...change, ...open(state) }
      },
      'slash.written': () => ({ isByButton: true }),
      'option.moved': ({ active, replies }) => ({ active: replies ? (active + 1) % 2 : 0 }),
      'picker.dismissed': () => ({ picker: 'dismissed', isByButton: false }),
      'reply.inserted': ({ picker }) => (picker === 'open' ? { picker: 'closed', isByButton: false } : {}),
      'refetch.requested': ({ loads }) => ({ list: 'loading', loads: loads + 1, failures: 0 }),
      'xstate.done.actor.loadReplies': () => ({ list: 'idle', replies: true, failures: 0 }),
      'xstate.error.actor.loadReplies': ({ toasts, failures }, { error }) =>
        error === replyFaults.unreadable
          ? { list: 'waiting', toasts: failures > 0 ? toasts : toasts + 1, failures: failures + 1 }
          : { list: 'refused', toasts: toasts + 1 },
      'xstate.after.retryDelay.savedReplies.list.failed.waiting': ({ loads }) => ({
        list: 'loading',
        loads: loads + 1,
      }),
    },
    shown: ({ picker, list, loads, text, replies, active, isByButton, toasts }) => ({
      picker,
      loads,
      isByButton,
      toasts,
      options: replies && startOf[text] !== null ? 2 : 0,
      active: replies && startOf[text] !== null ? ['holiday', 'hours'][active] : undefined,
      isLoading: !replies && list === 'loading',
      hasFailed: !replies && (list === 'waiting' || list === 'refused'),
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, {
        calls: { loadReplies: sut.load },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => ({
        picker: sut.snapshot().value.picker,
        loads: sut.load.calls.length,
        isByButton: selectIsByButton(sut.snapshot()),
        toasts: sut.toasts.length,
        options: selectOptions(sut.snapshot()).length,
        active: selectActive(sut.snapshot())?.name,
        isLoading: selectIsLoading(sut.snapshot()),
        hasFailed: selectHasFailed(sut.snapshot()),
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
