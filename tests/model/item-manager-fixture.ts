import { expect, it } from 'vitest'
import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine, SimulatedClock } from 'xstate'
import { selectError } from '../../src/machines/item-forms.ts'
import { type Cases, driverOf, error, type Path, success } from './harness.ts'
import { ends, followBeside, type Reference, when } from './reference.ts'

type Item = { id: string }
type Control<Output = undefined> = {
  calls: readonly unknown[]
  resolve: (output: Output) => Promise<void>
  reject: (error: unknown) => Promise<void>
}
type Sut = { actor: AnyActorRef; snapshot: () => AnyMachineSnapshot; save: Control; toasts: readonly unknown[] }
type Faults = Record<'noAnswer' | 'unreadable' | 'unnamed', unknown>

/** The cases of a dialog made by `itemManager`. The second item is edited and deleted. */
export function itemManagerCases(
  items: readonly [Item, Item],
  { unreadable, unnamed }: Faults,
): Cases<AnyMachineSnapshot> {
  const ifShown = (payload: object) => (snapshot: AnyMachineSnapshot) =>
    snapshot.matches({ open: { list: 'showing' } }) ? [{ ...payload }] : []
  return {
    'refetch.requested': [{}],
    'items.invalidated': [],
    'item.added': ifShown({}),
    'item.edited': ifShown({ item: items[1] }),
    'deletion.requested': ifShown({ item: items[1] }),
    'deletion.confirmed': [{}],
    'deletion.cancelled': [{}],
    'dialog.dismissed': (snapshot) => (snapshot.matches({ open: { work: 'form' } }) ? [] : [{}]),
    'xstate.done.actor.itemForm': ({ context }) =>
      context.item === null
        ? [
            { output: { isDismissed: false, mayHaveSaved: false } },
            { output: { isDismissed: true, mayHaveSaved: false } },
          ]
        : [{ output: { isDismissed: false, mayHaveSaved: true } }],
    'xstate.done.actor.loadItems': [{ output: items }],
    'xstate.error.actor.loadItems': ({ context }) => [
      ...(context.failures > 0 ? [] : [{ error: unreadable }]),
      { error: unnamed },
    ],
    'xstate.done.actor.deleteItem': [{ output: undefined }],
    'xstate.error.actor.deleteItem': [{ error: unnamed }],
  }
}

/** What holds for the form of an item, whatever its fields. */
export function testItemForm(form: {
  openNew: () => Sut
  openEdited: () => Sut
  /** Completes a new item. */
  complete: object
  /** Changes an existing item. */
  change: object
  faults: Faults
  lost: RegExp
}) {
  it('warns that a new one may be saved already if no answer came', async () => {
    const sut = form.openNew()
    sut.actor.send({ type: 'fields.typed', change: form.complete })
    sut.actor.send({ type: 'form.submitted' })
    await sut.save.reject(form.faults.noAnswer)
    expect(selectError(sut.snapshot() as never)).toMatch(form.lost)
  })

  it.each(['form.cancelled', 'dialog.dismissed'] as const)(
    'asks before %s discards what was typed, and not without',
    (type) => {
      const untouched = form.openEdited()
      untouched.actor.send({ type })
      expect(untouched.snapshot().output).toEqual({ isDismissed: type === 'dialog.dismissed', mayHaveSaved: false })
      const sut = form.openEdited()
      sut.actor.send({ type: 'fields.typed', change: form.change })
      sut.actor.send({ type })
      sut.actor.send({ type: 'discard.refused' })
      expect(sut.snapshot().value).toBe('editing')
      sut.actor.send({ type })
      sut.actor.send({ type: 'dialog.dismissed' })
      expect(sut.snapshot().value).toBe('editing')
      sut.actor.send({ type })
      sut.actor.send({ type: 'discard.confirmed' })
      expect(sut.snapshot().output).toEqual({ isDismissed: type === 'dialog.dismissed', mayHaveSaved: false })
    },
  )

  it('stays while it saves, whatever staff press', () => {
    const sut = form.openEdited()
    sut.actor.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'dialog.dismissed' })
    sut.actor.send({ type: 'form.cancelled' })
    expect(sut.snapshot().value).toBe('saving')
  })
}

type Selector = (snapshot: never) => unknown

/** Walks through a dialog made by `itemManager`, beside a reference. */
export function testItemManager<Machine extends AnyStateMachine>({
  id,
  manager,
  start,
  paths,
  items,
  faults,
  texts,
}: {
  id: string
  manager: Record<'selectItems' | 'selectAskedAbout' | 'selectIsDeleting' | 'selectHaveFailed', Selector> & {
    selectForm: (snapshot: never) => AnyActorRef | undefined
  }
  start: () => Sut & { load: Control<never>; remove: Control; clock: SimulatedClock }
  paths: readonly Path<Machine>[]
  items: readonly [Item, Item]
  faults: Faults
  texts: Record<'failed' | 'updated' | 'deleted' | 'deleteFailed', string>
}) {
  type State = {
    items: readonly Item[] | null
    list: 'loading' | 'showing' | 'waiting' | 'refused'
    loads: number
    failures: number
    work: 'list' | 'form' | 'asking' | 'deleting' | 'dismissed'
    item: Item | null
    deletions: number
    toasts: unknown[]
  }
  const retryDelay = `xstate.after.retryDelay.${id}.open.list.failed.waiting`
  const load = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: loads + 1 })
  const reference: Reference<State> = {
    start: {
      items: null,
      list: 'loading',
      loads: 1,
      failures: 0,
      work: 'list',
      item: null,
      deletions: 0,
      toasts: [],
    },
    accepts: ({ list, work }) => [
      ...when(work !== 'dismissed', 'items.invalidated'),
      ...when(list === 'loading', ...ends('loadItems')),
      ...when(list === 'waiting', retryDelay),
      ...when(list === 'waiting' || list === 'refused', 'refetch.requested'),
      ...{
        list: ['item.added', 'item.edited', 'deletion.requested', 'dialog.dismissed'],
        form: ['xstate.done.actor.itemForm'],
        asking: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed'],
        deleting: ends('deleteItem'),
        dismissed: [],
      }[work],
    ],
    rules: {
      'refetch.requested': (state) => ({ ...load(state), failures: 0 }),
      'item.added': () => ({ work: 'form', item: null }),
      'item.edited': (_, { item }) => ({ work: 'form', item }),
      'deletion.requested': (_, { item }) => ({ work: 'asking', item }),
      'deletion.confirmed': ({ deletions }) => ({ work: 'deleting', deletions: deletions + 1 }),
      'deletion.cancelled': () => ({ work: 'list' }),
      'dialog.dismissed': ({ work }) => ({ work: work === 'asking' ? 'list' : 'dismissed' }),
      'xstate.done.actor.itemForm': (state, { output }) => {
        if (output.isDismissed) return { work: 'dismissed' }
        if (!output.mayHaveSaved) return { work: 'list' }
        return { work: 'list', ...load(state), toasts: [...state.toasts, success(texts.updated)] }
      },
      'xstate.done.actor.loadItems': () => ({ list: 'showing', items, failures: 0 }),
      'xstate.error.actor.loadItems': ({ toasts, failures }, { error: failure }) =>
        failure === faults.unreadable
          ? { list: 'waiting', failures: failures + 1, toasts: [...toasts, error(texts.failed)] }
          : { list: 'refused', toasts: [...toasts, error(texts.failed)] },
      [retryDelay]: load,
      'xstate.done.actor.deleteItem': (state) => ({
        ...load(state),
        work: 'list',
        items: items.slice(0, 1),
        toasts: [...state.toasts, success(texts.deleted)],
      }),
      'xstate.error.actor.deleteItem': (state) => ({
        ...load(state),
        work: 'list',
        toasts: [...state.toasts, error(texts.deleteFailed)],
      }),
    },
    shown: ({ list, work, item, failures: _, ...kept }) => ({
      ...kept,
      isDismissed: work === 'dismissed',
      isForm: work === 'form',
      askedAbout: work === 'asking' || work === 'deleting' ? item : null,
      isDeleting: work === 'deleting',
      hasFailed: work !== 'dismissed' && (list === 'waiting' || list === 'refused'),
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const snapshot = () => sut.snapshot() as never
      const form = () => manager.selectForm(snapshot())
      const itemForm = {
        resolve: ({ isDismissed, mayHaveSaved }: { isDismissed: boolean; mayHaveSaved: boolean }) => {
          if (isDismissed) return sut.actor.send({ type: 'dialog.dismissed' })
          if (!mayHaveSaved) return form()?.send({ type: 'form.cancelled' })
          form()?.send({ type: 'form.submitted' })
          return sut.save.resolve(undefined)
        },
        reject: () => undefined,
      }
      const drive = driverOf(sut.actor.send, {
        calls: { itemForm, loadItems: sut.load, deleteItem: sut.remove },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => ({
        items: manager.selectItems(snapshot()),
        loads: sut.load.calls.length,
        deletions: sut.remove.calls.length,
        toasts: sut.toasts,
        isDismissed: sut.snapshot().value === 'dismissed',
        isForm: form() !== undefined && sut.snapshot().status === 'active',
        askedAbout: manager.selectAskedAbout(snapshot()),
        isDeleting: manager.selectIsDeleting(snapshot()),
        hasFailed: manager.selectHaveFailed(snapshot()),
      }))
      sut.actor.stop()
    }
  })
}
