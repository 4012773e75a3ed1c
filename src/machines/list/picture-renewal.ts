import { assign, fromPromise, not, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { currentAddress, looksExpired } from '../../domain/list/picture-address.ts'
import { mustBeProvided } from '../must-be-provided.ts'

/** A picture: the fb user id or primary user id of its person, and the address from the API. */
export type ShownPicture = { id: string; address: string }

type Context = {
  /** The pictures on the screen, one entry for each place. */
  shown: readonly ShownPicture[]
  /** The queue of pictures to renew. The renewal of the first is pending. */
  waiting: readonly ShownPicture[]
  /** Every address whose renewal was requested. */
  asked: ReadonlySet<string>
  /** The new address, by the replaced address. */
  renewed: ReadonlyMap<string, string>
  now: () => number
}

export type PictureRenewalEvent =
  | { type: 'picture.shown'; picture: ShownPicture }
  | { type: 'picture.hidden'; picture: ShownPicture }

/** The shown pictures whose address expires soon and whose renewal was not requested. */
const dueIn = ({ shown, asked, renewed, now }: Context): ShownPicture[] => {
  const due = new Map<string, ShownPicture>()
  for (const { id, address } of shown) {
    const current = currentAddress(renewed, address)
    if (asked.has(current) || !looksExpired(current, now() + limits.pictureRenewalLead)) continue
    due.set(current, { id, address: current })
  }
  return [...due.values()]
}

/**
 * Renews profile pictures whose address has expired or expires within 120 s (spec sections 5 and 9), one at a time. A
 * failed renewal is not reported; the fallback picture is shown.
 */
export const pictureRenewalMachine = setup({
  types: {
    context: {} as Context,
    events: {} as PictureRenewalEvent,
    input: {} as { now: () => number },
  },
  actors: {
    /** Returns the new address; null if the network has none. */
    renewPicture: fromPromise<string | null, { id: string }>(mustBeProvided('renewPicture')),
  },
  delays: { tick: limits.pictureTick },
  guards: {
    'shows a picture': ({ context }) => context.shown.length > 0,
    'has one to renew': ({ context }) => context.waiting.length > 0,
  },
  actions: {
    'add the picture': assign({
      shown: ({ context }, picture: ShownPicture) => [...context.shown, picture],
    }),
    'remove the picture': assign({
      shown: ({ context }, { id, address }: ShownPicture) => {
        const index = context.shown.findIndex((one) => one.id === id && one.address === address)
        return context.shown.filter((_, other) => other !== index)
      },
    }),
    'queue expiring pictures': assign(({ context }) => {
      const due = dueIn(context)
      if (due.length === 0) return {}
      return {
        waiting: [...context.waiting, ...due],
        asked: new Set([...context.asked, ...due.map(({ address }) => address)]),
      }
    }),
    'store the new address': assign(({ context }, { address }: { address: string | null }) => {
      const [first, ...waiting] = context.waiting
      if (first === undefined) return {}
      // An address whose renewal was requested before has expired too.
      if (address !== null && !context.asked.has(address)) {
        return { waiting, renewed: new Map(context.renewed).set(first.address, address) }
      }
      // The network may return a new address only after the old one has expired. Until then each tick asks again.
      const isOver = looksExpired(first.address, context.now())
      const asked = isOver ? context.asked : new Set([...context.asked].filter((one) => one !== first.address))
      return { waiting, asked }
    }),
  },
}).createMachine({
  id: 'pictureRenewal',
  context: ({ input: { now } }) => ({ shown: [], waiting: [], asked: new Set(), renewed: new Map(), now }),
  on: {
    'picture.shown': {
      actions: [{ type: 'add the picture', params: ({ event }) => event.picture }, 'queue expiring pictures'],
    },
    'picture.hidden': { actions: { type: 'remove the picture', params: ({ event }) => event.picture } },
  },
  type: 'parallel',
  states: {
    watching: {
      initial: 'idle',
      states: {
        idle: { always: { guard: 'shows a picture', target: 'waiting' } },
        waiting: {
          always: { guard: not('shows a picture'), target: 'idle' },
          after: { tick: { target: 'waiting', reenter: true, actions: 'queue expiring pictures' } },
        },
      },
    },
    renewal: {
      initial: 'idle',
      states: {
        idle: { always: { guard: 'has one to renew', target: 'renewing' } },
        renewing: {
          invoke: {
            id: 'renewPicture',
            src: 'renewPicture',
            input: ({ context }) => ({ id: context.waiting[0]?.id ?? '' }),
            onDone: {
              target: 'idle',
              actions: { type: 'store the new address', params: ({ event }) => ({ address: event.output }) },
            },
            onError: { target: 'idle', actions: { type: 'store the new address', params: { address: null } } },
          },
        },
      },
    },
  },
})
