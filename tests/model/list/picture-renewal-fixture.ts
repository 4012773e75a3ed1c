import type { SnapshotFrom } from 'xstate'
import { type EndedPicture, pictureRenewalMachine } from '../../../src/machines/list/picture-renewal.ts'
import { modelOf } from '../harness.ts'

/** An address of the network's that has ended, as spec section 5 tells it. */
const endedAddress = (name: string) => `https://scontent.fbcdn.net/${name}.jpg?oh=00&oe=5f000000`

export const ended: readonly EndedPicture[] = ['u1', 'u2'].map((id) => ({ id, address: endedAddress(id) }))

const newAddress = (id: string) => `https://scontent.fbcdn.net/${id}.jpg?oh=11&oe=ff000000`

/** What the context holds, as values that can be compared. */
export const renewalsIn = ({ context }: SnapshotFrom<typeof pictureRenewalMachine>) => ({
  waiting: context.waiting,
  asked: [...context.asked],
  renewed: Object.fromEntries(context.renewed),
})

/** Two pictures that ended, in whichever order, each renewed, not to be had, or not to be asked for. */
export const pictureRenewalModel = () =>
  modelOf(pictureRenewalMachine, {
    input: undefined,
    vertex: renewalsIn,
    cases: {
      'picture.ended': ended.map((picture) => ({ picture })),
      'xstate.done.actor.renewPicture': ({ context }) => [
        { output: newAddress(context.waiting[0]?.id ?? '') },
        { output: null },
      ],
      'xstate.error.actor.renewPicture': [{ error: new Error('refused') }],
    },
  })
