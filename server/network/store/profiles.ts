import type { Platform } from '../../../src/schemas/conversation.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import type { PersonAnswer } from '../graph/graph-shapes.ts'
import { storable } from './storable.ts'

export type Profile = { name: string | null; firstName: string | null; lastName: string | null; picture: string | null }

export const noProfile: Profile = { name: null, firstName: null, lastName: null, picture: null }

export type Profiles = ReturnType<typeof createProfiles>

/** A person whose profile the network keeps to itself is asked for again only after this. */
const askAgainAfter = 60 * 60 * 1000
const atOnce = 6
/** How many of them are remembered; beyond that the one asked for longest ago may be asked for again sooner. */
const remembered = 10_000

/** Looks people up on the network. Never throws: a message is worth more than its writer's name. */
export function createProfiles({
  graph,
  keep,
  clock,
  logger,
}: {
  graph: Pick<Graph, 'person'>
  keep: Pick<KeepAddress, 'picture'>
  clock: Clock
  logger: Logger
}) {
  const askedInVain = new Map<string, number>()

  function rememberInVain(who: string): void {
    // Set anew, it stands last: the first is the one asked for longest ago.
    askedInVain.delete(who)
    askedInVain.set(who, clock.now())
    const [oldest] = askedInVain.keys()
    if (askedInVain.size > remembered && oldest !== undefined) askedInVain.delete(oldest)
  }

  async function lookUp(token: string, pageId: string, psid: string, platform: Platform): Promise<Profile> {
    const who = `${pageId}:${psid}`
    const asked = askedInVain.get(who)
    if (asked !== undefined && clock.now() - asked < askAgainAfter) return noProfile
    try {
      const profile = profileOf(await graph.person(token, psid, platform), keep)
      if (profile.name === null) rememberInVain(who)
      return profile
    } catch (error) {
      logger.warn({ pageId, code: error instanceof GraphError ? error.code : null }, 'a profile could not be read')
      return noProfile
    }
  }

  return {
    /** The profiles of several people of one page, by psid; an empty one for whoever the network does not tell of. */
    async of(token: string, pageId: string, psids: string[], platform: Platform): Promise<Map<string, Profile>> {
      const profiles = new Map<string, Profile>()
      const waiting = [...psids]
      const work = async () => {
        for (let psid = waiting.pop(); psid !== undefined; psid = waiting.pop()) {
          profiles.set(psid, await lookUp(token, pageId, psid, platform))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      return profiles
    },
  }
}

/** A person's name as the network gives it: Instagram's may be a user name alone; an empty answer is no name. */
export function profileOf(answer: PersonAnswer, keep: Pick<KeepAddress, 'picture'>): Profile {
  const text = (value: string | null | undefined) => (value ? storable(value) : null)
  const whole = [answer.first_name, answer.last_name].filter(Boolean).join(' ')
  return {
    name: text(answer.name || whole || answer.username),
    firstName: text(answer.first_name),
    lastName: text(answer.last_name),
    picture: keep.picture(answer.profile_pic),
  }
}
