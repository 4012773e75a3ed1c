import type { BestPage, PageIdentity } from '../../../src/domain/send/send-calls.ts'
import { type SendRouteEvent, sendRouteMachine } from '../../../src/machines/send/send-route.ts'
import { modelOf } from '../harness.ts'
import { faults, inserted } from '../inbox-fixture.ts'

export const pages = [
  { id: 'p1', name: 'Kapamilya Prints' },
  { id: 'p2', name: 'Tarps Express' },
]
export const recipient = { conversationId: 'c1', name: 'Ana', fbUserId: 'u1', pages, psid: 'psid-1', psidPageId: 'p1' }

type Asked = Omit<Extract<SendRouteEvent, { type: 'route.requested' }>, 'type'>
/** Requests for a route: the best page, a chosen page, and the best page of a conversation without any page. */
export const auto: Asked = { recipient, chosenPageId: null }
export const chosen: Asked = { recipient, chosenPageId: 'p2' }
export const nowhere: Asked = { recipient: { ...recipient, pages: [] }, chosenPageId: null }

/** The conversation after it gained another page. */
const grown = { ...recipient, pages: [...pages, { id: 'p3', name: 'Stickers' }] }

/** The person's last message arrived on the other page. */
export const elsewhere = { ...recipient, psid: 'psid-2', psidPageId: 'p2' }

export const best: BestPage = { pageId: 'p2', reason: 'last_incoming' }
export const identity: PageIdentity = { psid: 'psid-2', platform: 'instagram' }

/**
 * The look-ups for the requests in `asked`. A short model changes the person's page only after a failed look-up of the
 * identity, and ends each path there.
 */
export const sendRouteModel = (asked: readonly Asked[], isShort = false) =>
  modelOf(sendRouteMachine, {
    input: undefined,
    vertex: ({ context: { hadAnswer, ...rest } }) => [
      rest,
      rest.route !== null && rest.route.identity !== 'found' && hadAnswer,
    ],
    stopWhen: ({ value, context: { asked, route } }) =>
      isShort && value === 'known' && route?.identity !== 'found' && asked?.recipient === elsewhere,
    limit: 5_000,
    cases: {
      'route.requested': asked,
      'recipient.changed': ({ value, context }) => {
        if (isShort) return value === 'known' ? [{ recipient: elsewhere }] : []
        return context.asked === null ? [] : [{ recipient: elsewhere }, { recipient: grown }]
      },
      'route.invalidated': isShort ? [] : [{}],
      'messages.changed': [{ changes: [inserted('c1', 5)] }],
      'xstate.done.actor.findBestPage': [{ output: best }],
      'xstate.done.actor.findIdentity': [{ output: identity }],
      // Without an answer only for a chosen page, so that the graph stays small.
      'xstate.error.actor.findIdentity': ({ context }) => [
        { error: faults.refused },
        ...(context.page?.reason === 'chosen' ? [{ error: faults.noAnswer }] : []),
      ],
    },
  })
