import type { Chats } from '../../schemas/chats.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { rowIdOf } from '../list/conversation-row.ts'
import { clientNameOf } from './client-linking.ts'

/** A correction of a conversation's chats, with the name that the question shows. */
export type ChatStep =
  | { kind: 'unlink'; clientId: string; name: string }
  | { kind: 'split'; chatId: string; name: string }
  | { kind: 'join'; otherId: string; name: string }

/** A conversation that can be joined, as the search found it. */
export type Candidate = {
  id: string
  name: string
  pages: string
  client: { id: string; name: string } | null
}

export const candidateOf = (row: Conversation, name: string): Candidate => ({
  id: rowIdOf(row),
  name,
  pages: row.page_names ?? '',
  client:
    row.client_id == null
      ? null
      : {
          id: row.client_id,
          name: clientNameOf({ first_name: row.client_first_name, last_name: row.client_last_name }),
        },
})

/** Two conversations with different clients cannot be joined. */
export const canJoin = ({ client }: Pick<Chats, 'client'>, candidate: Candidate): boolean =>
  client === null || candidate.client === null || client.id === candidate.client.id

/** Whether the server would accept the step, as far as these chats tell. */
export function isPossible(chats: Chats, candidates: readonly Candidate[], step: ChatStep): boolean {
  switch (step.kind) {
    case 'unlink':
      return chats.client?.id === step.clientId
    case 'split':
      return chats.chats.some(({ fb_user_id, is_first }) => fb_user_id === step.chatId && !is_first)
    case 'join':
      return candidates.some((candidate) => candidate.id === step.otherId && canJoin(chats, candidate))
  }
}
