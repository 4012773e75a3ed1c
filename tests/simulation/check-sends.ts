import type { Invariant } from './invariants.ts'
import type { Meant, StaffMember } from './people.ts'
import { chosenFiles } from './sends.ts'
import type { World } from './world.ts'

type Delivered = { key: string | null; mark: string | null; path: string | null; seq: number }

/** What of the messages that staff sent has reached the network. */
export function createSendChecks(
  { database }: World,
  members: readonly StaffMember[],
  report: (invariant: Invariant, detail: string) => void,
) {
  /** The names of the files that the network has, by their paths there. Null: nobody chose such a file. */
  const names = new Map<string, string | null>()

  /** All that staff wrote and that were answers by themselves, as delivered, in the order of the network. */
  async function delivered(): Promise<{ seq: number; key: string | null; mark: string | null }[]> {
    const rows = await database.read<Delivered>(
      `select seq::integer, metadata as key, substring(text from '\\ms[0-9]+\\M') as mark, files -> 0 ->> 'path' as path
       from sandbox.messages where delivered order by seq`,
    )
    const unknown = rows.flatMap(({ path }) => (path === null || names.has(path) ? [] : path))
    if (unknown.length > 0) {
      const files = await database.read<{ path: string; sha256: string }>(
        `select path, encode(sha256(content), 'hex') as sha256 from sandbox.files where path = any($1::text[])`,
        [unknown],
      )
      for (const { path, sha256 } of files) names.set(path, chosenFiles.get(sha256) ?? null)
    }
    return rows.map(({ seq, key, mark, path }) => {
      const name = path === null ? mark : (names.get(path) ?? null)
      if (path !== null && name === null)
        report('files arrive as chosen', `the network has ${path}, which nobody has chosen`)
      return { seq, key, mark: name }
    })
  }

  const meantBy = (one: { key: string | null; mark: string | null }): Meant | undefined =>
    members
      .flatMap((member) => member.meantHere())
      .find(({ key, text }) => (one.key !== null && key === one.key) || text === one.mark)

  return {
    /** The keys and marks of what has reached the network. */
    async arrived(): Promise<ReadonlySet<string>> {
      const rows = await delivered()
      return new Set(rows.flatMap(({ key, mark }) => [key, mark].filter((one) => one !== null)))
    },

    async check(): Promise<void> {
      const sent = new Map<string, number>()
      /** The last message of each conversation of a tab that arrived, by when it was written. */
      const latest = new Map<string, number>()
      const written = members.flatMap((member) => member.meantHere())
      const places = new Map(written.map((meant, place) => [meant.key, place]))
      for (const one of await delivered()) {
        // An automatic reply on Instagram carries no key.
        const name = one.mark ?? one.key
        if (name === null) continue
        const times = (sent.get(name) ?? 0) + 1
        sent.set(name, times)
        const meant = meantBy(one)
        if (times > 1 + (meant?.retries ?? 0)) report('sends once', `${name} was delivered ${times} times`)
        if (meant === undefined || meant.isAskedAgain) continue
        const place = places.get(meant.key) ?? 0
        const thread = `${meant.client.name} ${meant.conversationId}`
        const last = latest.get(thread) ?? -1
        if (place < last) report('order is kept', `${name} came after ${written[last]?.text}`)
        latest.set(thread, Math.max(place, last))
      }
    },
  }
}
