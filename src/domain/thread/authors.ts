import type { AuthUser } from '../../schemas/auth.ts'
import type { Author } from '../../schemas/author.ts'
import type { Message } from '../../schemas/message.ts'
import { offers } from '../session/features.ts'

/** A message that this person has just sent, with its author if the API offers authors. */
export const writtenBy = (user: AuthUser, message: Message): Message =>
  offers(user, 'authors') ? { ...message, author: { kind: 'staff', id: user.id } } : message

/** Whether two authors are the same; not known counts as an author of its own. */
export const isSameAuthor = (one: Author | null | undefined, other: Author | null | undefined): boolean =>
  one?.kind === other?.kind && one?.id === other?.id
