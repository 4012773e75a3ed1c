import * as z from 'zod/mini'
import type { ChangeStatesRequest, ChangeStatesResult } from '../../domain/list/state-changes.ts'
import { changeResult, type TeamMember, teamMember } from '../../schemas/conversation-state.ts'
import { answerOf } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

/** The calls about the states of conversations (feature 'conversation-states'). All throw `Failure`. */
export function createStates(http: Http, log: { warn: (text: string) => void }) {
  const changed = answerOf(z.object({ results: rows(changeResult, log, 'state changes') }))
  const team = answerOf(rows(teamMember, log, 'team members'))
  return {
    /** Not aborted, because the server may make the change in any case. */
    changeStates: async ({ changes }: ChangeStatesRequest): Promise<readonly ChangeStatesResult[]> => {
      const { data } = await http.post('/facebook/conversations/state', {
        schema: changed,
        body: { changes },
      })
      return data.results
    },
    loadTeam: async (signal: AbortSignal): Promise<readonly TeamMember[]> => {
      const { data } = await http.get('/facebook/team', { schema: team, signal })
      return data
    },
  }
}
