import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { describe, expect, it } from 'vitest'
import { clientPageMachine } from '../../../src/machines/client/client-page.ts'
import { SessionProvider } from '../../../src/views/actors.tsx'
import ClientScreen from '../../../src/views/client/ClientScreen.tsx'
import {
  answers,
  askedOn,
  atFirst,
  type ClientPagePlace,
  toldWhen,
  withAskingAnew,
} from '../../model/client/client-page-fixture.ts'
import { everyMoveInFewPaths, type HandPath } from '../../model/hand-model.ts'
import { createCoverage, followByHand } from '../../model/harness.ts'
import { startSession } from '../../model/session/session-fixture.ts'
import { found } from '../found.ts'

const coverage = createCoverage(clientPageMachine)

function show() {
  const session = startSession(coverage.inspect)
  const { unmount } = render(
    <MemoryRouter initialEntries={['/clients/k1']}>
      <SessionProvider session={session.actor}>
        <Routes>
          <Route path="/clients/:clientId" element={<ClientScreen />} />
        </Routes>
      </SessionProvider>
    </MemoryRouter>,
  )
  const stop = () => {
    unmount()
    session.actor.stop()
  }
  return { ...session, stop }
}
type Shown = ReturnType<typeof show>

const textIn = (room: ParentNode, selector: string) => room.querySelector(selector)?.textContent ?? null

/** The text of the section with this name; null if there is none. */
function section(name: string) {
  const heading = [...document.querySelectorAll('h2')].find(({ textContent }) => textContent?.startsWith(name))
  const room = heading?.closest('section')
  if (!room) return null
  return {
    isLoading: room.ariaBusy === 'true',
    lines: [...room.querySelectorAll('li')].map(
      (line) => line.querySelector('a')?.getAttribute('href') ?? textIn(line, 'b'),
    ),
    says: textIn(room, 'p'),
    canRetry: textIn(room, 'button') !== null,
  }
}

const seen = () => ({
  title: document.title,
  name: textIn(document, 'h1'),
  says: screen.queryByText(/^(Loading client|This client .*)$/)?.textContent ?? null,
  advises: screen.queryByText(/^Check the link/) !== null,
  canRetry: screen.queryByLabelText('Try again to load the client') !== null,
  total: screen.queryByText('Total Orders')?.nextElementSibling?.textContent ?? null,
  orders: section('Orders'),
  payments: section('Payments'),
  chats: section('Linked conversations'),
})

type List = { shows: string | null }
const listOf = ({ shows }: List, name: string, lines: string[], says: string | null = null) => ({
  isLoading: shows === null,
  lines: shows === 'there' ? lines : [],
  says: shows === 'failed' ? `${name} could not be loaded` : shows === 'there' ? says : null,
  canRetry: shows === 'failed',
})

/** Spec section 2. A client that does not exist has no lists and no totals. */
function expected({ profile, orders, chats }: ClientPagePlace): ReturnType<typeof seen> {
  const isMissing = profile.shows === 'missing'
  const name = profile.shows === 'c1' || profile.shows === 'c2' ? 'Maria Santos k1' : null
  const failure = isMissing ? 'This client was not found' : 'This client could not be loaded'
  const hasFailed = isMissing || profile.shows === 'failed'
  return {
    title: name ?? (isMissing ? 'Client not found' : 'Client'),
    name,
    says: hasFailed ? failure : name === null ? 'Loading client' : null,
    advises: isMissing,
    canRetry: hasFailed,
    total: orders.shows === 'there' && !isMissing ? '1' : null,
    orders: isMissing ? null : listOf(orders, 'Orders', ['#101']),
    payments: isMissing ? null : listOf(orders, 'Payments', [], 'No payments'),
    chats: chats && listOf(chats, 'Linked conversations', [`/${chats.of}`]),
  }
}

const press = (part: string) => fireEvent.click(screen.getByLabelText(`Try again to load ${part}`))
const askers: Readonly<Record<string, (sut: Shown) => void>> = {
  'a person requests a refetch': (sut) => sut.send({ type: 'refetch.requested' }),
  'the profile is requested again': () => press('the client'),
  'the orders are requested again': () => press('orders'),
  'the chats are requested again': () => press('linked conversations'),
}

/** Leaves out actions that the screen does not offer. */
const offered = (place: ClientPagePlace) => {
  const { 'the orders are requested again': _, ...others } = withAskingAnew(place)
  return place.profile.shows === 'missing' ? others : withAskingAnew(place)
}

async function walk(path: HandPath<ClientPagePlace>) {
  const sut = show()
  expect(seen()).toEqual(expected(atFirst))
  const places = [atFirst]
  const told: string[] = []
  await followByHand(
    clientPageMachine,
    path.map(({ name, place }) => ({
      name,
      run: () => act(async () => (answers[name] ? answers[name](sut.client, place) : found(askers[name], name)(sut))),
      check: () => {
        places.push(place)
        if (toldWhen[name]) told.push(toldWhen[name])
        const { profile, orders, chats } = sut.client
        expect({
          ...seen(),
          asked: { profile: profile.inputs(), orders: orders.inputs(), chats: chats.inputs() },
          toasts: sut.toasts,
        }).toEqual({
          ...expected(place),
          asked: askedOn(places),
          toasts: told.map((text) => ({ kind: 'error', text })),
        })
      },
    })),
  )
  sut.stop()
}

describe('The client screen shows the state of its parts', () => {
  const moves = everyMoveInFewPaths(atFirst, offered)

  it(`over ${moves.length} paths: every possible action in each state`, async () => {
    for (const path of moves) await walk(path)
  })

  it('stays while orders of the client change on the server', async () => {
    const sut = show()
    const before = seen()
    await act(async () => void sut.send({ type: 'clientData.changed', clientIds: null }))
    expect(seen()).toEqual(before)
    sut.stop()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
