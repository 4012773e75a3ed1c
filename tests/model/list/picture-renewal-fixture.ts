import type { SnapshotFrom } from 'xstate'
import { pictureRenewalMachine, type ShownPicture } from '../../../src/machines/list/picture-renewal.ts'
import { modelOf } from '../harness.ts'

/** An expired address of the network (spec section 5). */
const endedAddress = (name: string) => `https://scontent.fbcdn.net/${name}.jpg?oh=00&oe=5f000000`

export const ended: readonly ShownPicture[] = ['u1', 'u2'].map((id) => ({ id, address: endedAddress(id) }))

const newAddress = (id: string) => `https://scontent.fbcdn.net/${id}.jpg?oh=11&oe=ff000000`

/** The context as values that can be compared. */
export const renewalsIn = ({ context }: SnapshotFrom<typeof pictureRenewalMachine>) => ({
  shown: context.shown,
  waiting: context.waiting,
  asked: [...context.asked],
  renewed: Object.fromEntries(context.renewed),
})

/** Two expired pictures, shown and hidden in any order. Each request returns a new address, returns none, or fails. */
export const pictureRenewalModel = ({ ticks = true } = {}) =>
  modelOf(pictureRenewalMachine, {
    input: { now: () => Date.parse('2026-03-01T00:00:00Z') },
    vertex: renewalsIn,
    cases: {
      'xstate.after.tick.pictureRenewal.watching.waiting': ticks ? [{}] : [],
      'picture.shown': ({ context: { shown } }) =>
        ended.filter((picture) => !shown.includes(picture)).map((picture) => ({ picture })),
      'picture.hidden': ({ context: { shown } }) => shown.map((picture) => ({ picture })),
      'xstate.done.actor.renewPicture': ({ context }) => [
        { output: newAddress(context.waiting[0]?.id ?? '') },
        { output: null },
      ],
      'xstate.error.actor.renewPicture': [{ error: new Error('refused') }],
    },
  })
