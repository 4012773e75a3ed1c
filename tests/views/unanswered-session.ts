import { fromCallback, fromPromise, type NonReducibleUnknown } from 'xstate'
import { clientDetailsMachine } from '../../src/machines/client/client-details.ts'
import { clientPageMachine } from '../../src/machines/client/client-page.ts'
import { conversationsMachine } from '../../src/machines/list/conversations.ts'
import { statsMachine } from '../../src/machines/list/stats.ts'
import { pagesMachine } from '../../src/machines/pages/pages.ts'
import { draftsMachine } from '../../src/machines/send/drafts.ts'
import { outboxMachine } from '../../src/machines/send/outbox.ts'
import { sessionMachine } from '../../src/machines/session/session.ts'
import { realtimeMachine } from '../../src/machines/shell/realtime.ts'
import { threadMachine } from '../../src/machines/thread/thread.ts'

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
