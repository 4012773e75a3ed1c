import type { SnapshotFrom } from 'xstate'
import { statsMachine } from '../../../src/machines/list/stats.ts'
import { pagesMachine } from '../../../src/machines/pages/pages.ts'
import type { Page } from '../../../src/schemas/page.ts'
import type { Stats } from '../../../src/schemas/stats.ts'
import { type Cases, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'

export const statsOf = (conversations: number, unread: number): Stats => ({
  messages: { total: 9, incoming: 5, outgoing: 4, unread },
  conversations: { total: conversations, active24h: 1, active7d: 2 },
  users: { total: 3, linked: 1, active24h: 1 },
  total_conversations: conversations,
  unread_messages: unread,
})

export const shop: Page = { page_id: 'p1', page_name: 'Shop', is_active: true }
/** The network refuses the token of the shop. */
export const brokenShop: Page = { ...shop, token_invalid_since: '2026-01-05T12:00:00Z' }
export const cafe: Page = { page_id: 'p2', page_name: 'Café', is_active: true }

/**
 * The counts: the second answer differs from the first, and at most two fetches in a row fail. `fewer` replaces cases.
 */
export const statsModel = (fewer: Cases<SnapshotFrom<typeof statsMachine>> = {}) =>
  modelOf(statsMachine, {
    input: undefined,
    vertex: ({ context: { failures, ...seen } }) => ({ ...seen, failures: Math.min(failures, 2) }),
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'page.chosen': [{ pageId: 'p1' }],
      'refetch.requested': [{}],
      'stats.invalidated': [{}],
      'unread.changed': [{}],
      'xstate.done.actor.loadStats': ({ context }) => [
        { output: context.stats === null ? statsOf(12, 3) : statsOf(1213, 0) },
      ],
      'xstate.error.actor.loadStats': [{ error: faults.noAnswer }, { error: faults.refused }],
      ...fewer,
    },
  })

/**
 * The social pages: by the second answer the shop works again and there is one page more. At most two fetches in a row
 * fail.
 */
export const pagesModel = () =>
  modelOf(pagesMachine, {
    input: undefined,
    vertex: ({ context: { pages, failures } }) => [pages.inOrder, Math.min(failures, 2)],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'refetch.requested': [{}],
      'pages.invalidated': [{}],
      'page.accepted': [{ pageId: 'p1' }],
      'xstate.done.actor.loadPages': ({ context }) => [
        { output: context.pages.inOrder.length === 0 ? [brokenShop] : [shop, cafe] },
      ],
      'xstate.error.actor.loadPages': [{ error: faults.noAnswer }, { error: faults.refused }],
    },
  })
