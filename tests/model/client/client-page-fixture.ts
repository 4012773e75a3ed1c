import type { ClientData } from '../../../src/domain/client/client-data.ts'
import type { Moves } from '../hand-model.ts'
import { row } from '../inbox-fixture.ts'
import { clientOf, type controlClientPage, faults, orderOf } from './clients-fixture.ts'

/** The content of a part: null before the first answer, a failure, or the client whose data it is. */
type Part<Shows extends string> = { shows: Shows | null; asks: boolean }

/** The conversation to which a client is linked; the chats belong to it. */
export type Linked = 'c1' | 'c2'

/** The state of a client page. The chats cannot be fetched before the profile has named the conversation. */
export type ClientPagePlace = {
  profile: Part<'failed' | 'missing' | Linked>
  orders: Part<'failed' | 'there'>
  chats: (Part<'failed' | 'there'> & { of: Linked }) | null
}

export const atFirst: ClientPagePlace = {
  profile: { shows: null, asks: true },
  orders: { shows: null, asks: true },
  chats: null,
}

const didFail = ({ shows }: Part<string>) => shows === 'failed' || shows === 'missing'
const isThere = (part: Part<string>) => part.shows !== null && !didFail(part)

/** Existing content stays during a fetch and after its failure. */
const asked = <Some extends Part<string>>(part: Some): Some => ({
  ...part,
  shows: isThere(part) ? part.shows : null,
  asks: true,
})
const come = <Some extends Part<string>>(part: Some, shows: Some['shows']): Some => ({ ...part, shows, asks: false })
const failed = <Some extends Part<string>>(part: Some): Some => come(part, isThere(part) ? part.shows : 'failed')

/** Spec section 2 lists profile, orders and chats. Each is fetched, answered and fails independently. */
export const withoutAskingAnew: Moves<ClientPagePlace> = (place) => {
  const { profile, orders, chats } = place
  const named = (of: Linked): ClientPagePlace => ({
    profile: come(profile, of),
    orders,
    chats: chats?.of === of ? chats : { of, shows: null, asks: true },
  })
  return {
    ...(profile.asks && {
      'the profile names the first': named('c1'),
      'the profile names the second': named('c2'),
      'the profile fails': { ...place, profile: failed(profile) },
    }),
    ...(profile.asks &&
      !isThere(profile) && { 'there is no such client': { ...place, profile: come(profile, 'missing') } }),
    ...(orders.asks && {
      'the orders come': { ...place, orders: come(orders, 'there') },
      'the orders fail': { ...place, orders: failed(orders) },
    }),
    ...(chats?.asks && {
      'the chats come': { ...place, chats: come(chats, 'there') },
      'the chats fail': { ...place, chats: failed(chats) },
    }),
  }
}

/** The same, with a refetch of all parts or of a failed part. */
export const withAskingAnew: Moves<ClientPagePlace> = (place) => {
  const { profile, orders, chats } = place
  return {
    ...withoutAskingAnew(place),
    'a person requests a refetch': { profile: asked(profile), orders: asked(orders), chats: chats && asked(chats) },
    ...(didFail(profile) && { 'the profile is requested again': { ...place, profile: asked(profile) } }),
    ...(didFail(orders) && { 'the orders are requested again': { ...place, orders: asked(orders) } }),
    ...(chats && didFail(chats) && { 'the chats are requested again': { ...place, chats: asked(chats) } }),
  }
}

/** Spec section 8 defines texts for orders, conversations and missing records, but none for a client. */
export const toldWhen: Readonly<Record<string, string>> = {
  'the orders fail': 'Failed to fetch orders information',
  'the chats fail': 'Failed to load conversations',
  'there is no such client': 'API endpoint not found: POST /facebook/link-client',
}

export const profileOf = (fb_user_id: string | null): ClientData => ({ client: clientOf('k1', { fb_user_id }) })
export const ordersFile: ClientData = { orders: [orderOf('o1')] }
export const chatsOf = (of: Linked): ClientData => ({ chats: [row(of, 1, { client_id: 'k1' })] })

type Controls = Pick<ReturnType<typeof controlClientPage>, 'profile' | 'orders' | 'chats'>

/** The actions of the server, by the name of the move that led to the place. */
export const answers: Readonly<Record<string, (page: Controls, place: ClientPagePlace) => Promise<void>>> = {
  'the profile names the first': ({ profile }) => profile.resolve(profileOf('c1')),
  'the profile names the second': ({ profile }) => profile.resolve(profileOf('c2')),
  'the profile fails': ({ profile }) => profile.reject(faults.invalid),
  'there is no such client': ({ profile }) => profile.reject(faults.missing),
  'the orders come': ({ orders }) => orders.resolve(ordersFile),
  'the orders fail': ({ orders }) => orders.reject(faults.invalid),
  'the chats come': ({ chats }, place) => chats.resolve(chatsOf(place.chats?.of ?? 'c1')),
  'the chats fail': ({ chats }) => chats.reject(faults.invalid),
}

/** The fetches of each part so far, derived from the places alone. */
export function askedOn(places: readonly ClientPagePlace[]) {
  const profile: unknown[] = []
  const orders: unknown[] = []
  const chats: unknown[] = []
  let before: ClientPagePlace | null = null
  for (const place of places) {
    if (place.profile.asks && !before?.profile.asks) profile.push({ clientId: 'k1' })
    if (place.orders.asks && !before?.orders.asks) orders.push({ clientId: 'k1' })
    const isNew = !before?.chats?.asks || before.chats.of !== place.chats?.of
    if (place.chats?.asks && isNew) chats.push({ clientId: 'k1', fbUserId: place.chats.of })
    before = place
  }
  return { profile, orders, chats }
}
