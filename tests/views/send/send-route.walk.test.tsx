import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { sendRouteMachine } from '../../../src/machines/send/send-route.ts'
import { withoutBeginnings } from '../../model/few-paths.ts'
import { createCoverage, eventsOf, follow } from '../../model/harness.ts'
import { inserted, messageIn, row } from '../../model/inbox-fixture.ts'
import { auto, chosen, elsewhere, pages, recipient, sendRouteModel } from '../../model/send/send-route-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(sendRouteMachine)
const offline = new Error('offline')

const maria = row('c1', 1, {
  unified_name: 'Maria Santos',
  page_ids: pages.map(({ id }) => id).join(', '),
  page_names: pages.map(({ name }) => name).join(', '),
  page_count: 2,
  psid: recipient.psid,
})

/** A draft that is too long for Instagram, and the chosen page. The route is looked up when the conversation opens. */
async function openFrom(pageId: string | null) {
  const drafts = new Map([['c1', { id: 'd1', text: 'x'.repeat(1_700), pageId }]])
  const inbox = await showInbox({ drafts, inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf([maria]))
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  return inbox
}

const select = () => screen.getByLabelText<HTMLSelectElement>('Send from')
const describedBy = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby')?.split(' ') ?? []).map((id) => document.getElementById(id)?.textContent)

/** The send route that the composer shows, and the look-ups it requests. */
const shown = (inbox: Awaited<ReturnType<typeof openFrom>>) => ({
  from: select().value,
  route: describedBy(select()),
  limit: describedBy(screen.getByPlaceholderText('Type a message...'))[0],
  asks: [...inbox.waiting('findBestPage'), ...inbox.waiting('findIdentity')],
})

const onInstagram = 'Too long: 1,700 / 1,000 bytes'
const anywhere = '1,700 / 1,999'
const unlooked = 'the first page, because we could not check which page is best'
const unchecked = 'We could not check the account of Maria on this page. Check your connection, or choose another page.'

/** The expected text by page, reason and identity. */
const said: Record<string, { route: string; limit: string }> = {
  'p2 last_incoming found': { route: '→ Tarps Express on Instagram, where Maria wrote last', limit: onInstagram },
  'p2 last_incoming none': {
    route: '→ Tarps Express, where Maria wrote lastMaria has not written to this page. Choose another page.',
    limit: anywhere,
  },
  'p1 fallback found': { route: `→ Kapamilya Prints on Instagram, ${unlooked}`, limit: onInstagram },
  'p2 last_incoming own': {
    route:
      '→ Tarps Express, where Maria wrote lastWe could not check the account of Maria on this page. Your message goes to the account of this conversation.',
    limit: anywhere,
  },
  'p1 fallback none': {
    route: `→ Kapamilya Prints, ${unlooked}Maria has not written to this page. Choose another page.`,
    limit: anywhere,
  },
  'p2 chosen own': {
    route:
      'We could not check the account of Maria on this page. Your message goes to the account of this conversation.',
    limit: anywhere,
  },
  'p1 fallback own': {
    route: `→ Kapamilya Prints, ${unlooked}We could not check the account of Maria on this page. Your message goes to the account of this conversation.`,
    limit: anywhere,
  },
  'p2 chosen found': { route: 'to Maria on Instagram', limit: onInstagram },
  'p2 chosen unchecked': { route: unchecked, limit: anywhere },
  'p2 chosen none': { route: 'Maria has not written to this page. Choose another page.', limit: anywhere },
}

function expected({ value, context: { asked, page, route } }: SnapshotFrom<typeof sendRouteMachine>) {
  const known =
    route === null ? { route: '', limit: anywhere } : said[`${route.pageId} ${route.reason} ${route.identity}`]
  const asks = {
    findingPage: [{ userId: 'c1' }],
    findingIdentity: [{ userId: 'c1', pageId: page?.pageId }],
  }
  return {
    from: asked?.chosenPageId ?? '',
    route: [known?.route],
    limit: known?.limit,
    asks: value === 'findingPage' || value === 'findingIdentity' ? asks[value] : [],
  }
}

const choose = (pageId: string | null) =>
  act(async () => fireEvent.change(select(), { target: { value: pageId ?? '' } }))

describe('The composer shows the send route, over every transition', () => {
  const paths = withoutBeginnings(sendRouteModel([auto, chosen], true).everyTransition(), eventsOf)

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const inbox = await openFrom(path.steps[0]?.event['chosenPageId'])
    let minute = 5
    await follow(
      path,
      {
        'route.requested': async ({ chosenPageId }) => {
          // Opening the conversation requests the first route. Choosing another page and returning requests it again.
          if (minute === 5) return
          if ((select().value || null) === chosenPageId) await choose(chosenPageId === null ? 'p2' : null)
          await choose(chosenPageId)
        },
        'recipient.changed': async () => {
          await inbox.tell({
            type: 'users.changed',
            changes: [{ type: 'UPDATE', row: { id: 'u9', name: 'Somebody' } }],
          })
          await inbox.pass(1_000)
          await inbox.answer('loadTop', listOf([{ ...maria, psid: elsewhere.psid, page_id: elsewhere.psidPageId }]))
        },
        'messages.changed': () => inbox.change([inserted('c1', minute)]),
        'xstate.done.actor.findBestPage': ({ output }) => inbox.answer('findBestPage', output),
        'xstate.error.actor.findBestPage': () => inbox.fail('findBestPage', offline),
        ...inbox.ends('findIdentity'),
        'xstate.after.messagesDebounce.sendRoute.debouncing': () => inbox.pass(1_000),
      },
      (step) => {
        minute += 1
        expect(shown(inbox)).toEqual(expected(step.expected))
      },
    )
    inbox.unmount()
  })
})

/** A conversation without a page requests no route, and the screen does not show a repeated look-up. */
const byMachineAlone = [
  'sendRoute -- recipient.changed #0 --> sendRoute.choosingPage',
  'sendRoute.findingPage -- route.invalidated --> sendRoute.debouncing',
  'sendRoute.findingPage -- xstate.error.actor.findBestPage #1 --> sendRoute.idle',
  'sendRoute.findingIdentity -- route.invalidated --> sendRoute.debouncing',
  'sendRoute.known -- route.invalidated --> sendRoute.debouncing',
]

describe('The walk of the route look-ups in the composer', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition except those that only the machine walk takes', () =>
    expect(coverage.transitionsMissed()).toEqual(byMachineAlone))
})
