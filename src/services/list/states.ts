import type { ChangeStatesRequest, ChangeStatesResult } from '../../domain/list/state-changes.ts'
import { changeStatesAnswer, type TeamMember, teamAnswer } from '../../schemas/conversation-state.ts'
import type { Http } from '../http.ts'

/** The calls about the states of conversations (feature 'conversation-states'). All throw `Failure`. */
export function createStates(http: Http) {
  return {
    /** Not aborted, because the server may make the change in any case. */
    changeStates: async ({ changes }: ChangeStatesRequest): Promise<readonly ChangeStatesResult[]> => {
      const { data } = await http.post('/facebook/conversations/state', {
        schema: changeStatesAnswer,
        body: { changes },
      })
      return data.results
    },
    loadTeam: async (signal: AbortSignal): Promise<readonly TeamMember[]> => {
      const { data } = await http.get('/facebook/team', { schema: teamAnswer, signal })
      return data
    },
  }
}
