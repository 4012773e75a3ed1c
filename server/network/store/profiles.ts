import { cleanText } from '../../clean-text.ts'
import type { PersonResponse } from '../graph/graph-shapes.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'

export type Profile = { name: string | null; firstName: string | null; lastName: string | null; picture: string | null }

export const noProfile: Profile = { name: null, firstName: null, lastName: null, picture: null }

/** Instagram may give a user name only. An empty response means no name. */
export function profileOf(answer: PersonResponse, normalizeUrl: Pick<NormalizeUrl, 'picture'>): Profile {
  const text = (value: string | null | undefined) => (value ? cleanText(value) : null)
  const whole = [answer.first_name, answer.last_name].filter(Boolean).join(' ')
  return {
    name: text(answer.name || whole || answer.username),
    firstName: text(answer.first_name),
    lastName: text(answer.last_name),
    picture: normalizeUrl.picture(answer.profile_pic),
  }
}
