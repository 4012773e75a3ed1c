import { unsentMachine } from '../../../src/machines/send/unsent.ts'
import { modelOf } from '../harness.ts'
import { outgoingOf } from './send-fixture.ts'

/** Prints in the titles of paths as its key. */
const message = (key: string) => ({ ...outgoingOf({ key }), toJSON: () => key })

/** Two messages, of which one may be discarded; or the question about one message (`asksAbout`). */
export const unsentModel = (asksAbout: string | null = null) =>
  modelOf(unsentMachine, {
    input: { asksAbout: asksAbout === null ? null : message(asksAbout) },
    vertex: ({ context }) => context.discarded?.key,
    cases: {
      'discard.requested': ['a', 'b'].map((key) => ({ send: message(key) })),
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
    },
  })
