import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { mustBeProvided } from '../must-be-provided.ts'

/** Whose picture it is, by an fb or primary user id, and the address that has ended. */
export type EndedPicture = { id: string; address: string }

type Context = {
  /** Not asked for yet; the first is the one that is being asked for. */
  waiting: readonly EndedPicture[]
  /** Every address that was asked for: none is asked for again, also where nothing came of it. */
  asked: ReadonlySet<string>
  /** The new address by the one that ended. */
  renewed: ReadonlyMap<string, string>
}

export type PictureRenewalEvent = { type: 'picture.ended'; picture: EndedPicture }

/**
 * Has expired profile pictures renewed (spec section 5), one after the other. One that cannot be renewed is not told:
 * its place shows what stands for a missing picture.
 */
export const pictureRenewalMachine = setup({
  types: { context: {} as Context, events: {} as PictureRenewalEvent },
  actors: {
    /** The new address; null where the network gives none. */
    renewPicture: fromPromise<string | null, { id: string }>(mustBeProvided('renewPicture')),
  },
  guards: {
    'is news': ({ context }, { address }: EndedPicture) => !context.asked.has(address),
    'is waited for': ({ context }) => context.waiting.length > 0,
  },
  actions: {
    'let it wait': assign(({ context }, picture: EndedPicture) => ({
      waiting: [...context.waiting, picture],
      asked: new Set(context.asked).add(picture.address),
    })),
    'keep the new address': assign({
      renewed: ({ context }, { address }: { address: string | null }) => {
        const [first] = context.waiting
        if (first === undefined || address === null) return context.renewed
        return new Map(context.renewed).set(first.address, address)
      },
    }),
    'go on': assign({ waiting: ({ context }) => context.waiting.slice(1) }),
  },
}).createMachine({
  id: 'pictureRenewal',
  context: { waiting: [], asked: new Set(), renewed: new Map() },
  on: {
    'picture.ended': {
      guard: { type: 'is news', params: ({ event }) => event.picture },
      actions: { type: 'let it wait', params: ({ event }) => event.picture },
    },
  },
  initial: 'resting',
  states: {
    resting: { always: { guard: 'is waited for', target: 'renewing' } },
    renewing: {
      invoke: {
        id: 'renewPicture',
        src: 'renewPicture',
        input: ({ context }) => ({ id: context.waiting[0]?.id ?? '' }),
        onDone: {
          target: 'resting',
          actions: [{ type: 'keep the new address', params: ({ event }) => ({ address: event.output }) }, 'go on'],
        },
        onError: { target: 'resting', actions: 'go on' },
      },
    },
  },
})

/** What took the place of an address; null while nothing did. */
export const selectRenewed = (
  snapshot: SnapshotFrom<typeof pictureRenewalMachine>,
  address: string | null,
): string | null => (address === null ? null : (snapshot.context.renewed.get(address) ?? null))
