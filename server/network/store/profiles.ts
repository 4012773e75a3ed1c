import type { KeepAddress } from '../graph/addresses.ts'
import type { PersonAnswer } from '../graph/graph-shapes.ts'
import { storable } from './storable.ts'

export type Profile = { name: string | null; firstName: string | null; lastName: string | null; picture: string | null }

export const noProfile: Profile = { name: null, firstName: null, lastName: null, picture: null }

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
