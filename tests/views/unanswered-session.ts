import { fromCallback, fromPromise, type NonReducibleUnknown } from 'xstate'
import { clientDetailsMachine } from '../../src/machines/client-details.ts'
import { clientPageMachine } from '../../src/machines/client-page.ts'
import { conversationsMachine } from '../../src/machines/conversations.ts'
import { draftsMachine } from '../../src/machines/drafts.ts'
import { outboxMachine } from '../../src/machines/outbox.ts'
import { pagesMachine } from '../../src/machines/pages.ts'
import { realtimeMachine } from '../../src/machines/realtime.ts'
import { sessionMachine } from '../../src/machines/session.ts'
import { statsMachine } from '../../src/machines/stats.ts'
import { threadMachine } from '../../src/machines/thread.ts'

const unanswered = <Output, Input extends NonReducibleUnknown>() =>
  fromPromise<Output, Input>(() => new Promise<Output>(() => {}))

const unansweredClient = clientDetailsMachine.provide({ actors: { loadClient: unanswered() } })

/** A session that asks for everything and is told nothing. */
export const unansweredSession = sessionMachine.provide({
  actors: {
    conversations: conversationsMachine.provide({
      actors: { loadTop: unanswered(), loadPage: unanswered() },
    }),
    stats: statsMachine.provide({ actors: { loadStats: unanswered() } }),
    pages: pagesMachine.provide({ actors: { loadPages: unanswered() } }),
    realtime: realtimeMachine.provide({ actors: { channel: fromCallback(() => {}) } }),
    thread: threadMachine.provide({
      actors: {
        findConversation: unanswered(),
        loadMessages: unanswered(),
        markRead: unanswered(),
        clientProfile: unansweredClient,
        clientOrders: unansweredClient,
      },
    }),
    outbox: outboxMachine.provide({
      actors: { loadOutgoing: unanswered(), forgetOnSignOut: fromCallback(() => {}) },
    }),
    clientPage: clientPageMachine.provide({
      actors: { profile: unansweredClient, orders: unansweredClient, chats: unansweredClient },
    }),
    drafts: draftsMachine.provide({ actors: { watchDrafts: fromCallback(() => {}) } }),
    browser: fromCallback(() => {}),
  },
})
