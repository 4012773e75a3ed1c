import { type ShownAlarm, shownAlarm } from '../../schemas/alarm.ts'
import { answerOf } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

/** The call for the incidents that administrators see. Throws `Failure`. */
export function createAlarms(http: Http, log: { warn: (text: string) => void }) {
  const schema = answerOf(rows(shownAlarm, log, 'alarms'))
  return {
    /** Those that last, then those that ended; each newest first. */
    loadAlarms: async (signal: AbortSignal): Promise<readonly ShownAlarm[]> =>
      (await http.get('/alarms', { schema, signal })).data,
  }
}
