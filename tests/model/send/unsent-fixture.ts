import { unsentMachine } from '../../../src/machines/send/unsent.ts'
import { modelOf } from '../harness.ts'
import { outgoingOf } from './send-fixture.ts'

/** Two messages, of which one may be discarded. */
export const unsentModel = () =>
  modelOf(unsentMachine, {
    input: undefined,
    vertex: ({ context }) => context.discarded?.key,
    cases: {
      'discard.requested': ['a', 'b'].map((key) => ({ send: { ...outgoingOf({ key }), toJSON: () => key } })),
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
    },
  })
