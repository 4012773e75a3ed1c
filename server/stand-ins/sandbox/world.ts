import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { describeFile, type MediaKind, type SandboxFile } from './media.ts'
import { createRandom, type Random } from './random.ts'
import type { SandboxDb } from './tables.ts'
import { invent, inventTopic, say, type Topic, type Trade } from './texts.ts'

export type SeededPage = {
  page_id: string
  name: string
  username: string
  category: string
  trade: Trade
  instagram_id: string | null
  instagram_username: string | null
  picture_seed: number
}

export const seededPages: readonly SeededPage[] = [
  {
    page_id: '104200000000101',
    name: 'Lakbay Print Studio',
    username: 'lakbayprints',
    category: 'Printing Service',
    trade: 'prints',
    instagram_id: '17841400000000101',
    instagram_username: 'lakbay.prints',
    picture_seed: 11,
  },
  {
    page_id: '104200000000102',
    name: 'Tarpaulin Express Marikina',
    username: 'tarpexpressmarikina',
    category: 'Sign Maker',
    trade: 'prints',
    instagram_id: null,
    instagram_username: null,
    picture_seed: 27,
  },
  {
    page_id: '104200000000103',
    name: 'Kusina ni Aling Rosa',
    username: 'kusinanialingrosa',
    category: 'Caterer',
    trade: 'catering',
    instagram_id: '17841400000000103',
    instagram_username: 'kusina.ni.aling.rosa',
    picture_seed: 35,
  },
  {
    page_id: '104200000000104',
    name: 'Handaan Party Trays',
    username: 'handaantrays',
    category: 'Food Delivery Service',
    trade: 'catering',
    instagram_id: null,
    instagram_username: null,
    picture_seed: 48,
  },
]

type Person = {
  psid: string
  page_id: string
  platform: 'messenger' | 'instagram'
  person_key: string
  conversation_id: string
  first_name: string
  last_name: string
  username: string
  picture_seed: number
  profile_readable: boolean
}
type Message = {
  mid: string
  page_id: string
  psid: string
  from_page: boolean
  text: string | null
  files: SandboxFile[]
  created_at: string
}

export type World = { people: Person[]; messages: Message[] }

const usualPeople = 200
const seed = 20_260_418
const minute = 60_000
const day = 24 * 60 * minute

/** Generates the people and messages: always the same, with dates relative to `now`. */
export function inventWorld(now: number, count = usualPeople): World {
  const random = createRandom(seed)
  const places = seededPages.flatMap((page) => [
    { page, platform: 'messenger' as const },
    ...(page.instagram_id === null ? [] : [{ page, platform: 'instagram' as const }]),
  ])
  const people: Person[] = []
  const messages: Message[] = []
  for (let index = 0; index < count; index++) {
    const name = invent.name(random)
    const first = random.between(0, places.length - 1)
    const visits = random.chance(0.3) ? (random.chance(0.25) ? 3 : 2) : 1
    for (let visit = 0; visit < visits; visit++) {
      const place = places[(first + visit * 2) % places.length]
      if (!place) continue
      const handle = `${name.first}.${name.last}`.toLowerCase().replaceAll(' ', '')
      const person: Person = {
        psid: random.digits(place.platform === 'instagram' ? 15 : 16),
        page_id: place.page.page_id,
        platform: place.platform,
        person_key: `person-${index}`,
        conversation_id: place.platform === 'instagram' ? `aWdfZAG06${random.token(40)}` : `t_${random.digits(16)}`,
        first_name: name.first,
        last_name: name.last,
        username: `${handle}${random.between(1, 99)}`,
        picture_seed: 1_000 + index,
        profile_readable: index % 67 !== 66,
      }
      people.push(person)
      messages.push(...inventConversation(random, person, place.page.trade, lastMoment(random, people.length, now)))
    }
  }
  return { people, messages }
}

/** The first few people wrote minutes ago, the others hours, days and months ago. */
function lastMoment(random: Random, position: number, now: number): number {
  if (position <= 4) return now - position * 3 * minute - random.between(0, 2) * minute
  return now - Math.round(15 * minute + 110 * day * random.next() ** 3)
}

function inventConversation(random: Random, person: Person, trade: Trade, last: number): Message[] {
  const length = random.chance(0.9) ? random.between(19, 24) : random.between(2, 14)
  const endsWithPerson = random.chance(0.35)
  const topic = inventTopic(random, trade)
  const messages: Message[] = []
  let at = last
  let fromPage = !endsWithPerson
  for (let left = length; left > 0; left--) {
    messages.push(inventMessage(random, person, topic, { at, fromPage, left, length }))
    const anotherDay = random.chance(0.12)
    at -= anotherDay ? random.between(14 * 60, 6 * 24 * 60) * minute : random.between(1, 25) * minute
    at -= random.between(0, 59) * 1_000
    if (!random.chance(0.25)) fromPage = !fromPage
  }
  return messages.reverse()
}

function inventMessage(
  random: Random,
  person: Person,
  topic: Topic,
  { at, fromPage, left, length }: { at: number; fromPage: boolean; left: number; length: number },
): Message {
  const files = random.chance(fromPage ? 0.04 : 0.09) ? [inventFile(random)] : []
  return {
    mid:
      person.platform === 'instagram'
        ? `aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlE${random.token(48)}`
        : `m_${random.token(60)}`,
    page_id: person.page_id,
    psid: person.psid,
    from_page: fromPage,
    text: files.length > 0 ? say.caption(random) || null : words(random, topic, fromPage, left / length),
    files,
    created_at: new Date(Math.floor(at / 1_000) * 1_000).toISOString(),
  }
}

/** A file of a random kind, mostly images. */
export function inventFile(random: Random): SandboxFile {
  const kinds: [MediaKind, ...MediaKind[]] = ['image', 'image', 'image', 'image', 'file', 'file', 'audio', 'video']
  return describeFile(random.pick(kinds), random.between(1, 24))
}

function words(random: Random, topic: Topic, fromPage: boolean, remaining: number): string {
  if (fromPage) return random.chance(0.4) ? say.answer(random, topic) : say.reply(random, topic)
  if (remaining > 0.7) return say.question(random, topic)
  if (remaining < 0.12) return say.thanks(random, topic)
  return random.chance(0.3) ? say.question(random, topic) : say.followUp(random, topic)
}

/** A page's access token in the sandbox, derived from the server's secret. */
export function sandboxToken(key: Uint8Array, pageId: string): string {
  return `EAASandbox${createHmac('sha256', key).update(`page ${pageId}`).digest('base64url')}`
}

/** Fills an empty sandbox. */
export async function seedWorld(db: SandboxDb, tokenKey: Uint8Array, now: number, count?: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const state = await trx.selectFrom('sandbox.state').select('seeded_at').forUpdate().executeTakeFirst()
    if (state?.seeded_at) return
    const { people, messages } = inventWorld(now, count)
    await trx
      .insertInto('sandbox.pages')
      .values(seededPages.map((page) => ({ ...page, access_token: sandboxToken(tokenKey, page.page_id) })))
      .execute()
    await trx.insertInto('sandbox.people').values(people).execute()
    await sql`
      insert into sandbox.messages (mid, page_id, psid, from_page, text, files, created_at)
      select * from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb)
        as message (mid text, page_id text, psid text, from_page boolean, text text, files jsonb, created_at timestamptz)
      order by created_at
    `.execute(trx)
    await trx
      .updateTable('sandbox.state')
      .set({ seeded_at: new Date(now) })
      .execute()
  })
}
