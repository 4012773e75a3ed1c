import type { SavedSettings, SettingsSave, SettingsSaveResult } from '../../domain/settings-calls.ts'
import {
  type AssignmentMember,
  type AssignmentRules,
  assignmentRulesAnswer,
  saveAssignmentRulesAnswer,
} from '../../schemas/assignment-rules.ts'
import { type BusinessHours, businessHoursAnswer, saveBusinessHoursAnswer } from '../../schemas/business-hours.ts'
import type { Http } from '../http.ts'

type Loaded<Settings, Facts> = { saved: SavedSettings<Settings>; facts: Facts }

/**
 * The calls for business hours (feature 'business-hours') and assignment rules (feature 'assignment-rules'). All throw
 * `Failure`. A write is not aborted, because the server may have saved the settings in any case.
 */
export const createBusinessSettings = (http: Http) => ({
  loadHours: async (signal: AbortSignal): Promise<Loaded<BusinessHours, { timeZone: string }>> => {
    const { data } = await http.get('/business-hours', { schema: businessHoursAnswer, signal })
    const { settings, version, time_zone } = data
    return { saved: { settings, version }, facts: { timeZone: time_zone } }
  },

  saveHours: async (body: SettingsSave<BusinessHours>): Promise<SettingsSaveResult<BusinessHours>> => {
    const { data } = await http.put('/business-hours', { schema: saveBusinessHoursAnswer, body })
    return { settings: data.settings, version: data.version, isSaved: data.is_saved }
  },

  loadRules: async (
    signal: AbortSignal,
  ): Promise<Loaded<AssignmentRules, { members: readonly AssignmentMember[] }>> => {
    const { data } = await http.get('/assignment-rules', { schema: assignmentRulesAnswer, signal })
    const { settings, version, members } = data
    return { saved: { settings, version }, facts: { members } }
  },

  saveRules: async (body: SettingsSave<AssignmentRules>): Promise<SettingsSaveResult<AssignmentRules>> => {
    const { data } = await http.put('/assignment-rules', { schema: saveAssignmentRulesAnswer, body })
    return { settings: data.settings, version: data.version, isSaved: data.is_saved }
  },
})
