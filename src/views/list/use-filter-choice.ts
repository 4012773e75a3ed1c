import type { ActorRefFrom } from 'xstate'
import type { conversationsMachine } from '../../machines/list/conversations.ts'
import { useSession } from '../actors.tsx'

/** Chooses the filters that the first load does not show. `undefined` removes a filter. */
export function useFilterChoice() {
  const { system } = useSession()
  const conversations: ActorRefFrom<typeof conversationsMachine> = system.get('conversations')
  return {
    chooseLabel: (labelId: string | undefined) => conversations.send({ type: 'filter.chosen', filter: { labelId } }),
    chooseAssignee: (assignedTo: string | undefined) =>
      conversations.send({ type: 'filter.chosen', filter: { assignedTo } }),
    /** `undefined`: the longest wait first. */
    chooseOrder: (order: 'urgent' | undefined) => conversations.send({ type: 'filter.chosen', filter: { order } }),
  }
}
